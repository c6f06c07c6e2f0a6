"""Experiments on rules of the pipeline: kernels whose time depends on one rule, and the settings that may explain it.

A setting is taken where the kernels' simulated times with it are clearly nearer to the measured ones than without, and
is sure where they are the same: no code that models are fitted to or tested on is asked. What makes that code worse is
given up again (`fit`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from corecast.calibrate.bench import Bench
from corecast.calibrate.code import Block
from corecast.calibrate.draft import Draft
from corecast.calibrate.experiment import Experiment
from corecast.calibrate.journal import Journal
from corecast.calibrate.properties import Finding
from corecast.calibrate.rules import EXPERIMENTS
from corecast.dataclass import dataclass, replace
from corecast.errors import CorecastError
from corecast.hints import Any
from corecast.machine.types import Machine
from corecast.measure.plan.helpers import assembled
from corecast.measure.plan.kernels import TimedKernel, of_instructions, start_values
from corecast.measure.run.core import Core, Timing
from corecast.measure.run.simulated import SimulatedCore
from corecast.prediction import predict
from corecast.timing.verdict import Mode

ENTRY = "experiment"
"""Kind of entries of the journal."""
LOOKS = 3
"""At a kernel whose batches do not agree, at most."""
_SURE = 0.015
"""Mean error of kernels up to which what explains them is sure."""
_EXACT = 1e-6
"""Of an error: less is none."""
_GROUP = "experiment"
_ADDRESS = "0x401000"

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Decision:
    """What an experiment says."""

    name: str
    settings: Settings
    """None where the model as it was explains the times as well, or nothing does."""
    before: float
    after: float
    """Mean error of the kernels' simulated times, without and with the settings."""
    is_sure: bool


def run_experiments(bench: Bench, journal: Journal, left: Callable[[], float], told: Callable[[str], None]) -> None:
    """Times the kernels that the journal does not have yet, as long as there is time."""
    done = {entry["name"] for entry in journal.of(ENTRY)}
    for experiment in EXPERIMENTS:
        if experiment.name in done:
            continue
        if left() <= 0:
            return
        told(f"rules: {experiment.name}")
        cycles = [_cycles(bench.core, body) for body in (*experiment.loops, *experiment.references)]
        cycles += [_visited(bench, "unroll", code) for code in experiment.decoded]
        cycles += [_visited(bench, "loop", _code(body)) for body in experiment.placed]
        cycles += [bench.middle(Block("compiled", _code(body), "0", _GROUP)) for body in experiment.on_arrays]
        journal.add(ENTRY, name=experiment.name, kernels=list(experiment.kernels), cycles=cycles)


def _cycles(core: Core, body: Sequence[str]) -> float | None:
    """None where there is no stable time."""
    kernel = _kernel(body)
    for _ in range(LOOKS):
        timing = core.time(kernel)
        if not isinstance(timing, Timing):
            return None
        if timing.stable:
            return round(timing.cycles, 4)
    return None


def _kernel(body: Sequence[str]) -> TimedKernel:
    instructions = assembled("x86", "\n".join(body))
    return of_instructions(instructions, "x86", is_loop=True, values=start_values(instructions, "x86"))


def _code(body: Sequence[str]) -> str:
    """As hexadecimal bytes."""
    return b"".join(each.bytes for each in assembled("x86", "\n".join(body))).hex()


def _visited(bench: Bench, mode: Mode, code: str) -> float | None:
    """The faster of two visits that count, of several: others on the machine slow down decoded code above all."""
    found: list[float] = []
    for _ in range(2 * LOOKS):
        verdict = bench.visit(Block(mode, code, _ADDRESS, _GROUP))
        found += [] if verdict.cycles is None else [verdict.cycles]
        if len(found) == 2:
            break
    return min(found, default=None)


