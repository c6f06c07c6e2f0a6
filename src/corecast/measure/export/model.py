"""A machine model from records: measured latencies and throughputs, on the pipeline and the ports of a named core.

Ports that were measured are taken from the records; else they are those of that core. Where what those imply is not the
throughput that was measured, the uops hold them longer or shorter, all by the same factor, and the row says so.
Latencies that measuring leaves as an interval take that core's value where it lies inside, else the end nearest to it.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from corecast.asm.code import Isa
from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.files.atomic import write_whole
from corecast.hints import Any
from corecast.machine import load_machine
from corecast.machine.making.folder import known_rows
from corecast.machine.making.imported import Imported, pipeline_text
from corecast.machine.rows import Confidence, Latency, Row, write_rows
from corecast.machine.search import PIPELINE, folders_called, same_name, user_folder
from corecast.machine.types import Machine
from corecast.machine.verify import ROUNDING
from corecast.measure.export.kin import CLASS, is_renamed_only, with_ports_of_kin
from corecast.measure.judge.forms.results import FormResult, PortResult, Results, read_results
from corecast.measure.questions.keys import parse_form
from corecast.measure.questions.pairs import ADDRESSES
from corecast.measure.record.interval import Interval
from corecast.measure.thresholds import MODEL_LEAST_LATENCY, MODEL_MOST_OF_CLASS, MODEL_WHOLE_WITHIN, MODEL_WITHIN

TABLE = "corecast_measured.tsv"
ORIGIN = "corecast:measured"


@dataclass(frozen=True)
class Inferred:
    """What became of the records."""

    folder: Path
    rows: int
    kept_ports: int
    """Rows whose ports imply the throughput that was measured."""
    scaled_ports: int
    without_ports: int


def infer(results: Results, folder: Path, pipeline_of: str) -> Inferred:
    """Writes a machine model.

    Args:
        results: of the core.
        folder: of the model; a model that was inferred into it before gives way.
        pipeline_of: name or folder of the model whose pipeline it has, and whose rows stand where nothing was measured.

    Raises:
        InputError: the records are of another instruction set, or the folder holds a model of another origin.
        OSError: something cannot be written.
    """
    base = load_machine(_packaged(pipeline_of, folder))
    if base.isa != results.isa:
        raise InputError(f"the records are of {results.isa}, but {base.name} is a core of {base.isa}")
    file = folder / PIPELINE
    if file.is_file() and TABLE not in file.read_text(encoding="utf-8"):
        raise InputError("holds a machine model that was not inferred from records", str(folder))
    made = (row_of(result, base, results.ports.get(form)) for form, result in results.forms.items())
    rows = [row for row in made if row is not None]
    if not rows:
        raise InputError("the records hold no value of any form")
    kept = sum(row.ports is not None and "occupancy" not in row.source for row in rows)
    scaled = sum("occupancy" in row.source for row in rows)
    inferred = Inferred(folder, len(rows), kept, scaled, len(rows) - kept - scaled)
    name = same_name(folder.resolve().name)
    write_whole(folder / "SOURCES.md", _sources(name, results, base, inferred))
    comments = (f"Measured on {results.cpu}; made by `corecast infer`.",)
    write_rows(folder / "forms" / TABLE, comments, rows)
    imported = Imported(f"measurements on {results.cpu}", TABLE, base.isa, {}, command="corecast infer")
    extended = os.path.relpath(pipeline_of, folder) if os.sep in pipeline_of else pipeline_of
    write_whole(file, pipeline_text(name, base.isa, imported, [TABLE], extended))
    load_machine(folder)
    return inferred


def _packaged(name: str, folder: Path) -> str:
    """A name means the model that the one in this folder will add to: not itself."""
    others = [place for place in folders_called(name) if Path(place).resolve() != folder.resolve()]
    return others[0] if others else name


def learn(records: Path, name: str) -> Path:
    """The user's own model of a core, inferred anew from all records beside it; its folder.

    It hides the model of that name, and adds to it.

    Raises:
        InputError: see `infer`.
        OSError: something cannot be written.
    """
    infer(read_results(records), records.parent, name)
    return records.parent


def records_of_user(name: str) -> Path:
    """Where the records of the user's own model of a core lie."""
    return Path(user_folder("XDG_CONFIG_HOME", ".config")) / "machines" / same_name(name) / "records"


