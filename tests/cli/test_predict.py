"""`corecast predict`: rows in, the same rows with predictions out."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import interruptible
from corecast.cli.main import main

BLOCKS = """\
name,hex,weight
first,4801c3,1
"a, b",c5fb58c1,2
odd,480,3
none,,4
junk,0606,5
last,4801c3c5fb58c1,6
"""


@pytest.fixture
def blocks(tmp_path: Path) -> Path:
    path = tmp_path / "blocks.csv"
    path.write_text(BLOCKS)
    return path


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def start(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "corecast", "predict", *arguments, "--cpu", "toy_x86"]
    return interruptible.start(command, **options)


def test_rows_keep_their_columns_and_get_predictions(blocks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", str(blocks), "--cpu", "toy_x86", "--mode", "unroll"]) == 1  # some rows are errors
    out, err = capsys.readouterr()
    found = rows(out)
    assert list(found[0]) == [
        "name",
        "hex",
        "weight",
        "predicted_cycles",
        "low",
        "high",
        "bottleneck",
        "status",
        "reason",
    ]
    assert [row["name"] for row in found] == ["first", "a, b", "odd", "none", "junk", "last"]
    assert [row["status"] for row in found] == ["ok", "ok", "error", "error", "error", "ok"]
    assert [bool(row["predicted_cycles"]) for row in found] == [True, True, False, False, False, True]
    assert [line.rsplit(",", 6)[0] for line in out.splitlines()] == BLOCKS.splitlines()
    assert [row["reason"] for row in found] == [
        "",
        "",
        "half a byte ('0') at position 3 of the hex string",
        "no code",
        "cannot decode byte 06 at offset 0",
        "",
    ]
    why = "cannot be read, or hold instructions that this core does not have"
    assert err == f"corecast: {blocks}: 3 of 6 blocks {why}: status error\n"


def test_the_number_is_that_of_analyze(blocks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import json

    for mode in ("loop", "unroll"):
        main(["predict", str(blocks), "--cpu", "toy_x86", "--mode", mode])
        for row in rows(capsys.readouterr().out):
            if row["status"] == "error":
                continue
            main(["analyze", "--hex", row["hex"], "--cpu", "toy_x86", "--mode", mode, "--format", "json"])
            region = json.loads(capsys.readouterr().out)["regions"][0]
            assert float(row["predicted_cycles"]) == region["cycles_per_iteration"]
            assert row["bottleneck"] == region["bottleneck"]


def test_bounds_and_what_is_left_without_the_bottleneck(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "b.csv"
    path.write_text("hex\nc5fb58c1\nzz\n")
    main(["predict", str(path), "--cpu", "toy_x86", "--method", "bounds", "--bounds"])
    known, error = rows(capsys.readouterr().out)
    bounds = {name: float(known[f"{name}_cycles"]) for name in ("ports", "dependency", "frontend", "throughput")}
    assert bounds[known["bottleneck"]] == float(known["predicted_cycles"]) == max(bounds.values())
    del bounds[known["bottleneck"]]
    assert float(known["cycles_without_bottleneck"]) == max(bounds.values())
    assert error.pop("reason") == "'z' at position 1 is not a hexadecimal digit"
    assert set(list(error.values())[1:]) == {"", "error"}


def test_too_many_unknown_instructions_leave_cells_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "b.csv"
    path.write_text("hex\n4801c34801c3\n4801c3904801c3\n90\n")  # nop is unknown to the toy
    for method in ("bounds", "simulate"):
        assert main(["predict", str(path), "--cpu", "toy_x86", "--method", method]) == 1
        printed = capsys.readouterr()
        known, bound, unknown = rows(printed.out)
        assert known["status"] == "ok"
        assert bound["status"] == "bound"
        assert float(bound["predicted_cycles"]) >= float(known["predicted_cycles"])
        assert (unknown["predicted_cycles"], unknown["bottleneck"], unknown["status"]) == ("", "", "unknown")
        assert "1 of 3 blocks have too many instructions without data: status unknown" in printed.err


def test_all_numbers_of_jobs_write_the_same(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    codes = ["4801c3", "480fafd8", "4", "c5fd5806", "8b0511000000", "90" * 40]
    path.write_text("i,hex,address\n" + "".join(f"{i},{codes[i % 6] * (1 + i % 5)},{i}\n" for i in range(20000)))
    outputs = []
    for jobs in ("1", "2", "5"):
        assert main(["predict", str(path), "--cpu", "toy_x86", "--jobs", jobs, "-o", str(tmp_path / jobs)]) == 1
        outputs.append((tmp_path / jobs).read_bytes())
    assert outputs[0] == outputs[1] == outputs[2]
    assert [row["i"] for row in rows(outputs[0].decode())] == [str(i) for i in range(20000)]


def test_addresses_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "b.csv"
    path.write_text("address,hex\n0x10,4801c3\n16,4801c3\n,4801c3\nten,4801c3\n")
    main(["predict", str(path), "--cpu", "toy_x86", "--mode", "unroll"])
    assert [row["status"] for row in rows(capsys.readouterr().out)] == ["ok", "ok", "ok", "error"]


def test_a_pipe_gets_answers_while_it_is_open() -> None:
    with start("-", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"hex\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"hex,predicted_cycles,low,high,bottleneck,status,reason\n"
        for code in (b"4801c3", b"c5fb58c1"):
            process.stdin.write(code + b"\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith(code + b",")
        process.stdin.close()
        assert process.wait(300) == 0


def partly_written(folder: Path) -> bool:
    """Whether an output is begun: a first, empty file only tries whether the folder can be written."""
    for path in folder.glob(".corecast-*"):
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_size:
                return True
    return False


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("old", [None, b"old"])
def test_an_interrupt_leaves_no_half_file(tmp_path: Path, old: bytes | None) -> None:
    target = tmp_path / "out.csv"
    if old is not None:
        target.write_bytes(old)
    with start("-", "-o", str(target), stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b"hex\n" + b"4801c3\n" * 1000)
        process.stdin.flush()
        deadline = time.monotonic() + 300
        while not partly_written(tmp_path):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 130
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == ({} if old is None else {"out.csv": old})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "No such file"),
        ("", "the file is empty"),
        ("code\n90\n", ":1: one column must be called hex; the columns are: code"),
        ("90\n90\n", ":1: one column must be called hex"),
    ],
)
def test_a_file_without_blocks_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, told: str
) -> None:
    path = tmp_path / "b.csv"
    if content is not None:
        path.write_text(content)
    assert main(["predict", str(path), "--cpu", "toy_x86", "-o", str(tmp_path / "out")]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert told in err
    assert not (tmp_path / "out").exists()


def test_a_folder_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", str(tmp_path), "--cpu", "toy_x86"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_input_is_never_overwritten(blocks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", str(blocks), "--cpu", "toy_x86", "-o", str(blocks)]) == 2
    assert "overwrite the input" in capsys.readouterr().err
    assert blocks.read_text() == BLOCKS


def test_simulated_blocks_have_the_static_bounds_beside_them(blocks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["predict", str(blocks), "--cpu", "skylake_x", "--method", "simulate", "--bounds"])
    first = rows(capsys.readouterr().out)[0]
    assert float(first["predicted_cycles"]) == pytest.approx(1)
    assert float(first["frontend_cycles"]) == pytest.approx(1)
    assert first["cycles_without_bottleneck"] == ""


def test_jobs_must_be_positive(blocks: Path) -> None:
    assert main(["predict", str(blocks), "--cpu", "toy_x86", "--jobs", "0"]) == 2


def test_other_columns_keep_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "b.csv"
    path.write_bytes(b'hex,note\r\n4801c3,"\xff ""quoted""\nline"\r\n4801c3,  spaces \r\n')
    assert main(["predict", str(path), "--cpu", "toy_x86", "-o", str(tmp_path / "o")]) == 0
    lines = (tmp_path / "o").read_bytes()
    assert b'\n4801c3,"\xff ""quoted""\nline",' in lines
    assert b"\n4801c3,  spaces ," in lines


def test_elements_make_vector_lengths_comparable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """ld1d, fmla and so on; the second block has no vectors, the third is no code."""
    blocks = tmp_path / "blocks.csv"
    blocks.write_text(
        "hex\n2b01088b224508a408010a8b634580851f0940f14000e2656100e365\n00040091\n123\n", encoding="utf-8"
    )
    cells = {}
    for bits in ("128", "512"):
        main(["predict", str(blocks), "--cpu", "a64fx", "--vl", bits, "--elements"])
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        cells[bits] = [(row["elements_per_iteration"], row["cycles_per_element"]) for row in rows]
    assert [cells["128"][0][0], cells["512"][0][0]] == ["2", "8"]
    assert float(cells["128"][0][1]) == 4 * float(cells["512"][0][1])
    assert cells["512"][1:] == [("", ""), ("", "")]


def test_rows_without_a_block_have_a_reason_and_reasons_are_quoted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "b.csv"
    path.write_text("hex,isa\n90,x86\n90,aarch64\n90,x86,1\n62f1f548580c24,x86\n")
    assert main(["predict", str(path), "--cpu", "zen3", "--bounds"]) == 1
    assert [row["reason"] for row in rows(capsys.readouterr().out)] == [
        "",
        "code of another instruction set: aarch64",
        "3 cells in a table of 2 columns",
        "'vaddpd zmm1, zmm1, zmmword ptr [rsp]' at 0x0 needs AVX-512F, which zen3 does not have",
    ]


def test_no_column_is_there_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As where what was predicted once is given again."""
    file = tmp_path / "again.csv"
    file.write_text("hex,predicted_cycles,bottleneck,status\n90,1,ports,ok\n")
    assert main(["predict", str(file), "--cpu", "zen4"]) == 2
    told = capsys.readouterr().err
    assert f"{file}:1: there is a column predicted_cycles and one bottleneck and one status already" in told


def test_any_number_of_jobs_will_do(blocks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", str(blocks), "--cpu", "zen4", "--jobs", "1"]) == 1
    alone = capsys.readouterr().out
    assert main(["predict", str(blocks), "--cpu", "zen4", "--jobs", str(10**15)]) == 1
    assert capsys.readouterr().out == alone
