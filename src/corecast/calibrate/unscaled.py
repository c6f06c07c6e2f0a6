"""Rows whose ports were held longer than the start model says, to explain a throughput, and need not be.

Micro-ops are whole: a form that takes an eighth longer than its ports let it does not have an eighth of a micro-op
more. Where other forms show that its ports are there, or where the model explains the timed kernel by something else,
as by prefixes that slow the predecoder down or by stores to two lines, the row keeps the start model's ports. So it
does where the form repeats faster than its ports let it and the model explains that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from corecast import _core
from corecast.hints import Any
from corecast.machine.rows import Row
from corecast.machine.types import Machine
from corecast.measure.export.model import known_row, members, port_bound
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.judge.forms.results import FormResult
from corecast.measure.questions.keys import parse_form

SCALED = "rule:occupancy"
ANOTHER = 1.45
"""Times as long from which on there may be another micro-op: two of three are 1.5 times one of two ports."""
_REACHED, _FORMS = 0.05, 2
"""How near the time of a micro-op on a set of ports forms must come, and how many, so that all of these are there."""
_EXPLAINED = 0.1
"""Of the measured time, by which that of the model with the start model's ports may differ."""


def without_needless(rows: Iterable[Row], results: Mapping[str, FormResult], base: Machine) -> list[Row]:
    """The rows, with the base model's ports where holding them longer explains nothing that the model does not."""
    rows = list(rows)
    reached = _reached(rows, base)
    return [_plain(row, results[row.form], reached, base) or row if SCALED in row.source else row for row in rows]


def _plain(row: Row, result: FormResult, reached: frozenset[frozenset[str]], base: Machine) -> Row | None:
    """None where the row is right as it is."""
    known = known_row(row.form, base)
    if known is None or not known.ports or not row.ports or row.blocking != known.blocking:
        return None
    factor = row.ports[0][0] / known.ports[0][0]
    if factor < 1:
        return _on_more_ports(row, known, reached, base) or _of_fewer(row, result, known, base)
    if factor < ANOTHER:
        is_needless = all(members(base, group) in reached for _, group in known.ports)
    else:
        is_needless = _is_explained(result, base)
    return _with_ports(row, known.ports) if is_needless else None


def _with_ports(row: Row, ports: tuple[tuple[float, str], ...]) -> Row:
    source = row.source.replace(f",{SCALED}", "").replace(SCALED, "")
    return row.with_(ports=ports, source=source, confidence="derived")


def _of_fewer(row: Row, result: FormResult, known: Row, base: Machine) -> Row | None:
    """A form that repeats faster than all its micro-ops could: with all of them where the model explains it, or as many
    of each kind as there is time for. None where some kind has not even time for one, or all of them not for theirs."""
    cycles = row.reciprocal_throughput_cycles
    if cycles is None or known.ports is None:
        return None
    if _is_explained(result, base):
        return _with_ports(row, known.ports)
    allowed = [cycles * len(members(base, group)) * (1 + _REACHED) for _, group in known.ports]
    if min(allowed) < 1:
        return None
    pairs = zip(known.ports, allowed, strict=True)
    left = tuple((min(count, float(int(most))), group) for (count, group), most in pairs)
    return _with_ports(row, left) if port_bound(base, left) <= cycles * (1 + _REACHED) else None


def _on_more_ports(row: Row, known: Row, reached: Collection[frozenset[str]], base: Machine) -> Row | None:
    """A single micro-op that is done faster than on the ports that it is known for: on a larger set that has them, one
    that other forms keep busy, or else one that the base model has a name for."""
    cycles = row.reciprocal_throughput_cycles
    if cycles is None or known.ports is None or len(known.ports) != 1 or known.ports[0][0] != 1:
        return None
    before = members(base, known.ports[0][1])
    named = {frozenset(group) for group in base.pipeline.get("ports", {}).get("groups", {}).values()}
    for sets in (reached, named):
        larger = [each for each in sets if before < each and abs(cycles * len(each) - 1) <= 2 * _REACHED]
        if larger:
            break
    if len(larger) != 1:
        return None
    ports = "|".join(port for port in base.ports if port in larger[0])
    return row.with_(ports=((1.0, ports),), source=row.source.replace(SCALED, "rule:width"), confidence="derived")


def _reached(rows: Iterable[Row], base: Machine) -> frozenset[frozenset[str]]:
    """Sets of ports that forms of a single micro-op keep busy."""
    counts: dict[frozenset[str], int] = {}
    for row in rows:
        cycles = row.reciprocal_throughput_cycles
        if cycles is None or not row.ports or len(row.ports) != 1 or row.ports[0][0] != 1 or SCALED in row.source:
            continue
        ports = members(base, row.ports[0][1])
        if cycles * len(ports) <= 1 + _REACHED:
            counts[ports] = counts.get(ports, 0) + 1
    return frozenset(ports for ports, count in counts.items() if count >= _FORMS)


def _is_explained(result: FormResult, base: Machine) -> bool:
    """Whether the model takes as long for the fastest kernel of those that were timed."""
    timed = [each for each in result.record.get("throughput", {}).get("kernels", ()) if each["timing"]["cycles"]]
    if not timed or base.isa != "x86":
        return False
    if parse_form(result.form).example.length_changing_prefix:
        return True  # by the predecoder, which has each copy anew where not all of them find room in the op cache
    fastest = min(timed, key=lambda each: float(each["timing"]["cycles"]) / len(each["kernel"]["text"]))
    cycles, simulated = float(fastest["timing"]["cycles"]), _simulated(fastest, base)
    return simulated is not None and abs(simulated - cycles) <= _EXPLAINED * cycles


def _simulated(entry: Mapping[str, Any], base: Machine) -> float | None:
    """Cycles of a kernel, as often in a row as where it was timed; None where the model lacks something."""
    told, copies = entry["kernel"], max(1, entry["timing"]["copies"][0])
    instructions = list(_core.disassemble("x86", bytes.fromhex(told["hex"]) * copies).instructions)
    instructions += instruction_set("x86").closing(instructions, told["counter"], told["keeps_flags"])
    found = _core.simulate(base.core, instructions, "loop")
    return None if found.unknown else found.cycles_per_iteration / copies
