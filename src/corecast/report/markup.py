"""Escaping for HTML and SVG: everything that comes from the user or a model passes through here."""

from __future__ import annotations

from html import escape


def escaped(text: str) -> str:
    """Safe in element content and in quoted attributes; characters that XML forbids become the replacement one."""
    return escape(allowed(text))


def allowed(text: str) -> str:
    """The text with the replacement character for those that XML forbids."""
    return "".join(c if _allowed(c) else "\N{REPLACEMENT CHARACTER}" for c in text)


def tag(name: str, text: str, classes: str = "") -> str:
    """`<name class="classes">text</name>` with the text escaped; name and classes are ours."""
    attribute = f' class="{classes}"' if classes else ""
    return f"<{name}{attribute}>{escaped(text)}</{name}>"


def _allowed(character: str) -> bool:
    code = ord(character)
    if character in "\n\t":
        return True
    return code >= 0x20 and not 0x7F <= code < 0xA0 and not 0xD800 <= code < 0xE000 and code not in (0xFFFE, 0xFFFF)
