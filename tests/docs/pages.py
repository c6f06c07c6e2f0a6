"""The pages of the documentation as tests see them: blocks whose commands are run, and what they show.

In a `console` block every line that starts with `$ ` is a command (`> ` carries it on); what follows is what it shows,
standard output and error together. A line `...` stands for any lines, `...` within a line for any text. `python` blocks
are sessions (`>>> `) that share their names over a page. Blocks of other languages are not run, but one that follows
the comment `<!-- shows: PATH -->` or `<!-- shows: PATH:FIRST-LAST -->` must be that file, or those lines of it.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_LINKED = ("docs", "examples", "src", "tests")
"""What commands may name; they run in a scratch folder that shows these."""
_SHOWS = re.compile(r"<!-- shows: (?P<path>[^\s:]+)(?::(?P<first>\d+)-(?P<last>\d+))? -->")


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    line: int
    """Of its first line of content, from 1."""
    shows: str = ""
    """The comment before it, "" where there is none."""


def pages() -> list[str]:
    """Names of all pages, from the root."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page."""
    found: list[Block] = []
    lines = text.split("\n")
    start: int | None = None
    language = shows = ""
    for number, line in enumerate(lines):
        if start is None and line.startswith("```"):
            before = lines[number - 1] if number else ""
            start, language, shows = number + 1, line[3:].strip(), before if _SHOWS.fullmatch(before) else ""
        elif start is not None and line == "```":
            found.append(Block(language, "".join(f"{one}\n" for one in lines[start:number]), start + 1, shows))
            start = None
    if start is not None:
        raise ValueError(f"the block that begins in line {start} has no end")
    return found


@dataclass(frozen=True)
class Shown:
    """A command or statement, what the page shows for it, and what it gives now."""

    command: str
    line: int
    expected: str
    now: str

    def holds(self) -> bool:
        return fits(self.expected, self.now)


def fits(expected: str, now: str) -> bool:
    """Whether `now` is `expected`, where `...` stands for anything."""
    if expected == now:
        return True
    parts = [
        "(?:[^\n]*\n)*" if line == "...\n" else "[^\n]*".join(re.escape(part) for part in line.split("..."))
        for line in expected.splitlines(keepends=True)
    ]
    return re.fullmatch("".join(parts), now) is not None


@dataclass
class Session:
    """One page's commands and statements, run in its order in a scratch folder."""

    folder: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def run(self, block: Block) -> Iterator[tuple[Shown, int, int]]:
        """What a block shows, each with the lines of the block (from, without to) that hold it."""
        if block.shows:
            yield self._file(block)
        elif block.language == "console":
            yield from self._console(block)
        elif block.language == "python":
            yield from self._python(block)

    def _file(self, block: Block) -> tuple[Shown, int, int]:
        match = _SHOWS.fullmatch(block.shows)
        assert match is not None
        lines = (ROOT / match["path"]).read_text(encoding="utf-8").splitlines(keepends=True)
        if match["first"]:
            lines = lines[int(match["first"]) - 1 : int(match["last"])]
        return Shown(block.shows, block.line, block.text, "".join(lines)), 0, block.text.count("\n")

    def _console(self, block: Block) -> Iterator[tuple[Shown, int, int]]:
        lines = block.text.splitlines(keepends=True)
        if not lines or not lines[0].startswith("$ "):
            raise ValueError(f"line {block.line}: a console block begins with a command")
        position = 0
        while position < len(lines):
            command, first = lines[position][2:], position
            position += 1
            while position < len(lines) and lines[position].startswith("> "):
                command += lines[position][2:]
                position += 1
            start = position
            while position < len(lines) and not lines[position].startswith("$ "):
                position += 1
            expected = "".join(lines[start:position])
            yield Shown(command, block.line + first, expected, self._shell(command)), start, position

    def _shell(self, command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=_environment(self.folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
        return done.stdout if done.stdout.endswith("\n") or not done.stdout else f"{done.stdout}\n"

    def _python(self, block: Block) -> Iterator[tuple[Shown, int, int]]:
        examples = doctest.DocTestParser().get_examples(block.text)
        if not examples:
            raise ValueError(f"line {block.line}: a python block is a session with >>>")
        for example in examples:
            start = example.lineno + example.source.count("\n")
            now = self._statement(example.source)
            yield (
                Shown(example.source, block.line + example.lineno, example.want, now),
                start,
                (start + example.want.count("\n")),
            )

    def _statement(self, source: str) -> str:
        out = io.StringIO()
        display, sys.displayhook = sys.displayhook, sys.__displayhook__
        try:
            with contextlib.redirect_stdout(out), _inside(self.folder):
                try:
                    exec(compile(source, "<page>", "single", dont_inherit=True), self.names)
                except Exception as error:
                    told = "".join(traceback.format_exception_only(type(error), error))
                    out.write(f"Traceback (most recent call last):\n    ...\n{told}")
        finally:
            sys.displayhook = display
        return out.getvalue()


@contextlib.contextmanager
def session() -> Iterator[Session]:
    """A scratch folder in which the paths that pages name exist, and `corecast` is this one."""
    with tempfile.TemporaryDirectory(prefix="corecast-docs-") as name:
        folder = Path(name)
        for entry in _LINKED:
            (folder / entry).symlink_to(ROOT / entry)
        (folder / ".bin").mkdir()
        program = folder / ".bin" / "corecast"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m corecast "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        yield Session(folder)


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of the user's own may change what a page shows."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("CORECAST_", "PYTEST_", "COLUMNS"))}
    path = f"{folder / '.bin'}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{kept.get('PATH', '')}"
    return {**kept, "PATH": path, "XDG_DATA_HOME": str(folder / ".data"), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def check(page: str) -> Iterator[Shown]:
    """Everything that a page shows, beside what it gives now."""
    with session() as running:
        for block in blocks((ROOT / page).read_text(encoding="utf-8")):
            for shown, _, _ in running.run(block):
                yield shown


def refreshed(page: str) -> tuple[str, list[Shown]]:
    """The page with what its commands give now, and what changed. Passages with `...` that still fit stay."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = text.split("\n")
    changes: list[tuple[int, int, Shown]] = []
    with session() as running:
        for block in blocks(text):
            for shown, first, last in running.run(block):
                if not shown.holds():
                    changes.append((block.line - 1 + first, block.line - 1 + last, shown))
    for first, last, shown in reversed(changes):
        lines[first:last] = shown.now.splitlines()
    return "\n".join(lines), [shown for _, _, shown in changes]
