#!/usr/bin/env bash
# Builds what is given to people and tries it: wheel and sdist in empty environments, the one file for Linux, the Windows zip
# twice, which must come out the same.
#
#   tools/package_check.sh FOLDER [PYTHON...]
#
# FOLDER gets the files. PYTHON: the Pythons to try, python3 if none is named; each needs `venv`. `build` and `twine` are
# installed into an environment of their own. Needs the package index. The zip can be played under Wine: tools/wine/zip_check.py.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:?usage: package_check.sh FOLDER [PYTHON...]}"
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- python3
export PIP_DISABLE_PIP_VERSION_CHECK=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!KOZEL_@}"
export HOME=$work/home LANG=C.UTF-8 SHIV_ROOT=$work/shiv
mkdir "$HOME"

try() { # NAME COMMAND…: the installed game does what it is for
  local name=$1
  shift
  cd "$work"
  says '^kozel ' "$@" --version
  says '^kozel-yard' "$@" rules list --lang en
  says '^Program: ' "$@" doctor --lang en
  says 'goat' "$@" play kozel --player Anna:novice --player Boris:novice --option target=10 --lang en --speech lines
  says 'До свидания' "$@" --lang ru
  cd "$root"
  echo "ok: $name"
}
says() { # WORDS COMMAND…
  local words=$1
  shift
  "$@" </dev/null >"$work/said" || { echo "failed: $*"; cat "$work/said"; exit 1; }
  grep -q "$words" "$work/said" || { echo "$words is not said by: $*"; cat "$work/said"; exit 1; }
}

echo "== wheel and sdist"
rm -f "$folder"/*.whl "$folder"/*.tar.gz
python3 -m venv "$work/build"
"$work/build/bin/pip" install --quiet build twine
"$work/build/bin/python" -m build --outdir "$folder" "$root" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$work/build/bin/twine" check --strict "$folder"/*.whl "$folder"/*.tar.gz
for python in "$@"; do
  for made in "$folder"/*.whl "$folder"/*.tar.gz; do
    rm -rf "$work/empty"
    "$python" -m venv "$work/empty"
    "$work/empty/bin/pip" install --quiet "$made"
    "$work/empty/bin/pip" check >/dev/null
    [ -e "$work/empty/share/man/ru/man1/kozel.1" ]
    try "$(basename "$made") on $("$python" --version)" "$work/empty/bin/kozel"
  done
done

echo "== one file for Linux"
python3 "$root/tools/linux_pyz.py" "$folder/kozel.pyz"
for python in "$@"; do
  try "kozel.pyz on $("$python" --version)" "$python" "$folder/kozel.pyz"
done

echo "== Windows zip"
python3 "$root/tools/windows_zip.py" "$folder/kozel-windows.zip"
python3 "$root/tools/windows_zip.py" "$work/again.zip" >/dev/null
cmp "$folder/kozel-windows.zip" "$work/again.zip"
echo "ok: the zip came out the same twice"
