"""Result types of the static analysis: one frozen type per question, filled once, only read afterwards.

All cycles are cycles of the core clock per iteration of the region unless said otherwise. Instruction indices count
from 0 within the region.
"""

from __future__ import annotations

from corecast.analysis.simulated import SimulationResult
from corecast.dataclass import dataclass, field, replace
from corecast.hints import TYPE_CHECKING, Any, Literal, cached_property
from corecast.machine.method import Method
from corecast.views import Viewed

if TYPE_CHECKING:
    from corecast.analysis.advice.types import Advice
    from corecast.analysis.elements import ElementCount
    from corecast.analysis.work.amounts import Work
    from corecast.machine.intervals import Interval

Status = Literal["known", "derived", "unknown"]
"""known: a row of the model; derived: by a rule from related rows; unknown: no data."""
PortMode = Literal["balanced", "uniform"]
"""balanced: the best distribution of uops over ports; uniform: equal shares."""

PortShares = Literal["balanced", "uniform", "in_order"]
"""Those, and in_order: each uop where the core sends it, by what it sent where before."""
LoopMode = Literal["loop", "unroll"]
"""loop: a branch leads back to the start; unroll: copies follow each other."""
EdgeKind = Literal["register", "flags", "memory", "address"]
"""What carries the value from one instruction to another."""
_SAME = 0.005
"""Of cycles: a simulation measured over some iterations may be off by as much."""


@dataclass(frozen=True)
class PortPressure:
    """Cycles that each instruction occupies each port or non-pipelined unit."""

    mode: PortShares
    """How uops are distributed over ports."""
    ports: tuple[str, ...]
    """Column names: the machine's ports in display order, then its units (dividers)."""
    per_instruction: tuple[tuple[float, ...], ...] = field(repr=False)
    """Cycles, a row for each instruction, a column for each port."""
    totals: tuple[float, ...]
    """Cycles by port: the sums of the columns."""
    bound: float
    """Highest total: a lower bound of cycles per iteration."""
    limiting_ports: tuple[str, ...]
    """The set of ports that makes the bound (balanced), or the ports of highest total (uniform)."""


@dataclass(frozen=True)
class FrontendBound:
    """What fetch, decode, rename and retire need per iteration."""

    bound: float
    """Cycles of the slowest component."""
    components: dict[str, float]
    """Cycles by component: rename, retire, and where modelled predecode, decode, uop_cache, loop_buffer."""
    limiting: str
    """Name of the slowest component."""
    fused_uops: float
    """Slots of rename per iteration."""
    macro_fused_pairs: tuple[tuple[int, int], ...]
    """Indices of instructions that the front end joins into one."""
    source: str = ""
    """Which supplier delivers the uops where the model knows: "decoders", "uop_cache", "loop_buffer", else ""."""


@dataclass(frozen=True, slots=True)
class DependencyEdge:
    """A value produced by one instruction and consumed by another."""

    producer: int
    """Index of the instruction that makes the value."""
    consumer: int
    """Index of the instruction that needs it."""
    cycles: float
    """Latency from the producer's input that matters most to the value's arrival (the producer's side)."""
    distance: int
    """Iterations between producer and consumer: 0 within one pass."""
    kind: EdgeKind
    """What carries the value."""
    location: str
    """Register or flag name, or the symbolic memory address."""


@dataclass(frozen=True)
class DependencyPath:
    """A chain of instructions with the cycles it takes."""

    cycles: float
    """Length of the chain; of a loop-carried one, per iteration."""
    instructions: tuple[int, ...]
    """Indices along the chain."""
    instruction_cycles: tuple[float, ...]
    """Cycles that each instruction of the chain adds; their sum is `cycles` times `distance`."""
    distance: int = 1
    """Iterations that the chain spans (loop-carried chains); `cycles` is per iteration."""

    @cached_property
    def members(self) -> frozenset[int]:
        """The instructions, for asking whether one is among them."""
        return frozenset(self.instructions)


