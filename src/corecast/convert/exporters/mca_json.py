"""A model as JSON in the terms of LLVM's scheduling models: what a TableGen author, or a tool around llvm-mca, needs.

`SchedMachineModel` has the parameters, `ProcResources` the ports (units, and groups with their members), `SchedClasses`
one entry for each distinct behaviour with the forms that have it: `WriteProcRes` (cycles of every resource),
`NumMicroOps`, `Latency`, and `ReadAdvance` for the sources that may arrive later. Latencies are those of a result; a
source of less latency is a read advance, as LLVM has it. Cycles to memory are not results and left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from corecast.hints import Any
from corecast.machine.types import Machine

SCHEMA = "corecast-mca/1"


def mca_json(machine: Machine) -> str:
    """The text of the file."""
    classes: dict[str, dict[str, Any]] = {}
    groups: dict[tuple[str, ...], str] = {}
    unknown = 0
    for form in machine.keys():  # noqa: SIM118
        entry = machine.core.find(form)
        if entry is None or entry["ports"] is None or entry["latency"] is None:
            unknown += 1
            continue
        made = _class(entry, groups)
        known = classes.setdefault(json.dumps(made, sort_keys=True), {**made, "Forms": []})
        known["Forms"].append(form)
    document = {
        "schema": SCHEMA,
        "cpu": machine.name,
        "title": machine.title,
        "llvm_cpu": machine.llvm_cpu or None,
        "SchedMachineModel": _parameters(machine),
        "ProcResources": [
            *({"Name": port, "NumUnits": 1} for port in (*machine.ports, *machine.units)),
            *({"Name": name, "NumUnits": len(members), "SubUnits": list(members)} for members, name in groups.items()),
        ],
        "SchedClasses": list(classes.values()),
        "FormsWithoutPortsOrLatency": unknown,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _class(entry: Mapping[str, Any], groups: dict[tuple[str, ...], str]) -> dict[str, Any]:
    latencies = [(source, to, float(cycles)) for source, to, cycles in entry["latency"] if to not in ("mem", "addr")]
    longest = max((cycles for _, _, cycles in latencies), default=0.0)
    advances = {
        str(source): longest - max(cycles for other, _, cycles in latencies if other == source)
        for source, _, _ in latencies
        if source not in ("*",)
    }
    uses = [*entry["ports"], *entry["blocking"]]
    return {
        "NumMicroOps": entry["uops"][1] if entry["uops"] else None,
        "Latency": longest,
        "WriteProcRes": [
            {"Resource": _resource(tuple(names), groups), "ReleaseAtCycle": float(count)} for count, names in uses
        ],
        "ReadAdvance": [{"Source": source, "Cycles": cycles} for source, cycles in advances.items() if cycles > 0],
        "RThroughput": entry["rthroughput"],
        "Eliminated": "eliminated" in entry["flags"] or "zero_idiom" in entry["flags"],
    }


def _resource(names: tuple[str, ...], groups: dict[tuple[str, ...], str]) -> str:
    if len(names) == 1:
        return names[0]
    return groups.setdefault(names, "_".join(names))


def _parameters(machine: Machine) -> dict[str, Any]:
    """LLVM's parameters; null where the model does not know them."""

    def number(key: str) -> float | None:
        value = machine.parameter(key)
        return float(value) if isinstance(value, int | float) and value >= 0 else None

    return {
        "IssueWidth": number("rename.width"),
        "MicroOpBufferSize": number("reorder_buffer.entries"),
        "LoadLatency": number("loads.latency_cycles"),
        "MispredictPenalty": number("branches.mispredict_cycles"),
        "MaxRetirePerCycle": number("retire.width"),
        "InOrder": bool(machine.parameter("in_order")),
    }
