"""Style sheets and script of the HTML and SVG reports."""

from __future__ import annotations

from pathlib import Path


def asset(name: str) -> str:
    """The text of a file of this folder or of one below."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
