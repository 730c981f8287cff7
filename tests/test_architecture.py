"""The house keeps its shape: imports point one way, no code asks which ruleset it is, the first words come early."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "kozel"
RULESETS = SOURCE.parent.parent / "rulesets"

_EVERYWHERE = {"apart", "clean", "files", "locales", "shipped", "yamltree"}
BELOW: dict[str, set[str]] = {
    "apart": set(),
    "clean": set(),
    "files": set(),
    "locales": set(),
    "shipped": set(),
    "yamltree": {"locales"},
    "engine": set(),
    "rules": {"engine"} | _EVERYWHERE,
    "records": {"rules", "engine"} | _EVERYWHERE,
    "bots": {"rules", "engine", "apart"},
    "play": {"bots", "records", "rules", "engine"} | _EVERYWHERE,
    "narration": {"engine"} | _EVERYWHERE,
    "voice": _EVERYWHERE,
    "sounds": {"engine"} | _EVERYWHERE,
    "session": {"narration", "voice", "play", "bots", "rules", "engine"} | _EVERYWHERE,
    "terminal": {"session", "voice"} | _EVERYWHERE,
    "net": {"terminal", "session", "voice", "play", "bots", "records", "rules", "engine"} | _EVERYWHERE,
    "cli": {"net", "sounds", "terminal", "session", "narration", "voice", "play", "bots", "records", "rules", "engine"}
    | _EVERYWHERE,
}
"""What each part may import, besides itself and the package's version."""
FILES = sorted(SOURCE.rglob("*.py"))


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return {name.split(".")[1] for name in found if name.startswith("kozel.")}


def _part(path: Path) -> str:
    relative = path.relative_to(SOURCE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    part = _part(path)
    if part in ("__init__", "__main__"):
        return
    upwards = {name for name in _imports(path) if name in BELOW and name != part and name not in BELOW[part]}
    assert not upwards, f"{path.name} imports {upwards}"


def test_only_the_authority_names_a_match() -> None:
    """What a session, a computer player or an output gets of a match is a seat's view (one match, many seats)."""
    for path in FILES:
        if _part(path) in ("engine", "rules", "records", "play", "cli"):
            continue
        names = {
            node.id for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Name)
        }
        assert "Match" not in names, path


def test_nothing_in_a_circle() -> None:
    """Modules import each other in one direction only, within a part as well; what is only for types counts too."""
    modules = {
        "kozel." + ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
        for path in FILES
    }
    wants: dict[str, set[str]] = {}
    for name, path in modules.items():
        wants[name] = set()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            for inner in ast.walk(node) if isinstance(node, ast.If) else [node]:
                if isinstance(inner, ast.ImportFrom) and inner.module:
                    wants[name] |= {inner.module, *(f"{inner.module}.{alias.name}" for alias in inner.names)} & set(
                        modules
                    )
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " → ".join((*way[way.index(name) :], name))
        if name not in done:
            for wanted in wants[name] - {name}:
                visit(wanted, (*way, name))
            done.add(name)

    for name in modules:
        visit(name, ())


def test_every_part_has_its_place() -> None:
    assert {_part(path) for path in FILES} - {"__init__", "__main__"} == set(BELOW)


def test_the_engine_needs_the_standard_library_only() -> None:
    allowed = sys.stdlib_module_names | {"kozel"}
    for path in SOURCE.glob("engine/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            assert all(name.split(".")[0] in allowed for name in names), path


def test_no_code_compares_a_rulesets_id() -> None:
    ids = {path.stem for path in RULESETS.glob("*.yaml")}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.Compare, ast.MatchValue)):
                constants = {
                    n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)
                }
                assert not constants & ids, f"{path.name}:{node.lineno} compares {constants & ids}"


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("kozel.engine.match", ["yaml", "prompt_toolkit", "dataclasses_json", "kozel.rules"]),
        ("kozel.cli.main", ["prompt_toolkit", "accessible_output2", "speechd"]),
        ("kozel.cli.playing", ["prompt_toolkit", "accessible_output2", "speechd"]),
    ],
)
def test_a_module_does_not_load_what_can_wait(module: str, absent: list[str]) -> None:
    code = f"import sys, {module}; print([name for name in {absent!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
