"""Active lanes of SVE instructions."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from corecast.cli.main import main
from corecast.collect.lanes import COLUMNS, Lanes

FOREIGN = Path(__file__).resolve().parents[1] / "data" / "collect" / "sve_sum.aarch64"
needs_qemu = pytest.mark.skipif(shutil.which("qemu-aarch64") is None, reason="needs qemu-user")


def test_a_predicate_has_a_bit_for_each_byte() -> None:
    lanes = Lanes(0, "ld1d", "p0", 8)
    for predicate in (b"\x01\x01", b"\x01\x00", b"\x00\x00", b"\xff\xfe"):
        lanes.add(predicate, 16)
    assert (lanes.executed, lanes.lanes, lanes.active) == (4, 8, 4)
    assert (lanes.full, lanes.partial, lanes.none) == (1, 2, 1)
    words = Lanes(0, "ld1w", "p1", 4)
    words.add(b"\x11\x01\xff\xff", 16)
    assert (words.lanes, words.active) == (4, 3)


@needs_qemu
@pytest.mark.parametrize(("bits", "lanes"), [(128, 2), (512, 8)])
def test_lanes_of_a_function(tmp_path: Path, capfd: pytest.CaptureFixture[str], bits: int, lanes: int) -> None:
    out = tmp_path / "lanes.csv"
    command = ["collect", "-o", str(out), "--lanes", "sum", "--most", "12", "--vector-bits", str(bits)]
    assert main([*command, "--", str(FOREIGN)]) == 0
    assert "12 executions" in capfd.readouterr().err
    with open(out, newline="", encoding="utf-8") as stream:
        reader = csv.DictReader(stream)
        assert tuple(reader.fieldnames or ()) == COLUMNS
        rows = [row for row in reader if row["executed"] != "0"]
    assert sum(int(row["executed"]) for row in rows) == 12
    of_doubles = [row for row in rows if ".d" in row["instruction"]]
    assert of_doubles
    assert all(int(row["lanes"]) == lanes * int(row["executed"]) for row in of_doubles)
    assert all(row["active_lanes"] == row["lanes"] and row["full"] == row["executed"] for row in rows)


@needs_qemu
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--lanes", "nothing"], "nothing"),
        (["--lanes", "sum", "--most", "0"], "--most"),
        (["--lanes", "sum", "--seconds", "3"], "--seconds"),
        (["--most", "3"], "--lanes"),
    ],
)
def test_what_cannot_be_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    out = tmp_path / "lanes.csv"
    assert main(["collect", "-o", str(out), *options, "--", str(FOREIGN)]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()
