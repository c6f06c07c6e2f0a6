"""The quick reader of TOML finds what tomllib finds, or says that it does not know."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corecast import _core
from corecast.machine.search import PACKAGED

tomllib = pytest.importorskip("tomllib")

FILES = sorted(PACKAGED.glob("*/pipeline.toml"))
PIECES = (
    *("a", "b-1", "3", "_", '"q"', "'q'", '""', '"""', "'''", "\\", '"\\n"', " ", "\t", "\n", "\r\n", "\r", "\0", "é"),
    *("=", " = ", ".", ",", "[", "]", "[[", "]]", "{", "}", "#", "# c\n", "[a]\n", "[a.b]\n", "[[a]]\n", "[[a.b]]\n"),
    *("1", "0", "00", "-1", "+1", "1.5", "1.", ".5", "-0.0", "1e3", "1_000", "0x1f", "inf", "nan", "true", "false"),
    *("1979-05-27", "07:32:00", "9223372036854775807", "9223372036854775808", "1" * 400 + ".0", "0.1", "truer"),
    *("a = 1\n", "b = [1, 2,\n # c\n 3]\n", 'c = { x = 1, y = "z" }\n', "d = []\n", "e = {}\n", "a = 2", "\n\n"),
)


def same(found: Any, wanted: Any) -> bool:
    """Equal in value, type and order."""
    if type(found) is not type(wanted):
        return False
    if isinstance(wanted, Mapping):
        return list(found) == list(wanted) and all(same(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    return repr(found) == repr(wanted)


def check(text: str) -> None:
    found = _core.plain_toml(text)
    if found is not None:
        assert same(found, tomllib.loads(text))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_shipped_models_are_read_quickly(file: Any) -> None:
    text = file.read_text(encoding="utf-8")
    assert same(_core.plain_toml(text), tomllib.loads(text))


@given(st.lists(st.sampled_from(PIECES), max_size=30))
@example(["[a.b]\n", "[a]\n", "[a.b]\n"])
@example(["[[a]]\n", "[a.b]\n", "[[a]]\n", "[a.b]\n"])
@example(["[a]\n", "b = {}\n", "[a.b]\n"])
@example(["a = [1]\n", "[[a]]\n"])
def test_it_agrees_wherever_it_answers(pieces: list[str]) -> None:
    check("".join(pieces))


@given(st.sampled_from(FILES), st.randoms(use_true_random=False))
def test_it_agrees_on_damaged_models(file: Any, random: random.Random) -> None:
    text = file.read_text(encoding="utf-8")
    for _ in range(random.randrange(4)):
        position = random.randrange(len(text))
        text = text[:position] + random.choice(PIECES) + text[position + random.randrange(3) :]
    check(text)


@pytest.mark.parametrize("text", ["a = " + "[" * 10_000, "a = " + "{ a = " * 10_000, "[" + "a." * 10_000 + "a]\n"])
def test_deep_texts_end(text: str) -> None:
    _core.plain_toml(text)
