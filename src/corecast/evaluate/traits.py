"""What kind of code each block is, so that errors can be told by kind.

content      scalar: general registers only; vector: every instruction works on vector or floating-point registers;
             mixed
memory       registers; loads; stores; loads and stores; memory chain: a load that waits for a store limits the block,
             that is, the static bounds would be lower if no load waited for stores
length       instructions
bottleneck   the static bound that decides
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from sys import intern

from corecast.dataclass import dataclass, field
from corecast.errors import CorecastError
from corecast.evaluate.cases import Cases, places_by
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast import _core
    from corecast.machine import Machine
    from corecast.prediction.engine import Mode

UNREADABLE = "unreadable"
_SEPARATE = {"store_forwarding.enforced": False}
_CHAIN_CYCLES = 0.01
"""Below this the difference between two bounds is none."""

_VECTOR_REGISTERS = {
    "x86": lazy_pattern(r"[xyz]mm\d+|k[0-7]|mm[0-7]|tmm[0-7]|fp[0-7]|st"),
    "aarch64": lazy_pattern(r"[zp]\d+|ffr|za"),
    "riscv64": lazy_pattern(r"f[tas]\d+|v\d+"),
}
"""Names of locations (corecast._core.register_name): narrow registers are parts of wide ones."""
_LENGTHS = ((1, "1"), (2, "2"), (4, "3 to 4"), (8, "5 to 8"), (16, "9 to 16"), (32, "17 to 32"))
_LONGEST = "33 or more"

FACETS: Mapping[str, tuple[str, ...]] = {
    "content": ("scalar", "mixed", "vector"),
    "memory": ("registers", "loads", "stores", "loads and stores", "memory chain"),
    "length": (*(name for _, name in _LENGTHS), _LONGEST),
    "bottleneck": (),
}
"""Each way to divide the blocks, with its labels in order; bottlenecks are named by the bounds."""


@dataclass
class Traits:
    """A label for each case and facet."""

    labels: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in FACETS})

    def extend(self, other: Traits) -> None:
        for name, labels in other.labels.items():
            self.labels[name].extend(map(intern, labels))

    def by(self, facet: str) -> dict[str, array[int]]:
        """Places by label, in the facet's order."""
        found = places_by(self.labels[facet])
        order = {label: rank for rank, label in enumerate(FACETS[facet])}
        return dict(sorted(found.items(), key=lambda item: (order.get(item[0], len(order)), item[0])))


def traits_of(cases: Cases, machine: Machine, mode: Mode, jobs: int | None = None) -> Traits:
    """The labels of blocks."""
    from corecast.asm import Kernel
    from corecast.machine import variant
    from corecast.prediction import predict

    with_chains = predict(cases.codes, machine, mode, "bounds", jobs)
    without = predict(cases.codes, variant(machine, _SEPARATE), mode, "bounds", jobs)
    found = Traits()
    for place, code in enumerate(cases.codes):
        try:
            instructions: Sequence[_core.Instruction] = Kernel.from_hex(code, machine.isa).instructions
        except CorecastError:
            instructions = ()
        readable = bool(instructions) and not any(each.unknown for each in instructions)
        chain = with_chains.cycles[place] - without.cycles[place] > _CHAIN_CYCLES
        found.labels["content"].append(_content(instructions, machine.isa) if readable else UNREADABLE)
        found.labels["memory"].append(_memory(instructions, chain) if readable else UNREADABLE)
        found.labels["length"].append(_length(len(instructions)) if readable else UNREADABLE)
        found.labels["bottleneck"].append(with_chains.bottlenecks[place] or UNREADABLE)
    return found


def _content(instructions: Sequence[_core.Instruction], isa: str) -> str:
    vector = [_is_vector(each, isa) for each in instructions if each.branch == "none"]
    if not any(vector):
        return "scalar"
    return "vector" if all(vector) else "mixed"


def _is_vector(instruction: _core.Instruction, isa: str) -> bool:
    return any(
        _holds_vectors(isa, use.reg)
        for operand in instruction.operands
        if operand.kind != "mem"
        for use in operand.registers
    )


@cache
def _holds_vectors(isa: str, register: int) -> bool:
    from corecast import _core

    return _VECTOR_REGISTERS[isa].fullmatch(_core.register_name(isa, register)) is not None


def _memory(instructions: Sequence[_core.Instruction], chain: bool) -> str:
    if chain:
        return "memory chain"
    accesses = [access for each in instructions for access in each.memory]
    reads, writes = any(each.read for each in accesses), any(each.write for each in accesses)
    if reads and writes:
        return "loads and stores"
    return "loads" if reads else "stores" if writes else "registers"


def _length(count: int) -> str:
    return next((name for most, name in _LENGTHS if count <= most), _LONGEST)
