"""Ports that bind while others of their kind have time left, and instructions that could be written otherwise."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corecast import _core
from corecast.analysis.advice import Balance, Exchange
from corecast.analysis.equivalents import equivalents
from corecast.analysis.kernels import prepare_kernel
from corecast.machine import sharing_ports

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corecast.analysis.options import AnalyzeOptions
    from corecast.analysis.results import RegionResult
    from corecast.asm import Kernel
    from corecast.machine import Machine

_X86_VECTOR = re.compile(r"[xyz]mm")
_GAIN = 0.005
"""Cycles below which nothing is gained."""


def balance_of(region: RegionResult, kernel: Kernel, machine: Machine, options: AnalyzeOptions) -> Balance | None:
    """Whether the ports that bind could be relieved; None where neither other ports nor other instructions can."""
    mode, instructions, _ = prepare_kernel(kernel, machine, options)
    question = _Question(machine, list(instructions), mode, options)
    before = region.prediction.cycles_per_iteration
    binding = tuple(port for port in region.ports.limiting_ports if port in machine.ports)
    if not binding:
        return None
    idle = _idle_of_their_kind(region, machine, binding)
    shared = question.on(sharing_ports(machine, binding, idle)) if idle else None
    if shared is not None and shared[0] > before - _GAIN:
        idle, shared = (), None
    exchanges, exchanged = _exchanges(region, kernel, question, binding)
    if shared is None and not exchanges:
        return None
    return Balance(
        ports=binding,
        idle_ports=idle,
        shared_cycles=shared[0] if shared else None,
        shared_bound=shared[1] if shared else "",
        exchanges=exchanges,
        exchanged_cycles=exchanged[0] if exchanges else None,
        exchanged_bound=exchanged[1] if exchanges else "",
    )


@dataclass
class _Question:
    """What the native core is asked, with other instructions or another core."""

    machine: Machine
    instructions: list[_core.Instruction]
    mode: str
    options: AnalyzeOptions

    def on(self, machine: Machine, instructions: Sequence[_core.Instruction] | None = None) -> tuple[float, str]:
        """Cycles and what binds."""
        found = _core.analyze(
            machine.core,
            self.instructions if instructions is None else instructions,
            self.mode,
            self.options.unknown,
            None,
            self.options.ports == "uniform",
        )
        return found.cycles_per_iteration, found.bottleneck


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
    region: RegionResult, kernel: Kernel, question: _Question, binding: tuple[str, ...]
) -> tuple[tuple[Exchange, ...], tuple[float, str]]:
    """Instructions of the binding ports, exchanged one by one as long as that helps."""
    chosen: list[Exchange] = []
    current = list(question.instructions)
    best = question.on(question.machine, current)
    for row in region.instructions:
        if not any(row.port_pressure.get(port, 0) > 0 for port in binding) or row.index >= len(current):
            continue
        for mnemonic, other in _others(current[row.index], kernel, question.machine):
            tried = [*current[: row.index], other, *current[row.index + 1 :]]
            found = question.on(question.machine, tried)
            if found[0] < best[0] - _GAIN:
                chosen.append(Exchange(row.index, mnemonic))
                current, best = tried, found
                break
    return tuple(chosen), best


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
