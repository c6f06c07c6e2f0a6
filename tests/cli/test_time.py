"""`corecast time`: every row is measured or rejected with a reason, whatever happens meanwhile."""

from __future__ import annotations

import csv
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import interruptible
from corecast import _core
from corecast.cli.main import main
from corecast.timing.journal import Key
from corecast.timing.run import TimingOptions, open_timing
from corecast.timing.verdict import REASONS, Verdict

needs_x86 = pytest.mark.skipif(_core.measurable_isa() != "x86", reason="needs an x86 host")

BLOCKS = """\
name,hex,address,isa,cycles
chain,4801d8,0,,99
three,4801d84801d84801d8,0x20,x86,
again,4801d8,0,,
foreign,4801d8,0,aarch64,
branch,75fe,0,,
odd,480,0,,
none,,0,,
nothing,06,0,,
place,4801d8,here,,
long,4801d8,0,x86,1,2,3
fault,0f0b,0,,
"quoted, too",480fafc3,0,,
short,4889d8
"""
MEASURED = {"chain": 1.0, "three": 3.0, "again": 1.0, "quoted, too": 3.0, "short": None}
REJECTED = {
    "foreign": "foreign",
    "branch": "branch",
    "odd": "hex",
    "none": "hex",
    "nothing": "undecodable",
    "place": "row",
    "long": "row",
    "fault": "system",
}
BUSY = ("disturbed", "unstable", "spread", "visits")
"""What other work on the machine may do to a test."""
SHARED_CORE = 2.1
"""How much longer code takes whose core has a neighbour that never pauses: indistinguishable from a slower core."""


@pytest.fixture
def blocks(tmp_path: Path) -> Path:
    path = tmp_path / "blocks.csv"
    path.write_text(BLOCKS)
    return path


def status(path: Path) -> int:
    """The exit code that belongs to a result: 1 where a busy machine let no row be measured."""
    with open(path, newline="", encoding="utf-8") as stream:
        return 0 if any(row["cycles"] for row in csv.DictReader(stream)) else 1


def check(path: Path, mode: str) -> None:
    with open(path, newline="", encoding="utf-8") as stream:
        reader = csv.DictReader(stream)
        new = ["cycles", "spread", "rejected", "mode", "register_step"]
        assert reader.fieldnames == ["name", "hex", "address", "isa", *new]
        rows = {row["name"]: row for row in reader}
    assert list(rows) == [line.split(",48")[0].split(",0")[0].strip('"') for line in _names()]
    for name, reason in REJECTED.items():
        assert (rows[name]["rejected"], rows[name]["cycles"]) == (reason, "")
    for name, cycles in MEASURED.items():
        row = rows[name]
        assert row["mode"] == mode
        if row["rejected"]:
            assert row["rejected"] in BUSY
        else:
            assert row["register_step"] == "8"
        if row["cycles"] and cycles is not None:
            assert 0.9 * cycles < float(row["cycles"]) < SHARED_CORE * cycles
    assert {rows[name]["cycles"] for name in ("chain", "again")} == {rows["chain"]["cycles"]}, "measured once"


def _names() -> list[str]:
    return [next(csv.reader([line]))[0] for line in BLOCKS.splitlines()[1:]]


