"""A loop's part of roofline and ECM models: work, bytes, and cycles by what overlaps with transfers."""

from __future__ import annotations

from corecast.analysis.results import Ecm
from corecast.analysis.work.amounts import work_of
from corecast.analysis.work.memory import Bandwidth, traffic_of
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.analysis.results import RegionResult
    from corecast.asm import Kernel
    from corecast.machine import Machine

_LOADS = ("loads.ports", "loads.vector_ports")
_STORES = ("stores.data_ports", "stores.vector_data_ports")


def ecm_of(kernel: Kernel, machine: Machine, region: RegionResult, bandwidth: Bandwidth | None = None) -> Ecm:
    """What an analyzed kernel contributes."""
    data = _data_ports(machine)
    totals = dict(zip(region.ports.ports, region.ports.totals, strict=True))
    traffic = traffic_of(kernel, machine.core.vector_bits)
    return Ecm(
        work=work_of(kernel, machine.core.vector_bits),
        traffic_bytes=traffic,
        overlapping_cycles=max((cycles for port, cycles in totals.items() if port not in data), default=0.0),
        transfer_cycles=max((cycles for port, cycles in totals.items() if port in data), default=0.0),
        core_cycles=region.core.cycles_per_iteration,
        memory_cycles=bandwidth.cycles(kernel, machine.core.vector_bits) if bandwidth is not None else None,
    )


def _data_ports(machine: Machine) -> set[str]:
    """Ports that data pass on their way from or to the first-level cache."""
    groups = machine.parameter("ports.groups") or {}
    found: set[str] = set()
    for key in (*_LOADS, *_STORES):
        parts = str(machine.parameter(key) or "").split("+")
        # The access itself: a load's first part, a store's last; the others carry data between pipes.
        for part in parts[:1] if key in _LOADS else parts[-1:]:
            found |= _ports_of(part.partition("*")[2] or part, machine, groups)
    return found


def _ports_of(text: str, machine: Machine, groups: dict[str, list[str]]) -> set[str]:
    known = {*machine.ports, *machine.units}
    if text in groups:
        return set(groups[text])
    if text in known:
        return {text}
    if "|" in text:
        return {name for part in text.split("|") for name in _ports_of(part, machine, groups)}
    return {letter for letter in text[1:] if letter in known} if text.startswith("p") else set()
