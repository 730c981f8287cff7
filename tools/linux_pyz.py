"""Build the game for Linux as one file, for people who have Python but no pip.

    python tools/linux_pyz.py OUT.pyz
    python tools/linux_pyz.py --pins

The file runs on CPython 3.10 to 3.14 on 64-bit PCs: compiled modules of all of them lie side by side in it, each under its own
version's name. At its first start it unpacks itself into the user's cache (shiv's way), and later starts from there. What it
holds is read from pyproject.toml, as in windows_zip.py; every file that is fetched is pinned below by version and SHA-256.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import zipfile
from pathlib import Path

from packing import CannotBuild, Pip, Target, check_complete, fresh_pins, run, wanted

EXTRAS = ("sound", "network")
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_24_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")
TARGETS = [Target(PLATFORMS, python) for python in PYTHONS]

WHEELS = """
accessible-output2==0.17 --hash=sha256:bdcfc5f2c8ecb50b219fa7d547018dd0c99dfa4c56b506872c74f5dc941a3288
asyncssh==2.24.1 --hash=sha256:fc560b4f43be0f0c602d184783e5e3876f5d24d933a25359d86e5a50a5f46fe5
cffi==2.1.1 \
    --hash=sha256:194cffa889098ced9976c3fc6340305e43f6303657d298da55366907c05c22d6 \
    --hash=sha256:34e261f78cb6ceaaa36f42f2613f4380d94d9c759a9c73c769ee6e0247364632 \
    --hash=sha256:c1453022f490d2459a11819d83ad1d586e9ff65a12ac3e705ffebd46d3685dcf \
    --hash=sha256:a931079504ecc49efed7744c476a5c343a92fabf66dec2db95edb1b2fdc770e2 \
    --hash=sha256:b0431303acaea1089ad4b3e9ce4e6518193def1118d4073ca848635ee4ea2e96
cryptography==50.0.2 \
    --hash=sha256:f21e8a22c8605750c7af886bab299a363721264061b4ac0a30efb73cfd58efc5 \
    --hash=sha256:4061c0079120205fb760c58acab6443e217307dcf05e3702cf970e0689972856
libloader==1.4.3 --hash=sha256:4cfd541496bed79a2b5f72c316e16312ce1dd72fab6ed837801aa5e53299d6da
miniaudio==1.71 \
    --hash=sha256:14892ad9b884e637029a22a781dea569b292a1be13682380fd14cefcf80ea4ed \
    --hash=sha256:06222d80b057ca4beccb6f97a134c2c2bf646ef7890e1759cfc09db7eecec44d \
    --hash=sha256:19be6f0a1e601c2237433e579734cfaf6469191b224c20c9e5f73c32ef9ee2b9 \
    --hash=sha256:12bc33e7e61072b4b541c14e10ef76119d5643e6bbb98e2dec0c0738889438fb \
    --hash=sha256:8a28ff4ad23e55bbde8808ce525d3bb7d249d7612f77646b30e06fc6b7a778ac
platform-utils==1.6.3 --hash=sha256:e0be07c347d572100b4f4d746cbf4126f30f39f3079b02a824a4a6cfc6c9ec10
platformdirs==4.12.4 --hash=sha256:78bfb9db2a8471ed7eebe3c3c932da413911042994e699b384fbb4493fa872d7
prompt-toolkit==3.0.53 --hash=sha256:01c0891d7f9237d5e339f7d3e42cdae80b7534abb1c7c0e3352efba6231492f2
pycparser==3.11 --hash=sha256:51d5a8ba2be0bbe440b99d2112604c95bbbc3c2748a64260186c541e1729cd80
pyyaml==6.0.4 \
    --hash=sha256:88a089e6424a8a256321270620d5a4328ad5227fb2061b07d33f596894336914 \
    --hash=sha256:622aa875fa6533f25fedcffe23079357d65a690d462200afed5d8e9d0e01ebee \
    --hash=sha256:93bfb2459195406a518e2f487a9bbf01df240175f31e06f5a252ac6734c7bbf0 \
    --hash=sha256:50588147ab2c6a59b5f990a4905db80899a6c2bd197e046a6201f1e67587e794 \
    --hash=sha256:c604dc2613c417130479cdd6e55c2faa691b6365aa82b3dafddfcecc2eaf1ac7
typing-extensions==4.16.0 --hash=sha256:481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8
wcwidth==0.9.4 --hash=sha256:b185c8b927b23af2721be1783499d1cfa5c028b098b0858951b4ae224477f1c2
"""
"""What goes into the file beside the game."""

BUILDER = """
click==8.5.1 --hash=sha256:8bb5376d2006950386f8c6427613334a2acadc5f559cb80e638d00b4df957e37
shiv==1.0.8 --hash=sha256:a60e4b05a2d2f8b820d567b1d89ee59af731759771c32c282d03c4ceae6aba24
"""
"""What makes the file; nothing of it is packed but shiv's own first lines."""


def main(words: list[str]) -> int:
    """Build the file, or print fresh pins."""
    parser = argparse.ArgumentParser(description="Build the game for Linux as one file.")
    parser.add_argument("out", nargs="?", type=Path, metavar="OUT.pyz")
    parser.add_argument("--pins", action="store_true", help="print the pins as they would be today")
    given = parser.parse_args(words)
    if given.out is None and not given.pins:
        parser.error("where to? OUT.pyz, or --pins")
    with tempfile.TemporaryDirectory() as folder:
        pip = Pip(Path(folder))
        try:
            if given.pins:
                print(f'WHEELS = """\n{fresh_pins(pip, wanted(pip, EXTRAS), TARGETS, WHEELS)}\n"""')
                print(f'BUILDER = """\n{fresh_pins(pip, ["shiv"], [Target(("any",))], BUILDER)}\n"""')
            else:
                build(pip, given.out)
        except CannotBuild as error:
            print(f"linux_pyz: {error}", file=sys.stderr)
            return 1
    return 0


def build(pip: Pip, out: Path) -> None:
    """Fetch, lay side by side, and pack."""
    site = pip.work / "site"
    for target in TARGETS:
        fetched = pip.wheels(WHEELS, f"wheels {target.python}", target)
        check_complete(pip, fetched, wanted(pip, EXTRAS), environment(target.python))
        for wheel in fetched:
            lay(wheel, site)
    lay(pip.own_wheel(), site)
    pip.install(BUILDER, "builder")
    words = ("--site-packages", str(site), "--entry-point", "kozel.__main__:main", "--python", "/usr/bin/env python3")
    run([pip.path, "-m", "shiv.cli", *words, "--compressed", "--reproducible", "--output-file", str(out.resolve())])
    content = out.read_bytes()
    print(f"{out}: {len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}")


def lay(wheel: Path, site: Path) -> None:
    """Put a wheel's packages beside the others. Raises `CannotBuild` where two differ in a file that runs."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith("/") or ".data/" in name:
                continue
            path, content = site / name, archive.read(name)
            if path.exists() and name.endswith(".abi3.so"):
                continue  # that for an older Python serves the newer ones too
            if path.exists() and ".dist-info/" not in name and path.read_bytes() != content:
                raise CannotBuild(f"{wheel.name}: {name} is another one than for the Python before")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def environment(python: str) -> dict[str, str]:
    """The system as the conditions of dependencies name it."""
    return {
        "implementation_name": "cpython",
        "implementation_version": f"{python}.0",
        "os_name": "posix",
        "platform_machine": "x86_64",
        "platform_python_implementation": "CPython",
        "platform_release": "6.1",
        "platform_system": "Linux",
        "platform_version": "1",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