@needs_x86
@pytest.mark.parametrize("mode", ["loop", "unroll"])
def test_every_row_is_measured_or_has_a_reason(
    blocks: Path, tmp_path: Path, mode: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "measured.csv"
    assert main(["time", str(blocks), "-o", str(out), "--mode", mode, "--apart", "1"]) == status(out)
    check(out, mode)
    told = capsys.readouterr().err
    assert "of 13 blocks measured" in told
    assert f"rejected: 2 hex ({REASONS['hex']})" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["blocks.csv", "measured.csv"]


@needs_x86
def test_blocks_of_a_pipe_are_read_once_and_measured(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "corecast", "time", "/dev/stdin", "-o", "m.csv", "--mode", "loop"]
    done = subprocess.run(command, input=b"hex\n4801d8\n", capture_output=True, cwd=tmp_path, check=False)
    assert done.returncode == status(tmp_path / "m.csv"), done.stderr
    lines = (tmp_path / "m.csv").read_bytes().splitlines()
    assert [line.split(b",")[0] for line in lines] == [b"hex", b"4801d8"]
    assert os.listdir(tmp_path) == ["m.csv"]


@needs_x86
def test_a_file_without_rows_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b.csv").write_text("hex\n")
    assert main(["time", str(tmp_path / "b.csv"), "-o", str(tmp_path / "m.csv")]) == 1
    assert "0 of 0 blocks measured" in capsys.readouterr().err


@needs_x86
def test_timings_of_another_file_are_not_thrown_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("hex\n4801d8\n90\n")
    (tmp_path / "b.csv").write_text("hex\n4801d8\n")
    journal = open_timing(str(tmp_path / "a.csv"), tmp_path / "m.csv.part", TimingOptions("unroll")).journal
    journal.add(Key(b"\x90", 0), Verdict(1.0, 0.0))
    journal.close()
    before = (tmp_path / "m.csv.part").read_bytes()
    assert main(["time", str(tmp_path / "b.csv"), "-o", str(tmp_path / "m.csv")]) == 2
    assert "holds timings of 1 blocks that" in capsys.readouterr().err
    assert (tmp_path / "m.csv.part").read_bytes() == before


@needs_x86
def test_who_is_killed_goes_on_where_it_was(blocks: Path, tmp_path: Path) -> None:
    out = tmp_path / "measured.csv"
    part = tmp_path / "measured.csv.part"
    command = [sys.executable, "-m", "corecast", "time", str(blocks), "-o", str(out), "--mode", "loop", "--apart", "1"]
    kept: list[bytes] = []
    chance = random.Random(3)
    for _ in range(6):
        running = subprocess.Popen(command, stderr=subprocess.PIPE)
        time.sleep(chance.uniform(0.2, 2.5))
        running.send_signal(signal.SIGKILL)
        running.communicate()
        if out.exists():
            break
        if part.exists():
            content = part.read_bytes()
            lines = content[: content.rfind(b"\n") + 1].splitlines()
            assert lines[: len(kept)] == kept, "what was measured is measured once"
            kept = lines
    done = subprocess.run(command, check=False, capture_output=True)
    assert done.returncode == status(out), done.stderr
    check(out, "loop")
    assert not part.exists()


@needs_x86
def test_an_interrupt_is_told_and_loses_nothing(tmp_path: Path) -> None:
    many = tmp_path / "many.csv"
    many.write_text("hex,address\n" + "".join(f"4801d8,{place}\n" for place in range(64)) + "4801d890,0\n" * 2)
    out = tmp_path / "measured.csv"
    command = [sys.executable, "-m", "corecast", "time", str(many), "-o", str(out)]
    running = interruptible.start(command, stderr=subprocess.PIPE, start_new_session=True)
    part = Path(f"{out}.part")
    end = time.monotonic() + 300
    while time.monotonic() < end and (not part.exists() or part.read_bytes().count(b"\n") < 3):
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    error = running.communicate(timeout=300)[1].decode()
    assert running.returncode == 130, error
    assert f"blocks are kept in {part}: rerun the command to resume" in error
    assert "signal" not in part.read_text()
    assert not out.exists()
    with pytest.raises(SystemExit):
        main(["time", str(many), "-o", str(out), "--mode", "both"])
    assert main(["time", str(many), "-o", str(out), "--mode", "loop"]) == 2, "of another mode"


@pytest.mark.parametrize(
    ("content", "arguments", "told"),
    [
        (None, [], "blocks.csv: No such file or directory"),
        ("", [], "blocks.csv: the file is empty"),
        ("code\n90\n", [], "blocks.csv:1: one column must be called hex"),
        ("hex\n90\n", ["--cores", "a"], "--cores takes numbers"),
        ("hex\n90\n", ["--cores", "9999"], "no core 9999 for this process: it may use core"),
        ("hex\n90\n", ["--apart", "-1"], "--apart"),
        ("hex\n90\n", ["--timeout", "0"], "--timeout"),
    ],
)
@needs_x86
def test_bad_input_is_one_message(
    tmp_path: Path, content: str | None, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "blocks.csv"
    if content is not None:
        path.write_text(content)
    out = tmp_path / "measured.csv"
    assert main(["time", str(path), "-o", str(out), *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert {each.name for each in tmp_path.iterdir()} <= {"blocks.csv"}, "nothing is left behind"


@needs_x86
def test_a_full_disk_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "blocks.csv"
    path.write_text("hex\n75fe\n")
    assert main(["time", str(path), "-o", "/dev/full"]) == 2
    assert capsys.readouterr().err == "corecast: error: /dev/full: No space left on device\n"
