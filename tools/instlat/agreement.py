"""How many forms of a model agree with what InstLatx64 measured on the core, rows of its siblings included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from corecast.machine import Machine
from corecast.machine.rows import Row, row_from_line
from corecast.measure.export.model import port_bound

from .guards import chain_cycles, is_memory
from .read import SAME, Measured

WITHIN = 0.1
LEAST_THROUGHPUT_CYCLES = 0.19
"""Below it the front end and the loop are timed, not the instruction."""
LEAST_LATENCY_CYCLES = 0.5
CORES_OF = {
    "sapphire_rapids": "golden_cove", "emerald_rapids": "golden_cove", "alder_lake_p": "raptor_cove",
    "alder_lake_e": "gracemont", "arrow_lake_p": "lion_cove", "arrow_lake_e": "skymont",
    "meteor_lake_p": "redwood_cove", "meteor_lake_e": "crestmont", "rocket_lake": "cypress_cove",
    "tiger_lake": "willow_cove", "ice_lake": "sunny_cove", "cascade_lake": "cascade_lake", "zen2": "zen2",
    "zen3": "zen3", "zen4": "zen4", "zen5": "zen5",
}  # fmt: skip
"""The core that was measured, by model."""


@dataclass(frozen=True)
class Difference:
    """A figure of a row that is not within a tenth of the measured one. Cycles."""

    row: Row
    kind: str
    ours_cycles: float
    measured_cycles: float

    def __str__(self) -> str:
        return f"{self.kind:10} {self.row.form}: {self.ours_cycles:g}, measured {self.measured_cycles:g}"


@dataclass
class Agreement:
    """Of one model."""

    compared: dict[str, int] = field(default_factory=lambda: {"throughput": 0, "latency": 0})
    differences: list[Difference] = field(default_factory=list)

    def share(self, kind: str) -> float:
        """Of "throughput" or "latency": the share that is within a tenth."""
        other = sum(difference.kind == kind for difference in self.differences)
        return 1 - other / max(1, self.compared[kind])


def agreement(machine: Machine, figures: Mapping[str, Measured]) -> Agreement:
    """Compares all forms that have a row."""
    result = Agreement()
    for row, measured in measured_rows(machine, figures):
        for kind, ours, cycles in compared(machine, row, measured):
            result.compared[kind] += 1
            if not close(ours, cycles):
                result.differences.append(Difference(row, kind, ours, cycles))
    return result


def measured_rows(machine: Machine, figures: Mapping[str, Measured]) -> Iterator[tuple[Row, Measured]]:
    """Rows of the machine with what was measured; with one register for all operands only where that is a row of its
    own, or nothing else was measured."""
    for form, measured in figures.items():
        plain = form.removesuffix(SAME)
        found = machine.core.row(form)
        if found is None and plain != form and plain not in figures:
            found = machine.core.row(plain)
        if found is not None:
            yield row_from_line(found[0]), measured


def compared(machine: Machine, row: Row, measured: Measured) -> Iterator[tuple[str, float, float]]:
    """(kind, ours, measured) of the figures that both have."""
    cycles = measured.reciprocal_throughput_cycles
    if cycles is not None and cycles > LEAST_THROUGHPUT_CYCLES and row.ports is not None:
        yield "throughput", stated_throughput(machine, row), cycles
    cycles = measured.latency_cycles
    pairs = [pair.cycles for pair in row.latency or () if register(pair.source) and pair.destination == "1"]
    if pairs:
        pairs += [pair.cycles for pair in row.latency or () if pair.source == pair.destination == "flags"]
    if cycles is not None and cycles > LEAST_LATENCY_CYCLES and pairs and "eliminated" not in row.flags:
        least = stated_throughput(machine, row) if row.ports is not None else 0.0
        chains = [max(pair, least) for pair in pairs]  # a chain takes as long as a run at least
        yield "latency", min(chains, key=lambda ours: abs(ours / cycles - 1)), cycles


def register(place: str) -> bool:
    """Whether a latency's source is a register that the instruction names."""
    return place.isdigit() or place == "*"


def stated_throughput(machine: Machine, row: Row) -> float:
    """The throughput that the row states, else what its ports imply; of one that waits for itself, its chain."""
    if row.reciprocal_throughput_cycles is not None:
        return row.reciprocal_throughput_cycles
    return max(implied_throughput(machine, row), chain_cycles(row))


def implied_throughput(machine: Machine, row: Row) -> float:
    """Cycles that a run of the instruction takes: its ports', its units', its slots'."""
    rename = machine.pipeline["rename"]
    slots = 0.0
    if row.uops is not None:
        fuses = rename.get("micro_fusion", True) or is_memory(row.form)
        slots = row.uops[0 if fuses else 1] / rename["width"]
    return max(port_bound(machine, row.ports or ()), slots, *(cycles for _, cycles in row.blocking), 0.0)


def close(ours: float, cycles: float) -> bool:
    """Whether a figure is the measured one, as exactly as these are."""
    return abs(ours / cycles - 1) <= WITHIN