@dataclass(frozen=True)
class Dependencies:
    """Values that instructions pass on, and the chains that they form."""

    edges: tuple[DependencyEdge, ...] = field(repr=False)
    """Every value that is passed on, by its producer."""
    critical_path: DependencyPath
    """Longest latency path of one pass through the region."""
    loop_carried: tuple[DependencyPath, ...] = field(repr=False)
    """Loop-carried cycles, slowest first; empty where nothing is carried (or mode is a straight line)."""

    @property
    def bound(self) -> float:
        """Cycles per iteration of the slowest loop-carried chain; 0 where there is none."""
        return self.loop_carried[0].cycles if self.loop_carried else 0.0


@dataclass(frozen=True, slots=True)
class InstructionResult:
    """One row of the report."""

    index: int
    """From 0 within the region."""
    line: int
    """Line of the assembly text, or of the listing for code without text (counting from 1)."""
    text: str
    """As the user wrote it; canonical (Intel syntax for x86) for decoded code."""
    form: str
    """The most specific key of the instruction (docs/form-keys.md)."""
    matched_form: str
    """Key of the row that was used, "" where unknown."""
    status: Status
    """Whether the model has data."""
    uops: float
    """Micro-ops that go to ports."""
    port_pressure: dict[str, float]
    """Cycles by port or unit; those without any are left out."""
    latency_cycles: float | None
    """Largest latency of any operand pair, None where unknown."""
    on_critical_path: float
    """Cycles this instruction adds to the critical path, 0 where it is not on it."""
    on_loop_carried: float
    """The same for the slowest loop-carried chain."""
    source: str = ""
    """Where the row's figures come from; "" where unknown."""
    confidence: str = ""
    """ "measured", "documented", "derived" or "assumed"; "" where unknown."""
    nearest_forms: tuple[str, ...] = ()
    """For unknown forms: the nearest known ones."""
    note: str = ""
    """Macro-fused with the next, eliminated, zero idiom, how a derived form was made."""
    address: int | None = None
    """In the object file; None for text."""
    source_line: str = ""
    """file:line of the high-level source where debug information says."""
    reciprocal_throughput_cycles: float | None = None
    """Of the instruction alone: measured, else what its ports and units take; None where unknown."""

    def __repr__(self) -> str:
        return f"<InstructionResult {self.index}: {self.text!r}, {self.status}, {self.uops:g} uops>"


@dataclass(frozen=True)
class Bracket:
    """Lower, expected and upper estimates as the OSACA papers define them (PMBS 2019, section II)."""

    lower: float
    """Throughput: every dependency hidden. Only what is proven of ports and front end counts, so that nothing undercuts
    it. Never above `expected`."""
    expected: float
    """The answer: simulated, or the larger of throughput and the slowest loop-carried dependency."""
    upper: float
    """Critical path: no overlap between iterations. Never below `expected`."""


@dataclass(frozen=True)
class Prediction:
    """The answer of one method; cycles, bottleneck, bounds and bracket belong together."""

    cycles_per_iteration: float
    """The forecast; see `RegionResult.withheld` before it is shown."""
    bottleneck: str
    """ "ports", "frontend", "dependency", "load_banks", "activity" (too many wide vectors at once), by bounds
    "throughput", simulated "unit" (a divider and the like), or "memory"; refined by `detail`."""
    detail: str
    """Ports, unit or component behind the bottleneck; "" where it says all."""
    bounds: dict[str, float]
    """ports, frontend, dependency; memory where a bandwidth was given; throughput where an instruction is bound by its
    measured throughput alone."""
    bracket: Bracket
    """Lower, expected and upper estimate."""
    method: Method = "bounds"
    """ "simulate" or "bounds"."""
    estimates: dict[str, float] = field(default_factory=dict)
    """Static figures above the simulation's cycles: they average what it follows, and bound nothing here."""
    interval: Interval | None = None
    """Where a measurement is expected; None where the cycles are a lower bound, or nothing is known."""


@dataclass(frozen=True)
class Coverage:
    """How many instructions the model has data for."""

    instructions: int
    """All of the region."""
    known: int
    """Those with separate rows."""
    derived: int
    """With a row that a rule made from related ones."""
    unknown: int
    """Without data."""
    unknown_forms: tuple[str, ...] = ()
    """Their forms, each once."""


