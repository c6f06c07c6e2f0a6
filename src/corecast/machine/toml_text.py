"""TOML as people write it: values as text, wrapped where they are long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from corecast.hints import Any
from corecast.pattern import lazy_pattern

WIDTH = 120
_BARE = lazy_pattern(r"[A-Za-z0-9_-]+")


def key_text(name: str) -> str:
    """A key, quoted where it must be."""
    return name if _BARE.fullmatch(name) else string_text(name)


def string_text(text: str) -> str:
    """A string of TOML, which are those of JSON but for one character."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def value_text(value: Any) -> str:
    """A value on one line.

    Raises:
        TypeError: a value that is not a bool, number, string, list, table or date.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key_text(name)} = {value_text(each)}" for name, each in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    if hasattr(value, "isoformat"):  # the dates of TOML
        return str(value.isoformat())
    raise TypeError(f"TOML has no {type(value).__name__}")


def assignment(name: str, value: Any) -> str:
    """`name = value`; a list that is too long for a line goes over several."""
    line = f"{key_text(name)} = {value_text(value)}"
    if len(line) <= WIDTH or not isinstance(value, list):
        return line
    return "\n".join([f"{key_text(name)} = [", *_wrapped(map(value_text, value)), "]"])


def _wrapped(items: Iterable[str]) -> list[str]:
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) + 2 > WIDTH:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else '  '}{item},"
    return [line for line in lines if line]
