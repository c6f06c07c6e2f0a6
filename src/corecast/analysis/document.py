"""An analysis as a document of schema "corecast/1": plain dictionaries, lists, strings and numbers.

Floats are cycles. Within a schema version fields may be added, never renamed or removed.
"""

from __future__ import annotations

from corecast.analysis.elements import ElementCount
from corecast.analysis.results import (
    Alternative,
    DependencyPath,
    InstructionResult,
    PortPressure,
    RegionResult,
    SourceSpan,
)
from corecast.analysis.simulated import SimulationResult, Timeline
from corecast.hints import Any
from corecast.machine.intervals import Interval

SCHEMA = "corecast/1"


def source_entry(source: SourceSpan) -> dict[str, Any]:
    return {
        "file": source.file,
        "first_line": source.first_line,
        "last_line": source.last_line,
        "symbol": source.symbol or None,
    }


def region_document(region: RegionResult) -> dict[str, Any]:
    """One of the document's regions."""
    document = _whole_document(region)
    if region.withheld:
        document |= _withheld(document)
    return document


def _withheld(document: dict[str, Any]) -> dict[str, Any]:
    """What stands in place of figures that too many unknown instructions leave without meaning."""
    nothing = {"cycles_per_iteration": None, "bottleneck": None, "bottleneck_detail": None}
    return {
        **nothing,
        "interval": None,
        "static": nothing,
        "bounds": {},
        "estimates": {},
        "bracket": dict.fromkeys(document["bracket"]),
        "critical_path": {**document["critical_path"], "cycles": None},
    }


def _whole_document(region: RegionResult) -> dict[str, Any]:
    prediction = region.prediction
    return {
        "name": region.name,
        "source": source_entry(region.source),
        "mode": region.mode,
        "cycles_per_iteration": prediction.cycles_per_iteration,
        "bottleneck": prediction.bottleneck,
        "bottleneck_detail": prediction.detail,
        "method": prediction.method,
        "lower_bound": bool(region.uncounted) and not region.withheld,
        "depends_on": [_unknown(region.instructions[index]) for index in region.uncounted],
        "withheld": region.withheld,
        "alternatives": [_alternative(region, each) for each in region.alternatives],
        "static": {
            "cycles_per_iteration": region.static.cycles_per_iteration,
            "bottleneck": region.static.bottleneck,
            "bottleneck_detail": region.static.detail,
        },
        "interval": None if prediction.interval is None else _interval(prediction.interval),
        "bounds": dict(prediction.bounds),
        "estimates": dict(prediction.estimates),
        "assumptions": list(region.assumptions),
        "bracket": {
            "lower": prediction.bracket.lower,
            "expected": prediction.bracket.expected,
            "upper": prediction.bracket.upper,
        },
        "simulated": None if region.simulated is None else _simulated(region.simulated),
        **({} if region.elements is None else {"elements": _elements(region.elements, region.cycles_per_element)}),
        **({} if region.advice is None else {"advice": region.advice.to_dict()}),
        **({} if region.clock is None else {"clock": region.clock.to_dict(prediction.cycles_per_iteration)}),
        **({} if region.ecm is None else {"ecm": region.ecm.to_dict()}),
        "frontend": {
            "components": dict(region.frontend.components),
            "limiting": region.frontend.limiting,
            "fused_uops": region.frontend.fused_uops,
            "supplier": region.frontend.source,
            "macro_fused_pairs": [list(pair) for pair in region.frontend.macro_fused_pairs],
        },
        "critical_path": _path(region, region.dependencies.critical_path),
        "loop_carried": [
            {**_path(region, path), "distance": path.distance} for path in region.dependencies.loop_carried
        ],
        "dependencies": [
            {
                "producer": edge.producer,
                "consumer": edge.consumer,
                "cycles": edge.cycles,
                "distance": edge.distance,
                "kind": edge.kind,
                "location": edge.location,
            }
            for edge in region.dependencies.edges
        ],
        "port_mode": region.ports.mode,
        "port_pressure": _totals(region.ports),
        "port_pressure_uniform": _totals(region.uniform_ports),
        "limiting_ports": list(region.ports.limiting_ports),
        "instructions": [_instruction(row) for row in region.instructions],
        "coverage": {
            "instructions": region.coverage.instructions,
            "known": region.coverage.known,
            "derived": region.coverage.derived,
            "unknown": region.coverage.unknown,
            "unknown_forms": list(region.coverage.unknown_forms),
        },
        "warnings": list(region.warnings),
    }


