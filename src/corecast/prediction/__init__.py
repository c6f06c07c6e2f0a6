"""Bulk prediction: many encoded blocks at once, in C++ and without the interpreter's lock."""

from __future__ import annotations

from corecast.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corecast.prediction.blocks import BlockPrediction as BlockPrediction
    from corecast.prediction.blocks import Predictions as Predictions
    from corecast.prediction.blocks import predict as predict

__all__ = ["BlockPrediction", "Predictions", "predict"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corecast.hints import import_module

    return getattr(import_module("corecast.prediction.blocks"), name)
