"""Escaping for HTML and SVG: everything that comes from the user or a model passes through here."""

from __future__ import annotations

from html import escape

from corecast.pattern import lazy_pattern

_FORBIDDEN = lazy_pattern("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def escaped(text: str) -> str:
    """Safe in element content and in quoted attributes; characters that XML forbids become the replacement one."""
    return escape(allowed(text))


def allowed(text: str) -> str:
    """The text with the replacement character for those that XML forbids."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def tag(name: str, text: str, classes: str = "") -> str:
    """`<name class="classes">text</name>` with the text escaped; name and classes are ours."""
    attribute = f' class="{classes}"' if classes else ""
    return f"<{name}{attribute}>{escaped(text)}</{name}>"
