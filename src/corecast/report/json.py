"""The JSON report: the document of schema "corecast/1", in stable order."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from json.encoder import encode_basestring

from corecast.analysis.analysis_result import AnalysisResult
from corecast.hints import Any

_DIGITS = 6


def render_json(result: AnalysisResult) -> str:
    """The document with floats rounded to six digits behind the point; not-finite ones become null."""
    return _text(_rounded(result.to_dict())) + "\n"


def render_json_list(results: Sequence[AnalysisResult]) -> str:
    """An array of the documents of several results."""
    documents = [_rounded(result.to_dict()) for result in results]
    return _text(documents) + "\n"


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0 if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return value


def _text(value: Any, indent: str = "") -> str:
    """As json.dumps(indent=2) writes it, which takes that several times as long."""
    deeper = indent + "  "
    if isinstance(value, dict) and value:
        items = [f"{_scalar(key)}: {_text(item, deeper)}" for key, item in value.items()]
        opening, closing = "{}"
    elif isinstance(value, list) and value:
        items = [_text(item, deeper) for item in value]
        opening, closing = "[]"
    else:
        return _scalar(value)
    separator = ",\n" + deeper
    return f"{opening}\n{deeper}{separator.join(items)}\n{indent}{closing}"


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, (float, int)) and not isinstance(value, bool):
        return repr(value)
    return json.dumps(value)
