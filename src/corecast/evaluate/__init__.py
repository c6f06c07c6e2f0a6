"""Evaluation: predictions of several tools compared with measurements.

read_blocks(file)        measured blocks of a CSV file (docs/evaluate.md)
read_kernels(file)       measured kernels, one assembly file each
evaluate(cases, ...)     every predictor's answers and their errors
to_markdown, to_html, to_json, predictions_csv, metrics_csv        the result written down
"""

from __future__ import annotations

from corecast.evaluate.cases import Cases
from corecast.evaluate.measured import BlockColumns, read_blocks, read_kernels
from corecast.evaluate.metrics import Metrics
from corecast.evaluate.page import to_html
from corecast.evaluate.predictors import DEFAULT_PREDICTORS, Setting
from corecast.evaluate.results import Evaluation
from corecast.evaluate.run import evaluate
from corecast.evaluate.summary import to_markdown
from corecast.evaluate.tables import metrics_csv, predictions_csv, to_json

__all__ = [
    "DEFAULT_PREDICTORS",
    "BlockColumns",
    "Cases",
    "Evaluation",
    "Metrics",
    "Setting",
    "evaluate",
    "metrics_csv",
    "predictions_csv",
    "read_blocks",
    "read_kernels",
    "to_html",
    "to_json",
    "to_markdown",
]