def row_of(
    result: FormResult, base: Machine, own_ports: PortResult | None = None, assume_ports: bool = True
) -> Row | None:
    """A form's row; None where nothing was measured.

    Args:
        result: what was measured of the form.
        base: the model that says what was not measured.
        own_ports: measured on the core itself. They are taken as they are, where they have the names of the other
            core's and leave nothing of the throughput unexplained.
        assume_ports: whether forms without ports get those of their kin.
    """
    if result.throughput is None and not result.latencies:
        return None
    known, kin = known_row(result.form, base), ""
    if assume_ports:
        known, kin = with_ports_of_kin(result, base, known, known_row)
    if known is not None and known.latency is not None and is_renamed_only(known, result, base):
        latency: tuple[Latency, ...] | None = tuple(known.latency)
    else:
        latency = _latencies(result, known.latency if known is not None else None, base)
    throughput = result.throughput
    measured = throughput.high if throughput is not None and throughput.exact else None
    ports, blocking, source = None, known.blocking if known is not None else (), ""
    what = "latency,throughput"
    if known is not None and known.ports is not None:
        if throughput is not None and not result.throughput_stable:
            throughput = Interval(0.0, throughput.high)  # others on the machine only slow code down
        ports, blocking, factor = _fitting(known, throughput, base)
        if kin == CLASS and not _takes_ports_of_class(throughput, port_bound(base, known.ports)):
            ports, blocking, factor, kin = None, (), False, ""
        rules = [rule for rule in (kin, "rule:occupancy" if factor else "") if rule]
        source = f"+{base.name}({','.join(['ports', 'uops', *rules])})" if ports is not None else ""
    if own_ports is not None and same_name(own_ports.names) == same_name(base.name):
        own = tuple((cycles, "|".join(names)) for cycles, names in own_ports.usage)
        if throughput is None or _explain(own, blocking, known, throughput, base):
            ports, what, source = own, f"{what},ports", f"+{base.name}(uops)"
    confidence: Confidence = "derived" if "rule:" in source or ports is None else "measured"
    return Row(
        form=result.form,
        ports=ports,
        blocking=blocking,
        latency=latency,
        uops=_fewer_uops(known, ports) if known is not None else None,
        decode=known.decode if known is not None else "",
        flags=known.flags if known is not None else (),
        reciprocal_throughput_cycles=None if measured is None else round(measured, 2),
        source=f"{ORIGIN}({what}){source}",
        confidence=confidence,
    )


def _takes_ports_of_class(throughput: Interval | None, bound: float) -> bool:
    """Whether it repeats about as fast as these ports allow: what is faster needs none of them, what is much slower is
    microcode or has a separate unit."""
    if throughput is None:
        return False
    return bound * (1 - MODEL_WITHIN) <= throughput.high <= MODEL_MOST_OF_CLASS * bound


def known_row(form: str, base: Machine) -> Row | None:
    """The other core's row, or the one that it derives."""
    rows = known_rows(base, [form])
    if rows:
        return rows[form]
    try:
        example = parse_form(form, base.isa).example
    except InputError:
        return None
    _, entry, _ = base.core.lookup(example)
    return None if entry is None else _row_of_entry(form, entry)


def _row_of_entry(form: str, entry: Mapping[str, Any]) -> Row:
    ports = entry["ports"]
    return Row(
        form,
        None if ports is None else tuple((count, "|".join(names)) for count, names in ports),
        tuple((unit, cycles) for cycles, names in entry["blocking"] for unit in names[:1]),
        None if entry["latency"] is None else tuple(Latency(*each) for each in entry["latency"]),
        entry["uops"],
        "",
        tuple(entry["flags"]),
    )


def _latencies(result: FormResult, known: Sequence[Latency] | None, base: Machine) -> tuple[Latency, ...] | None:
    """Measured pairs over known ones. Pairs of memory's contents stay: how data are forwarded is the pipeline's.

    What was not stable is an upper limit, for others on the machine only slow code down; so is what was measured of an
    instruction that changes memory, as its chains take what forwarding takes.
    """
    found = {(each.source, each.destination): each for each in known or ()}
    changes_memory = _changes_memory(result.form, base.isa)
    for pair in result.latencies:
        if "mem" in (pair.source, pair.target):
            continue
        key = (pair.source, pair.target)
        before = found.get(key) or found.get(("*", pair.target))
        limit = not pair.stable or (changes_memory and pair.source not in ADDRESSES)
        within = Interval(0.0, pair.cycles.high) if limit and before is not None else pair.cycles
        cycles = _value(within, before.cycles if before is not None else None)
        if cycles is not None and cycles >= MODEL_LEAST_LATENCY:
            found[key] = Latency(*key, cycles)
    if not found:
        return None if known is None else ()
    return tuple(sorted(found.values(), key=lambda each: each.source == "*"))


@lru_cache(maxsize=32768)
def _changes_memory(form: str, isa: Isa) -> bool:
    try:
        accesses = parse_form(form, isa).example.memory
    except InputError:
        return False
    return any(access.write for access in accesses) and any(access.read for access in accesses)


def _value(cycles: Interval, known: float | None) -> float | None:
    if cycles.exact:
        whole = round(cycles.middle)
        return float(whole) if abs(cycles.middle - whole) <= MODEL_WHOLE_WITHIN else round(cycles.middle, 2)
    if known is None:
        return None
    return min(max(known, round(cycles.low)), round(cycles.high))


Ports = tuple[tuple[float, str], ...]
Blocking = tuple[tuple[str, float], ...]