@dataclass(frozen=True)
class SourceSpan:
    """Where a region stands."""

    file: str
    """Path as it was given; "<hex>" and the like for code without a file."""
    first_line: int
    """From 1; of code without text, of its listing."""
    last_line: int
    """The last line that belongs to it."""
    symbol: str = ""
    """Of the function that the code begins in, as the file spells it; "" where that has no name."""


@dataclass(frozen=True)
class Ecm(Viewed):
    """Of one iteration; Kerncraft's names in brackets."""

    work: Work
    """Operations and bytes of an iteration."""
    traffic_bytes: float
    """Of accesses whose address moves on, each place once."""
    overlapping_cycles: float
    """Of the busiest port or unit that neither loads nor stores data (T_OL)."""
    transfer_cycles: float
    """Of the busiest port that loads or stores data: between registers and first-level cache (T_nOL)."""
    core_cycles: float
    """The forecast, with all data in the first-level cache (T_comp)."""
    memory_cycles: float | None
    """Of the traffic at a bandwidth, None where none was given."""

    @property
    def flops_per_cycle(self) -> float:
        """Floating-point operations per core cycle at `cycles`."""
        return self.work.flops / self.cycles if self.cycles else 0.0

    def __repr__(self) -> str:
        work = f"{self.work.flops:g} operations, {self.work.bytes:g} bytes"
        return f"<Ecm {work}, {self.cycles:.2f} cycles per iteration>"

    @property
    def cycles(self) -> float:
        """The slower of core and memory, as if both worked at the same time (roofline)."""
        return max(self.core_cycles, self.memory_cycles or 0.0)

    def to_dict(self) -> dict[str, Any]:
        """The entry `ecm` of the document (docs/json.md)."""
        return {
            "flops": self.work.flops,
            "loaded_bytes": self.work.loaded_bytes,
            "stored_bytes": self.work.stored_bytes,
            "traffic_bytes": self.traffic_bytes,
            "arithmetic_intensity": self.work.intensity,
            "t_ol_cycles": self.overlapping_cycles,
            "t_nol_cycles": self.transfer_cycles,
            "t_comp_cycles": self.core_cycles,
            "t_mem_cycles": self.memory_cycles,
            "flops_per_cycle": self.flops_per_cycle,
        }


@dataclass(frozen=True)
class Clock:
    """What an iteration is in time, at the clock that the user gave."""

    hertz: float
    """Core clock."""
    flops: float
    """Floating-point operations of an iteration."""
    bytes: float
    """That an iteration loads and stores."""

    def to_dict(self, cycles: float) -> dict[str, Any]:
        """Of iterations that take this number of cycles."""
        iterations = self.hertz / cycles if cycles else None
        return {
            "hertz": self.hertz,
            "nanoseconds_per_iteration": cycles / self.hertz * 1e9,
            "flops_per_second": None if iterations is None else self.flops * iterations,
            "bytes_per_second": None if iterations is None else self.bytes * iterations,
        }


@dataclass(frozen=True)
class Alternative:
    """The forecast where a store writes what a later load through other registers reads."""

    cycles_per_iteration: float
    """The forecast if store and load meet."""
    store: int
    """Instruction."""
    load: int
    """Index of the load."""
    distance: int
    """Iterations from the store to the load, 0 or 1."""


@dataclass(frozen=True)
class CoreName:
    """Which model a result is of."""

    name: str = ""
    """Of the machine model, `skylake_x`."""
    title: str = "this core"
    """For reports, `Intel Skylake-X (server Skylake)`."""
    isa: str = "x86"
    """ "x86", "aarch64" or "riscv64"."""


