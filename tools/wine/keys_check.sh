#!/bin/bash
# The Windows key reader in Windows' own Python under Wine: key records written into a console's input with all their
# modifiers, then keys typed into Wine's console in a tmux pane. The first proves the reader, the decoding and the console modes over
# Wine's kernel32; the second shows how far Wine's console passes keys on. No proof about conhost or Windows Terminal.
#
#   tools/wine/keys_check.sh FOLDER
#
# FOLDER is what setup_python.sh made. Debian 12: apt-get install --no-install-recommends wine wine64 tmux
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "${1:?usage: keys_check.sh FOLDER}" && pwd)
python=$folder/py/python.exe
[ -e "$python" ] || { echo "$python: no Windows Python there; see setup_python.sh" >&2; exit 2; }
work=$(mktemp -d)
tmux="tmux -L kozel-wine -f /dev/null"
trap '$tmux kill-server 2>/dev/null || true; rm -rf "$work"' EXIT
export WINEPREFIX=$folder/wp WINEDEBUG=-all PYTHONUTF8=1
unset DISPLAY

start() { # FILE ARGUMENT…: the program in a pane of its own, which is its console
  code="import sys, runpy; sys.path.insert(0, r'Z:$here/../../src'); sys.argv[0:1] = []"
  code="$code; runpy.run_path(r'Z:$here/keys_program.py', run_name='__main__')"
  printf '#!/bin/sh\nwine "%s" -c "%s" keys_program.py "Z:%s" %s\necho $? >"%s.status"\n' \
    "$python" "$code" "$1" "${*:2}" "$1" >"$1.sh"
  chmod +x "$1.sh"
  $tmux new-session -d -x 100 -y 30 "$1.sh"
}
finished() { for _ in $(seq 600); do [ -e "$1.status" ] && return 0; sleep 0.1; done; echo "no end came" >&2; return 1; }

echo "== records written into the console"
start "$work/written"
finished "$work/written"
cat "$work/written"

echo "== keys typed into the pane"
start "$work/typed" --typed 3
for _ in $(seq 600); do [ ! -e "$work/typed.ready" ] || break; sleep 0.1; done
for key in Up Down Left Right Home End Space F1 F2 F3 F4 S-F3 C-F3 C-S-F3 S-F4 S-Left S-Right BTab Tab Enter BSpace Escape x X 1 , '?' ч; do
  $tmux send-keys "$key"
  sleep 0.15
done
finished "$work/typed"
cat "$work/typed"
exit "$(cat "$work/written.status")"
