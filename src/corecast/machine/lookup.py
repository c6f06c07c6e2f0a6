"""What a machine model knows of one instruction, or of a form that stands for instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from corecast.dataclass import dataclass, replace
from corecast.hints import TYPE_CHECKING, Any, Literal, cast
from corecast.machine.types import FormRow, Isa

if TYPE_CHECKING:
    from corecast import _core
    from corecast.machine.types import Machine

Status = Literal["known", "derived", "unknown"]


@dataclass(frozen=True)
class Lookup:
    """The row that an instruction gets."""

    status: Status
    """ "known": a row of the model; "derived": by a rule from related rows; "unknown"."""
    entry: dict[str, Any] | None
    """The row's fields as plain values (None: unknown); None where there is no row, known or derived."""
    note: str
    """How a derived row was made, or which extension the core lacks."""
    nearest_forms: tuple[str, ...] = ()
    """Unknown forms: the nearest known ones."""


def look_up(machine: Machine, instruction: _core.Instruction) -> Lookup:
    """Tries the instruction's keys in order, then derivations from related forms.

    Raises:
        MachineModelError: a row that is needed is malformed.
    """
    status, entry, note = machine.core.lookup(instruction)
    nearest = machine.nearest_forms(instruction.form) if status == "unknown" and not instruction.unknown else ()
    return Lookup(cast(Status, status), entry, note, nearest)


def look_up_forms(machine: Machine, keys: Iterable[str]) -> dict[str, Lookup]:
    """What an analysis would use for each form: its own row, that of a key which serves it too, or a derived one.

    Forms without a row for which no instruction could be spelled are left out: nothing is known of what an analysis
    would find.

    Raises:
        MachineModelError: a row that is needed is malformed.
    """
    from corecast.machine.spelling import instructions_of

    found: dict[str, Lookup] = {}
    others: list[str] = []
    for key in dict.fromkeys(keys):
        entry = cast("dict[str, Any] | None", machine.core.find(key))
        if entry is None:
            others.append(key)
        else:
            concluded = entry["confidence"] in ("derived", "assumed")
            found[key] = Lookup("derived" if concluded else "known", entry, "")
    instructions = instructions_of(machine.isa, others)
    for key, instruction in (instructions | _examples(machine.isa, set(others) - set(instructions))).items():
        answer = look_up(machine, instruction)
        own = answer.entry is not None and _stands_in_a_table(machine, answer.entry)
        found[key] = replace(answer, note=f"row of {answer.entry['form']}") if own and answer.entry else answer
    return found


def _examples(isa: Isa, keys: set[str]) -> dict[str, _core.Instruction]:
    """Instructions of forms that cannot be spelled from the key (SME's tiles), by decoding. Takes seconds if any."""
    from corecast import _core

    found = (form for form in enumerated_forms(isa) if form.form in keys) if keys else ()
    return {form.form: _core.disassemble(isa, form.code).instructions[0] for form in found}


@cache
def enumerated_forms(isa: Isa) -> list[_core.EnumeratedForm]:
    """Every form of an instruction set; takes seconds."""
    from corecast import _core

    return _core.enumerate_forms(isa)


def entry_row(machine: Machine, entry: dict[str, Any]) -> FormRow:
    """A row in the words of the tables: as it stands there, or, where it was derived, written like one."""
    own = machine.row(entry["form"])
    if own is not None and _stands_in_a_table(machine, entry):
        return own
    uops = entry["uops"]
    cycles = entry["rthroughput"]
    return FormRow(
        form=entry["form"],
        ports=_joined("+", entry["ports"], lambda use: f"{use[0]:g}*{_set(machine, use[1])}"),
        blocking=_joined("+", entry["blocking"], lambda use: f"{_set(machine, use[1])}:{use[0]:g}"),
        latency=_joined(";", entry["latency"], lambda pair: f"{pair[0]}->{pair[1]}:{pair[2]:g}"),
        uops=_joined("/", uops and (uops if len(set(uops)) > 1 else uops[:1]), lambda count: f"{count:g}"),
        decode="",
        flags=",".join(entry["flags"]),
        rthroughput="" if cycles is None else f"{cycles:g}",
        source=entry["source"],
        confidence=entry["confidence"],
    )


def _stands_in_a_table(machine: Machine, entry: dict[str, Any]) -> bool:
    return machine.core.find(entry["form"]) == entry


def _joined(sign: str, parts: Iterable[Any] | None, text: Callable[[Any], str]) -> str:
    return "?" if parts is None else sign.join(map(text, parts))


def _set(machine: Machine, names: tuple[str, ...]) -> str:
    """A set of ports as tables write it: a group's name, one-letter names behind a p, or names joined by bars."""
    if len(names) == 1 and len(names[0]) > 1:
        return names[0]
    if all(len(name) == 1 for name in names):
        return f"p{''.join(names)}"
    groups = machine.pipeline.get("ports", {}).get("groups", {})
    return next((group for group, members in groups.items() if set(members) == set(names)), "|".join(names))
