"""Zen 5: Zen 4's rows on Zen 5's units, corrected by OSACA's file of Zen 5 (figures measured by its authors). Our own
campaign's figures come over them (own_zen5.py).

OSACA names the vector pipes so that 0 and 2 multiply, 1 and 3 add (Zen 4: 0 and 1, 2 and 3); its names are used. The
datapaths are 512 bits wide: what holds a pipe twice on Zen 4 holds it once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import facts
from amd_models.compose import is_divider, merged
from amd_models.cores import CORES, Usage
from amd_models.throughput import FROM_VECTORS, TO_VECTORS
from corecast.machine.rows import Latency, Row, first_wins, read_rows
from intel_models.family import crosses, largest, register_sibling, shifted

SOURCE = "osaca0.7.2:zen5"
PIPES = {
    "FP0": "FP0", "FP1": "FP2", "FP2": "FP1", "FP3": "FP3", "FP01": "FP02", "FP23": "FP13", "FP12": "FP12",
    "FP03": "FP03", "FP123": "FP123", "FP013": "FP023", "FP0123": "FP0123", "FP45": "FP45", "ALU0": "ALU1",
    "ALU1": "MUL", "ALU12": "MUL", "ALU03": "ALU", "BRU1": "BRU", "ST0": "ST",
}  # fmt: skip
"""Zen 4's groups on Zen 5; the rest keep their names."""
MEMORY = ("AGU", "LDV", "ST")
ACCESSES = ("ST", "ST0", "LDV", "AGU")
"""Zen 4's ports of loads and stores; of those that a form uses, it takes the first once for each access."""
MOST_ADDED = 4
"""Times that a load or store is counted on Zen 4 for its time, and still is one on Zen 5."""


def tables(zen4: Path) -> dict[str, dict[str, Row]]:
    """Rows of each file.

    Args:
        zen4: folder of Zen 4's model.
    """
    known = facts.osaca_rows("zen5")
    frames = first_wins(*(read_rows(zen4 / "forms" / name) for name in ("rules.tsv", "measured.tsv", "llvm.tsv")))
    relatives = {form: on_zen5(row) for form, row in frames.items()}
    own: dict[str, Row] = {}
    for form, row in list(relatives.items()):
        found = corrected(row, relatives, known)
        if found is not None:
            own[form] = found
            del relatives[form]
    for form, row in known.items():
        if form not in own and form not in relatives and row.ports:
            unfused = sum(count for count, _ in row.ports)
            own[form] = row.with_(uops=(1.0, unfused, 1.0))
    return {"osaca.tsv": own, "relative.tsv": relatives}


def on_zen5(row: Row) -> Row:
    """A row of Zen 4 with Zen 5's units; how long locked ones wait for each other is all there is of them."""
    confidence = row.confidence if row.confidence == "assumed" else "derived"
    if row.ports is None:
        return row.with_(confidence=confidence, source=f"zen4:{row.source}")
    wide = "zmm" in row.form or "m512" in row.form
    usage: list[tuple[float, str]] = []
    units = {unit for unit, _ in row.blocking}
    crossing = not units.isdisjoint((FROM_VECTORS, TO_VECTORS))
    for count, group in with_whole_accesses(row):
        if group == "ALU" and TO_VECTORS in units:
            continue  # Zen 4's way to the vector registers, through an ALU
        name = PIPES.get(group, group)
        if row.form.startswith("set") and group == "ALU0":
            name = "ALU"  # on any, as all conditions; that one unit serves those in memory is Zen 4's
        if crossing and group == "FP45":
            count *= 2  # one way, not told apart from the pipes
        halved = max(1.0, count / 2) if wide and group not in ("ST0", "AGU") else count
        usage.append((halved, name))
    ports = merged(tuple(usage))
    uops = row.uops and (row.uops[0], sum(count for count, _ in ports), row.uops[2])
    source = "+".join(f"zen4:{part}" if index == 0 else part for index, part in enumerate(row.source.split("+")))
    return row.with_(
        ports=ports,
        blocking=tuple(use for use in row.blocking if use[0] not in (FROM_VECTORS, TO_VECTORS)),
        uops=uops,
        latency=_after_load(row, wide),
        confidence=confidence,
        source=source,
        reciprocal_throughput_cycles=row.reciprocal_throughput_cycles if "locked" in row.flags else None,
    )


def with_whole_accesses(row: Row) -> Usage:
    """The ports, without what Zen 4's occupancy adds to or takes from loads and stores: that is a limit of Zen 4. Where
    it adds many times as much, nobody knows whose limit it is."""
    ports = row.ports or ()
    accesses = {group: count for count, group in ports if group in ACCESSES}
    one = next((accesses[group] for group in ACCESSES if group in accesses), 1.0)
    if "rule:occupancy" not in row.source or one > MOST_ADDED:
        return ports
    return tuple((max(1.0, round(count / one)) if group in accesses else count, group) for count, group in ports)


def _after_load(row: Row, wide: bool) -> tuple[Latency, ...] | None:
    """Latencies with Zen 5's vector loads; Zen 4's of 64 bytes come a cycle late, in two halves."""
    later = CORES["zen5"].load_cycles[1] - CORES["zen4"].load_cycles[1]
    if row.latency is None or wide or not any(group == "LDV" for _, group in row.ports or ()):
        return row.latency
    return tuple(
        Latency(pair.source, pair.destination, pair.cycles + later)
        if pair.source in ("addr", "index") and pair.destination != "addr"
        else pair
        for pair in row.latency
    )


def divided(row: Row, own: Row) -> Row:
    """A division with OSACA's time of the divider: two of them share what it lists."""
    memory: Usage = tuple(use for use in row.ports or () if use[1] in MEMORY)
    blocking = tuple((unit, cycles / 2) for unit, cycles in own.blocking)
    ports = merged(((1.0, "FP02"), *memory))
    uops = row.uops and (row.uops[0], sum(count for count, _ in ports), row.uops[2])
    source = f"{SOURCE}(ports,blocking)+{row.source}"
    return row.with_(ports=ports, blocking=blocking, uops=uops, source=source, confidence="derived")


def corrected(row: Row, rows: Mapping[str, Row], known: Mapping[str, Row]) -> Row | None:
    """The row with OSACA's ports and latency; None where OSACA does not know its form with registers."""
    plain = re.sub(r"\{k\}(\{z\})?", "", row.form.replace("bcst", ""))
    register = register_sibling(plain, known) or plain
    own, frame = known.get(register), rows.get(register)
    if row.form.endswith(" @same") or own is None or frame is None or not own.ports or not row.ports:
        return None
    if "eliminated" in row.flags:
        return None
    if is_divider(row.form):
        return divided(row, own) if own.blocking else None
    compute: Usage = tuple(use for use in own.ports if use[1] not in MEMORY)
    memory: Usage = tuple(use for use in row.ports if use[1] in MEMORY)
    if not compute:
        return None
    ports = merged((*compute, *memory))
    uops = row.uops and (row.uops[0], sum(count for count, _ in ports), row.uops[2])
    latency, before, now = row.latency, largest(frame), largest(own)
    sourced = "ports"
    if latency and before and now and now != before and not crosses(register):
        latency = shifted(latency, before, now)
        sourced = "ports,latency"
    return row.with_(
        ports=ports,
        uops=uops,
        latency=latency,
        blocking=own.blocking or row.blocking,
        source=f"{SOURCE}({sourced})+{row.source}",
        confidence="documented" if register == row.form else "derived",
    )
