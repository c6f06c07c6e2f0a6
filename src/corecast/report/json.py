"""The JSON report: the document of schema "corecast/1", in stable order."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from corecast.analysis.analysis_result import AnalysisResult

_DIGITS = 6


def render_json(result: AnalysisResult) -> str:
    """The document with floats rounded to six digits behind the point; not-finite ones become null."""
    return json.dumps(_rounded(result.to_dict()), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def render_json_list(results: Sequence[AnalysisResult]) -> str:
    """An array of the documents of several results."""
    documents = [_rounded(result.to_dict()) for result in results]
    return json.dumps(documents, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0 if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return value
