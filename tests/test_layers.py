"""The architecture as a test: who may import whom, in Python and in C++.

A module imports from its own room or from rooms below. What only type checkers see and what is imported inside a
function counts too: an arrow that points upwards is wrong whenever it is drawn.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "corecast"

LAYERS = (
    ("hints",),
    ("dataclass", "pattern", "_core"),
    ("errors",),
    ("isa", "files", "views"),
    ("machine", "asm"),
    ("convert",),
    ("analysis", "measure"),
    ("simulate",),
    ("api",),
    ("prediction",),
    ("report",),
    ("evaluate", "explore", "collect", "timing"),
    ("calibrate", "serve"),
    ("cli",),
)
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}

MEASURE_LAYERS = (
    ("thresholds", "rejection"),
    "isa",
    "questions",
    "plan",
    "run",
    "record",
    "judge",
    ("campaign", "export"),
)
"""Inside `measure`, the way of the data. Instruction sets know nothing of kernels, plans nothing of timings, records
nothing of how a value was found."""
MEASURE_LEVEL = {
    room: level
    for level, rooms in enumerate(MEASURE_LAYERS)
    for room in ((rooms,) if isinstance(rooms, str) else rooms)
}

ENTRY_POINTS = {"__init__", "__main__"}
"""Modules at the top of the package: above all rooms, they hand out what the rooms hold."""

FACTS = {"VIEWS", "__version__"}
"""Names of the top-level package itself that every room may read."""


def modules() -> dict[str, ast.Module]:
    """Every module of the package by its full name, parsed."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return found


def targets(name: str, statement: ast.AST, is_package: bool) -> Iterator[str]:
    """Full names inside corecast that an import statement of module `name` asks for."""
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names if alias.name.split(".")[0] == "corecast")
    elif isinstance(statement, ast.ImportFrom):
        base = statement.module or ""
        if statement.level:
            anchor = name.split(".")
            anchor = anchor[: len(anchor) - statement.level + (1 if is_package else 0)]
            base = ".".join([*anchor, base] if base else anchor)
        if base.split(".")[0] == "corecast":
            yield from (f"{base}.{alias.name}" for alias in statement.names)


def room_of(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


def faults(name: str, tree: ast.Module, is_package: bool = False) -> list[str]:
    """What is wrong with the imports of one module, as readable lines."""
    room = room_of(name)
    if room in ENTRY_POINTS:
        return []
    if room not in LEVEL:
        return [f"{name}: the room {room!r} has no place among the layers of this test"]
    wrong = []
    for statement in ast.walk(tree):
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        for target in targets(name, statement, is_package):
            other = room_of(target)
            if other in FACTS or other == room:
                continue
            where = f"{name}, line {statement.lineno}: {room} imports {target}"
            if other not in LEVEL:
                wrong.append(f"{where}: import from the room that defines it")
            elif LEVEL[other] >= LEVEL[room]:
                wrong.append(f"{where}: not below")
    return wrong


def is_package(name: str) -> bool:
    return PACKAGE.parent.joinpath(*name.split(".")).is_dir()


def test_python_imports_run_downwards() -> None:
    wrong = [fault for name, tree in modules().items() for fault in faults(name, tree, is_package(name))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "source",
    [
        "from corecast.report import text",
        "from corecast import report",
        "from corecast import analyze",
        "import corecast.cli.main",
        "from corecast.measure import record",
        "from ..report.text import render",
        "def f():\n    from corecast.report import text",
        "if TYPE_CHECKING:\n    from corecast.report import text",
    ],
)
def test_an_upward_import_is_found(source: str) -> None:
    assert faults("corecast.analysis.ports", ast.parse(source))


@pytest.mark.parametrize(
    "source",
    [
        "from corecast import __version__, _core, errors",
        "from corecast.machine.lookup import find",
        "from corecast.analysis.document import region_document",
        "from .document import region_document",
        "import numpy",
    ],
)
def test_a_downward_import_is_legal(source: str) -> None:
    assert not faults("corecast.analysis.results", ast.parse(source))


def faults_inside_measure(name: str, tree: ast.Module, is_package: bool = False) -> list[str]:
    """Imports of a module of `measure` from a package that the data reaches later."""
    room = [*name.split("."), ""][2]
    wrong = []
    for statement in ast.walk(tree):
        for target in targets(name, statement, is_package):
            parts = target.split(".")
            if parts[1] != "measure" or not room:
                continue
            other = [*parts, ""][2]
            if other not in MEASURE_LEVEL:
                wrong.append(f"{name} imports {target}: import from the package that defines it")
            elif other != room and MEASURE_LEVEL[other] >= MEASURE_LEVEL[room]:
                wrong.append(f"{name}: {room} imports {target}: not below")
    return wrong


def test_imports_inside_measure_follow_the_data() -> None:
    trees = {name: tree for name, tree in modules().items() if room_of(name) == "measure"}
    assert {name.split(".")[2] for name in trees if name.count(".") > 1} == set(MEASURE_LEVEL)
    wrong = [fault for name, tree in trees.items() for fault in faults_inside_measure(name, tree, is_package(name))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("corecast.measure.plan.kernels", "from corecast.measure.run.core import Timing"),
        ("corecast.measure.plan.forms.chains", "from corecast.measure.judge.forms.links import Links"),
        ("corecast.measure.record.file", "from corecast.measure.judge.forms.meter import FormMeter"),
        ("corecast.measure.isa.x86.forms", "from corecast.measure import Core"),
    ],
)
def test_an_import_against_the_data_is_found(name: str, source: str) -> None:
    assert faults_inside_measure(name, ast.parse(source))