def _fitting(known: Row, measured: Interval | None, base: Machine) -> tuple[Ports, Blocking, bool]:
    """Ports and units, held so long that they imply the measured throughput; whether they were changed."""
    ports, blocking = known.ports or (), known.blocking
    slots = known.uops[0] / base.core.rename_width if known.uops is not None and base.core.rename_width else 0.0
    held = max((cycles for _, cycles in blocking), default=0.0)
    implied = max(port_bound(base, ports), held)
    if measured is None or implied == 0 or not {"locked", "serializing"}.isdisjoint(known.flags):
        return ports, blocking, False  # the latter wait for each other, not for ports
    low, high = measured.low * (1 - MODEL_WITHIN), measured.high * (1 + ROUNDING)
    pressure = port_bound(base, ports)
    if max(implied, slots) < low:
        on_ports, on_units = (1.0, measured.low / held) if held >= pressure else (measured.low / pressure, 1.0)
    else:
        on_ports, on_units = (measured.high / cycles if cycles > high else 1.0 for cycles in (pressure, held))
    if len(ports) == 1 and measured.low < measured.high and not blocking:
        on_ports = _whole(ports[0][0], on_ports, pressure, measured)
    held_by_units = tuple((unit, round(cycles * on_units, 2)) for unit, cycles in blocking)
    held_by_ports = tuple((round(count * on_ports, 3), group) for count, group in ports)
    return held_by_ports, held_by_units, (on_ports, on_units) != (1.0, 1.0)


def _fewer_uops(known: Row, ports: Ports | None) -> tuple[float, float, float] | None:
    """The known row's micro-ops; of those of one group no more than are left of it."""
    if known.uops is None or not known.ports or ports is None or len(ports) != 1:
        return known.uops
    before, after = (sum(count for count, _ in each) for each in (known.ports, ports))
    fused, unfused, retired = known.uops
    if after > before - 1 or unfused != before or after != round(after):
        return known.uops
    return min(fused, after), after, min(retired, after)


def _explain(ports: Ports, blocking: Blocking, known: Row | None, measured: Interval, base: Machine) -> bool:
    """Whether a form's ports, units and slots need as long as it takes, so that none of its micro-ops was unseen."""
    held = max((cycles for _, cycles in blocking), default=0.0)
    slots = known.uops[0] / base.core.rename_width if known is not None and known.uops is not None else 0.0
    return max(port_bound(base, ports), held, slots) >= measured.low * (1 - MODEL_WITHIN)


def _whole(count: float, factor: float, pressure: float, measured: Interval) -> float:
    """The factor that makes whole micro-ops of those of one group, where what was measured allows them."""
    whole = max(1, round(count * measured.low / pressure)) / count
    allowed = measured.low * (1 - ROUNDING) <= whole * pressure <= measured.high * (1 + ROUNDING)
    return whole if allowed and factor != 1.0 else factor


def port_bound(base: Machine, ports: Iterable[tuple[float, str]]) -> float:
    """Cycles that the busiest set of ports needs for these uops."""
    counted = [(count, members(base, group)) for count, group in ports]
    sets = {names for _, names in counted if names}
    best = 0.0
    for size in range(1, len(sets) + 1):
        for chosen in itertools.combinations(sets, size):
            union = frozenset().union(*chosen)
            best = max(best, sum(count for count, names in counted if names <= union) / len(union))
    return best


def members(base: Machine, group: str) -> frozenset[str]:
    """The ports of a set as rows write it, and in their place those that the core has."""
    spread = base.pipeline.get("ports", {}).get("spread", {})
    return frozenset(port for name in _named_ports(base, group) for port in spread.get(name, (name,)))


def _named_ports(base: Machine, group: str) -> Collection[str]:
    groups: Mapping[str, Collection[str]] = base.pipeline.get("ports", {}).get("groups", {})
    if group in groups:
        return groups[group]
    if group in base.ports or "|" in group:
        return group.split("|")
    return group[1:] if group.startswith("p") else (group,)


def _sources(name: str, results: Results, base: Machine, inferred: Inferred) -> str:
    return f"""# {name}: where the figures come from

| id | what it is | gives |
|---|---|---|
| `{ORIGIN}` | measurements on {results.cpu} | latency per operand pair, reciprocal throughput |
| `{base.name}` | the machine model of that name | pipeline, ports, micro-ops, all forms that were not measured |

- {inferred.rows} forms were measured. The ports of {inferred.kept_ports} imply the measured throughput within 10 %;
  those of {inferred.scaled_ports} are held longer or shorter by one factor (`rule:occupancy`, confidence `derived`); of
  {inferred.without_ports} no ports are known.
- Latencies within {MODEL_WHOLE_WITHIN:g} of a whole number of cycles are that number.
- Forwarding through memory is that of {base.name}.
"""


__all__ = ["Inferred", "infer", "learn", "records_of_user"]
