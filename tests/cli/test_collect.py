"""`corecast collect`: programs that run, and the message where they cannot."""

from __future__ import annotations

import contextlib
import csv
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import interruptible
from corecast.cli.main import main
from corecast.collect.blocks import COLUMNS

ROOT = Path(__file__).resolve().parents[2]
FOREIGN = ROOT / "tests" / "data" / "collect" / "sve_sum.aarch64"
OBJECT = ROOT / "examples" / "three_loops.o"

needs_valgrind = pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
needs_qemu = pytest.mark.skipif(shutil.which("qemu-aarch64") is None, reason="needs qemu-user")


def rows(path: Path) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as stream:
        reader = csv.DictReader(stream)
        assert tuple(reader.fieldnames or ()) == COLUMNS
        return list(reader)


@needs_valgrind
def test_a_program_of_this_machine(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "blocks.csv"
    assert main(["collect", "-o", str(out), "--", "sh", "-c", "echo hello; head -c 9 /dev/zero | gzip -c | wc -c"]) == 0
    shown = capfd.readouterr()
    assert shown.out.startswith("hello\n")
    assert "distinct blocks" in shown.err
    found = rows(out)
    assert len(found) > 500
    assert len({row["hex"] for row in found}) == len(found)
    assert any(row["module"].endswith("/gzip") for row in found), "children are followed"
    assert {row["app"] for row in found} == {"sh"}
    weights = [int(row["weight"]) for row in found]
    assert weights == sorted(weights, reverse=True)
    assert main(["predict", str(out), "--cpu", "skylake_x", "-o", str(tmp_path / "predicted.csv")]) == 0


@needs_qemu
@pytest.mark.parametrize(("bits", "executions"), [(128, 2560), (512, 640)])
def test_a_foreign_program_with_a_vector_length(tmp_path: Path, bits: int, executions: int) -> None:
    """1,024 elements of 64 bits, two vectors an iteration, ten rounds."""
    out = tmp_path / "blocks.csv"
    assert main(["collect", "-o", str(out), "--vector-bits", str(bits), "--app", "sum", "--", str(FOREIGN)]) == 0
    hottest = rows(out)[0]
    assert (hottest["symbol"], hottest["isa"], hottest["app"]) == ("sum", "aarch64", "sum")
    assert int(hottest["weight"]) == executions


@needs_qemu
def test_blocks_are_added_to_those_of_before(tmp_path: Path) -> None:
    out = tmp_path / "blocks.csv"
    for app in ("one", "two", "one"):
        assert main(["collect", "-o", str(out), "--add", "--app", app, "--", str(FOREIGN)]) == 0
    found = rows(out)
    one, two = ({row["hex"]: int(row["weight"]) for row in found if row["app"] == app} for app in ("one", "two"))
    assert one == {code: 2 * weight for code, weight in two.items()}


def test_all_blocks_of_an_object(tmp_path: Path) -> None:
    out = tmp_path / "blocks.csv"
    assert main(["collect", "-o", str(out), "--static", str(OBJECT)]) == 0
    found = rows(out)
    assert len(found) > 3
    assert {row["weight"] for row in found} == {""}
    named = [row for row in found if row["symbol"]]
    assert {row["module"] for row in named} == {str(OBJECT)}
    assert len(named) > len(found) / 2, "what is between functions has no name"


@needs_valgrind
def test_a_program_that_fails_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "blocks.csv"
    assert main(["collect", "-o", str(out), "--", "sh", "-c", "exit 3"]) == 1
    assert "sh ended with exit code 3" in capfd.readouterr().err
    assert rows(out)


@needs_valgrind
def test_a_program_that_does_not_end_is_ended(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "blocks.csv"
    assert main(["collect", "-o", str(out), "--seconds", "2", "--", "sleep", "1000"]) == 0
    assert "its time was over" in capfd.readouterr().err
    assert rows(out)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give either a program"),
        (["--static", "x.o", "--", "true"], "give either a program"),
        (["--static", "no_such_file"], "no_such_file: cannot be read"),
        (["--static", __file__], "not an object file"),
        (["--", "no_such_program"], "no_such_program: no such program"),
        (["--", __file__], "test_collect.py: is not executable"),
        (["--seconds", "0", "--", "true"], "--seconds"),
        (["--backend", "callgrind", "--", str(FOREIGN)], "is a program for aarch64"),
        (["--vector-bits", "100", "--", str(FOREIGN)], "multiple of 128"),
        (["--sysroot", "/no/such/folder", "--", str(FOREIGN)], "/no/such/folder: no such folder"),
    ],
)
def test_bad_input_is_one_message(
    tmp_path: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if str(FOREIGN) in arguments and shutil.which("qemu-aarch64") is None:
        pytest.skip("needs qemu-user")
    out = tmp_path / "blocks.csv"
    assert main(["collect", "-o", str(out), *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert not out.exists()


def test_a_missing_tool_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "program"
    shutil.copy(sys.executable, program)
    monkeypatch.setenv("PATH", str(tmp_path))
    for arguments, tool in (
        (["--", str(program)], "valgrind"),
        (["--", str(FOREIGN)], "qemu-aarch64"),
    ):
        assert main(["collect", "-o", str(tmp_path / "out.csv"), *arguments]) == 2
        error = capsys.readouterr().err
        assert tool in error
        assert "is not installed" in error


def test_a_full_disk_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collect", "-o", "/dev/full", "--static", str(OBJECT)]) == 2
    assert capsys.readouterr().err == "corecast: error: /dev/full: No space left on device\n"


def test_what_was_not_collected_is_not_added_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "blocks.csv"
    out.write_text("hex,cycles\n90,1\n")
    assert main(["collect", "-o", str(out), "--add", "--static", str(OBJECT)]) == 2
    assert "blocks.csv:1: was not collected" in capsys.readouterr().err
    assert out.read_text() == "hex,cycles\n90,1\n"


@needs_qemu
def test_who_is_killed_leaves_nothing_and_may_start_again(tmp_path: Path) -> None:
    """At any time: no part of a file, no program that runs on; temporary files go with the next run."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    out = tmp_path / "blocks.csv"
    command = [sys.executable, "-m", "corecast", "collect", "-o", str(out), "--", str(FOREIGN)]
    for delay in (0.05, 0.15, 0.25, 0.35, 0.5):
        running = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
        time.sleep(delay)
        running.send_signal(signal.SIGKILL)
        running.communicate()
        assert not out.exists() or len(rows(out)) == 15
    subprocess.run(command, env=environment, check=True, stderr=subprocess.PIPE)
    first = out.read_bytes()
    subprocess.run(command, env=environment, check=True, stderr=subprocess.PIPE)
    assert out.read_bytes() == first
    left = {path.name for path in tmp_path.iterdir()}
    assert not any(name.startswith(Path(tempfile.gettempprefix()).name + "corecast") for name in left)
    assert not any(name.startswith("corecast-collect-") for name in left)


def wait_until_asleep(words: str, session: int) -> None:
    """Until a process of the session whose command has these words, other than the one that began it, does nothing."""
    before, end = -1, time.monotonic() + 300
    while time.monotonic() < end:
        time.sleep(0.5)
        ticks = 0
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has ended
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                if fields[3] == str(session) != process.name and words in (process / "cmdline").read_text():
                    ticks += int(fields[11]) + int(fields[12])
        if 0 < ticks == before:
            return
        before = ticks
    pytest.fail("nothing fell asleep")


@needs_valgrind
def test_an_interrupt_ends_the_program_and_keeps_what_ran(tmp_path: Path) -> None:
    out = tmp_path / "blocks.csv"
    command = [sys.executable, "-m", "corecast", "collect", "-o", str(out), "--", "sleep", "1000"]
    running = interruptible.start(command, stderr=subprocess.PIPE, start_new_session=True)
    wait_until_asleep("sleep\0001000", running.pid)
    os.killpg(running.pid, signal.SIGINT)
    error = running.communicate(timeout=300)[1].decode()
    assert running.returncode == 1, error
    assert "sleep was ended by SIGINT" in error
    assert rows(out)


def test_nothing_collected_is_a_failure_and_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from corecast.collect.run import Collection

    monkeypatch.setattr("corecast.collect.run.collect_program", lambda *_: Collection())
    program = SimpleNamespace(backend="callgrind")
    monkeypatch.setattr("corecast.collect.program.find_program", lambda *_: program)
    out = tmp_path / "out.csv"
    out.write_text("blocks of yesterday")
    assert main(["collect", "-o", str(out), "--", "/bin/true"]) == 1
    assert "nothing was collected" in capsys.readouterr().err
    assert out.read_text() == "blocks of yesterday"
