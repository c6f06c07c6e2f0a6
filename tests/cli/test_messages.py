"""What commands say beside their result: lines for people, on standard error."""

from __future__ import annotations

import io
import sys
from contextlib import suppress

import pytest

from corecast.cli.messages import tell_step
from corecast.cli.progress import progress_line


class Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def stderr(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> Stream:
    """Called by the test itself: between fixtures and tests pytest sets the stream anew."""
    stream = Stream(terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def screen(text: str) -> str:
    """What stands in the line after all was written."""
    return text.rpartition("\r\x1b[K")[2]


def test_a_line_shows_the_newest_figures_and_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = stderr(monkeypatch, terminal=True)
    with progress_line("{:,} of {:,} blocks".format, refresh_seconds=0) as show:
        show(1, 2000)
        assert screen(terminal.getvalue()) == "1 of 2,000 blocks "
        show(2, 2000)
        assert screen(terminal.getvalue()) == "2 of 2,000 blocks "
    assert screen(terminal.getvalue()) == ""
    assert "\n" not in terminal.getvalue()


def test_a_line_is_gone_after_an_exception_too(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = stderr(monkeypatch, terminal=True)
    with suppress(KeyboardInterrupt), progress_line(str, refresh_seconds=0) as show:
        show("half")
        assert screen(terminal.getvalue()) == "half "
        raise KeyboardInterrupt
    assert screen(terminal.getvalue()) == ""


def test_a_line_that_is_asked_for_too_often_is_not_even_made(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = stderr(monkeypatch, terminal=True)
    made: list[int] = []
    with progress_line(lambda done: made.append(done) or "", refresh_seconds=3600) as show:
        show(1)
    assert not made
    assert terminal.getvalue() == ""


def test_nothing_is_shown_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = stderr(monkeypatch, terminal=False)
    with progress_line(str, refresh_seconds=0) as show:
        show("half")
    tell_step("llvm-mca")
    assert pipe.getvalue() == ""


def test_a_step_is_named_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = stderr(monkeypatch, terminal=True)
    tell_step("llvm-mca")
    assert terminal.getvalue() == "corecast: llvm-mca ...\n"
