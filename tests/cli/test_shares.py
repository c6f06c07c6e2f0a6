"""Large programs are shared out among processes: the report is the same, and no process stays behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corecast.asm import objects
from corecast.cli import shares
from corecast.cli.main import main
from corecast.cli.shares import in_processes, processes_for

ROOT = Path(__file__).resolve().parents[2]
OBJECTS = [ROOT / "examples" / "three_loops.o", ROOT / "tests" / "data" / "asm" / "gcc12_x86.o"]


@pytest.fixture
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Files of any size are large, and processes are counted."""
    monkeypatch.setattr(shares, "_LARGE", 4)
    monkeypatch.setattr("corecast.prediction.engine.processors", lambda: 3)
    monkeypatch.setattr(objects, "MAX_CODE_BYTES", 0)
    monkeypatch.setattr(objects, "PART_BYTES", 128)
    started: list[int] = []
    start = shares._start

    def counted(work: object, number: int) -> tuple[int, int]:
        started.append(number)
        return start(work, number)  # type: ignore[arg-type]

    monkeypatch.setattr(shares, "_start", counted)
    return started


def report(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    code = main(["analyze", *options])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.mark.parametrize("path", OBJECTS, ids=lambda path: path.name)
@pytest.mark.parametrize(
    "options",
    [
        ("--summary",),
        ("--top", "2"),
        ("--summary", "--top", "3", "--columns", "region,lines,cycles"),
        ("--top", "1", "--format", "json"),
        ("--summary", "--cpu", "zen4"),
    ],
)
def test_shares_together_are_the_whole(
    path: Path, options: tuple[str, ...], capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    arguments = [str(path), "--cpu", "skylake_x", *options]
    alone = report(capsys, *arguments)
    started = request.getfixturevalue("small_is_large")
    assert report(capsys, *arguments) == alone
    assert started == [0, 1, 2]


def test_whole_reports_and_several_files_are_made_by_one_process(
    small_is_large: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(capsys, str(OBJECTS[0]), "--cpu", "zen4")[0] == 0
    assert report(capsys, *map(str, OBJECTS), "--cpu", "zen4", "--summary")[0] == 0
    assert small_is_large == []


def test_a_file_that_is_no_large_object_is_read_once(
    small_is_large: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "a.s"
    text.write_text(
        ".L1: addq $1, %rax\n decq %rcx\n jne .L1\n.L2: imulq %rbx, %rax\n decq %rcx\n jne .L2\n" + "#" * 99
    )
    code, out, err = report(capsys, str(text), "--cpu", "zen4", "--summary")
    assert (code, err) == (0, "")
    assert "2 regions of" in out


def test_what_is_wrong_is_said_once(small_is_large: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = report(capsys, str(OBJECTS[0]), "--cpu", "zen4", "--summary", "--function", "gone")
    assert (code, out) == (2, "")
    assert err.count("no function 'gone'") == 1


def test_answers_come_in_order_and_no_process_stays() -> None:
    assert in_processes(lambda number: (number, os.getpid() != parent), 3) == [(0, True), (1, True), (2, True)]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


parent = os.getpid()


def test_large_answers_do_not_block() -> None:
    found = in_processes(lambda number: bytes([number]) * 3_000_000, 2)
    assert found is not None
    assert [len(each) for each in found] == [3_000_000] * 2


def test_a_failure_gives_none_and_ends_the_others(capfd: pytest.CaptureFixture[str]) -> None:
    def work(number: int) -> int:
        if number == 0:
            raise ValueError("no")
        return number

    assert in_processes(work, 3) is None
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_small_and_missing_files_need_no_processes(tmp_path: Path) -> None:
    small = tmp_path / "a.o"
    small.write_bytes(b"x")
    assert processes_for(str(small)) == processes_for(str(tmp_path / "gone")) == processes_for(str(tmp_path)) == 1
