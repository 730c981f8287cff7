#!/bin/bash
# Direct speech in Windows' own Python under Wine, over stand-ins for NVDA (a library that can be dead, asleep, slow or
# hanging) and for JAWS (a COM server that comes and goes). No proof about NVDA and JAWS themselves.
#
#   tools/wine/readers_check.sh FOLDER [nvda|jaws]
#
# FOLDER holds a Windows Python as FOLDER/py/python.exe with accessible_output2 and pywin32 in FOLDER/py/Lib/site-packages,
# and a Wine prefix in FOLDER/wp. The stub replaces the NVDA library of that folder's accessible_output2: under Wine the
# genuine one says that NVDA runs when none does. Debian 12: apt-get install --no-install-recommends wine wine64
# gcc-mingw-w64-x86-64-win32 wine64-tools (the last one for JAWS).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "${1:?usage: readers_check.sh FOLDER [nvda|jaws]}" && pwd)
readers=${2:-nvda jaws}
python=$folder/py/python.exe
library=$folder/py/Lib/site-packages/accessible_output2/lib/nvdaControllerClient64.dll
[ -e "$python" ] || { echo "$python: no Windows Python there" >&2; exit 2; }
[ -e "$library" ] || { echo "$library: accessible_output2 is not installed there" >&2; exit 2; }
x86_64-w64-mingw32-gcc -O2 -Wall -shared -o "$library" "$here/nvda_stub.c"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WINEPREFIX=$folder/wp WINEDEBUG=-all PYTHONUTF8=1
export NVDA_STUB_LOG="Z:$work/nvda" NVDA_STUB_STATE="Z:$work/state"
export JAWS_STUB_LOG="Z:$work/jaws" JAWS_STUB_LIBRARY="Z:$work/jaws_stub.tlb"
unset DISPLAY

# Windows' Python here takes its path from a file beside it, not from PYTHONPATH. Its standard input must be open and its
# standard output and error a pipe or a terminal: WinError 6 otherwise.
run() {
  wine "$python" -c "import sys, runpy; sys.path[:0] = [r'Z:$here/../../src', r'Z:$here']
runpy.run_path(r'Z:$here/$1', run_name='__main__')" "${@:2}" </dev/null 2>&1 | cat
  return "${PIPESTATUS[0]}"
}

status=0
for reader in $readers; do
  echo "== $reader"
  if [ "$reader" = jaws ]; then
    echo 1722 >"$work/state"
    widl-stable -t --win64 -I /usr/include/wine/wine/windows -I /usr/include/wine/windows \
      -o "$work/jaws_stub.tlb" "$here/jaws_stub.idl"
    cp "$here/jaws_stub.py" "$folder/py/Lib/site-packages/"
    run jaws_stub.py
  fi
  run "${reader}_program.py" || status=1
  [ "$reader" != jaws ] || run jaws_stub.py unregister
done
exit $status
