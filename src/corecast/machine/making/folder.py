"""Imported figures into a model's folder: a new one, or one that is there, of which nothing is lost.

The figures become a separate form table, first in `forms`: it holds the rows that the model lacks and those that
the import knows better (`merge.py`). Tables that are there stay as they are. SOURCES.md says what was imported, and
which figures the origins disagree on. pipeline.toml is written last: until then the model is the old one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from corecast.dataclass import dataclass
from corecast.errors import InputError, MachineModelError
from corecast.files.atomic import write_whole
from corecast.machine.loader import load_machine
from corecast.machine.making.imported import Imported, pipeline_text
from corecast.machine.making.merge import Merged, merge
from corecast.machine.making.model_files import comments, section, write_conflicts, write_new_model
from corecast.machine.rows import Row, row_from_line, write_rows
from corecast.machine.search import PIPELINE, same_name
from corecast.machine.toml_files import parse_toml, read_text
from corecast.machine.types import Machine
from corecast.pattern import lazy_pattern

_FORMS = lazy_pattern(r"(?m)^forms[ \t]*=[ \t]*\[[^\]]*\]")
_NAME = lazy_pattern(r"(?m)^name[ \t]*=.*$")


@dataclass(frozen=True)
class Report:
    """What an import did."""

    folder: Path
    table: Path | None
    """The new form table; None where the model knew everything already."""
    rows: int
    added: int
    """Of the rows, those of forms that the model did not have."""
    conflicts: int


def import_into(folder: Path, imported: Imported, extends: str = "") -> Report:
    """Puts imported figures into a folder.

    Args:
        extends: for a new folder: the model that the figures add to.

    Raises:
        InputError: there is too little for a new model, the figures name ports that the model does not have, or one is
            no count of cycles or micro-ops.
        MachineModelError: the model that is there cannot be read, or has no place for another table.
        OSError: something cannot be written.
    """
    for row in imported.rows.values():
        if wrong := row.impossible():
            raise InputError(f"{imported.origin}: '{row.form}' has a {wrong}: no count of cycles or micro-ops")
    if (folder / PIPELINE).is_file():
        if extends:
            raise InputError("there is a model already: its own pipeline.toml says what it extends", str(folder))
        return _add(folder, load_machine(folder), imported)
    if extends:
        return _extend(folder, extends, load_machine(extends), imported)
    write_new_model(folder, same_name(folder.resolve().name), imported)
    return Report(folder, folder / "forms" / imported.file, len(imported.rows), len(imported.rows), 0)


def _extend(folder: Path, extends: str, base: Machine, imported: Imported) -> Report:
    merged = _merged(base, imported)
    name = same_name(folder.resolve().name)
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "forms" / imported.file
    write_rows(table, comments(imported), merged.rows.values())
    write_conflicts(folder, imported.file, merged)
    write_whole(folder / "SOURCES.md", f"# {name}: where the figures come from\n\n{section(imported, merged)}")
    extended = os.path.relpath(extends, folder) if os.sep in extends else extends
    write_whole(folder / PIPELINE, pipeline_text(name, imported.isa, imported, [imported.file], extended))
    return Report(folder, table, len(merged.rows), merged.added, len(merged.conflicts))


def _add(folder: Path, machine: Machine, imported: Imported) -> Report:
    merged = _merged(machine, imported)
    if not merged.rows:
        return Report(folder, None, 0, 0, len(merged.conflicts))
    file = _free_name(folder / "forms", imported.file)
    changed = _with_table(folder / PIPELINE, file)
    write_rows(folder / "forms" / file, comments(imported), merged.rows.values())
    write_conflicts(folder, file, merged)
    sources = folder / "SOURCES.md"
    before = read_text(sources).rstrip("\n") if sources.exists() else f"# {machine.name}: where the figures come from"
    write_whole(sources, f"{before}\n\n{section(imported, merged, file)}")
    write_whole(folder / PIPELINE, changed)
    return Report(folder, folder / "forms" / file, len(merged.rows), merged.added, len(merged.conflicts))


def _merged(machine: Machine, imported: Imported) -> Merged:
    if machine.isa != imported.isa:
        raise InputError(f"the figures are of {imported.isa}, but {machine.name} is a core of {machine.isa}")
    foreign = unknown_ports(machine, imported.rows.values())
    if foreign:
        shown = ", ".join(foreign[:8]) + (f" and {len(foreign) - 8} more" if len(foreign) > 8 else "")
        raise InputError(
            f"{machine.name} has no ports {shown}: say what they are with --port NAME=PORTS, or leave the ports out "
            "with --no-ports"
        )
    return merge(known_rows(machine, imported.rows), imported.rows)


def known_rows(machine: Machine, forms: Iterable[str]) -> dict[str, Row]:
    """The model's rows of these forms."""
    found = {}
    for form in forms:
        if (row := machine.core.row(form)) is not None:
            found[form] = row_from_line(*row)
    return found


def unknown_ports(machine: Machine, rows: Iterable[Row]) -> list[str]:
    """Port sets and units of the rows that the model does not have."""
    names = {*machine.ports, *machine.units, *machine.pipeline.get("ports", {}).get("groups", {})}
    places = dict.fromkeys(
        place
        for row in rows
        for place in (*(group for _, group in row.ports or ()), *(unit for unit, _ in row.blocking))
    )
    return [place for place in places if not _is_known(place, names)]


def _is_known(place: str, names: set[str]) -> bool:
    if place in names or all(part in names for part in place.split("|")):
        return True
    return len(place) > 1 and place[0] == "p" and set(place[1:]) <= names


def _free_name(folder: Path, wanted: str) -> str:
    stem, suffix = os.path.splitext(wanted)
    names = (wanted if number == 1 else f"{stem}_{number}{suffix}" for number in range(1, 1000))
    return next(name for name in names if not (folder / name).exists())


def _with_table(file: Path, table: str) -> str:
    """The text of pipeline.toml with a further form table, first in `forms`; everything else as it stands."""
    text = read_text(file)
    before = parse_toml(text, file)
    forms = [table, *before.get("forms", [])]
    line = f"forms = [{', '.join(_quoted(name) for name in forms)}]"
    changed = _FORMS.sub(lambda _: line, text, count=1)
    if changed == text:
        changed = _NAME.sub(lambda match: f"{match[0]}\n{line}", text, count=1)
    if parse_toml(changed, file) != {**before, "forms": forms}:
        raise MachineModelError(f'cannot be changed: put "{table}" first in its forms yourself', str(file))
    return changed


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
