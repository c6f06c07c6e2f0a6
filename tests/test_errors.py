"""The exception tree: its shape, its one-line texts, its way through worker processes."""

from __future__ import annotations

import pickle
import re

import pytest

from corecast import errors

ALL = sorted(
    (thing for thing in vars(errors).values() if isinstance(thing, type) and issubclass(thing, Exception)),
    key=lambda kind: kind.__name__,
)


def drawn_tree() -> dict[str, str]:
    """Name -> name of the parent, as the module's docstring draws it."""
    parents: dict[str, str] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"    ((?:[│ ]   )*(?:[├└]── )?)(\w+)", line)
        if match is None:
            continue
        depth = len(match[1]) // 4
        path[depth:] = [match[2]]
        parents[match[2]] = path[depth - 1] if depth else "Exception"
    return parents


def test_docstring_draws_the_tree() -> None:
    assert drawn_tree() == {kind.__name__: kind.__bases__[0].__name__ for kind in ALL}


@pytest.mark.parametrize(
    ("file", "line", "text"),
    [
        ("loop.s", 7, "loop.s:7: no such register"),
        ("loop.s", None, "loop.s: no such register"),
        (None, 7, "line 7: no such register"),
        (None, None, "no such register"),
    ],
)
def test_text_tells_the_place_as_far_as_known(file: str | None, line: int | None, text: str) -> None:
    assert str(errors.InputError("no such register", file, line)) == text


def test_text_is_one_line() -> None:
    assert str(errors.CompilerError("gcc failed:\n  bad option\n")) == "gcc failed: bad option"


@pytest.mark.parametrize("kind", ALL)
def test_survives_pickling(kind: type[errors.CorecastError]) -> None:
    copy = pickle.loads(pickle.dumps(kind("broken", "model.toml", 3)))
    assert type(copy) is kind
    assert (copy.message, copy.file, copy.line) == ("broken", "model.toml", 3)
