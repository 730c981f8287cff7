"""What the tools that pack the game share: pip in an environment of its own, pins, and whether they are complete."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

BUILDING = """
hatchling==1.33.0 --hash=sha256:415290b84f464d2884303fca8974d38e7b85579069fab02a15db0828fbb1446d
packaging==26.4 --hash=sha256:81383611a09c1bc0b08b76e0fd5829d7c6824c65b27a6aee339da133f4233ea2
pathspec==1.1.1 --hash=sha256:a00ce642f577bf7f473932318056212bc4f8bfdf53128c78bbd5af0b9b20b189
pluggy==1.7.0 --hash=sha256:7dd7b0d8832ba3cb632c306926ded123429211b83641b35dc5c41ad2d34f9bec
tomli==2.5.0; python_version < "3.11" --hash=sha256:32a7b79ac57a2e83670ce329ccf675798bc5a2094783a63676866b70503f2e2b
trove-classifiers==2026.9.21.13 --hash=sha256:8b1ff4f9c191b1040b71c37f1e445ab99732911e3cd91de52838453a854d7a17
"""
"""What builds the game's own wheel; nothing of it is packed."""


class Target(NamedTuple):
    """What a wheel is for: platform tags, and a version of CPython, '' for any."""

    platforms: tuple[str, ...]
    python: str = ""

    def words(self) -> list[str]:
        """It in pip's words."""
        words = [word for platform in self.platforms for word in ("--platform", platform)]
        return words + (["--python-version", self.python, "--implementation", "cp"] if self.python else [])


ANYWHERE = Target(("any",))


class CannotBuild(Exception):
    """Why there will be no zip, in one sentence."""


