"""Data beyond the first-level cache, as far as a loop's cycles need it: later loads, and a cap on what can be moved."""

from __future__ import annotations

from corecast import _core
from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Any, Sequence
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast.analysis.options import AnalyzeOptions
    from corecast.asm import Kernel
    from corecast.machine import Machine

EXTRA = "loads.extra_latency_cycles"
LATE = "loads.late"
_OFFSET = lazy_pattern(r"#-?\d+, mul vl")
_QUANTITY = lazy_pattern(r"(\d+(?:\.\d+)?)\s*([kMGT]?)(B/s|B/cycle|Hz)")
_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


@dataclass(frozen=True)
class LoadLatencies:
    """Where the loads of a loop find their data."""

    base: str
    """Of loads whose address begins with this register; "": of all others."""
    parts: tuple[tuple[float, float], ...]
    """Shares, 1 together, and how many cycles later than from the first-level cache."""

    @property
    def mean(self) -> float:
        """Cycles later, on average."""
        return sum(share * cycles for share, cycles in self.parts)


@dataclass(frozen=True)
class Bandwidth:
    """What can be streamed, in bytes a cycle."""

    total: float | None = None
    """Of all accesses together; None: any amount."""
    streams: tuple[tuple[str, float], ...] = ()
    """Of the accesses whose address begins with a register."""

    def cycles(self, kernel: Kernel, vector_bits: float) -> float:
        """Of what an iteration streams."""
        found = [traffic_of(kernel, vector_bits, base) / rate for base, rate in self.streams]
        if self.total is not None:
            found.append(traffic_of(kernel, vector_bits) / self.total)
        return max(found, default=0.0)


@dataclass(frozen=True)
class DataPlaces:
    """A machine whose loads find their data where the user says, and what can be streamed."""

    machine: Machine
    bandwidth: Bandwidth | None = None
    """None: any amount."""


def data_places(machine: Machine, options: AnalyzeOptions) -> DataPlaces:
    """The machine under the options `memory`, `bandwidth` and `clock`.

    Raises:
        InputError: no such level, cycles, shares, register or quantity; a bandwidth without a clock.
    """
    bandwidth = chosen_bandwidth(options.bandwidth, options.clock, machine)
    if options.memory:
        from corecast.machine import variant

        machine = variant(machine, latency_settings(load_latencies(options.memory, machine)))
    return DataPlaces(machine, bandwidth)


def chosen_bandwidth(rates: Sequence[str], clock: str | None, machine: Machine) -> Bandwidth | None:
    """What can be streamed, None where nothing was said of it.

    Raises:
        InputError: bytes per second without a clock, or no such quantities.
    """
    if clock is not None:
        clock_hertz(clock)  # a faulty clock is an error even where nothing needs it
    return bandwidth_of(rates, clock, machine) if rates else None


def clock_hertz(text: str) -> float:
    """Cycles per second of "2.5GHz".

    Raises:
        InputError: no such quantity.
    """
    return _quantity(text, "Hz", "--clock")


def load_latencies(texts: Sequence[str], machine: Machine) -> tuple[LoadLatencies, ...]:
    """Where loads find their data, as the user says it.

    `l2` (a level that the model names in memory.levels), `40` (cycles of a load altogether), or shares of them:
    `l1:0.9,l2:0.1`; `x1=l2` says it of the loads whose address begins with x1.

    Raises:
        InputError: of another kind, an unknown level or register, the same loads twice, shares that are not whole.
    """
    first = machine.parameter("loads.latency_cycles")
    if not isinstance(first, int | float):
        raise InputError(f"the model of {machine.name} does not give the latency of a load")
    found: list[LoadLatencies] = []
    for text in texts:
        base, levels = _stream(text, machine, "--memory")
        if base in [other.base for other in found]:
            raise InputError(f"--memory says twice where {f'loads from {base}' if base else 'loads'} find their data")
        found.append(LoadLatencies(base, _parts(levels, machine, first)))
    return tuple(found)


def latency_settings(found: Sequence[LoadLatencies]) -> dict[str, Any]:
    """Settings of `corecast.machine.variant` for such loads.

    One latency for all loads is added to every load. Shares and streams are drawn by the simulation, while bounds
    take the mean of each stream.
    """
    general = next((each for each in found if not each.base), None)
    if all(len(each.parts) == 1 and not each.base for each in found):
        return {} if general is None else {EXTRA: general.mean}
    return {
        LATE: [
            {"share": share, "cycles": cycles, **({"base": each.base} if each.base else {})}
            for each in found
            for share, cycles in each.parts
        ]
    }