@dataclass(frozen=True)
class RegionResult(Viewed):
    """Everything that is known of one region on one core; cycles are of the core clock, per iteration."""

    name: str
    """Function, label and lines as far as known."""
    source: SourceSpan
    """File and lines."""
    mode: LoopMode
    """Whether the region repeats through a branch."""
    static: Prediction
    """The answer of the bounds, whichever method gives the headline."""
    ports: PortPressure
    """Port pressure in the mode that was asked for."""
    uniform_ports: PortPressure
    """The same with equal shares."""
    frontend: FrontendBound
    """What fetch, decode, rename and retire need."""
    dependencies: Dependencies
    """Edges, critical path and loop-carried chains."""
    instructions: tuple[InstructionResult, ...]
    """One row each, in program order."""
    coverage: Coverage
    """How many instructions have data."""
    warnings: tuple[str, ...] = ()
    """What to know before the figures are used."""
    simulated: SimulationResult | None = None
    """The simulation, where there was one: then `prediction` is its answer."""
    assumptions: tuple[str, ...] = ()
    """What the simulation assumes of the core for lack of data."""
    ecm: Ecm | None = None
    """Operations, bytes and the terms of ECM and roofline models, where they were asked for."""
    memory_cycles: float | None = None
    """What an iteration streams takes at the bandwidth; None where none was given."""
    clock: Clock | None = None
    """Where the user gave one."""
    advice: Advice | None = None
    """What more accumulators or other ports would bring; None where nobody looked."""
    elements: ElementCount | None = None
    """Of an iteration, where vectors have a length that the code does not say."""
    alternatives: tuple[Alternative, ...] = ()
    """Other forecasts, where a store and a later load through other registers may meet."""
    core_interval: Interval | None = None
    """Where the core's own cycles are expected; `prediction.interval` says it of the headline."""
    withheld: bool = False
    """Too many instructions are unknown to give a forecast: the cycles of `prediction` are not to be shown."""
    core_name: CoreName = CoreName()
    """The model that the region was analyzed on."""

    def __repr__(self) -> str:
        cycles = "no forecast"
        if not self.withheld:
            least = "at least " if self.uncounted else ""
            prediction = self.prediction
            cycles = f"{least}{prediction.cycles_per_iteration:.2f} cycles per iteration, {prediction.bottleneck}"
        return f"<RegionResult {self.name or 'region'} on {self.core_name.name or 'a core'}: {cycles}>"

    @cached_property
    def uncounted(self) -> tuple[int, ...]:
        """Instructions without data that no other form stands in for: where there are any, the forecast is a lower
        bound."""
        return tuple(row.index for row in self.instructions if row.status == "unknown" and not row.matched_form)

    @property
    def cycles_per_iteration(self) -> float | None:
        """The forecast, a lower bound where something is `uncounted`; None where it is withheld."""
        return None if self.withheld else self.prediction.cycles_per_iteration

    @property
    def interval(self) -> Interval | None:
        """Where a measurement is expected; None where nothing is known, or the forecast is a lower bound."""
        return None if self.withheld else self.prediction.interval

    @property
    def cycles_per_element(self) -> float | None:
        """The forecast per element; None where elements or forecast are not known."""
        if self.withheld or self.elements is None or not self.elements.elements:
            return None
        return self.prediction.cycles_per_iteration / self.elements.elements

    @property
    def memory_bound(self) -> bool:
        """Whether streaming takes longer than the core."""
        return self.memory_cycles is not None and self.memory_cycles > self.core.cycles_per_iteration

    @cached_property
    def prediction(self) -> Prediction:
        """The headline: the core's answer, or what streaming takes at the bandwidth, whichever is slower."""
        found, memory = self.core, self.memory_cycles
        if memory is None:
            return found
        bounds = {**found.bounds, "memory": memory}
        if not self.memory_bound:
            return replace(found, bounds=bounds)
        bracket = Bracket(max(found.bracket.lower, memory), memory, max(found.bracket.upper, memory))
        return replace(
            found,
            cycles_per_iteration=memory,
            bottleneck="memory",
            detail="bandwidth",
            bounds=bounds,
            bracket=bracket,
            interval=None,
        )

    @cached_property
    def core(self) -> Prediction:
        """Of the core alone: simulated where there is a simulation, else the bounds."""
        found, static = self.simulated, self.static
        if found is None:
            return replace(static, interval=self.core_interval)
        cycles = found.cycles_per_iteration
        limit = cycles * (1 + _SAME)
        return Prediction(
            cycles_per_iteration=cycles,
            bottleneck=found.bottleneck,
            detail=found.detail,
            bounds={name: value for name, value in static.bounds.items() if value <= limit},
            bracket=Bracket(
                min(static.bracket.lower, cycles), cycles, max(cycles, self.dependencies.critical_path.cycles)
            ),
            method="simulate",
            interval=self.core_interval,
            estimates={name: value for name, value in static.bounds.items() if value > limit},
        )
