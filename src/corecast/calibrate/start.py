"""The model that a calibration starts from: the nearest one that is known, as the core's own may not be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from corecast.calibrate.bench import Bench, HostBench
from corecast.calibrate.plan import Options
from corecast.dataclass import dataclass
from corecast.errors import InputError, MachineModelError
from corecast.machine import load_machine
from corecast.machine.inherit import chain_of, form_tables
from corecast.machine.loader import build, find_name, list_machines
from corecast.machine.trees import put, taken_out
from corecast.machine.types import Machine, MachineInfo
from corecast.measure.judge.fingerprint import compare, take

LEAST_KERNEL_SECONDS, KERNEL_SHARE = 4.0, 0.01
"""For all kernels of the fingerprint, at most: this part of the time, but not less. On a core that others share each
kernel waits for a moment without them."""


@dataclass(frozen=True)
class Start:
    """A model to start from, and what says so."""

    machine: str
    """Name, or folder."""
    basis: str
    distances: Sequence[tuple[str, float]] = ()
    """Models by how far the times of a few kernels are from what they predict, percent."""


def find_start(bench: Bench, options: Options) -> Start:
    """
    Raises:
        UnknownCpuError: no model is called so.
        InputError: no model is left, or the one that was named is of another instruction set.
    """
    hidden = [find_name(name) for name in options.hidden]
    if options.pipeline_of is not None:
        machine = load_machine(options.pipeline_of)
        if machine.isa != bench.core.isa:
            raise InputError(f"{machine.name} is a core of {machine.isa}, not of {bench.core.isa}")
        return Start(options.pipeline_of, "--pipeline-of")
    known = _recognized(bench)
    if known is not None and known not in hidden:
        return Start(known, "recognized")
    return _nearest(bench, hidden, max(LEAST_KERNEL_SECONDS, KERNEL_SHARE * options.seconds))


def _recognized(bench: Bench) -> str | None:
    from corecast.machine.host import host_machine, recognized_host

    found = recognized_host() if isinstance(bench, HostBench) else None
    return host_machine() if found is not None and found.certainty == "sure" else None


def _nearest(bench: Bench, hidden: Sequence[str], seconds: float) -> Start:
    """By the time of a few kernels."""
    places = {load_machine(name).info.place for name in hidden}
    allowed = _allowed(list_machines(_ignore), bench.core.isa, hidden, places)
    models = [_without_hidden(load_machine(info.name), hidden) for info in allowed]
    if not models:
        raise InputError("no model is left to start from: leave out some --hide, or name one with --pipeline-of")
    found = compare(take(bench.core, bench.features, seconds), models)
    if not found.distances:
        raise InputError("too few kernels could be timed to find the nearest model: name one with --pipeline-of")
    told = [(each.machine, round(each.percent, 2)) for each in found.distances]
    return Start(told[0][0], f"nearest by time, off by {told[0][1]:g} %", told)


def _ignore(error: MachineModelError) -> None:
    """A broken model is no start."""


def _allowed(
    models: Iterable[MachineInfo], isa: str, hidden: Sequence[str], places: Iterable[str]
) -> Iterable[MachineInfo]:
    """Models of an instruction set that take nothing from hidden ones."""
    for info in models:
        if info.isa != isa or info.name in hidden:
            continue
        sources = [folder for _, folder in chain_of(info.place, head_only=True)] + form_tables(info.place)
        if not any(source == place or source.startswith(f"{place}/") for source in sources for place in places):
            yield info


def load_start(start: Start, hidden: Sequence[str] = ()) -> Machine:
    """The model to start from, without what it assumes from hidden ones."""
    return _without_hidden(load_machine(start.machine), [find_name(name) for name in hidden])


def assumed_from_hidden(machine: Machine, hidden: Sequence[str]) -> list[str]:
    """Names of hidden models that this one assumes parameters from."""
    names = [find_name(name) for name in hidden]
    return [name for name in machine.pipeline.get("assumed", {}) if find_name(name) in names]


def _without_hidden(machine: Machine, hidden: Sequence[str]) -> Machine:
    """What is assumed from a relative was measured there: of a hidden one nothing may be known."""
    pipeline = dict(machine.pipeline)
    for name, keys in machine.pipeline.get("assumed", {}).items():
        if find_name(name) in hidden:
            pipeline = put(reduce(taken_out, keys, pipeline), f"assumed.{name}", [])
    return machine if pipeline == machine.pipeline else build(machine.info, pipeline, machine.table_files)
