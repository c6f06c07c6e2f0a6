"""`corecast measure` on a simulated core; what it says about code that cannot be timed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corecast import _core
from corecast.cli.main import main
from corecast.measure.record.file import read_records

SIMULATED = ("--simulated", "skylake_x")


def test_kernel_tells_cycles_per_instruction(loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "kernel", str(loop), *SIMULATED, "--instructions", "6"]) == 0
    shown = capsys.readouterr()
    first = shown.out.splitlines()[0]
    cycles, share = float(first.split()[0]), float(first.split(", ")[1].split()[0])
    assert cycles > 0
    assert share == pytest.approx(cycles / 6, abs=0.001)
    assert "in place of" in shown.err


def test_kernel_as_json_and_record(loop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = tmp_path / "records.jsonl"
    arguments = ["measure", "kernel", str(loop), *SIMULATED, "--format", "json", "--records", str(records)]
    assert main(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == next(iter(read_records(records)))
    assert document["kernel"]["loop"] is True


@pytest.mark.skipif(not _core.measurable_isa(), reason=_core.measuring_obstacle())
def test_a_clock_that_is_not_offered_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["measure", "kernel", "--hex", "90", "--clock", "perf"])
    shown = capsys.readouterr()
    if _core.counter_obstacle():
        assert code == 2
        assert shown.err == f"corecast: error: no clock 'perf' here: {_core.counter_obstacle()}\n"
    else:
        assert "clock perf " in shown.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give either a FILE"),
        (["--hex", "90", "--instructions", "0"], "--instructions"),
        (["--hex", "90", "--noise", "2"], "--noise"),
        (["--hex", "xx"], "hex"),
        (["--hex", "90", "--simulated", "no_such_core"], "no_such_core"),
        (["no_such_file.s"], "no_such_file.s"),
    ],
)
def test_bad_input_is_one_message(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    simulated = [] if "--simulated" in arguments else list(SIMULATED)
    assert main(["measure", "kernel", *arguments, *simulated]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


@pytest.mark.skipif(_core.measurable_isa() != "x86", reason="needs an x86 host")
@pytest.mark.parametrize("core", ["9999", "-5"])
def test_a_core_that_is_not_there_is_told(core: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "kernel", "--hex", "90", "--pin", core]) == 2
    assert f"no core {core} for this process" in capsys.readouterr().err


@pytest.mark.skipif(_core.measurable_isa() != "x86", reason="needs an x86 host")
def test_a_fault_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.s"
    path.write_text("mov (%rsi), %rax\nud2\n")
    assert main(["measure", "kernel", str(path)]) == 1
    assert f"{path}:2: the code ended with SIGILL" in capsys.readouterr().err


def test_form_tells_throughput_and_latencies(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "form", "imul r64, r64", *SIMULATED, "--kernels"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "imul r64, r64"
    assert any(line.split() == ["latency", "2", "->", "1", "3.00", "cross"] for line in lines)
    assert any("imul r14, r13; imul r13, r14" in line for line in lines)


def test_form_as_json_and_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = tmp_path / "records.jsonl"
    arguments = ["measure", "form", "add r64, r64", "popcnt r64, r64", *SIMULATED]
    assert main([*arguments, "--format", "json", "--records", str(records)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [each["form"] for each in document] == ["add r64, r64", "popcnt r64, r64"]
    assert document == list(read_records(records))


def test_form_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "form", "frobnicate r64", *SIMULATED]) == 2
    assert "no form of x86" in capsys.readouterr().err


def test_form_that_the_core_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "form", "vaddpd zmm, zmm, zmm", "--simulated", "nehalem"]) == 1
    assert "needs AVX-512F, which simulated nehalem does not have" in capsys.readouterr().out


def test_ports_tell_usage_and_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = tmp_path / "records.jsonl"
    assert main(["measure", "ports", "imul r64, r64", *SIMULATED, "--records", str(records)]) == 0
    assert "ports      1*p1" in capsys.readouterr().out
    assert next(iter(read_records(records)))["usage"] == [{"ports": ["1"], "cycles": 1.0}]


def test_ports_of_a_form_that_is_none_fail(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "ports", "nonsense r64", "--simulated", "neoverse_n1"]) == 1
    assert "nonsense" in capsys.readouterr().out


def test_ports_are_numbered_where_they_are_discovered(capsys: pytest.CaptureFixture[str]) -> None:
    core = ("--simulated", "tsv110", "--discover")
    arguments = ["measure", "ports", "and x, x, x, asr #i", *core, "--format", "json"]
    assert main(arguments) == 0
    record = json.loads(capsys.readouterr().out)[0]
    assert record["names"] is None
    assert record["usage"] == [{"ports": ["P0"], "cycles": 1.0}]
