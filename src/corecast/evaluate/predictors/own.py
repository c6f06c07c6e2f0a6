"""corecast itself: simulation and bounds, of the machine or of a variant of it."""

from __future__ import annotations

from corecast.errors import CorecastError
from corecast.evaluate.cases import Answers
from corecast.evaluate.predictors.ablations import settings_of
from corecast.evaluate.predictors.text import Answer, answers_of, each_kernel
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.asm import Kernel
    from corecast.evaluate.cases import Cases
    from corecast.evaluate.predictors.base import Setting
    from corecast.machine import Machine
    from corecast.machine.method import MethodChoice

_DESCRIPTIONS = {
    "simulate": "corecast, every micro-op simulated",
    "bounds": "corecast, static bounds",
    "best": "corecast: simulation where the core's model allows it, else static bounds",
}


_CHOICES: dict[str, MethodChoice] = {"simulate": "simulate", "bounds": "bounds", "best": "auto"}
_ERROR = "error: cannot be read, or not executed by this core"


class Own:
    """corecast's methods. It asks what `corecast predict` and `analyze` ask."""

    def __init__(self, kind: str, variant: str, setting: Setting) -> None:
        self.name = f"{kind}:{variant}" if variant else kind
        self.description = _DESCRIPTIONS[kind] + (f"; {variant}" if variant else "")
        self._choice = _CHOICES[kind]
        self._settings = settings_of(variant)
        self._setting = setting
        self._variants: dict[str, Machine] = {}

    def blocks(self, cases: Cases) -> Answers:
        from corecast.prediction import predict

        machine = self._variant(self._setting.core())
        found = predict(
            cases.codes,
            machine,
            self._setting.mode,
            self._choice,
            self._setting.jobs,
            addresses=cases.addresses,
            register_steps=cases.register_steps,
            codes_before=cases.codes_before,
        )
        statuses = [status if status != "error" else _ERROR for status in found.statuses]
        return Answers(found.cycles, statuses, found.lows, found.highs)

    def kernels(self, cases: Cases) -> Answers:
        return answers_of(each_kernel(cases, self._kernel))

    def _kernel(self, kernel: Kernel, machine: Machine) -> Answer:
        try:
            return self._forecast(kernel, self._variant(machine))
        except CorecastError as error:
            return None, f"error: {error}"

    def _forecast(self, kernel: Kernel, machine: Machine) -> Answer:
        from corecast.analysis import AnalyzeOptions
        from corecast.api import answer_of

        found = answer_of(kernel, machine, AnalyzeOptions(method=self._choice))
        if found.withheld:
            return None, "unknown"
        return found.prediction.cycles_per_iteration, "bound" if found.uncounted else "ok"

    def _variant(self, machine: Machine) -> Machine:
        from corecast.machine import variant

        if machine.name not in self._variants:
            self._variants[machine.name] = variant(machine, self._settings)
        return self._variants[machine.name]