def decisions(journal: Journal, start: Machine, settings: Settings, folder: Path) -> list[Decision]:
    """What the experiments say, each on top of what those before it said and of the settings.

    Args:
        journal: of the calibration.
        start: the model that is calibrated.
        settings: parameters that were measured otherwise.
        folder: for tables.
    """
    draft = Draft(start, settings)
    timed = {entry["name"]: entry for entry in journal.of(ENTRY)}
    found = []
    for experiment in EXPERIMENTS:
        entry = timed.get(experiment.name)
        if entry is None or entry["kernels"] != list(experiment.kernels):
            continue
        decision = _decide(experiment, entry["cycles"], draft, folder)
        if decision is not None:
            found.append(decision)
            draft = draft.with_settings(decision.settings)
    return [_settled(each, timed, draft, folder) for each in found]


def _settled(decision: Decision, timed: Mapping[str, Mapping[str, Any]], draft: Draft, folder: Path) -> Decision:
    """With the error that is left when all is decided: kernels of one rule may ask for another one, too."""
    if not decision.settings:
        return decision
    experiment = next(each for each in EXPERIMENTS if each.name == decision.name)
    after = _error(experiment, timed[decision.name]["cycles"], draft, folder)
    if after is None:
        return decision
    return replace(decision, after=after, is_sure=_is_sure(experiment, timed[decision.name]["cycles"], after))


def finding_of(decision: Decision) -> Finding:
    """For the report: by how much the simulated times are off, with and without the settings."""
    told = ", ".join(f"{key} {_shown(value)}" for key, value in decision.settings.items())
    after, before = (round(100 * error, 1) for error in (decision.after, decision.before))
    confidence = "high" if decision.is_sure else "low"
    return Finding(decision.name, after, "% off", confidence, before, told)


def _shown(value: object) -> str:
    return f"({len(value)})" if isinstance(value, list | dict) else str(value)


def _decide(experiment: Experiment, cycles: Sequence[float | None], draft: Draft, folder: Path) -> Decision | None:
    """None where nothing was timed, or the model cannot run the kernels."""
    before = _error(experiment, cycles, draft, folder)
    if before is None:
        return None
    best: tuple[float, Settings] = (before, {})
    for options in (experiment.options, *experiment.further):
        if best[0] < _EXACT:
            break
        found = draft.with_settings(best[1])
        chosen = best
        for option in options(found.machine(folder)):
            if found.has(option):
                continue
            error = _error(experiment, cycles, found.with_settings(option), folder)
            if error is not None and error < best[0] - _EXACT:
                best = (error, {**chosen[1], **option})
    after, settings = best
    if not settings or after > experiment.most_left * before:
        return Decision(experiment.name, {}, before, before, _is_sure(experiment, cycles, before))
    return Decision(experiment.name, settings, before, after, _is_sure(experiment, cycles, after))


def _is_sure(experiment: Experiment, cycles: Sequence[float | None], error: float) -> bool:
    """Whether the kernels are explained, and at least half of them were timed."""
    compared = experiment.compared(cycles)
    return error <= _SURE and 2 * sum(each is not None for each in compared) >= len(compared)


def _error(experiment: Experiment, cycles: Sequence[float | None], draft: Draft, folder: Path) -> float | None:
    try:
        machine = draft.machine(folder)
    except CorecastError:
        return None
    simulated = list(_simulated(experiment, machine))
    beyond = map(experiment.beyond_references, (simulated, cycles))
    counted = [
        (now, was, whole)
        for now, was, whole in zip(*beyond, experiment.compared(cycles), strict=True)
        if was is not None and whole is not None
    ]
    if not counted or any(now is None for now, _, _ in counted):
        return None
    return sum((abs(now - was) / whole for now, was, whole in counted if now is not None), 0.0) / len(counted)


def _simulated(experiment: Experiment, machine: Machine) -> Iterator[float | None]:
    core = SimulatedCore(machine)
    for body in (*experiment.loops, *experiment.references):
        timing = core.time(_kernel(body))
        yield timing.cycles if isinstance(timing, Timing) else None
    placed = [_code(body) for body in (*experiment.placed, *experiment.on_arrays)]
    by_mode: tuple[tuple[Mode, list[str]], ...] = (("unroll", list(experiment.decoded)), ("loop", placed))
    for mode, codes in by_mode:
        if codes:
            found = predict(codes, machine, mode, "simulate", 1, addresses=[_ADDRESS] * len(codes))
            for cycles, status in zip(found.cycles, found.statuses, strict=True):
                yield cycles if status == "ok" else None
