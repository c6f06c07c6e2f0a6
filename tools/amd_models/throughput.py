"""Zen 4: ports of another origin compared with WINIC's measured reciprocal throughput."""

from __future__ import annotations

import re

from amd_models.compose import is_divider, merged
from amd_models.cores import Usage
from corecast.convert.importers.winic import FormMeasurement
from corecast.machine.rows import Row, rounded

WITHIN = 0.1
"""Relative difference that counts as agreement."""
TRANSFER = "rule:transfer"
FROM_VECTORS = "F2I"
TO_VECTORS = "I2F"
"""Units for what goes from the vector to the integer unit, and back."""
GROUPS = {
    "ALU0": 1, "ALU1": 1, "ALU2": 1, "ALU3": 1, "ALU03": 2, "ALU12": 2, "ALU": 4, "BRU": 2,
    "FP0": 1, "FP1": 1, "FP2": 1, "FP3": 1, "FP01": 2, "FP03": 2, "FP12": 2, "FP23": 2, "FP45": 2,
    "FP013": 3, "FP123": 3, "FP0123": 4,
}  # fmt: skip
_TO_VECTORS = re.compile(r"(v?mov[dq] x?mm|kmov\w k), r")
_MEMBERS = {name: set(re.findall(r"\d", name)) or set("0123") for name in GROUPS}


def agreeing(row: Row, measured: FormMeasurement | None, candidates: list[Usage]) -> tuple[Usage | None, str]:
    """A port usage whose bound is the measured throughput, and how it came about ("" where nothing changed).

    One group and one uop: first the groups of other origins, then a wider or narrower one of the same kind, then the
    same group, held as long as measured. One result a cycle goes between the vector and the integer unit in each
    direction (moves, compares, conversions all measure one cycle at FP45, which has two pipes): see transfer_of(),
    pipeline facts AM-43. Several groups: all held longer or shorter by the same factor.
    """
    if measured is None or measured.throughput is None or is_divider(row.form) or "eliminated" in row.flags:
        return row.ports, ""
    least, most = (rounded(cycles) for cycles in measured.throughput)
    if row.ports is None or not row.ports:
        if row.ports is None or most < 0.2 or (row.ports == () and not _vector_register(row.form)):
            return row.ports, ""
        return ((round(4 * most, 2), "FP0123"),), "rule:occupancy"
    if _TO_VECTORS.match(row.form) and {group for _, group in row.ports} == {"FP45"} and 1 - WITHIN <= most < 1.5:
        return ((1.0, "FP45"),), TRANSFER
    if _agrees(row.ports, least, most) or (row.blocking and bound(row.ports) < least):
        return row.ports, ""  # microcode that takes longer than its ports is held up by the sequencer
    if bound(row.ports) < least and re.match(r"cwde?$|cdqe?$|cqo$|cbw$", row.form):
        return row.ports, ""  # its result is its own source: the measured figure is the latency
    if any(group == "FP45" for _, group in row.ports) and _agrees(_as_one_pipe(row.ports), least, most):
        return row.ports, TRANSFER
    for candidate in candidates:
        if candidate and _agrees(candidate, least, most):
            return candidate, "rule:other origin"
    if len(row.ports) == 1 and row.ports[0][1] in GROUPS:
        return (_one_group(row, least, most),), "rule:width"
    factor = (least if bound(row.ports) < least else most) / bound(row.ports)
    return merged(tuple((round(count * factor, 2), group) for count, group in row.ports)), "rule:occupancy"


def _as_one_pipe(usage: Usage) -> Usage:
    return merged(tuple((2 * count if group == "FP45" else count, group) for count, group in usage))


def transfer_of(form: str) -> tuple[tuple[str, float], ...]:
    """The way that a form takes between the vector and the integer unit, for one result a cycle in each direction."""
    return ((TO_VECTORS if _TO_VECTORS.match(form) else FROM_VECTORS, 1.0),)


def bound(usage: Usage) -> float:
    """Cycles that the most loaded set of ports needs."""
    names = [group for _, group in usage]
    best = 0.0
    for first in names:
        for second in names:
            kind = re.match(r"[A-Z]+", first)
            if kind is None or not second.startswith(kind[0]):
                continue
            union = _MEMBERS.get(first, {"?"}) | _MEMBERS.get(second, {"?"})
            inside = sum(
                count for count, group in usage if group.startswith(kind[0]) and _MEMBERS.get(group, {"?"}) <= union
            )
            best = max(best, inside / len(union))
    return best


def _agrees(usage: Usage, least: float, most: float) -> bool:
    return least * (1 - WITHIN) - 0.02 <= bound(usage) <= most * (1 + WITHIN) + 0.02


def _vector_register(form: str) -> bool:
    return "mm" in form and not re.search(r"\bm\d+", form)


def _one_group(row: Row, least: float, most: float) -> tuple[float, str]:
    assert row.ports is not None
    group = row.ports[0][1]
    halves = 2.0 if "zmm" in row.form else 1.0
    integer = group.startswith(("ALU", "BRU"))
    if least * (1 - WITHIN) <= halves / GROUPS[group] <= most * (1 + WITHIN):
        return halves, group
    kinds = ["ALU12", "ALU03", "ALU"] if integer else ["FP01", "FP12", "FP23", "FP03", "FP123", "FP013", "FP0123"]
    if group != "FP45":
        near = [name for name in kinds if _MEMBERS[name] >= _MEMBERS[group] or _MEMBERS[name] <= _MEMBERS[group]]
        for name in sorted(near, key=lambda name: -GROUPS[name]):
            wide_enough = _MEMBERS[name] >= _MEMBERS[group]
            if wide_enough and least * (1 - WITHIN) - 0.01 <= halves / GROUPS[name] <= most * (1 + WITHIN) + 0.01:
                return halves, name
    widest = ("ALU" if integer else "FP0123") if bound(row.ports) > most and group != "FP45" else group
    cycles = (least + most) / 2 if most - least < 0.2 else (most if bound(row.ports) > most else least)
    return round(max(cycles * GROUPS[widest], halves), 2), widest
