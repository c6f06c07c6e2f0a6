"""Pipeline experiments: properties of the core, beside what the start model gives in the same experiments."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from corecast.calibrate.journal import Journal
from corecast.dataclass import dataclass
from corecast.hints import Any
from corecast.machine.types import Machine
from corecast.measure.judge.pipeline import PipelineMeter, Property
from corecast.measure.run.core import Core
from corecast.measure.run.simulated import SimulatedCore

_SLOW = ("decode_width", "uop_cache", "store_queue", "load_queue", "reorder_buffer", "integer_registers")
"""Properties that take seconds, the most telling first; those that are in no list come between."""
_LAST = ("vector_registers", "integer_scheduler", "vector_scheduler")
_BUFFERS = frozenset((*_SLOW[2:], *_LAST))
_BUFFER_SECONDS = 4.0
"""That such a one takes: none is started that would take the time of the next step."""
_DIRECT = {"rename_width": "rename.width", "load_latency": "loads.latency_cycles", "decode_width": "decode.width"}
"""Properties that are the parameter."""
_RELATIVE = {
    "store_forward_latency": "store_forwarding.latency_cycles",
    "vector_store_forward_latency": "store_forwarding.vector_latency_cycles",
    "reorder_buffer": "reorder_buffer.entries",
    "integer_registers": "integer_registers.entries",
    "vector_registers": "vector_registers.entries",
    "store_queue": "store_queue.entries",
    "load_queue": "load_queue.entries",
}
"""Properties that differ from the parameter by the same as on the start model: a register file also holds what the
architecture names, forwarding takes a store's own cycle."""
_IN_FLIGHT = "load_queue.loads_in_flight"
_NEAR, _NEAR_SHARE = 0.06, 0.02
"""Of a whole number: so much, or such a part of it. A rename width of 8 is measured as 7.86 to 7.88."""
TIME_UP = "the time was up"


@dataclass(frozen=True)
class Finding:
    """A property of the core, and what became of it."""

    name: str
    value: float | None
    """None: not measured; `reason` says why."""
    unit: str
    confidence: str
    expected: float | None
    """What the same experiment gives on the start model."""
    how: str
    reason: str = ""


def measure_properties(
    core: Core, start: Machine, journal: Journal, left: Callable[[], float], told: Callable[[str], None]
) -> None:
    """Finds what is not in the journal yet, as long as there is time."""
    meter, twin = PipelineMeter(core), PipelineMeter(SimulatedCore(start))
    done = {entry["name"] for entry in journal.of("property")}
    for name in _ordered(meter):
        if name in done:
            continue
        if left() <= (_BUFFER_SECONDS if name in _BUFFERS else 0.0):
            continue
        told(f"pipeline: {name}")
        found = meter.find(name)
        journal.add(
            "property",
            name=name,
            value=found.value,
            unit=found.unit,
            confidence=found.confidence,
            expected=_expected(twin, name),
            how=found.how,
            reason="" if found.rejection is None else found.rejection.message,
        )


def _expected(twin: PipelineMeter, name: str) -> float | None:
    """None where it is no plain figure: the kernels need something that the start model has no data for."""
    found: Property = twin.find(name)
    return found.value if found.confidence != "lower bound" else None


def _ordered(meter: PipelineMeter) -> list[str]:
    late = (*_SLOW, *_LAST)
    names = meter.names()
    return [*(name for name in names if name not in late), *(name for name in late if name in names)]


def findings(journal: Journal, core: Core) -> list[Finding]:
    """All properties; those that were not reached say so."""
    found = {entry["name"]: _finding(entry) for entry in journal.of("property")}
    missing = Finding("", None, "", "", None, "", TIME_UP)
    every = _ordered(PipelineMeter(core))
    return [found.get(name) or Finding(name, *_rest(missing)) for name in every]


def _rest(finding: Finding) -> tuple[Any, ...]:
    return (None, "", "", None, "", finding.reason)


def _finding(entry: Mapping[str, Any]) -> Finding:
    return Finding(
        entry["name"],
        entry["value"],
        entry["unit"],
        entry["confidence"],
        entry["expected"],
        entry["how"],
        entry["reason"],
    )


def parameters_of(found: Finding, start: Machine) -> dict[str, Any]:
    """The parameters that a property gives; none where it is not sure, or nothing that the model has."""
    if found.value is None or found.confidence != "high":
        return {}
    if found.name in _DIRECT:
        value = _whole(found.value)
        if value is None or value < 1:
            return {}
        settings: dict[str, Any] = {_DIRECT[found.name]: value}
        retired = start.parameter("retire.width")
        if found.name == "rename_width" and retired is not None and retired < value:
            settings["retire.width"] = value
        return settings
    key = _RELATIVE.get(found.name)
    if key == "load_queue.entries" and start.parameter(_IN_FLIGHT) is not None:
        key = _IN_FLIGHT
    before = None if key is None else start.parameter(key)
    if key is None or before is None or found.expected is None:
        return {}
    after = _whole(before + found.value - found.expected)
    return {} if after is None or after < 1 else {key: after}


def _whole(value: float) -> int | None:
    return round(value) if abs(value - round(value)) <= max(_NEAR, _NEAR_SHARE * value) else None
