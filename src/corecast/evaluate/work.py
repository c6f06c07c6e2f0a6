"""Asking about many blocks in parts: kept as they come, on this machine or on a cluster, always in the same order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from threading import get_ident

from corecast.dataclass import dataclass, replace
from corecast.evaluate.cases import Answers, Cases
from corecast.evaluate.journal import Journal, key_of
from corecast.evaluate.predictors import Setting, find_predictor
from corecast.evaluate.predictors.published import Published
from corecast.evaluate.traits import Traits, traits_of
from corecast.hints import TYPE_CHECKING
from corecast.prediction.cluster import in_order
from corecast.prediction.recipe import MachineRecipe, fingerprint_of

if TYPE_CHECKING:
    from corecast.evaluate.predictors import Predictor
    from corecast.prediction.cluster import Cluster
    from corecast.prediction.engine import Mode

PART = 1024
"""Cases a part: what is lost when a run is killed, and what a task of a cluster does."""


@dataclass(frozen=True)
class Task:
    """A part of an evaluation as it travels to a worker."""

    predictor: str
    recipe: MachineRecipe
    mode: Mode
    cases: Cases

    def answers(self) -> Answers:
        return _predictor(self.predictor, self.recipe, self.mode, get_ident()).blocks(self.cases)

    def traits(self) -> Traits:
        return traits_of(self.cases, self.recipe.machine(), self.mode, 1)


@lru_cache(maxsize=16)
def _predictor(name: str, recipe: MachineRecipe, mode: Mode, thread: int) -> Predictor:
    """One for all tasks of a worker's thread: some load tables that take them seconds."""
    return find_predictor(name, Setting(recipe.machine(), mode, 1))


class Work:
    """How an evaluation's questions are asked."""

    def __init__(self, setting: Setting, journal: Journal | None = None, cluster: Cluster | None = None) -> None:
        self._setting = setting
        self._journal = journal or Journal(None)
        self._cluster = cluster
        machine = setting.machine
        self._recipe = MachineRecipe.of(machine) if cluster is not None and machine is not None else None
        self._context = (fingerprint_of(machine) if machine is not None else "", setting.mode, _build())

    def answers(self, name: str, predictor: Predictor, cases: Cases) -> Answers:
        """`name`: what the user calls the predictor."""
        if cases.are_kernels:
            return predictor.kernels(cases)
        if isinstance(predictor, Published):
            return predictor.blocks(cases)
        found = Answers()
        for answers in in_order(self._asked(name, predictor, cases), self._window()):
            found.extend(answers)
        return found

    def traits(self, cases: Cases) -> Traits:
        found = Traits()
        for part in in_order(self._labelled(cases), self._window()):
            found.extend(part)
        return found

    def _asked(self, name: str, predictor: Predictor, cases: Cases) -> Iterator[Callable[[], Answers]]:
        about = (name, predictor.description, *self._context)
        for part in _parts(cases):
            steps = [str(step) for step in part.register_steps or ()]
            key = key_of(about, part.codes, part.addresses or (), steps, part.codes_before or ())
            known = self._journal.read(key, len(part))
            if known is not None:
                yield lambda known=known: known  # type: ignore[misc]
            elif self._cluster is not None and self._recipe is not None:
                task = Task(name, self._recipe, self._setting.mode, _bare(part))
                yield self._kept(key, self._cluster.submit(Task.answers, task))
            else:
                yield self._kept(key, lambda part=part: predictor.blocks(part))  # type: ignore[misc]

    def _labelled(self, cases: Cases) -> Iterator[Callable[[], Traits]]:
        setting = self._setting
        for part in _parts(cases):
            if self._cluster is not None and self._recipe is not None:
                yield self._cluster.submit(Task.traits, Task("", self._recipe, setting.mode, _bare(part)))
            else:
                yield lambda part=part: traits_of(part, setting.core(), setting.mode, setting.jobs)  # type: ignore[misc]

    def _kept(self, key: str, wait: Callable[[], Answers]) -> Callable[[], Answers]:
        def answers() -> Answers:
            found = wait()
            self._journal.write(key, found)
            return found

        return answers

    def _window(self) -> int:
        return self._cluster.window if self._cluster is not None else 1


def _parts(cases: Cases) -> Iterator[Cases]:
    for start in range(0, len(cases), PART):
        yield cases.part(start, start + PART)


def _bare(part: Cases) -> Cases:
    return replace(part, groups=[])  # predictors need no groups


def _build() -> str:
    """Which extension module answers: development changes it without a new version."""
    from corecast import _core

    found = Path(_core.__file__).stat()
    return f"{found.st_size}.{found.st_mtime_ns}"
