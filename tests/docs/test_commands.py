"""Every command that the documentation shows gives what the page says it gives."""

from __future__ import annotations

import difflib

import pytest

from docs import pages


@pytest.mark.parametrize("page", pages.pages())
def test_page_shows_what_its_commands_give(page: str) -> None:
    wrong = [shown for shown in pages.check(page) if not shown.holds()]
    told = []
    for shown in wrong:
        told.append(f"{page}:{shown.line}: {shown.command.strip()}")
        told += difflib.unified_diff(
            shown.expected.splitlines(), shown.now.splitlines(), "page", "now", lineterm="", n=1
        )
    if told:
        pytest.fail("\n".join([*told, f"if this is right: python tools/refresh_docs.py {page}"]), pytrace=False)


PAGE = """
```console
$ echo one; echo two >&2
one
two
$ cat <<END
> three
> END
...
```

<!-- shows: tests/docs/pages.py:1-1 -->
```python
not this
```

```python
>>> 1 + 1
3
>>> int("x")
Traceback (most recent call last):
    ...
ValueError: ...
```
"""


def test_a_wrong_page_is_told() -> None:
    """The check itself must be able to fail."""
    with pages.session() as running:
        shown = [each for block in pages.blocks(PAGE) for each, _, _ in running.run(block)]
    assert [each.holds() for each in shown] == [True, True, False, False, True]
    assert shown[1].now == "three\n"
    assert shown[3].now == "2\n"


@pytest.mark.parametrize(
    ("expected", "now", "fit"),
    [
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nd\n", True),
        ("a ... c\n", "a b c\n", True),
        ("a ... c\n", "a b\nc\n", False),
        ("a\n...\n", "b\n", False),
        ("a.b\n", "axb\n", False),
    ],
)
def test_dots_stand_for_what_is_left_out(expected: str, now: str, fit: bool) -> None:
    assert pages.fits(expected, now) is fit
