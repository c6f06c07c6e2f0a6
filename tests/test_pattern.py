"""Regular expressions that are compiled on first use."""

from __future__ import annotations

import copy
import gc
import pkgutil
import re
from importlib import import_module

import pytest

import corecast
from corecast.pattern import _Pattern, lazy_pattern


def test_an_expression_is_compiled_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    compile_ = re.compile
    monkeypatch.setattr(re, "compile", lambda text, flags=0: compiled.append(text) or compile_(text, flags))
    number = lazy_pattern(r"(\d+)x")
    assert compiled == []
    assert number.fullmatch("12x")
    assert number.fullmatch("12") is None
    assert compiled == [r"(\d+)x"]


def test_it_does_what_the_compiled_one_does() -> None:
    word = lazy_pattern(r"(?i)[a-z]+")
    assert word.sub("-", "one TWO 3") == "- - 3"
    assert word.pattern == "(?i)[a-z]+"
    assert lazy_pattern(rb"\d").findall(b"1 2") == [b"1", b"2"]
    assert copy.copy(word).match("a")


def test_every_expression_of_the_package_can_be_compiled() -> None:
    for module in pkgutil.walk_packages(corecast.__path__, "corecast."):
        if not module.name.rpartition(".")[2].startswith("_"):
            import_module(module.name)
    found = [each for each in gc.get_objects() if type(each) is _Pattern]
    assert len(found) > 100
    for each in found:
        assert each.pattern  # type: ignore[attr-defined]
