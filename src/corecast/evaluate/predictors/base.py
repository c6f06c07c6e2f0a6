"""What a predictor is."""

from __future__ import annotations

from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from corecast.evaluate.cases import Answers, Cases
    from corecast.machine import Machine
    from corecast.prediction.engine import Mode


@dataclass(frozen=True)
class Setting:
    """What is the same for all predictors of an evaluation."""

    machine: Machine | None
    """None: kernels bring their own."""
    mode: Mode = "loop"
    """loop: a block is a loop's body; unroll: copies follow each other. Kernels say it themselves."""
    jobs: int | None = None
    """Threads or processes; None: one per CPU."""

    def core(self) -> Machine:
        """The machine that blocks are for.

        Raises:
            InputError: none was given.
        """
        from corecast.errors import InputError

        if self.machine is None:
            raise InputError("blocks need a core: --cpu NAME")
        return self.machine


class Predictor(Protocol):
    """An adapter answers for every case, in order; what a tool cannot do is an answer of status error."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """What it does, in some words for reports."""

    def blocks(self, cases: Cases) -> Answers: ...

    def kernels(self, cases: Cases) -> Answers: ...
