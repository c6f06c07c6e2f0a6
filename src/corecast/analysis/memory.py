"""Data beyond the first-level cache, as far as a loop's cycles need it: later loads, and a cap on what can be moved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corecast.analysis.work import scalable_bytes
from corecast.errors import InputError

if TYPE_CHECKING:
    from corecast import _core
    from corecast.asm import Kernel
    from corecast.machine import Machine

EXTRA = "memory.extra_load_latency_cycles"
_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)\s*([kMGT]?)(B/s|Hz)")
_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


def extra_latency(text: str, machine: Machine) -> float:
    """Cycles that loads take longer than from the first-level cache, on average.

    `l2` (a level that the model names in memory.levels), `40` (cycles of a load altogether), or shares of them:
    `l1:0.9,l2:0.1`.

    Raises:
        InputError: of another kind, an unknown level, or shares that are no parts of a whole.
    """
    first = machine.pipeline.get("memory", {}).get("load_latency_cycles")
    if not isinstance(first, int | float):
        raise InputError(f"the model of {machine.name} does not tell the latency of a load")
    parts = [part.strip().partition(":") for part in text.split(",")]
    shares = [_share(share, text) if colon else 1.0 / len(parts) for _, colon, share in parts]
    if abs(sum(shares) - 1) > 1e-6:
        raise InputError(f"--memory: the shares of '{text}' are not 1 together")
    mean = sum(share * _level(name.strip(), machine, first) for share, (name, _, _) in zip(shares, parts, strict=True))
    return max(0.0, mean - first)


def bytes_per_cycle(bandwidth: str, clock: str) -> float:
    """Of "25.6GB/s" at "2.5GHz".

    Raises:
        InputError: no such quantities.
    """
    return _quantity(bandwidth, "B/s", "--bandwidth") / _quantity(clock, "Hz", "--clock")


def traffic_of(kernel: Kernel, vector_bits: float) -> float:
    """Bytes that an iteration streams: accesses whose address moves on, each place once; gathers are not among them."""
    moving = _written(kernel)
    seen: set[tuple[int, int, int, str]] = set()
    total = 0.0
    for instruction in kernel.instructions:
        for access in instruction.memory:
            if access.vector_index or not {access.base, access.index} & moving:
                continue
            place = (access.base, access.index, access.displacement, _offset(instruction))
            if place in seen:
                continue
            seen.add(place)
            total += access.width_bytes or scalable_bytes(instruction, vector_bits)
    return total


def _written(kernel: Kernel) -> set[int]:
    """Registers that an iteration writes."""
    written = {
        use.reg
        for instruction in kernel.instructions
        for operand in instruction.operands
        for use in operand.registers
        if use.write
    }
    steps = {
        access.base
        for instruction in kernel.instructions
        for access in instruction.memory
        if access.write_back != "none"
    }
    return (written | steps) - {0}


def _offset(instruction: _core.Instruction) -> str:
    """What the address adds in vector lengths: "#1, mul vl"."""
    found = re.search(r"#-?\d+, mul vl", instruction.text)
    return found[0] if found else ""


def _share(text: str, whole: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise InputError(f"--memory: '{whole}' has a share that is no number from 0 to 1")
    return share


def _level(name: str, machine: Machine, first: float) -> float:
    levels = machine.pipeline.get("memory", {}).get("levels", {})
    if name == "l1":
        return first
    if isinstance(levels, dict) and isinstance(levels.get(name), int | float):
        return float(levels[name])
    try:
        cycles = float(name)
    except ValueError:
        known = ", ".join(["l1", *levels]) if isinstance(levels, dict) else "l1"
        raise InputError(
            f"--memory: {machine.name} has no level '{name}' (it has {known}); cycles are a number"
        ) from None
    if cycles < first:
        raise InputError(f"--memory: loads take {first:g} cycles at least, not {name}")
    return cycles


def _quantity(text: str, unit: str, option: str) -> float:
    found = _QUANTITY.fullmatch(text.strip())
    if found is None or found[3] != unit or float(found[1]) <= 0:
        example = "25.6GB/s" if unit == "B/s" else "2.5GHz"
        raise InputError(f"{option} is a quantity such as {example}, not '{text}'")
    return float(found[1]) * _PREFIXES[found[2]]