def _interval(found: Interval) -> dict[str, Any]:
    return {
        "low": found.low,
        "high": found.high,
        "coverage": found.coverage,
        "source": found.source,
        "measurements": found.measurements,
    }


def _alternative(region: RegionResult, found: Alternative) -> dict[str, Any]:
    return {
        "cycles_per_iteration": found.cycles_per_iteration,
        "store": found.store,
        "store_line": region.instructions[found.store].line,
        "load": found.load,
        "load_line": region.instructions[found.load].line,
        "distance": found.distance,
    }


def _unknown(row: InstructionResult) -> dict[str, Any]:
    return {"index": row.index, "line": row.line, "text": row.text, "form": row.form}


def _elements(found: ElementCount, cycles: float | None) -> dict[str, Any]:
    return {
        "elements_per_iteration": found.elements,
        "vector_length_bits": found.vector_bits,
        "cycles_per_element": cycles,
        "reason": found.reason,
    }


def _simulated(found: SimulationResult) -> dict[str, Any]:
    return {
        "cycles_per_iteration": found.cycles_per_iteration,
        "bottleneck": found.bottleneck,
        "front_end_binds_too": found.front_end_binds_too,
        "stalls": dict(found.stalls),
        "counters": dict(found.counters),
        "port_uops": dict(found.port_uops),
        "binding_ports": list(found.binding_ports),
        "periodic": found.periodic,
        "simulated_cycles": found.simulated_cycles,
        "measured_iterations": found.measured_iterations,
        "whole_pipeline": found.whole_pipeline,
        "stalls_by_instruction": list(found.stalls_by_instruction),
        "ranked_stalls": [dict(vars(share)) for share in found.ranked_stalls],
        "timeline": None if found.timeline is None else _timeline(found.timeline),
    }


def _timeline(timeline: Timeline) -> dict[str, Any]:
    return {
        "first_iteration": timeline.first_iteration,
        "first_cycle": timeline.first_cycle,
        "scheduler_delay": timeline.scheduler_delay,
        "cut": timeline.cut,
        "capacities": dict(timeline.capacities),
        "uops": [dict(vars(uop)) for uop in timeline.uops],
        "cycles": [dict(vars(cycle)) for cycle in timeline.cycles],
        "average_waits": [dict(vars(waits)) for waits in timeline.average_waits()],
    }


def _path(region: RegionResult, path: DependencyPath) -> dict[str, Any]:
    return {
        "cycles": path.cycles,
        "lines": [region.instructions[index].line for index in path.instructions],
        "instructions": list(path.instructions),
        "instruction_cycles": list(path.instruction_cycles),
    }


def _totals(pressure: PortPressure) -> dict[str, float]:
    return dict(zip(pressure.ports, pressure.totals, strict=True))


def _instruction(row: InstructionResult) -> dict[str, Any]:
    return {
        "line": row.line,
        "text": row.text,
        "form": row.form,
        "matched_form": row.matched_form,
        "status": row.status,
        "uops": row.uops,
        "port_pressure": dict(row.port_pressure),
        "latency_cycles": row.latency_cycles,
        "reciprocal_throughput_cycles": row.reciprocal_throughput_cycles,
        "on_critical_path": row.on_critical_path > 0,
        "on_loop_carried": row.on_loop_carried > 0,
        "critical_path_cycles": row.on_critical_path,
        "loop_carried_cycles": row.on_loop_carried,
        "source": row.source,
        "confidence": row.confidence,
        "nearest_forms": list(row.nearest_forms),
        "note": row.note,
        "address": row.address,
        "source_line": row.source_line,
    }