def bandwidth_of(rates: Sequence[str], clock: str | None, machine: Machine) -> Bandwidth:
    """Of "25.6GB/s" at "2.5GHz", "16B/cycle" at any clock, or "x1=12GB/s" for one stream.

    Raises:
        InputError: no such quantities, bytes per second without a clock, an unknown register, the same stream twice.
    """
    total: float | None = None
    streams: dict[str, float] = {}
    for text in rates:
        base, rate = _stream(text, machine, "--bandwidth")
        if base in streams or (not base and total is not None):
            raise InputError(f"--bandwidth is given twice for {base or 'all accesses'}")
        value = _bytes_per_cycle(rate, clock)
        if base:
            streams[base] = value
        else:
            total = value
    return Bandwidth(total, tuple(streams.items()))


def _bytes_per_cycle(text: str, clock: str | None) -> float:
    if text.endswith("B/cycle"):
        return _quantity(text, "B/cycle", "--bandwidth")
    rate = _quantity(text, "B/s", "--bandwidth")
    if clock is None:
        raise InputError(
            f"--bandwidth {text} needs --clock, such as --clock 2.5GHz; or give bytes per cycle: 16B/cycle"
        )
    return rate / clock_hertz(clock)


def traffic_of(kernel: Kernel, vector_bits: float, base: str = "") -> float:
    """Bytes that an iteration streams: accesses whose address moves on, each place once; gathers are not among them.

    Args:
        kernel: the loop.
        vector_bits: vector length (SVE, RVV) where the code does not fix it.
        base: only of the accesses whose address begins with this register.
    """
    from corecast.analysis.work.amounts import scalable_bytes

    moving = _written(kernel)
    wanted = _core.register_number(kernel.isa, base) if base else 0
    seen: set[tuple[int, int, int, str]] = set()
    total = 0.0
    for instruction in kernel.instructions:
        for access in instruction.memory:
            if access.vector_index or not {access.base, access.index} & moving or wanted not in (0, access.base):
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
    found = _OFFSET.search(instruction.text)
    return found[0] if found else ""


def _stream(text: str, machine: Machine, option: str) -> tuple[str, str]:
    """The register before "=", "" where there is none, and what stands behind it."""
    base, equals, rest = (part.strip() for part in text.partition("="))
    if not equals:
        return "", base
    if not _core.register_number(machine.isa, base):
        raise InputError(f"{option}: {machine.isa} has no register '{base}'")
    return base, rest


def _parts(text: str, machine: Machine, first: float) -> tuple[tuple[float, float], ...]:
    parts = [part.strip().partition(":") for part in text.split(",")]
    shares = [_share(share, text) if colon else 1.0 / len(parts) for _, colon, share in parts]
    if abs(sum(shares) - 1) > 1e-6:
        raise InputError(f"--memory: the shares of '{text}' are not 1 together")
    levels = [_level(name.strip(), machine, first) - first for name, _, _ in parts]
    return tuple(zip(shares, levels, strict=True))


def _share(text: str, whole: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise InputError(f"--memory: '{whole}' has a share that is not a number from 0 to 1")
    return share


def levels_of(machine: Machine) -> dict[str, float]:
    """Load-to-use cycles by level, as far as the model knows them; the first level is not among them."""
    levels = machine.parameter("memory.levels")
    if not isinstance(levels, dict):
        return {}
    return {name: float(cycles) for name, cycles in levels.items() if isinstance(cycles, int | float)}


def _level(name: str, machine: Machine, first: float) -> float:
    levels = {"l1": first, **levels_of(machine)}
    if name in levels:
        return levels[name]
    try:
        cycles = float(name)
    except ValueError:
        known = ", ".join(f"{level} {cycles:g}" for level, cycles in levels.items())
        raise InputError(
            f"--memory: the model of {machine.name} has no latency of '{name}' (it has {known}); "
            "give a number of cycles"
        ) from None
    if not first <= cycles <= 10_000:
        raise InputError(f"--memory: loads take {first:g} to 10,000 cycles, not {name}")
    return cycles


def _quantity(text: str, unit: str, option: str) -> float:
    found = _QUANTITY.fullmatch(text.strip())
    if found is None or found[3] != unit or float(found[1]) <= 0:
        example = "2.5GHz" if unit == "Hz" else "25.6GB/s or 16B/cycle"
        raise InputError(f"{option} is a quantity such as {example}, not '{text}'")
    return float(found[1]) * _PREFIXES[found[2]]
