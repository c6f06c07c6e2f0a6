"""The JSON report is plain, rounded and ordered as the document is."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import Mock

from corecast.report.json import render_json


def rendered(document: dict[str, Any]) -> str:
    return render_json(Mock(to_dict=lambda: document))


def test_floats_are_rounded_to_six_digits() -> None:
    assert json.loads(rendered({"a": [1 / 3, 2.0, -1e-9], "b": {"c": 0.1 + 0.2}})) == {
        "a": [0.333333, 2.0, 0.0],
        "b": {"c": 0.3},
    }
    assert "-0.0" not in rendered({"a": -1e-9})


def test_keys_keep_their_order() -> None:
    assert list(json.loads(rendered({"z": 1, "a": 2, "m": 3}))) == ["z", "a", "m"]


def test_infinite_floats_become_null() -> None:
    assert json.loads(rendered({"a": float("inf"), "b": float("nan")})) == {"a": None, "b": None}


def test_text_ends_with_a_newline() -> None:
    assert rendered({}).endswith("}\n")
