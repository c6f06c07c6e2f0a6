"""Outputs are tried before the work starts, and nothing that is somebody else's is changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corecast.cli.main import main

WORK = {
    "predict": ["predict", "b.csv", "--cpu", "zen4", "-o"],
    "time": ["time", "b.csv", "-o"],
    "evaluate": ["evaluate", "e.csv", "--cpu", "zen4", "-o"],
    "collect": ["collect", "-o", "OUT", "--", "/bin/true"],
    "mix": ["mix", "b.csv", "--isa", "x86", "-o"],
    "vectorize": ["vectorize", "l.c", "--cpu", "zen4", "-o"],
    "explore": ["explore", "k.s", "--cpu", "zen4", "--sweep", "reorder_buffer=100,200", "-o"],
    "kernel": ["measure", "kernel", "k.s", "--simulated", "skylake_x", "-o"],
    "records": ["measure", "kernel", "k.s", "--simulated", "skylake_x", "--records"],
    "machine": ["measure", "machine", "--simulated", "skylake_x", "--forms", "adc r64, r64", "-o"],
    "infer": ["infer", "r", "--pipeline-of", "zen4", "-o"],
    "export": ["measure", "export", "r", "-o"],
}
FOLDERS = ("evaluate", "infer")


@pytest.fixture(autouse=True)
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of inputs, in which no verb gets as far as its work."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.csv").write_text("hex\n4801d8\n")
    (tmp_path / "e.csv").write_text("hex,cycles\n4801d8,1\n")
    (tmp_path / "k.s").write_text("imulq %rax, %rax\n")
    (tmp_path / "l.c").write_text("void f(double *a) { for (int i = 0; i < 100; ++i) a[i] += 1; }\n")
    (tmp_path / "r").write_text("no records")
    (tmp_path / "folder").mkdir()
    return tmp_path


def run(verb: str, output: str) -> int:
    command = WORK[verb]
    command = [output if word == "OUT" else word for word in command] if "OUT" in command else [*command, output]
    from corecast.cli.output_check import check_outputs
    from corecast.cli.parser import make_parser

    arguments = make_parser().parse_args(command)
    before = contents(Path())
    try:
        check_outputs(arguments)
    except Exception:
        assert contents(Path()) == before
    else:
        return 0
    arguments.run = lambda _: pytest.fail("the work has started")
    return main(command)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in sorted(folder.rglob("*"))}


@pytest.mark.parametrize("verb", WORK)
def test_a_good_output_is_accepted_and_not_made_yet(verb: str, inputs: Path) -> None:
    before = contents(inputs)
    assert run(verb, "out") == 0
    assert contents(inputs) == before


@pytest.mark.parametrize("verb", WORK)
@pytest.mark.parametrize("output", ["", "nosuch/x", "/dev/full"])
def test_an_output_that_cannot_be_written_ends_the_verb(
    verb: str, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if output == "nosuch/x" and verb in FOLDERS:
        return  # folders are made
    assert run(verb, output) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert (output or "the name of the output is empty") in error


@pytest.mark.parametrize("verb", [verb for verb in WORK if verb not in FOLDERS])
def test_a_folder_is_no_file(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(verb, "folder") == 2
    assert "folder: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("verb", "output"),
    [
        *((verb, "b.csv") for verb in ("predict", "time", "mix")),
        *((verb, "k.s") for verb in ("explore", "kernel", "records")),
        ("vectorize", "l.c"),
        ("infer", "r"),
        ("export", "r"),
        ("evaluate", "e.csv"),
    ],
)
def test_no_input_is_overwritten(verb: str, output: str, inputs: Path) -> None:
    before = contents(inputs)
    assert run(verb, output) == 2
    assert contents(inputs) == before


@pytest.mark.parametrize("content", ["my only copy", '{"one":"line"}', "a\nlast line"])
@pytest.mark.parametrize("verb", ["records", "machine", "time"])
def test_only_our_own_files_grow(verb: str, content: str, inputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "m.csv.part" if verb == "time" else "notes"
    (inputs / name).write_text(content)
    before = contents(inputs)
    command = [*WORK[verb], "m.csv" if verb == "time" else name]
    assert main(command) == 2
    assert f"{name}:1: is not a " in capsys.readouterr().err
    assert contents(inputs) == before


def test_two_outputs_need_two_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORK["kernel"], "out", "--records", "out"]) == 2
    assert "one file cannot be two outputs" in capsys.readouterr().err
    assert not os.path.exists("out")
