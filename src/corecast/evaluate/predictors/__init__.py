"""Predictors: one adapter each, found by name.

simulate, simulate:VARIANT    every micro-op, cycle by cycle; a variant changes the machine (ablations.py)
bounds, bounds:VARIANT        the static bounds
best                          the simulation where the core's model has what it needs, else the bounds
baseline                      instructions and memory accesses divided by the widths for them
llvm-mca, llvm-mca:PATH       the program of that name
NAME=FILE.csv                 predictions of another tool, in a CSV file
"""

from __future__ import annotations

from corecast.errors import InputError
from corecast.evaluate.predictors.base import Predictor, Setting

DEFAULT_PREDICTORS = ("simulate", "bounds", "baseline")

__all__ = ["DEFAULT_PREDICTORS", "Predictor", "Setting", "find_predictor"]


def find_predictor(name: str, setting: Setting) -> Predictor:
    """The predictor of that name.

    Raises:
        InputError: no such predictor or variant, or its program is not there.
    """
    label, equals, file = name.partition("=")
    if equals and ":" not in label:
        from corecast.evaluate.predictors.published import Published

        return Published(label, file)
    kind, _, detail = name.partition(":")
    if kind in ("simulate", "bounds", "best"):
        from corecast.evaluate.predictors.own import Own

        return Own(kind, detail, setting)
    if kind == "baseline" and not detail:
        from corecast.evaluate.predictors.baseline import Baseline

        return Baseline(setting)
    if kind == "llvm-mca":
        from corecast.evaluate.predictors.llvm_mca import LlvmMca

        return LlvmMca(detail, setting)
    raise InputError(f"no predictor is called {name}: simulate, bounds, best, baseline, llvm-mca or NAME=FILE.csv")
