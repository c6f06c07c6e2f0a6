"""Whatever happens, the user gets one message and the right exit code."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from corecast.cli import analyze
from corecast.cli.main import main
from corecast.cli.parser import _columns, make_parser
from corecast.cli.verbs import VERBS
from corecast.errors import InputError


def raising(error: BaseException) -> Callable[[object], int]:
    def run(_: object) -> int:
        raise error

    return run


def code_and_message(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    monkeypatch.setattr(analyze, "run", raising(error))
    monkeypatch.setattr("corecast.cli.main._drop_stdout", lambda: None)
    code = main(["analyze", "x.s"])
    return code, capfd.readouterr().err


def test_bad_input_is_told_with_file_and_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert code_and_message(InputError("no such marker", "a.s", 7), monkeypatch, capfd) == (
        2,
        "corecast: error: a.s:7: no such marker\n",
    )


def test_a_missing_file_is_told_by_name(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    error = FileNotFoundError(2, "No such file or directory", "a.s")
    assert code_and_message(error, monkeypatch, capfd) == (2, "corecast: error: a.s: No such file or directory\n")


def test_a_fault_asks_to_report(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("CORECAST_DEBUG", raising=False)
    code, message = code_and_message(KeyError("oops"), monkeypatch, capfd)
    assert code == 70
    assert len(message.splitlines()) == 1
    assert "please report" in message
    assert "KeyError: 'oops'" in message


def test_debug_adds_the_traceback(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("CORECAST_DEBUG", "1")
    code, message = code_and_message(ValueError("oops"), monkeypatch, capfd)
    assert code == 70
    assert "Traceback" in message


def test_interrupt_and_broken_pipe_are_quiet(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert code_and_message(KeyboardInterrupt(), monkeypatch, capfd) == (130, "")
    assert code_and_message(BrokenPipeError(), monkeypatch, capfd) == (141, "")


def test_a_message_cannot_steer_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    _, message = code_and_message(InputError("bad \x1b[2J name", "a.s"), monkeypatch, capfd)
    assert "\x1b" not in message


@pytest.mark.parametrize(
    "arguments",
    [["nosuchverb"], ["analyze", "--nosuch"], ["analyze", "x.s", "--form", "json"], ["analyze", "--mode", "x"]],
)
def test_wrong_usage_exits_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("corecast: error: ")


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith("corecast ")


def run_python(code: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, timeout=300, check=False, **options)  # type: ignore[call-overload,no-any-return]


def test_help_imports_nothing_heavy() -> None:
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "corecast", "--help"], capture_output=True, timeout=300, check=True
    ).stderr.decode()
    for module in ("corecast._core", "corecast.analysis", "corecast.report", "corecast.asm", "corecast.machine"):
        assert f" {module}\n" not in loaded


def test_an_interrupt_while_the_program_is_imported_makes_no_noise() -> None:
    raises = "class Finder:\n def find_spec(self, name, *_):\n  if name == 'argparse': raise KeyboardInterrupt\n"
    start = "import sys; sys.meta_path.insert(0, Finder()); from corecast.__main__ import main; sys.exit(main())"
    done = run_python(raises + start)
    assert (done.returncode, done.stderr) == (130, b"")


PRINTS = (
    "import sys; from corecast.cli.output import write_result; import corecast.cli.main as m, corecast.cli.cpus as c;"
)
PRINTS += "c.run = lambda a: write_result('x' * 100000, None) or 0; sys.exit(m.main(['cpus']))"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_on_standard_output_is_told() -> None:
    with open("/dev/full", "wb") as full:
        done = run_python(PRINTS, stdout=full)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == ["corecast: error: No space left on device"]


def test_a_reader_that_goes_away_makes_no_noise() -> None:
    read, write = os.pipe()
    os.close(read)
    done = run_python(PRINTS, stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("cpus >&-", 2, "Bad file descriptor"),
        ("analyze --hex 90 --cpu zen4 >&-", 2, "Bad file descriptor"),
        ("analyze - --cpu zen4 <&-", 2, "<stdin>: the file is empty"),
        ("predict - --cpu zen4 <&-", 2, "<stdin>: the file is empty"),
        ("analyze --hex 90 --cpu zen4 -o /dev/null >&- <&-", 0, ""),
        ("analyze --hex 9 --cpu zen4 2>&-", 2, ""),
        ("cpus 2>&- | grep -c zen4 >&2", 0, "1"),
    ],
)
def test_streams_that_the_caller_closed(command: str, code: int, told: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"'{sys.executable}' -m corecast.cli.main {command}"], stderr=subprocess.PIPE, text=True
    )
    assert done.returncode == code
    assert told in done.stderr
    assert len(done.stderr.splitlines()) <= 1


@pytest.mark.parametrize("columns", [None, "", "0", "-5", "x", "37", "200"])
def test_help_is_as_wide_as_the_standard_library_says(columns: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if columns is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", columns)
    assert _columns() == shutil.get_terminal_size().columns


def test_the_list_of_verbs_imports_none() -> None:
    code = "import sys; from corecast.cli.parser import make_parser; make_parser('--help'); print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {f"corecast.cli.{verb}" for verb in VERBS} & set(modules)


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_alone_has_the_same_parser(verb: str) -> None:
    def text(parser: argparse.ArgumentParser) -> str:
        choices = parser._subparsers._group_actions[0].choices  # type: ignore[union-attr]
        return choices[verb].format_help()  # type: ignore[call-overload,index,no-any-return]

    assert text(make_parser(verb)) == text(make_parser())
