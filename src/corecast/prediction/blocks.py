"""`corecast.predict`: cycles of many blocks in one call."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, overload

from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Any
from corecast.prediction.engine import Mode, make_predictor
from corecast.views import Viewed

if TYPE_CHECKING:
    from corecast.machine import Machine
    from corecast.machine.intervals import Interval, Ratios
    from corecast.machine.method import MethodChoice

_BATCH = 8192


class BlockPrediction(NamedTuple):
    """What is predicted for one block."""

    cycles: float | None
    """Core cycles per iteration; None where there is no prediction."""
    bottleneck: str
    """Name of the bound that decides; "" where there is no prediction."""
    status: str
    """ok; bound: the model has no data for some instructions, and the cycles are a lower bound; unknown: it has none
    for more than a third of them, and there is no prediction; error: no code, bytes that are not instructions, or
    instructions that the core does not have."""
    reason: str = ""
    """Why the status is not ok: what is wrong, or which instruction forms have no data."""
    interval: Interval | None = None
    """Where a measurement is expected; None where the cycles are a lower bound, or nothing is known."""


class Predictions(Viewed, Sequence[BlockPrediction]):
    """One record a block, in the order of the blocks; also by column."""

    def __init__(self) -> None:
        self.cycles = array("d")
        """Core cycles per iteration, NaN where there is no prediction; numpy.asarray() takes it without copying."""
        self.lows = array("d")
        """Lower ends of the intervals, NaN where there is none."""
        self.highs = array("d")
        """Upper ends of the intervals, NaN where there is none."""
        self.bottlenecks: list[str] = []
        """Names of the bounds that decide, "" where there is no prediction."""
        self.statuses: list[str] = []
        """ "ok", "bound", "unknown" or "error", as of BlockPrediction."""
        self.reasons: dict[int, str] = {}
        """By place, why a block has another status than ok."""
        self._classes: list[int | None] = []
        self._ratios: Callable[[int], Ratios | None] = lambda _: None

    def __len__(self) -> int:
        return len(self.cycles)

    @overload
    def __getitem__(self, index: int) -> BlockPrediction: ...
    @overload
    def __getitem__(self, index: slice) -> list[BlockPrediction]: ...
    def __getitem__(self, index: int | slice) -> BlockPrediction | list[BlockPrediction]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        status = self.statuses[index]
        cycles = None if status in ("unknown", "error") else self.cycles[index]
        reason = self.reasons.get(index % len(self), "")
        return BlockPrediction(cycles, self.bottlenecks[index], status, reason, self._interval(index))

    def _interval(self, index: int) -> Interval | None:
        number = self._classes[index]
        ratios = None if number is None else self._ratios(number)
        return None if ratios is None else ratios.interval(self.cycles[index])

    def __repr__(self) -> str:
        return f"<Predictions of {len(self)} blocks>"

    def to_numpy(self) -> dict[str, Any]:
        """The columns as NumPy arrays by their names: cycles, low and high (float64), bottleneck and status (str).

        Raises:
            ImportError: NumPy is not installed.
        """
        from importlib import import_module

        numpy = import_module("numpy")
        return {
            "cycles": numpy.array(self.cycles, dtype=numpy.float64),
            "low": numpy.array(self.lows, dtype=numpy.float64),
            "high": numpy.array(self.highs, dtype=numpy.float64),
            "bottleneck": numpy.array(self.bottlenecks, dtype=str),
            "status": numpy.array(self.statuses, dtype=str),
        }


def predict(
    blocks: Iterable[object],
    cpu: str | Path | Machine,
    mode: Mode = "loop",
    method: MethodChoice = "auto",
    jobs: int | None = None,
    *,
    addresses: Iterable[object] | None = None,
    register_steps: Iterable[int] | None = None,
    codes_before: Iterable[object] | None = None,
) -> Predictions:
    """Predict the cycles of many encoded blocks.

    Args:
        blocks: hexadecimal digits (str) or encoded code (bytes), in any iterable, a NumPy array or an Arrow array or
            column. NumPy's arrays of bytes hold digits, as they cannot hold code that ends in zero bytes.
        cpu: a core's name or alias, the folder of a machine model, or a loaded one.
        mode: loop: the block is the body of a loop; an x86 block without a branch at its end gets `dec REG; jnz`.
            unroll: copies of it follow each other.
        method: simulate: every micro-op, cycle by cycle. bounds: the static bounds of the pipeline's parts. auto:
            simulate where the core's model allows it.
        jobs: threads; None: one per CPU. Results do not depend on it.
        addresses: where each block starts (numbers, or their digits); 0 where there are none.
        register_steps: of each block, how many bytes further into a line of the cache a general register points than
            the one before (the column `register_step` of `corecast time`; x86, not the stack pointer). It also says
            that they were timed so, on memory that holds one address everywhere: pointers that are loaded are equal.
            None: registers point to starts of lines, and nothing is known of memory.
        codes_before: the code that ends where each block starts, spelt as blocks are, as far back as it is known; ""
            where nothing is. Some cores keep both in one line of their uop cache.

    Returns:
        A record a block, in the order of the blocks. A block that cannot be read, or that the core cannot execute,
        has the status "error" and a reason.

    Raises:
        InputError: no such mode or method, jobs below 1, a single block, or fewer addresses, steps or codes
            before than blocks.
        UnknownCpuError: no model has that name.
        MachineModelError: a faulty model.
    """
    from corecast.machine import Machine, load_machine
    from corecast.machine.intervals import intervals_of
    from corecast.machine.method import chosen_method

    if isinstance(blocks, str | bytes):
        raise InputError("blocks must be several: a list, an array or a column of them")
    machine = cpu if isinstance(cpu, Machine) else load_machine(cpu)
    chosen = chosen_method(machine, method)
    predictor = make_predictor(machine, mode, chosen, jobs)
    starts = None if addresses is None else chain.from_iterable(_batches(addresses))
    steps = None if register_steps is None else iter(register_steps)
    before = None if codes_before is None else chain.from_iterable(_batches(codes_before))
    out = Predictions()
    out._ratios = intervals_of(machine).by_number(chosen)
    for batch in _batches(blocks):
        found = predictor.predict(
            batch,
            _take(starts, len(batch), "addresses"),
            _holds_digits(blocks),
            _take(steps, len(batch), "steps of registers"),
            _take(before, len(batch), "codes before"),
        )
        out.reasons.update((len(out) + place, reason) for place, reason in found.reasons().items())
        out.cycles.frombytes(found.cycles)
        out.lows.frombytes(found.lows)
        out.highs.frombytes(found.highs)
        out._classes += found.classes
        out.bottlenecks += found.bottlenecks
        out.statuses += found.statuses
    return out


def _batches(items: Iterable[Any]) -> Iterator[list[Any]]:
    """Lists of plain Python values. Arrow's columns give Arrow's objects unless asked for a list."""
    if hasattr(items, "to_pylist") and hasattr(items, "slice"):
        for start in range(0, len(items), _BATCH):  # type: ignore[arg-type]
            yield items.slice(start, _BATCH).to_pylist()
        return
    iterator = iter(items)
    while batch := list(islice(iterator, _BATCH)):
        yield batch


def _take(values: Iterator[Any] | None, count: int, what: str) -> list[Any] | None:
    if values is None:
        return None
    taken = list(islice(values, count))
    if len(taken) < count:
        raise InputError(f"there are fewer {what} than blocks")
    return taken


def _holds_digits(blocks: object) -> bool:
    return getattr(getattr(blocks, "dtype", None), "kind", "") == "S"
