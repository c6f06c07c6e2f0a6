"""The table [extensions] of each pipeline.toml, and form tables without rows of instructions that the core lacks."""

from __future__ import annotations

import re
import textwrap
from functools import cache
from pathlib import Path

from corecast import _core
from corecast.machine import Machine, load_machine
from corecast.machine.extensions import extensions_of_cpu
from corecast.machine.inherit import read_head

from .cores import CORES, CoreExtensions

DATA = Path(__file__).resolve().parents[2] / "src/corecast/machine/data"
_TABLE = re.compile(r"\n\[extensions\]\n(?:(?!\[).*\n)*")
_WIDTH = 116
ABSENT = "absent.tsv"


def write_models() -> None:
    """Complete every model of the package."""
    for folder in sorted(DATA.iterdir()):
        if (folder / "pipeline.toml").is_file():
            dropped = complete(folder)
            print(f"{folder.name}: {dropped} rows of other extensions dropped")


def complete(folder: Path) -> int:
    """Write a model's list of extensions, drop rows of instructions outside of it; the number of these."""
    file = folder / "pipeline.toml"
    text = _TABLE.sub("\n", file.read_text(encoding="utf-8")).rstrip("\n") + "\n"
    file.write_text(text + extensions_table(folder), encoding="utf-8")
    return _drop_rows(folder)


def extensions_table(folder: Path) -> str:
    """The lines of the table."""
    head = read_head(folder)
    own = CORES.get(folder.name, CoreExtensions())
    cpu = "" if own.cpu == "-" else own.cpu or head.get("llvm_cpu", "")
    names = sorted({*extensions_of_cpu(head["isa"], cpu), *own.added.split()} if cpu else own.added.split())
    sources = [f"LLVM {_core.llvm_version.partition('.')[0]}: {cpu}"] if cpu else []
    sources += [f"{own.source} ({own.added})" if cpu and own.added else own.source] if own.source else []
    listed = textwrap.fill(", ".join(f'"{name}"' for name in names), _WIDTH, break_on_hyphens=False)
    lines = textwrap.indent(listed, "  ")
    return f'\n[extensions]\nnames = [\n{lines},\n]\nsource = "{"; ".join(sources)}"\nconfidence = "{own.confidence}"\n'


def executable(machine: Machine, form: str) -> bool:
    """Whether some encoding of a form needs nothing that the core lacks."""
    needs = _requirements(machine.isa).get(form.partition(" @")[0])
    return needs is None or machine.core.has_one_of(needs)


def _drop_rows(folder: Path) -> int:
    """Rows that no encoding of the form makes executable."""
    machine = load_machine(folder)
    dropped = 0
    for table in machine.tables:
        if table.parent.parent != folder:
            continue
        lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
        if table.name == ABSENT:  # rows of a sibling that do not hold here, where that one has them still
            others = {line.partition("\t")[0] for each in machine.tables if each != table for line in _lines(each)}
            kept = [line for line in lines if line.startswith(("#", "form\t")) or line.partition("\t")[0] in others]
        else:
            kept = [line for line in lines if executable(machine, line.partition("\t")[0])]
        if len(kept) < len(lines):
            table.write_text("".join(kept), encoding="utf-8")
            dropped += len(lines) - len(kept)
    return dropped


def _lines(table: Path) -> list[str]:
    return table.read_text(encoding="utf-8").splitlines()


@cache
def _requirements(isa: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for form in _core.enumerate_forms(isa):
        found.setdefault(form.form.partition(" @")[0], []).extend(form.requirements)
    return found
