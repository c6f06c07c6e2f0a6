"""Exploration: one kernel, or several, on many variants of a core.

parse_sweeps, factorial, sample, read_points    which variants
explore(machine, subjects, sweeps, points)      simulates them all, on all processors
advise(exploration, subjects, objective)        what would make the code faster there
to_text, to_csv, to_json, draw                  the result written down
"""

from __future__ import annotations

from corecast.explore.advice import advise
from corecast.explore.figures import FIGURES, best, figure, front
from corecast.explore.formula import Formula
from corecast.explore.plots import PLOTS, draw
from corecast.explore.points import PointResult, Setup, Subject
from corecast.explore.results import Exploration, PointAdvice
from corecast.explore.run import explore
from corecast.explore.sweeps import Settings, Sweep, factorial, parse_sweeps, read_points, sample
from corecast.explore.tables import to_csv, to_json, to_text

__all__ = [
    "FIGURES",
    "PLOTS",
    "Exploration",
    "Formula",
    "PointAdvice",
    "PointResult",
    "Settings",
    "Setup",
    "Subject",
    "Sweep",
    "advise",
    "best",
    "draw",
    "explore",
    "factorial",
    "figure",
    "front",
    "parse_sweeps",
    "read_points",
    "sample",
    "to_csv",
    "to_json",
    "to_text",
]
