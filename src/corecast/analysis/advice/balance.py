"""Ports that bind while others of their kind have time left, and instructions that could be written otherwise."""

from __future__ import annotations

from corecast import _core
from corecast.analysis.advice.equivalents import equivalents
from corecast.analysis.advice.types import Balance, Exchange
from corecast.analysis.kernels import prepare_kernel, start_address
from corecast.hints import TYPE_CHECKING
from corecast.machine import sharing_ports
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corecast.analysis.advice.costs import Cost, Costs
    from corecast.analysis.options import AnalyzeOptions
    from corecast.analysis.results import RegionResult
    from corecast.asm import Kernel
    from corecast.machine import Machine

_X86_VECTOR = lazy_pattern(r"[xyz]mm")
_LEAST_GAIN = 1.02
_GAIN = 0.005
"""Cycles below which nothing is gained."""


def balance_of(region: RegionResult, kernel: Kernel, costs: Costs, options: AnalyzeOptions) -> Balance | None:
    """Whether the ports that bind could be relieved; None where neither other ports nor other instructions can."""
    _, instructions, _ = prepare_kernel(kernel, costs.machine, options)
    before = region.prediction.cycles_per_iteration
    if start_address(kernel, options) is not None:  # changed code is timed as if its addresses had no effects
        before = min(before, costs.of(instructions).cycles)
    machine = costs.machine
    binding = tuple(port for port in region.ports.limiting_ports if port in machine.ports)
    if not binding:
        return None
    idle = _idle_of_their_kind(region, machine, binding)
    shared = costs.of(instructions, machine=sharing_ports(machine, binding, idle)) if idle else None
    if shared is not None and shared.cycles * _LEAST_GAIN > before:
        idle, shared = (), None
    exchanges, exchanged = _exchanges(region, instructions, kernel, costs, binding)
    if exchanged.cycles * _LEAST_GAIN > before:
        exchanges = ()
    if shared is None and not exchanges:
        return None
    return Balance(
        ports=binding,
        idle_ports=idle,
        shared_cycles=shared.cycles if shared else None,
        shared_bound=shared.bound if shared else "",
        exchanges=exchanges,
        exchanged_cycles=exchanged.cycles if exchanges else None,
        exchanged_bound=exchanged.bound if exchanges else "",
    )


def _idle_of_their_kind(region: RegionResult, machine: Machine, binding: tuple[str, ...]) -> tuple[str, ...]:
    """Other units for vectors, or for integers, as the model lists them, where they have less to do.

    A core with one list for both kinds of work is asked about the kind that the binding ports do.
    """
    users = [row for row in region.instructions if any(row.port_pressure.get(port, 0) > 0 for port in binding)]
    on_vectors = [_X86_VECTOR.search(row.form) is not None for row in users]
    kinds = [
        ports
        for ports, wanted in ((machine.core.vector_ports, True), (machine.core.integer_alu_ports, False))
        if machine.isa != "x86" or all(each is wanted for each in on_vectors)
    ]
    kind: list[str] = next((kind for kind in kinds if set(binding) < set(kind)), [])
    totals = dict(zip(region.ports.ports, region.ports.totals, strict=True))
    least = min(totals[port] for port in binding)
    return tuple(port for port in kind if port not in binding and totals[port] < least - _GAIN)


def _exchanges(
    region: RegionResult,
    instructions: Sequence[_core.Instruction],
    kernel: Kernel,
    costs: Costs,
    binding: tuple[str, ...],
) -> tuple[tuple[Exchange, ...], Cost]:
    """Instructions of the binding ports, exchanged one by one as long as the static bounds fall; then timed together.

    Another port may take the work only once enough of it has moved, so single exchanges are judged by the bounds.
    """
    chosen: list[Exchange] = []
    current = list(instructions)
    best = costs.bounds_of(current)
    for row in region.instructions:
        if not any(row.port_pressure.get(port, 0) > 0 for port in binding) or row.index >= len(current):
            continue
        for mnemonic, other in _others(current[row.index], kernel, costs.machine):
            tried = [*current[: row.index], other, *current[row.index + 1 :]]
            found = costs.bounds_of(tried)
            if found < best - _GAIN:
                chosen.append(Exchange(row.index, mnemonic))
                current, best = tried, found
                break
    return tuple(chosen), costs.of(current)


def _others(instruction: _core.Instruction, kernel: Kernel, machine: Machine) -> list[tuple[str, _core.Instruction]]:
    """The same with other mnemonics that the core knows with these operands."""
    found = []
    operands = instruction.form.partition(" ")[2]
    for mnemonic in equivalents(instruction.mnemonic):
        text = instruction.text.replace(instruction.mnemonic, mnemonic, 1)
        listing = _core.assemble(kernel.isa, text, "intel" if kernel.isa == "x86" else "")
        if listing.problems or len(listing.instructions) != 1:
            continue
        other = listing.instructions[0]
        if other.form.partition(" ")[2] == operands and machine.core.lookup(other)[0] == "known":
            found.append((mnemonic, other))
    return found
