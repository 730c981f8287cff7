"""How the program was installed: where it stands, where its data is, and what is typed to start it or to add to it.

The portable Windows folder holds `Kozel.cmd` and, in `py`, the Python that runs this.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

STARTER = "Kozel.cmd"


def portable_folder(executable: str = sys.executable) -> Path | None:
    """The portable folder that this Python is part of; None where it is another's."""
    if not executable:
        return None
    folder = Path(executable).parent.parent
    return folder if Path(executable).parent.name == "py" and (folder / STARTER).is_file() else None


def data_folder(executable: str = sys.executable) -> Path:
    """Where the player's data is if no other folder is named: `data` in the portable folder if that is there, else the
    platform's own."""
    folder = portable_folder(executable)
    if folder is not None and (folder / "data").is_dir():
        return folder / "data"
    from platformdirs import user_data_path

    return user_data_path("kozel", appauthor=False)


def command_name() -> str:
    """What is typed to start the program."""
    return "kozel" if portable_folder() is None else STARTER


def install_line(extra: str, python: str = "") -> str:
    """What is typed to add an extra of the package, such as 'sound'; `python`: what this Python is called in it."""
    package = f"kozel[{extra}]"
    parts = Path(sys.prefix).parts
    if sys.platform == "win32":
        return f"{python or shell_word(sys.executable)} -m pip install {package}"
    if "pipx" in parts:
        return f"pipx install --force '{package}'"
    if "uv" in parts and "tools" in parts:
        return f"uv tool install '{package}'"
    return f"{python or shell_word(sys.executable)} -m pip install '{package}'"


def shell_word(path: Path | str) -> str:
    """A path as a shell takes it for one word."""
    if sys.platform == "win32":
        return f'"{path}"' if " " in str(path) else str(path)
    return shlex.quote(str(path))
