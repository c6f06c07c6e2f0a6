"""Static analysis: port pressure, front end, dependencies, and the bounds that follow from them."""

from __future__ import annotations

from corecast.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corecast.analysis.kernels import analyze_kernel as analyze_kernel
    from corecast.analysis.options import AnalyzeOptions as AnalyzeOptions

__all__ = ["AnalyzeOptions", "analyze_kernel"]

# Reports import the result types from this package; they need not wait for what computes them.
_HOME = {
    "AnalyzeOptions": "corecast.analysis.options",
    "analyze_kernel": "corecast.analysis.kernels",
}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corecast.hints import import_module

    return getattr(import_module(home), name)