def import_graph(whole: bool) -> dict[str, set[str]]:
    """What each module imports when it is loaded; `whole`: also what its functions import, and what only type checkers
    see."""
    trees = modules()
    graph: dict[str, set[str]] = {}
    for name, tree in trees.items():
        graph[name] = set()
        for statement in ast.walk(tree) if whole else tree.body:
            for target in targets(name, statement, is_package(name)):
                # "corecast.asm.kernel.Kernel" is module corecast.asm.kernel and a name inside it.
                while target and target not in trees:
                    target = target.rpartition(".")[0]
                graph[name] |= {target} - {"", name}
    return graph


def circles(graph: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """Modules from each of which the others can be reached."""
    reached = {name: {name} for name in graph}
    grown = True
    while grown:
        grown = False
        for name, targets in graph.items():
            more = set().union(*(reached[target] for target in targets)) - reached[name]
            reached[name] |= more
            grown = grown or bool(more)
    found: list[set[str]] = []
    for name in sorted(graph):
        circle = {other for other in reached[name] if name in reached[other]}
        if len(circle) > 1 and circle not in found:
            found.append(circle)
    return found


def test_python_modules_load_without_a_circle() -> None:
    assert not circles(import_graph(whole=False))


def test_python_modules_have_no_circle_through_their_functions() -> None:
    assert not circles(import_graph(whole=True))


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        ({"a": ["b"], "b": ["c"], "c": []}, []),
        ({"a": ["b"], "b": ["c"], "c": ["b"]}, [{"b", "c"}]),
        ({"a": ["b"], "b": ["a", "c"], "c": ["d"], "d": ["c"]}, [{"a", "b"}, {"c", "d"}]),
    ],
)
def test_circles_are_found(graph: dict[str, list[str]], found: list[set[str]]) -> None:
    assert circles(graph) == found


@pytest.mark.parametrize("folder", [PACKAGE, ROOT / "cpp"], ids=["python", "cpp"])
def test_the_map_for_newcomers_has_every_room(folder: Path) -> None:
    named = re.findall(r"^\| `(\w+)` \|", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE)
    rooms = {path.name for path in folder.iterdir() if path.is_dir() and not path.name.startswith(("_", "."))}
    assert rooms <= set(named)


CPP_IMPORTS = {
    "base": set(),
    "isa": {"base"},
    "machine": {"base", "isa"},
    "lower": {"base", "isa", "machine"},
    "bounds": {"base", "isa", "machine", "lower"},
    "sim": {"base", "isa", "machine", "lower"},
    "llvm": {"base", "isa", "machine"},
    "predict": {"base", "isa", "machine", "lower", "bounds", "sim", "llvm"},
    "runner": set(),
    "portable": set(),
    "collect": set(),
    "tools": {"runner"},
    "bindings": {"base", "isa", "machine", "lower", "bounds", "sim", "llvm", "predict", "runner"},
    "tests": {"base", "isa", "machine", "lower", "bounds", "sim", "llvm", "predict", "runner"},
}
"""The rooms of the C++ code, and which others each may include."""
LIBRARIES = {"llvm": r"llvm(-c)?/", "bindings": r"nanobind|Python\.h"}
"""What only one room includes."""


def _forbidden(room: str) -> re.Pattern[str]:
    others = "|".join(sorted(CPP_IMPORTS.keys() - CPP_IMPORTS[room] - {room}))
    libraries = "|".join(pattern for owner, pattern in LIBRARIES.items() if owner != room)
    return re.compile(rf'[<"](cpp/({others})/|{libraries})')


def test_every_cpp_room_has_its_rule() -> None:
    assert {path.name for path in (ROOT / "cpp").iterdir() if path.is_dir()} == set(CPP_IMPORTS)


@pytest.mark.parametrize("room", CPP_IMPORTS)
def test_cpp_includes_stay_in_their_room(room: str) -> None:
    forbidden = _forbidden(room)
    wrong = []
    for path in sorted((ROOT / "cpp" / room).rglob("*.[ch]pp")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            include = re.match(r"\s*#\s*include\s*([<\"].*)", line)
            if include and forbidden.match(include[1]):
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not wrong, "\n".join(wrong)


TEXT_SEARCH = re.compile(
    r"(?<!\))(?:\.|->)(?:form|text|mnemonic)\s*(?:\.(?:find|rfind|find_first_of|find_last_of|starts_with|ends_with|compare)\(|[=!]=)"
)


def test_nothing_behind_the_decoder_searches_an_instruction_s_text() -> None:
    """Traits are found once, where an instruction is decoded; a model's patterns are matched in one place."""
    for room in ("lower", "bounds", "sim"):
        for path in (ROOT / "cpp" / room).rglob("*.[ch]pp"):
            found = TEXT_SEARCH.search(path.read_text(encoding="utf-8"))
            assert found is None, f"{path.relative_to(ROOT)}: {found and found[0]}: make it one of the Traits"
    assert TEXT_SEARCH.search('instruction.form.find("mm")')
    assert TEXT_SEARCH.search('each->mnemonic == "pop"')
