"""WINIC's measurements as rows: latency per operand pair and reciprocal throughput, no ports.

A latency given as a range (the chain needed a helper whose share is unknown) is kept as a range: `refine` narrows what
another origin says to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corecast import _core
from corecast.convert.importers.mc_operands import (
    has_class,
    implicit_endpoint,
    mc_operands,
    opcode_candidates,
    operand_texts,
)
from corecast.convert.importers.winic_files import Measurement
from corecast.dataclass import dataclass
from corecast.machine.rows import Latency, Row, rounded

EXACT_WITHIN_CYCLES = 0.25
"""A range narrower than this is one value."""
WHOLE_WITHIN_CYCLES = 0.15
"""A figure farther from a whole number mixes cases (operand values, varying paths): taken as unknown."""
LEAST_LATENCY_CYCLES = 0.9
"""A smaller figure says that the helper hid the latency (or that the core renamed the chain away): taken as unknown."""


@dataclass(frozen=True)
class LatencyRange:
    """A latency between operands of ours, in cycles."""

    source: str
    destination: str
    least: float
    most: float

    @property
    def exact(self) -> float | None:
        """The latency where the range is one value, near a whole number of cycles; None otherwise."""
        if not self.narrow or self.most < LEAST_LATENCY_CYCLES:
            return None
        cycles = round((self.least + self.most) / 2)
        return float(cycles) if abs((self.least + self.most) / 2 - cycles) <= WHOLE_WITHIN_CYCLES else None

    @property
    def narrow(self) -> bool:
        """Whether the range is one value, whatever it is."""
        return self.most - self.least <= EXACT_WITHIN_CYCLES


@dataclass(frozen=True)
class FormMeasurement:
    """What was measured of one instruction form."""

    form: str
    opcode: str
    latencies: tuple[LatencyRange, ...] = ()
    throughput: tuple[float, float] | None = None


def form_measurements(
    isa: str, measurements: Mapping[str, Measurement], forms: Iterable[_core.EnumeratedForm] | None = None
) -> dict[str, FormMeasurement]:
    """The measurements by form. An opcode listed under its own name wins over one that merely prints alike."""
    listed: dict[str, list[_core.EnumeratedForm]] = {}
    for enumerated in forms if forms is not None else _core.enumerate_forms(isa):
        listed.setdefault(enumerated.opcode, []).append(enumerated)
    found: dict[str, FormMeasurement] = {}
    for rank in (0, 1):
        for opcode, measurement in measurements.items():
            names = opcode_candidates(opcode) if rank else [opcode]
            if rank and opcode in listed:
                continue
            name = next((candidate for candidate in names if candidate in listed), None)
            for enumerated in listed.get(name or "", ()):
                made = _form_measurement(isa, enumerated, measurement)
                known = found.setdefault(enumerated.form, made)
                if known is not made:
                    found[enumerated.form] = _completed(known, made)
    return found


def _form_measurement(isa: str, enumerated: _core.EnumeratedForm, measurement: Measurement) -> FormMeasurement:
    instruction = _core.disassemble(isa, enumerated.code).instructions[0]
    places = mc_operands(isa, enumerated.form, instruction, measurement.opcode)
    texts = operand_texts(enumerated.form)

    def endpoint(name: str) -> str | None:
        if not name.isdigit():
            return implicit_endpoint(isa, name, enumerated.form, instruction)
        place = places[int(name)] if int(name) < len(places) else ""
        register_class = measurement.classes.get(name)
        if place.isdigit() and register_class and not has_class(register_class, texts[int(place) - 1]):
            return None
        return place or None

    ranges: dict[tuple[str, str], LatencyRange] = {}
    for source, destination, least, most in measurement.latencies:
        start, end = endpoint(source), endpoint(destination)
        if start is not None and end is not None and start != "":
            ranges.setdefault((start, end), LatencyRange(start, end, least, most))
    return FormMeasurement(enumerated.form, measurement.opcode, tuple(ranges.values()), measurement.throughput)


def _completed(known: FormMeasurement, other: FormMeasurement) -> FormMeasurement:
    pairs = {(pair.source, pair.destination) for pair in known.latencies}
    added = tuple(pair for pair in other.latencies if (pair.source, pair.destination) not in pairs)
    return FormMeasurement(known.form, known.opcode, known.latencies + added, known.throughput or other.throughput)


def refine(latency: Sequence[Latency] | None, measured: Iterable[LatencyRange]) -> tuple[Latency, ...] | None:
    """Latencies of another origin with the measured ones put in: exact values replace, ranges limit.

    Wildcards of the other origin stay behind the measured pairs, which are more specific. Measured pairs that the other
    origin does not know are added where they are exact.
    """
    if latency is None:
        exact = [(pair, pair.exact) for pair in measured]
        return (
            tuple(Latency(pair.source, pair.destination, cycles) for pair, cycles in exact if cycles is not None)
            or None
        )
    result = {(pair.source, pair.destination): pair for pair in latency}
    for pair in measured:
        key = (pair.source, pair.destination)
        known = result.get(key) or result.get(("*", pair.destination))
        if pair.exact is not None:
            cycles = pair.exact
        elif known is not None and pair.most >= LEAST_LATENCY_CYCLES and not pair.narrow:
            cycles = min(max(known.cycles, round(pair.least)), round(pair.most))
        else:
            continue
        result[key] = Latency(pair.source, pair.destination, cycles)
    return tuple(result.values())


def rows_from_winic(
    isa: str, measurements: Mapping[str, Measurement], source: str, forms: Iterable[_core.EnumeratedForm] | None = None
) -> list[Row]:
    """Rows with exact latencies and the reciprocal throughput's upper bound; ports and uops are unknown.

    Args:
        source: short id, e.g. "winic:neoverse_v2".
    """
    return [
        Row(
            form=form,
            latency=refine(None, made.latencies),
            reciprocal_throughput_cycles=_upper_bound(made.throughput),
            source=source,
            confidence="measured",
        )
        for form, made in form_measurements(isa, measurements, forms).items()
    ]


def _upper_bound(throughput: tuple[float, float] | None) -> float | None:
    """In cycles; None where WINIC has none, or one that no instruction can have: its overheads exceeded the kernel."""
    if throughput is None or throughput[1] <= 0:
        return None
    return rounded(throughput[1])