class Pip:
    """pip in an environment of its own, so that nothing of this machine's gets in."""

    def __init__(self, work: Path) -> None:
        self.work = work
        environment = work / "env"
        run([sys.executable, "-m", "venv", str(environment)])
        self.path = str(environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
        self.do("uninstall", "-q", "-y", "setuptools", failing=True)  # so that no package's own code can be run by pip

    def do(self, *words: str, failing: bool = False, **environ: str) -> str:
        """Run pip; its output. Raises `CannotBuild` unless it may fail."""
        return run([self.path, "-m", "pip", *words], failing=failing, **environ)

    def python(self, code: str, *words: str) -> str:
        """What Python code says that is run in this environment; pip's copy of `packaging` is there."""
        return run([self.path, "-c", code, *words])

    def wheels(self, pins: str, name: str, target: Target = ANYWHERE, *, hashes: bool = True) -> list[Path]:
        """The pinned wheels for a target."""
        listed, folder = self.work / f"{name}.txt", Path(tempfile.mkdtemp(dir=self.work))
        listed.write_text(pins, encoding="utf-8")
        words = ["download", "-q", "--no-deps", "--only-binary=:all:", "-d", str(folder), "-r", str(listed)]
        self.do(*words, *target.words(), *(("--require-hashes",) if hashes else ()))
        return sorted(folder.glob("*.whl"))

    def install(self, pins: str, name: str) -> None:
        """Put pinned packages into this environment."""
        listed = self.work / f"{name}.txt"
        listed.write_text(pins, encoding="utf-8")
        self.do("install", "-q", "--require-hashes", "--no-deps", "--only-binary=:all:", "-r", str(listed))

    def own_wheel(self) -> Path:
        """The game's wheel, built from this tree."""
        self.install(BUILDING, "building")
        folder = self.work / "own"
        self.do("wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT))
        return next(folder.glob("*.whl"))


def wanted(pip: Pip, extras: Sequence[str]) -> list[str]:
    """The requirements of pyproject.toml with those of some extras."""
    code = """
import sys
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
with open(sys.argv[1], "rb") as file:
    project = tomllib.load(file)["project"]
extras = project["optional-dependencies"]
for line in [*project["dependencies"], *(line for name in sys.argv[2:] for line in extras.get(name, ()))]:
    print(line)
"""
    return pip.python(code, str(ROOT / "pyproject.toml"), *extras).splitlines()


def check_complete(pip: Pip, fetched: Iterable[Path], asked: Sequence[str], environment: Mapping[str, str]) -> None:
    """That the wheels are what is asked for, with all that they need themselves in an environment, and nothing else.

    `environment`: the system as the conditions of dependencies name it. Raises `CannotBuild`.
    """
    code = """
import sys, zipfile
from email.parser import Parser
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name
environment, asked, paths = eval(sys.argv[1]), eval(sys.argv[2]), sys.argv[3:]
wheels = {}
for path in paths:
    archive = zipfile.ZipFile(path)
    name = next(name for name in archive.namelist() if name.count("/") == 1 and name.endswith(".dist-info/METADATA"))
    head = Parser().parsestr(archive.read(name).decode())
    wheels[canonicalize_name(head["Name"])] = head
open_, seen = [("pyproject.toml", line, "") for line in asked], set()
while open_:
    by, line, extra = open_.pop()
    need = Requirement(line)
    name = canonicalize_name(need.name)
    if need.marker and not need.marker.evaluate({**environment, "extra": extra}):
        continue
    if name not in wheels:
        print(f"{by} needs {line}, which is not pinned")
        continue
    if not need.specifier.contains(wheels[name]["Version"], prereleases=True):
        print(f"{by} needs {line}, pinned is {wheels[name]['Version']}")
    for chosen in ("", *need.extras):
        if (name, chosen) not in seen:
            seen.add((name, chosen))
            open_ += [(name, line, chosen) for line in wheels[name].get_all("Requires-Dist") or ()]
for name in sorted(set(wheels) - {name for name, _ in seen}):
    print(f"{name} is pinned, and nothing needs it")
"""
    problems = pip.python(code, repr(dict(environment)), repr(list(asked)), *map(str, fetched))
    if problems.strip():
        raise CannotBuild("the pins are not right:\n" + problems.strip())


def wheel_name(wheel: Path) -> str:
    """The package's name, as it is written in pins."""
    return re.sub(r"[-_.]+", "-", wheel.name.split("-")[0]).lower()


def fresh_pins(pip: Pip, names: Iterable[str], targets: Sequence[Target], old: str) -> str:
    """The newest versions that there are for all targets, with the hashes of their wheels, as `old` lists them: each in a
    line that a backslash goes on with."""
    asked = [*names, *(line.partition("==")[0] for line in old.split("\n") if line)]
    versions: dict[str, str] = {}
    for target in targets:
        for wheel in pip.wheels("\n".join(asked) + "\n", "newest", target, hashes=False):
            name, version = wheel_name(wheel), wheel.name.split("-")[1]
            versions[name] = min(versions.get(name, version), version, key=_numbers)
    exact = "".join(f"{name}=={version}\n" for name, version in versions.items())
    hashes: dict[str, list[str]] = {name: [] for name in sorted(versions)}
    for target in targets:
        for wheel in pip.wheels(exact, "exact", target, hashes=False):
            digest = f" --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"
            known = hashes[wheel_name(wheel)]
            if digest not in known:
                known.append(digest)
    conditions = {name: re.search(rf"^{name}==[^;\n]*(;.*?) --hash", old, re.MULTILINE) for name in hashes}
    lines = []
    for name, digests in hashes.items():
        condition = conditions[name]
        together = digests if len(digests) == 1 else [f" \\\n   {digest}" for digest in digests]
        lines.append(f"{name}=={versions[name]}{condition[1] if condition else ''}{''.join(together)}")
    return "\n".join(lines)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def run(words: Sequence[str], *, failing: bool = False, **environ: str) -> str:
    """Run a program; its output. Raises `CannotBuild` where it fails, unless it may."""
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "SOURCE_DATE_EPOCH": "315532800", **environ}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900, check=False
    )
    if done.returncode and not failing:
        raise CannotBuild(f"{' '.join(words[:4])} …: {(done.stderr or done.stdout).strip()}")
    return done.stdout
