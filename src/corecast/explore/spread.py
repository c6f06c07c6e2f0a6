"""Points on the processors of this machine, or of a cluster: chunks of them, in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from corecast.asm import RegionOptions, regions_of_text
from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.explore.points import PointResult, Setup, Subject, look_at
from corecast.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corecast.analysis.elements import Elements, Trips
    from corecast.explore.sweeps import Settings
    from corecast.machine import Machine, MachineInfo
    from corecast.prediction.cluster import Cluster

Work = Sequence[tuple[Subject, "Settings"]]
_CHUNK = 64


@dataclass(frozen=True)
class Core:
    """A machine as it is sent to another process: what it was read from."""

    info: MachineInfo
    pipeline: dict[str, Any]
    tables: tuple[Path, ...]


@dataclass(frozen=True)
class Code:
    """A kernel as it is sent to another process: its text, and which region of it."""

    name: str
    file: str
    text: str
    options: RegionOptions
    number: int
    elements: Elements | None
    inner: tuple[int, int]
    trips: Trips | None


def on_threads(machine: Machine, work: Work, setup: Setup, jobs: int) -> Iterator[list[PointResult]]:
    """The simulation runs without the interpreter's lock."""

    def chunk(start: int) -> list[PointResult]:
        return [look_at(subject, machine, settings, setup) for subject, settings in work[start : start + _CHUNK]]

    starts = range(0, len(work), _CHUNK)
    if jobs == 1 or len(work) <= _CHUNK:
        yield from map(chunk, starts)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(chunk, starts)


def on_cluster(machine: Machine, work: Work, setup: Setup, cluster: Cluster) -> Iterator[list[PointResult]]:
    """Workers read the model and the text anew, once each; both are at the same place there.

    Raises:
        InputError: a kernel that was not read from a file of text.
    """
    from corecast.prediction.cluster import in_order

    core = Core(machine.info, dict(machine.pipeline), machine.tables)
    codes = {id(subject): _code_of(subject) for subject, _ in work}
    tasks = (
        [(codes[id(subject)], settings) for subject, settings in work[start : start + _CHUNK]]
        for start in range(0, len(work), _CHUNK)
    )
    yield from in_order((cluster.submit(_chunk, core, task, setup) for task in tasks), cluster.window)


def _code_of(subject: Subject) -> Code:
    kernel = subject.kernel
    if subject.region is None or kernel.origin != "text" or not kernel.file or kernel.file == "<stdin>":
        raise InputError("--cluster needs kernels in files of assembly text", kernel.file or None)
    text = Path(kernel.file).read_text(encoding="utf-8", errors="replace")
    options, number = subject.region
    ends = (subject.inner.start, subject.inner.stop)
    return Code(subject.name, kernel.file, text, options, number, subject.elements, ends, subject.trips)


def _chunk(core: Core, work: Sequence[tuple[Code, Settings]], setup: Setup) -> list[PointResult]:
    machine = _machine(core)
    return [look_at(_subject(code), machine, settings, setup) for code, settings in work]


_machines: dict[str, tuple[Core, Machine]] = {}


def _machine(core: Core) -> Machine:
    """Built once in each process."""
    from corecast.machine.loader import build

    known = _machines.get(core.info.name)
    if known is None or known[0] != core:
        known = _machines[core.info.name] = (core, build(core.info, core.pipeline, core.tables))
    return known[1]


@lru_cache(maxsize=64)
def _subject(code: Code) -> Subject:
    kernel = regions_of_text(code.text, code.file, code.options)[code.number]
    return Subject(code.name, kernel, code.elements, range(*code.inner), code.trips)
