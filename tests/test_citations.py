"""Citations of pipeline facts have an entry in facts/pipelines, and entries are cited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FACTS = ROOT / "facts/pipelines"
FOLDERS = ("cpp", "src", "tools", "tests", "docs", "benchmarks")
KINDS = (".cpp", ".hpp", ".py", ".toml", ".md", ".tsv")
CONFIDENCE = re.compile(r"\b(measured|documented|derived|assumed)\b")
_ENTRY = re.compile(r"^- \*\*([A-Z]+-\d+[a-z]?)\*\* ((?:.*\n)(?:  .*\n)*)", re.MULTILINE)


@cache
def entries() -> dict[str, str]:
    """Text of each entry by its number, in the order of the files."""
    found: dict[str, str] = {}
    for page in sorted(FACTS.glob("*.md")):
        for number, text in _ENTRY.findall(page.read_text(encoding="utf-8")):
            assert number not in found, f"{number} stands twice"
            found[number] = text
    return found


@cache
def citations() -> dict[str, set[str]]:
    """Files by the numbers that they cite; of a range ("IN-31 to IN-34"), every entry within."""
    letters = "|".join(sorted({number.partition("-")[0] for number in entries()}))
    number = rf"\b(?:{letters})-\d+[a-z]?\b"
    cited = re.compile(rf"({number})(?:\s+(?:///?\s+|#\s+)?to\s+(?:///?\s+|#\s+)?({number}))?")
    found: dict[str, set[str]] = {}
    for file in files():
        for first, last in cited.findall(file.read_text(encoding="utf-8")):
            for each in between(first, last or first):
                found.setdefault(each, set()).add(str(file.relative_to(ROOT)))
    return found


def files() -> Iterator[Path]:
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in KINDS and file.is_file() and file != Path(__file__):
                yield file


def between(first: str, last: str) -> list[str]:
    known = list(entries())
    if first == last or first not in known or last not in known:
        return [first, last]
    return known[known.index(first) : known.index(last) + 1]


def test_every_citation_has_an_entry() -> None:
    missing = {number: sorted(where) for number, where in citations().items() if number not in entries()}
    assert not missing


def test_every_entry_is_cited_or_background() -> None:
    idle = [number for number, text in entries().items() if number not in citations() and "background" not in text]
    assert not idle


def test_every_entry_has_a_confidence() -> None:
    assert not [number for number, text in entries().items() if not CONFIDENCE.search(text)]


def test_no_citation_names_a_section_of_notes_elsewhere() -> None:
    vague = re.compile(r"pipeline[\s_]+(?:///?\s+|#\s+)?facts(?! (?:[A-Z]{2}-\d|in ))[ ,]+(?:part )?\d", re.IGNORECASE)
    assert not [file for file in files() if vague.search(file.read_text(encoding="utf-8"))]
