"""Whole outputs, compared with those checked in."""

from __future__ import annotations

import difflib

import pytest

from golden import cases


@pytest.mark.parametrize("name", cases.names())
def test_output_is_as_checked_in(name: str) -> None:
    path = cases.expected_path(name)
    assert path.exists(), f"no expectation: python tests/golden/regenerate.py {name}"
    expected, now = path.read_text(encoding="utf-8"), cases.output(name)
    if now != expected:
        difference = difflib.unified_diff(expected.splitlines(), now.splitlines(), path.name, "now", lineterm="", n=2)
        pytest.fail(
            "\n".join([*difference, f"if this is right: python tests/golden/regenerate.py {name}"]), pytrace=False
        )


def test_every_expectation_has_its_case() -> None:
    assert {path.stem for path in cases.FOLDER.glob("*.expected")} <= set(cases.names())
