"""Widths, latencies and sizes of buffers of a core, from the time of kernels alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from corecast.dataclass import dataclass, field, replace
from corecast.errors import InputError
from corecast.hints import Literal
from corecast.measure.judge.pipeline.edges import Edge, find_edge
from corecast.measure.judge.pipeline.footprint import Footprint, footprint
from corecast.measure.plan.helpers import assembled
from corecast.measure.plan.kernels import TimedKernel, of_instructions, start_values
from corecast.measure.plan.pipeline.fusion import FUSION_PAIRS, apart, together
from corecast.measure.plan.pipeline.probes import Filler, Probes, probes, window
from corecast.measure.rejection import CannotMeasureError, Reason, Rejection
from corecast.measure.run.core import Core
from corecast.measure.thresholds import (
    PIPELINE_CHAINS,
    PIPELINE_LOADS,
    PIPELINE_LOOKS,
    PIPELINE_MOST_SHAKY,
    PIPELINE_NEAR,
    PIPELINE_ROOTS,
    PIPELINE_WIDTH_INSTRUCTIONS,
)

Confidence = Literal["high", "low", "lower bound"]
_FILES = ("vector_registers", "integer_registers")
_SHARED_WITH_ROOTS = ("reorder_buffer", "vector_registers", "vector_scheduler")
"""What the first square root needs room in, too."""


@dataclass(frozen=True)
class Property:
    """One property of a core."""

    name: str
    value: float | None
    unit: str
    confidence: Confidence
    how: str
    curve: tuple[tuple[int, float], ...] = ()
    """Evidence: cycles per iteration by number of fillers, or whatever was varied."""
    kernel: tuple[str, ...] = ()
    """Code of one of the kernels."""
    rejection: Rejection | None = None


@dataclass
class PipelineMeter:
    """Finds properties of a core, one at a time."""

    core: Core
    _kernels: dict[str, float] = field(default_factory=dict)
    _found: dict[str, Property] = field(default_factory=dict)
    _steady: list[bool] = field(default_factory=list)
    """Of every kernel that was timed, whether it was stable in the end."""

    def names(self) -> tuple[str, ...]:
        """Of all properties, in the order in which they are best found."""
        pairs = tuple(f"fusion of {pair.name}" for pair in FUSION_PAIRS[self.core.isa])
        return (*_SCALARS, *self._probes.fillers, *pairs)

    def check(self, name: str) -> None:
        """
        Raises:
            InputError: there is no property of that name.
        """
        if name not in self.names():
            raise InputError(f"no property '{name}'; there are {', '.join(self.names())}")

    def find(self, name: str) -> Property:
        """
        Raises:
            InputError: there is no property of that name.
        """
        if name not in self._found:
            self.check(name)
            first = len(self._steady)
            try:
                found = self._look(name)
                looks = self._steady[first:]
                shaky = looks.count(False) > PIPELINE_MOST_SHAKY * len(looks)
                self._found[name] = replace(found, confidence="low") if shaky else found
            except CannotMeasureError as error:
                self._found[name] = Property(name, None, "", "low", "", rejection=error.rejection)
        return self._found[name]

    def _look(self, name: str) -> Property:
        if name in _SCALARS:
            return _SCALARS[name](self)
        if name in self._probes.fillers:
            return self._buffer(name)
        return self._fusion(name)

    @property
    def _probes(self) -> Probes:
        return probes(self.core.isa)

    def cycles(self, lines: Sequence[str]) -> float:
        """Of one iteration of a loop of these lines."""
        text = "\n".join(lines)
        if text not in self._kernels:
            self._kernels[text] = self._time(self._kernel(lines))
        return self._kernels[text]

    def _kernel(self, lines: Sequence[str]) -> TimedKernel:
        instructions = assembled(self.core.isa, "\n".join(lines))
        values = start_values(instructions, self.core.isa)
        return of_instructions(instructions, self.core.isa, is_loop=True, values=values)

    def _time(self, kernel: TimedKernel) -> float:
        least, stable = float("inf"), False
        for _ in range(PIPELINE_LOOKS):
            timing = self.core.time(kernel)
            if isinstance(timing, Rejection):
                raise CannotMeasureError(timing.reason, timing.detail)
            least, stable = min(least, timing.cycles), timing.stable
            if stable:
                break
        self._steady.append(stable)
        return least

    def rename_width(self) -> Property:
        """Instructions that need nothing of each other, for integer and vector ports by turns: the ports are more."""
        mixed = self._probes.mixed
        lines = [mixed[i % len(mixed)] for i in range(2 * PIPELINE_WIDTH_INSTRUCTIONS)]
        short, long = self.cycles(lines[:PIPELINE_WIDTH_INSTRUCTIONS]), self.cycles(lines)
        rate = PIPELINE_WIDTH_INSTRUCTIONS / (long - short)
        exact: Confidence = "high" if abs(rate - round(rate)) < 0.03 * rate else "low"
        curve = ((PIPELINE_WIDTH_INSTRUCTIONS, short), (2 * PIPELINE_WIDTH_INSTRUCTIONS, long))
        how = "independent instructions for integer and vector ports by turns"
        return Property("rename_width", round(rate, 2), "uops per cycle", exact, how, curve, tuple(mixed))

    def load_latency(self) -> Property:
        return self._chain("load_latency", (self._probes.load,), "each load from the address that the last one loaded")

    def store_forward_latency(self) -> Property:
        return self._chain("store_forward_latency", self._probes.forward, "a store, and a load of what it stored")

    def vector_store_forward_latency(self) -> Property:
        return self._chain("vector_store_forward_latency", self._probes.vector_forward, "the same through vectors")

    def _chain(self, name: str, lines: tuple[str, ...], how: str) -> Property:
        counts = PIPELINE_CHAINS
        few, many = (self.cycles(lines * count) for count in counts)
        value = (many - few) / (counts[1] - counts[0])
        curve = tuple(zip(counts, (few, many), strict=True))
        exact: Confidence = "high" if abs(2 * value - round(2 * value)) < 0.1 else "low"  # some take half a cycle more
        return Property(name, round(value, 2), "cycles", exact, how, curve, lines)

    def uop_cache(self) -> Property:
        """Of instructions of several lengths those of which it holds the most."""
        found, text = max(self._footprints(), key=lambda each: (each[0].bounded, each[0].held))
        if found.bounded:
            how = f"a loop of '{text}', which is slower where it is larger"
            return Property("uop_cache", found.held, "uops", "high", how, found.curve, (text,))
        how = f"a loop of '{text}', which is never slower"
        return Property("uop_cache", found.held, "uops", "lower bound", how, found.curve, (text,))

    def decode_width(self) -> Property:
        """Of instructions of several lengths those that are decoded fastest."""
        found, text = max(self._footprints(), key=lambda each: each[0].outside)
        exact = found.bounded and abs(found.outside - round(found.outside)) < 0.05 * found.outside
        confidence: Confidence = ("high" if exact else "low") if found.bounded else "lower bound"
        how = f"a loop of '{text}', too large for a cache of decoded instructions"
        if not found.bounded:
            how = f"a loop of '{text}'; nothing tells the decoders from what comes behind them"
        unit = "instructions per cycle"
        return Property("decode_width", round(found.outside, 2), unit, confidence, how, found.curve, (text,))

    def _footprints(self) -> list[tuple[Footprint, str]]:
        return [(footprint(partial(self._repeated, text), length), text) for text, length in self._probes.plain]

    def _repeated(self, text: str, count: int) -> float:
        return self.cycles([text] * count)

    def _buffer(self, name: str) -> Property:
        fillers = [self._balanced(filler) for filler in self._probes.fillers[name]]
        found = [(self._edge(filler), filler) for filler in fillers]
        edges = [(edge, filler) for edge, filler in found if edge is not None]
        if not edges:
            return Property(name, None, "entries", "low", "", rejection=Rejection(Reason.NO_KNEE))
        least = min(edge.fillers for edge, _ in edges)
        edge, filler = next(each for each in edges if each[0].fillers <= least + PIPELINE_NEAR)
        size = self._size(name, edge, filler)
        limits = [] if name == "reorder_buffer" else ["reorder_buffer", *filler.also]
        how = "loads and square roots with fillers between" + (", which wait for the loads" if filler.latest else "")
        confidence: Confidence = "high" if edge.uncertain == 0 and not filler.latest else "low"
        for limit in limits:
            if size >= (self.find(limit).value or float("inf")) - PIPELINE_NEAR:
                confidence, how = "lower bound", f"{how}; {limit} was full first"
                break
        kernel = tuple(window(self.core.isa, filler, 2, 2, 2))
        return Property(name, size, "entries", confidence, how, edge.curve, kernel)

    def _balanced(self, filler: Filler) -> Filler:
        """Fillers of two kinds so many of each that both register files would be full at the same time: else one of
        them may be before what both together fill."""
        if not filler.then:
            return filler
        vectors, integers = (self._edge(self._probes.fillers[name][0]) for name in _FILES)
        if vectors is None or integers is None:
            return replace(filler, share=0.5)
        return replace(filler, share=vectors.fillers / (vectors.fillers + integers.fillers))

    def _edge(self, filler: Filler) -> Edge | None:
        load = self.find("load_latency").value
        if load is None:
            raise CannotMeasureError(Reason.NO_LOAD_LATENCY)

        def cycles(count: int, pad: int) -> float:
            return self.cycles(window(self.core.isa, filler, count, PIPELINE_LOADS, PIPELINE_ROOTS, pad))

        width = round(self.find("rename_width").value or 1) if filler.group else 1
        return find_edge(cycles, load, PIPELINE_LOADS, width)

    def _size(self, name: str, edge: Edge, filler: Filler) -> int:
        """Entries, from the fewest fillers with which the second chain waits for all loads.

        What fills the buffer when it is full to the last entry: the fillers; a root where it needs an entry; the last
        load, which is still there then, where loads take entries; what was before the fillers and waits with them.
        """
        root = name in _SHARED_WITH_ROOTS
        return edge.fillers + edge.shared + root - 1 + len(filler.before)

    def _fusion(self, name: str) -> Property:
        pair = next(pair for pair in FUSION_PAIRS[self.core.isa] if f"fusion of {pair.name}" == name)
        width = self.find("rename_width").value
        mixed = self._probes.mixed
        first, second = (self.cycles(lines) for lines in (together(pair, mixed), apart(pair, mixed)))
        saved = (second - first) * (width or 0)
        fused = saved > 0.5
        sure: Confidence = "high" if abs(saved - round(saved)) < 0.25 else "low"
        how = "a pair side by side, and with another instruction between; it saves so many slots"
        return Property(name, float(fused), "slots saved", sure, how, ((0, first), (1, second)), tuple(pair.lines))


_SCALARS: dict[str, Callable[[PipelineMeter], Property]] = {
    "rename_width": PipelineMeter.rename_width,
    "load_latency": PipelineMeter.load_latency,
    "store_forward_latency": PipelineMeter.store_forward_latency,
    "vector_store_forward_latency": PipelineMeter.vector_store_forward_latency,
    "uop_cache": PipelineMeter.uop_cache,
    "decode_width": PipelineMeter.decode_width,
}
