"""`corecast explore`, `mix`, and data beyond the first-level cache on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corecast.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"
TRIAD = str(EXAMPLES / "triad.gcc-O3.s")
STENCIL = str(EXAMPLES / "sve/stencil.clang.s")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


def test_files_are_written_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, plot = tmp_path / "out.csv", tmp_path / "out.svg"
    sweep = ("--sweep", "reorder_buffer=32,64")
    told(
        capsys,
        "explore",
        TRIAD,
        "--cpu",
        "skylake_x",
        *sweep,
        "--format",
        "csv",
        "-o",
        str(table),
        "--plot",
        f"lines={plot}",
    )
    assert len(table.read_text().splitlines()) == 3
    assert plot.read_text().startswith("<svg")


def test_points_may_be_a_list_and_kernels_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points = tmp_path / "points.csv"
    points.write_text("vector_units\n4x128\n1x512\n")
    files = [str(EXAMPLES / "sve" / name) for name in ("spmv.clang.s", "stream.clang.s")]
    out = told(capsys, "explore", *files, "--cpu", "gem5_sve", "--points", str(points), "--format", "json")
    document = json.loads(out)
    assert len(document["kernels"]) == 5
    assert len(document["points"]) == 10


def test_the_thesis_stencils_scale_as_its_tables_say(capsys: pytest.CaptureFixture[str]) -> None:
    """Within 15 % of 1.61 at 256 bits along the stencil; of 1.63 and 2.59 along the grid (docs/sve.md has all)."""
    common = ("--cpu", "gem5_sve", "--sweep", "vector_length_bits=128,256,512", "--format", "json")
    inner = json.loads(
        told(capsys, "explore", STENCIL, "--lines", "90-111", "--trips", "19x64", "--elements", "=1", *common)
    )
    outer = json.loads(
        told(capsys, "explore", STENCIL, "--lines", "44-71", "--trips", "19", "--elements", "64", *common)
    )
    assert inner["points"][1]["speed_up"] == pytest.approx(1.61, rel=0.15)
    assert [point["speed_up"] for point in outer["points"][1:]] == pytest.approx([1.63, 2.59], rel=0.15)


def test_a_change_of_no_form_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", TRIAD, "--cpu", "skylake_x", "--sweep", "latency:vdiv*=4,8"]) == 0
    assert "latency:vdiv* changes nothing" in capsys.readouterr().err


def test_a_point_that_fails_is_told_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", STENCIL, "--cpu", "gem5_sve", "--sweep", "vector_length_bits=128,384"]) == 1
    assert "power of two" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "either --sweep"),
        (("--sweep", "no_such=1"), "no key no_such"),
        (("--sweep", "reorder_buffer=1", "--objective", "beauty"), "no figure 'beauty'"),
        (("--sweep", "reorder_buffer=1", "--plot", "pie=x.svg"), "--plot is KIND"),
        (("--sweep", "reorder_buffer=1", "--plot", "lines=x.png"), "--plot is KIND=FILE.svg"),
        (("--sweep", "reorder_buffer=1", "--trips", "3"), "--trips needs --lines"),
        (("--sweep", "reorder_buffer=1", "--bandwidth", "3GB/s"), "--bandwidth 3GB/s needs --clock"),
        (
            ("--sweep", "reorder_buffer=1", "--memory", "l7"),
            "no latency of 'l7' (it has l1 5, l2 14, l3 73, memory 275)",
        ),
        (("--sweep", "reorder_buffer=1", "--clock", "3GHz"), "--clock has no effect without --bandwidth"),
        (("--sweep", "reorder_buffer=1", "--cost", "1+"), "is not a formula"),
        (("--sweep", "reorder_buffer=1", "--jobs", "0"), "at least 1"),
        (("--sweep", "vector_length_bits=256"), "x86"),
    ],
)
def test_bad_input_is_one_message(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    error = refused(capsys, "explore", TRIAD, "--cpu", "skylake_x", *arguments)
    assert message in error
    assert error.count("\n") == 1


def test_vector_length_is_an_option_of_analyze(capsys: pytest.CaptureFixture[str]) -> None:
    axpy = str(EXAMPLES / "sve/spmv.clang.s")
    cycles = []
    for bits in ("128", "2048"):
        document = json.loads(
            told(capsys, "analyze", axpy, "--cpu", "gem5_sve", "--vl", bits, "--method", "bounds", "--format", "json")
        )
        cycles.append(document["regions"][0]["cycles_per_iteration"])
    assert cycles[1] == (2 + 32) / 2 > cycles[0]  # two loads and 32 lanes on two pipes


def test_terms_of_ecm_models_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("analyze", TRIAD, "--cpu", "skylake_x", "--ecm", "--bandwidth", "10GB/s", "--clock", "2GHz")
    out = told(capsys, *arguments)
    assert "T_OL" in out
    assert "T_mem 25.60" in out
    document = json.loads(told(capsys, *arguments, "--format", "json"))
    assert document["regions"][0]["ecm"]["flops"] == 8


def test_a_mix_is_of_code_or_of_what_was_executed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mix = json.loads(told(capsys, "mix", STENCIL, "--format", "json"))
    assert mix["classes"]["gather"] == 3
    loops = json.loads(told(capsys, "mix", STENCIL, "--loops", "--isa", "aarch64", "--format", "json"))
    assert loops["instructions"] == 27
    blocks = tmp_path / "blocks.csv"
    blocks.write_text("hex,weight,isa,symbol\n4801c3,10,x86,f\nc5fd58c1,5,x86,g\n")
    executed = json.loads(told(capsys, "mix", str(blocks), "--format", "json"))
    assert executed["classes"] == {"scalar integer": 10, "SIMD": 5}
    assert "SIMD" in told(capsys, "mix", str(blocks), "--function", "g")
    assert "no instructions" in refused(capsys, "mix", str(blocks), "--function", "h")
    assert "--top is at least 0, not -1" in refused(capsys, "mix", str(blocks), "--top", "-1")
    blocks.write_text("code\n90\n")
    assert "one column must be called hex" in refused(capsys, "mix", str(blocks))


JUNK = "hello world\n.L1:\n\taddq $1, %rax\n\tfrobnicate %rax\n\tjne .L1\n"


def test_lines_that_are_no_instruction_end_an_exploration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "junk.s"
    path.write_text(JUNK)
    message = refused(capsys, "explore", str(path), "--cpu", "zen4", "--sweep", "reorder_buffer=16,64")
    assert message == f"corecast: error: {path}:4: 'frobnicate' is not an x86 instruction\n"


def test_mix_names_the_first_line_that_is_no_instruction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "junk.s"
    path.write_text(JUNK)
    assert main(["mix", str(path)]) == 0
    assert f"2 lines could not be read (first: {path}:1: 'hello world'): counted as unknown" in capsys.readouterr().err


def test_pointers_that_are_equal_are_so_at_every_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "meet.s"
    file.write_text(".L1:\nmovq (%rsi),%rax\nimulq %rbx,%rax\nmovq %rax,(%rdi)\ndecq %rcx\njne .L1\n")
    sweep = ("--cpu", "zen4", "--sweep", "reorder_buffer=100,200", "--format", "json")
    for alias, cycles in (("none", 1.0), ("same", 3.0), ("rdi=rsi", 3.0)):
        points = json.loads(told(capsys, "explore", str(file), *sweep, "--alias", alias))["points"]
        assert [point["cycles_per_iteration"] for point in points] == [cycles, cycles]
    assert "--alias foo: 'foo' is no pair of registers" in refused(
        capsys, "explore", str(file), *sweep, "--alias", "foo"
    )
