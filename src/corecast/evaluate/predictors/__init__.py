"""Predictors: one adapter each, found by name.

simulate, simulate:VARIANT    every micro-op, cycle by cycle; a variant changes the machine (ablations.py)
bounds, bounds:VARIANT        the static bounds
best                          the simulation where the core's model has what it needs, else the bounds
baseline                      instructions and memory accesses divided by the widths for them
llvm-mca, llvm-mca:PATH       the program of that name
osaca, osaca:PATH             the program of that name
uica:FOLDER, facile:FOLDER    the program in a checkout
NAME=command:TEMPLATE         any command line
NAME=FILE.csv                 predictions of another tool, in a CSV file
"""

from __future__ import annotations

from corecast.errors import InputError
from corecast.evaluate.predictors.base import Predictor, Setting

DEFAULT_PREDICTORS = ("simulate", "bounds", "baseline")
"""Names of the predictors that an evaluation compares where none are named."""
COMMAND = "command:"

__all__ = ["DEFAULT_PREDICTORS", "Predictor", "Setting", "find_predictor"]


def find_predictor(name: str, setting: Setting) -> Predictor:
    """The predictor of that name.

    Raises:
        InputError: no such predictor or variant, or its program is not there.
    """
    label, equals, file = name.partition("=")
    if equals and ":" not in label and file.startswith(COMMAND):
        from corecast.evaluate.predictors.command import Command

        return Command(label, file.removeprefix(COMMAND), setting)
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
    if kind == "osaca":
        from corecast.evaluate.predictors.osaca import Osaca

        return Osaca(detail, setting)
    if kind in ("uica", "facile"):
        from corecast.evaluate.predictors.uica import Uica

        return Uica(kind, detail, setting)
    raise InputError(
        f"no predictor is called {name}: simulate, bounds, best, baseline, llvm-mca, osaca, uica:FOLDER, "
        "facile:FOLDER, NAME=FILE.csv or NAME=command:TEMPLATE"
    )
