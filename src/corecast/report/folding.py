"""Folding text into lines, as `textwrap` does."""

from __future__ import annotations


def fold(text: str, width: int, first: str, rest: str, *, hyphens: bool = False) -> list[str]:
    """Lines of at most `width` characters, as `textwrap.wrap` makes them, which is imported for difficult text only.

    Args:
        text: one paragraph.
        width: of a line, its indent included.
        first: indent of the first line.
        rest: indent of all others.
        hyphens: whether a line may end with the hyphen of a word.
    """
    if not text:
        return []
    lines = [] if hyphens and "-" in text and len(first) + len(text) > width else _folded(text, width, first, rest)
    if lines:
        return lines
    import textwrap

    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=hyphens)


def _folded(text: str, width: int, first: str, rest: str) -> list[str]:
    """The lines of a text with no blanks but spaces, none at its ends, and words that fit; none of another text."""
    words = text.split(" ")
    if not words[0] or not words[-1] or text.split() != list(filter(None, words)):
        return []
    if len(first) + len(text) <= width:
        return [first + text]
    lines = [first]
    indent, gap = first, 0
    for word in words:
        if not word:  # between two spaces
            gap += 1
            continue
        if max(len(first), len(rest)) + max(len(word), gap) > width:
            return []
        if len(lines[-1]) + gap + len(word) > width and len(lines[-1]) > len(indent):
            indent = rest
            lines.append(rest + word)
        else:
            lines[-1] += " " * gap + word
        gap = 1
    return lines
