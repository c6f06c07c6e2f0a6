"""Asking about some rows while others are read and written: here in a thread, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING, Protocol
from corecast.prediction.engine import make_predictor
from corecast.prediction.recipe import MachineRecipe
from corecast.prediction.records import Rows

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from corecast import _core
    from corecast.prediction.cluster import Cluster


@dataclass(frozen=True)
class Answered:
    """What is written behind each row, and how many rows have no good answer."""

    endings: list[bytes]
    unknown: int
    error: int
    reasons: dict[int, str]
    """By place among the rows, why a row has another status than ok."""
    mitigated: int = 0
    """Rows with an instruction that a microcode mitigation slows."""

    @classmethod
    def of(cls, found: _core.BlockResults, bounds: bool) -> Answered:
        return cls(
            found.endings(bounds), found.count("unknown"), found.count("error"), found.reasons(), found.mitigated
        )


class Asker(Protocol):
    @property
    def window(self) -> int:
        """How many portions of rows may be on their way at a time."""

    def start(self, rows: Rows) -> Callable[[], Answered]:
        """Begins; what is returned waits for the answers."""


def _one_thread() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1)


class LocalAsker:
    """`overlap`: answers are found while rows are read and written; else at once. `with` ends the thread."""

    def __init__(self, predictor: _core.Predictor, bounds: bool, overlap: bool) -> None:
        self._predictor = predictor
        self._bounds = bounds
        self._pool = _one_thread() if overlap else None
        self.window = 2 if overlap else 1

    def __enter__(self) -> LocalAsker:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:  # nobody waits for the rest
            self._predictor.stop()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=kind is not None)

    def start(self, rows: Rows) -> Callable[[], Answered]:
        if self._pool is not None:
            return self._pool.submit(self._answers, rows).result
        found = self._answers(rows)
        return lambda: found

    def _answers(self, rows: Rows) -> Answered:
        found = self._predictor.predict(rows.blocks, rows.addresses, True, rows.register_steps, rows.codes_before)
        return Answered.of(found, self._bounds)


@dataclass(frozen=True)
class Question:
    """What is the same for all rows."""

    recipe: MachineRecipe
    mode: str
    method: str
    bounds: bool


class ClusterAsker:
    """On a cluster's workers, which must have the same machine models."""

    def __init__(self, cluster: Cluster, question: Question) -> None:
        self._cluster = cluster
        self._question = question

    @property
    def window(self) -> int:
        return self._cluster.window

    def start(self, rows: Rows) -> Callable[[], Answered]:
        return self._cluster.submit(
            answer, self._question, list(rows.blocks), rows.addresses, rows.register_steps, rows.codes_before
        )


def answer(
    question: Question,
    blocks: list[bytes | None],
    addresses: list[bytes] | None,
    register_steps: list[int] | None,
    codes_before: list[bytes] | None,
) -> Answered:
    """What a worker does."""
    found = _predictor(question).predict(blocks, addresses, True, register_steps, codes_before)
    return Answered.of(found, question.bounds)


@lru_cache(maxsize=4)
def _predictor(question: Question) -> _core.Predictor:
    return make_predictor(question.recipe.machine(), question.mode, question.method, 1, bounds=question.bounds)
