"""The portable zip in real Windows Python under Wine, from the first word to the end of a match, heard through a stub NVDA.

    python tools/wine/zip_check.py KOZEL.zip FOLDER [CHECK...]

Unpacks the zip to «Козёл игра» in FOLDER, makes a Wine prefix there, and plays through Wine's console in tmux panes: the menu,
a name typed in, the window closed, going on, Ctrl+C, a whole match. No proof about conhost, Windows Terminal, NVDA or JAWS.
The stub replaces NVDA's library (under Wine the genuine one says that NVDA runs when none does), and a `bcryptprimitives.dll`
that Wine 8 lacks is put beside python.exe; both are for this check only.

Debian 12: apt-get install --no-install-recommends wine wine64 tmux gcc-mingw-w64-x86-64-win32
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tests"))

from play.person import Person  # noqa: E402
from play.program import Line, Transcript, is_fence  # noqa: E402

FENCE = "f12"
NAMES = {"enter": "Enter", "space": "Space", "tab": "Tab", "escape": "Escape", "backspace": "BSpace"}
PATIENCE = 60.0
QUIET = 0.6
"""Seconds of silence after which nobody says any more."""
GCC = ("x86_64-w64-mingw32-gcc", "-O2", "-shared", "-o")


class Failed(Exception):
    """What did not come."""


class Lab:
    """The unpacked folder and its Wine."""

    def __init__(self, archive: Path, folder: Path) -> None:
        self.folder = folder
        self.game = folder / "Козёл игра"
        self.heard = folder / "nvda.log"
        self.environ = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("KOZEL_", "LC_", "DISPLAY"))},
            "HOME": str(folder / "home"),  # Wine's desktop leads there
            "WINEPREFIX": str(folder / "wp"),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "winemenubuilder.exe=d",
            "LANG": "C.UTF-8",
            "KOZEL_LANG": "ru",
            "NVDA_STUB_LOG": windows(self.heard),
        }
        self.game.mkdir(parents=True)
        (folder / "home").mkdir(exist_ok=True)
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(self.game)
        library = self.game / "py/Lib/site-packages/accessible_output2/lib/nvdaControllerClient64.dll"
        subprocess.run([*GCC, str(library), str(HERE / "nvda_stub.c")], check=True)
        shim = [str(self.game / "py/bcryptprimitives.dll"), str(HERE / "bcryptprimitives.c"), "-ladvapi32"]
        subprocess.run([*GCC, *shim], check=True)
        for kept in (folder / "wp/drive_c/users").glob("*/AppData/Local/kozel"):
            shutil.rmtree(kept)  # of an earlier check
        if not (folder / "wp").exists():
            subprocess.run(["wine", "wineboot", "-i"], env=self.environ, capture_output=True, check=False, timeout=300)

    def python(self, code: str) -> tuple[str, float]:
        """What Windows' Python says, and the seconds it took."""
        begun = time.monotonic()
        done = subprocess.run(
            ["wine", str(self.game / "py/python.exe"), "-X", "utf8", "-c", code],
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return done.stdout + done.stderr, time.monotonic() - begun


class Window:
    """A window in which `Kozel.cmd` was started."""

    number = 0

    def __init__(self, lab: Lab, *words: str) -> None:
        Window.number += 1
        self._lab = lab
        self._socket = f"kozel-zip-{os.getpid()}-{Window.number}"
        self._status = lab.folder / f"status{Window.number}"
        transcript = lab.folder / f"heard{Window.number}.jsonl"
        self.transcript = Transcript(transcript)
        lab.heard.unlink(missing_ok=True)
        line = shlex.join(["wine", "cmd", "/c", windows(lab.game / "Kozel.cmd"), *words])
        script = lab.folder / f"window{Window.number}.sh"
        # The shell outlives Ctrl+C: under a real console the program gets it as a key, here as a signal to all of them.
        script.write_text(f"trap : INT\n{line}\necho $? >{shlex.quote(str(self._status))}\nsleep 5\n", encoding="utf-8")
        environ = {**lab.environ, "KOZEL_TRANSCRIPT": windows(transcript)}
        self.begun = time.monotonic()
        self._tmux("new-session", "-d", "-x", "100", "-y", "30", "sh", str(script), environ=environ)

    def close(self) -> None:
        """Close the window, whatever is in it."""
        self._tmux("kill-server")

    def spoken(self) -> list[str]:
        """What the reader was told to speak."""
        if not self._lab.heard.exists():
            return []
        rows = [row.split("\t") for row in self._lab.heard.read_text(encoding="utf-8", errors="replace").splitlines()]
        return [row[3] for row in rows if len(row) > 3 and row[2] == "speakText"]

    def first_word(self) -> float:
        """Seconds from the start to the first word spoken."""
        wait(lambda: bool(self.spoken()), "the first word")
        return time.monotonic() - self.begun

    def type(self, text: str) -> None:
        """Type text, a character at a time."""
        for char in text:
            self._tmux("send-keys", "-l", char)
            time.sleep(0.05)

    def send(self, name: str) -> None:
        """Press a key."""
        if len(name) == 1:
            self._tmux("send-keys", "-l", name)
        else:
            self._tmux("send-keys", NAMES.get(name) or (name.upper() if name.startswith("f") else name.title()))

    def interrupt(self) -> None:
        """Press Ctrl+C."""
        self._tmux("send-keys", "C-c")

    def press(self, *names: str) -> list[Line]:
        """Press keys as a person does; the lines said until the last was obeyed."""
        for name in names:
            time.sleep(0.35)
            self.send(name)
        time.sleep(0.2)
        self.send(FENCE)
        lines: list[Line] = []

        def fenced() -> bool:
            fresh = self.transcript.fresh()
            lines.extend(fresh)
            return any(map(is_fence, fresh))

        wait(fenced, f"an answer to {names}")
        while fresh := self._more():  # computer players answer in their own time
            lines.extend(fresh)
        return [line for line in lines if not is_fence(line)]

    def listen(self, patience: float) -> list[Line]:
        """What is said by itself, until it is quiet."""
        until = time.monotonic() + patience
        lines: list[Line] = []
        while not lines and time.monotonic() < until:
            lines = self._more()
        while fresh := self._more():
            lines.extend(fresh)
        return lines

    def _more(self) -> list[Line]:
        time.sleep(QUIET)
        return self.transcript.fresh()

    def hear(self, words: str) -> None:
        """Wait until the reader has spoken these words."""
        wait(lambda: any(words in text for text in self.spoken()), f"«{words}», spoken were {self.spoken()[-5:]}")

    def _tmux(self, *words: str, environ: dict[str, str] | None = None) -> None:
        command = ["tmux", "-L", self._socket, "-f", "/dev/null", *words]
        subprocess.run(command, env=environ, check=False, timeout=30, capture_output=True)


def main(words: list[str]) -> int:
    """Run the checks; the exit status is 1 if one failed."""
    if len(words) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(words[1]).resolve()
    lab = Lab(Path(words[0]), folder)
    checks = [
        modules,
        first_word,
        name_and_window,
        resumed_and_interrupted,
        match,
        shortcut,
        console,
        data_beside,
        mistakes,
    ]
    checks = [check for check in checks if not words[2:] or check.__name__ in words[2:]]
    failed = 0
    for check in checks:
        try:
            print(f"ok    {check.__name__}: {check(lab)}", flush=True)
        except (Failed, subprocess.SubprocessError, AssertionError) as error:
            failed += 1
            print(f"FAIL  {check.__name__}: {error}", flush=True)
    subprocess.run(["wineserver", "-k"], env=lab.environ, check=False, capture_output=True)
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


def modules(lab: Lab) -> str:
    """Every package of the zip loads."""
    code = "import asyncssh, miniaudio, yaml, prompt_toolkit, win32com.client, accessible_output2.outputs, kozel"
    said, _ = lab.python(f"{code}; asyncssh.generate_private_key('ssh-ed25519'); print('loaded')")
    expect(said.strip().endswith("loaded"), said)
    return "all packages load, asyncssh makes a key"


def first_word(lab: Lab) -> str:
    """From Enter on Kozel.cmd to the first word, and how that stands to bare Python."""
    bare = min(lab.python("pass")[1] for _ in range(3))
    times = []
    for _ in range(3):
        window = Window(lab)
        times.append(window.first_word())
        window.hear("Меню")
        window.close()
        time.sleep(1)
    return f"{min(times):.2f} s, bare Python {bare:.2f} s, ratio {min(times) / bare:.1f}"


def name_and_window(lab: Lab) -> str:
    """A name is typed in, the match begins, and the window is closed."""
    (lab.game / "data").mkdir()
    window = Window(lab)
    window.hear("Меню")
    window.press("enter", "down", "down", "down")
    time.sleep(0.5)
    window.send("enter")
    window.hear("Имя")
    time.sleep(0.5)
    window.type("Аннн")
    window.send("backspace")
    window.type("а")
    window.send("enter")
    window.hear("Анна")
    window.press("up", "up", "up", "enter")
    window.hear("Раунд 1")
    expect(any("Анна" in text and ":" in text for text in window.spoken()), "the name is not told")
    window.close()
    time.sleep(2)
    kept = list((lab.game / "data" / "matches").glob("*.yaml"))
    expect(len(kept) == 1 and "Анна" in kept[0].read_text(encoding="utf-8"), f"kept: {kept}")
    return "«Анна» typed with a Backspace, the match begun and kept beside the program"


def resumed_and_interrupted(lab: Lab) -> str:
    """The match whose window was closed goes on; Ctrl+C says how to go on with it."""
    window = Window(lab, "resume")
    window.hear("Анна")
    window.press("f5")
    window.interrupt()
    window.hear("Kozel.cmd resume")
    window.close()
    return "goes on after its window was closed, Ctrl+C tells how to go on"


def match(lab: Lab) -> str:
    """A whole match, every message spoken."""
    window = Window(lab, "play", "kozel", "--player", "Анна", "--player", "Борис:novice", "--option", "target=30")
    window.hear("Раунд 1")
    keys: list[str] = []

    def press(*names: str) -> list[Line]:
        keys.extend(names)
        lines = window.press(*names)
        expect(bool(lines), f"{names} is not answered, after {window.transcript.all[-3:]}")
        return lines

    person = Person(press, Random(1), "ru", fancy=0)
    person.hear(window.press("f5"))
    for _ in range(600):
        if person.question is not None:
            person.step()
        elif lines := window.listen(5.0):
            person.hear(lines)
        else:
            break
    last = window.transcript.all[-1].text
    expect(any("новая партия" in line.text for line in window.transcript.all), f"the match has no end: {last}")
    spoken = " ".join(window.spoken())
    missed = [
        line.text
        for line in window.transcript.all
        if line.kind != "echo" and not is_fence(line) and line.text not in spoken
    ]
    window.close()
    expect(not missed, f"not spoken: {missed[:3]}")
    return f"to its end in {len(keys)} keys, all {len(window.transcript.all)} messages spoken; the last: {last}"


def shortcut(lab: Lab) -> str:
    """The menu's item puts a shortcut on the desktop, which starts the program."""
    window = Window(lab)
    window.hear("Меню")
    for _ in range(20):
        if any("Ярлык" in line.text for line in window.press("down")):
            break
    window.press("enter")
    window.hear("теперь на рабочем столе")
    window.close()
    time.sleep(1)
    made = [place for base in ("wp/drive_c/users", "home") for place in (lab.folder / base).rglob("Козёл.lnk")]
    expect(bool(made), "there is no shortcut")
    steps = (lab.game.name, "Kozel.cmd")
    expect(all(step.encode("utf-16-le") in made[0].read_bytes() for step in steps), "the shortcut does not lead there")
    return "put on the desktop, its Cyrillic path whole"


def console(lab: Lab) -> str:
    """Russian lines on a console of each code page, read from the console itself."""
    out = lab.folder / "console.txt"
    socket = f"kozel-console-{os.getpid()}"
    line = shlex.join(
        ["wine", str(lab.game / "py/python.exe"), "-X", "utf8", windows(HERE / "console_program.py"), windows(out)]
    )
    tmux = ["tmux", "-L", socket, "-f", "/dev/null"]
    subprocess.run(
        [*tmux, "new-session", "-d", "-x", "100", "-y", "30", f"{line}; sleep 3"], env=lab.environ, check=True
    )
    try:
        wait(out.exists, "the console's report")
    finally:
        subprocess.run([*tmux, "kill-server"], check=False, capture_output=True)
    said = out.read_text(encoding="utf-8")
    expect("not read" not in said, said)
    return said.replace("\n", "; ")


def data_beside(lab: Lab) -> str:
    """Nothing was written but beside the program."""
    elsewhere = [path for path in (lab.folder / "wp/drive_c/users").rglob("kozel") if path.is_dir()]
    expect(not [path for path in elsewhere if (path / "matches").exists()], f"{elsewhere}")
    return "matches and settings lie in the folder data beside Kozel.cmd"


def mistakes(lab: Lab) -> str:
    """A mistake's exit status comes through Kozel.cmd."""
    command = ["wine", "cmd", "/c", windows(lab.game / "Kozel.cmd"), "play", "kozl"]
    done = subprocess.run(
        command, env=lab.environ, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60
    )
    said = done.stderr.decode() + done.stdout.decode()
    expect(done.returncode == 2 and "kozel" in said, f"{done.returncode}: {said}")
    return "exit status 2 and its sentence"


def wait(come: Callable[[], bool], what: str) -> None:
    """Wait until something has come. Raises `Failed`."""
    until = time.monotonic() + PATIENCE
    while not come():
        if time.monotonic() > until:
            raise Failed(f"{what} did not come")
        time.sleep(0.02)


def expect(holds: bool, otherwise: str) -> None:
    """Raises `Failed` unless it holds."""
    if not holds:
        raise Failed(otherwise)


def windows(path: Path) -> str:
    """A path as Wine's drive Z: has it."""
    return "Z:" + str(path).replace("/", "\\")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
