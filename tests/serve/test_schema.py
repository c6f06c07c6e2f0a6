"""Requests are what their schema says, or an error names the member."""

from __future__ import annotations

from typing import Any

import pytest

from corecast.errors import InputError
from corecast.serve.requests import ANALYZE, openapi
from corecast.serve.schema import checked


def request(**changes: Any) -> dict[str, Any]:
    return {"code": "nop", "cpu": "zen4", **changes}


def test_what_is_missing_has_its_default() -> None:
    found = checked(ANALYZE, request())
    assert found["timeline"] == 4
    assert found["memory"] == []
    assert found["loop"] == "auto"


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ([], "object"),
        ({"cpu": "zen4"}, "code"),
        (request(other=1), "other"),
        (request(code=""), "code"),
        (request(code=1), "code"),
        (request(code="\ud800"), "code"),
        (request(code="x" * 300_000), "code"),
        (request(cpu="a/b"), "cpu"),
        (request(timeline=True), "timeline"),
        (request(timeline=1.5), "timeline"),
        (request(timeline=100_000), "timeline"),
        (request(memory="l2"), "memory"),
        (request(memory=["l2"] * 9), "memory"),
        (request(memory=[1]), "memory"),
        (request(syntax="gas"), "syntax"),
        (request(loop="0"), "loop"),
    ],
)
def test_errors_name_the_member(value: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        checked(ANALYZE, value)


def test_the_description_uses_the_schemas_that_check() -> None:
    described = openapi("1")
    body = described["paths"]["/api/v1/analyze"]["post"]["requestBody"]
    assert body["content"]["application/json"]["schema"] is ANALYZE
