#!/bin/bash
# Direct speech in Windows' own Python under Wine, over a stub NVDA library that can be dead, asleep, slow or hanging.
#
#   tools/wine/nvda_check.sh FOLDER
#
# FOLDER holds a Windows Python as FOLDER/py/python.exe with accessible_output2, pywin32, prompt_toolkit and PyYAML in
# FOLDER/py/Lib/site-packages, and a Wine prefix in FOLDER/wp. Debian 12: apt-get install --no-install-recommends wine
# wine64 gcc-mingw-w64-x86-64-win32. The stub replaces the NVDA library of that folder's accessible_output2, which under
# Wine says that NVDA runs when none does. It is no proof about NVDA itself.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "${1:?usage: nvda_check.sh FOLDER}" && pwd)
library=$folder/py/Lib/site-packages/accessible_output2/lib/nvdaControllerClient64.dll
[ -e "$folder/py/python.exe" ] || { echo "$folder/py/python.exe: no Windows Python there" >&2; exit 2; }
[ -e "$library" ] || { echo "$library: accessible_output2 is not installed there" >&2; exit 2; }
x86_64-w64-mingw32-gcc -O2 -Wall -shared -o "$library" "$here/nvda_stub.c"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WINEPREFIX=$folder/wp WINEDEBUG=-all PYTHONUTF8=1
export NVDA_STUB_LOG="Z:$work/calls" NVDA_STUB_STATE="Z:$work/state"
unset DISPLAY
# This Python takes its path from a file beside it, not from PYTHONPATH. Its standard input must be open and its
# standard output and error a pipe or a terminal: WinError 6 otherwise.
run="import sys, runpy; sys.path.insert(0, r'Z:$here/../../src'); runpy.run_path(r'Z:$here/nvda_program.py', run_name='__main__')"
wine "$folder/py/python.exe" -c "$run" </dev/null 2>&1 | cat
exit "${PIPESTATUS[0]}"
