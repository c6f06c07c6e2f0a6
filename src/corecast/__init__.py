"""corecast forecasts the in-core performance of assembly loops.

The public names below are imported on first use, so that `import corecast` and the command line start quickly.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from corecast.api import analyze as analyze
    from corecast.asm import Kernel as Kernel
    from corecast.machine import load_machine as load_machine
    from corecast.prediction import predict as predict

__version__ = "0.1.0"

__all__ = ["Kernel", "__version__", "analyze", "load_machine", "predict"]

_HOME = {
    "Kernel": "corecast.asm",
    "analyze": "corecast.api",
    "load_machine": "corecast.machine",
    "predict": "corecast.prediction",
}
"""Public name -> module that defines it."""


VIEWS = {
    "corecast.analysis.analysis_result.AnalysisResult": "corecast.report.views.analysis",
    "corecast.analysis.results.Ecm": "corecast.report.views.roofline",
    "corecast.analysis.results.RegionResult": "corecast.report.views.region",
    "corecast.analysis.simulated.SimulationResult": "corecast.report.views.simulation",
    "corecast.analysis.simulated.Timeline": "corecast.report.views.timeline",
    "corecast.evaluate.results.Evaluation": "corecast.evaluate.view",
    "corecast.explore.results.Exploration": "corecast.explore.view",
    "corecast.prediction.blocks.Predictions": "corecast.report.views.predictions",
}
"""Result class -> module that makes its HTML, table and plot (corecast.views)."""


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corecast.hints import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
