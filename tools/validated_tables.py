"""`[[validated]]` in the text of a pipeline.toml."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corecast.machine.validation import Validation

_TABLE = re.compile(r"\[\[validated\]\]\n(?:\w+ = .*\n)+\n?")
_FIELD = re.compile(r'^(\w+) = "?(.*?)"?$', re.MULTILINE)
_FIRST_TABLE = re.compile(r"^\[", re.MULTILINE)
_OLD = re.compile(r"^validated = \[.*\]\n", re.MULTILINE)


def with_validations(text: str, found: Iterable[Validation]) -> str:
    """The text with these items: they replace those of the same kind and source, and texts without figures.

    Items stand before the first table, where reading the head of a file finds them.
    """
    text = _OLD.sub("", text)
    items = {_key(match[0]): match[0].rstrip("\n") + "\n\n" for match in _TABLE.finditer(text)}
    rest = _TABLE.sub("", text)
    for each in found:
        items[each.kind, each.source] = _item(each)
    start = _FIRST_TABLE.search(rest)
    place = len(rest) if start is None else _before_comment(rest, start.start())
    return rest[:place] + "".join(items.values()) + rest[place:]


def _before_comment(text: str, place: int) -> int:
    """A comment directly above a table belongs to it."""
    lines = text[:place].splitlines(keepends=True)
    while lines and lines[-1].startswith("#"):
        place -= len(lines.pop())
    return place


def _key(item: str) -> tuple[str, str]:
    fields = dict(_FIELD.findall(item))
    return fields.get("kind", ""), fields.get("source", "")


def _item(each: Validation) -> str:
    figures = [f"blocks = {each.blocks}", f"mape_percent = {each.mape_percent:.2f}"]
    words = [f'date = "{each.date}"', f'source = "{each.source}"', f'method = "{each.method}"']
    return "\n".join(["[[validated]]", f'kind = "{each.kind}"', *figures, *words]) + "\n\n"
