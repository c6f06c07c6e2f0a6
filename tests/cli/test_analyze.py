"""`corecast analyze` from arguments to output, on a core made for tests."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from corecast import _core
from corecast.cli.main import main


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """Output of a run that ends with `code`; the messages where it fails."""
    assert main(["analyze", *arguments]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    found = json.loads(told(capsys, *arguments, "--cpu", "toy_x86", "--format", "json"))
    assert isinstance(found, dict)
    return found


def test_text_names_the_prediction(loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, str(loop), "--cpu", "toy_x86")
    assert re.match(r"4\.00 cycles \(\d\.\d\d to \d\.\d\d\), simulated; .*; remedy: ", text)


def test_a_cpu_may_be_named_by_alias_or_folder(loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by_alias = told(capsys, str(loop), "--cpu", "Toy")
    assert by_alias == told(capsys, str(loop), "--machine", os.path.join(os.environ["CORECAST_MACHINES"], "toy_x86"))
    assert "(toy_x86)" in by_alias


def test_every_format_is_well_formed(loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert document(capsys, str(loop))["schema"] == "corecast/1"
    assert told(capsys, str(loop), "--cpu", "toy", "--format", "html").startswith("<!DOCTYPE html>")
    assert told(capsys, str(loop), "--cpu", "toy", "--format", "dot").startswith("digraph ")
    ElementTree.fromstring(told(capsys, str(loop), "--cpu", "toy", "--format", "svg"))


def test_output_file_holds_what_standard_output_would(
    loop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = told(capsys, str(loop), "--cpu", "toy")
    target = tmp_path / "report.txt"
    assert told(capsys, str(loop), "--cpu", "toy", "-o", str(target)) == ""
    assert target.read_text() == expected


def test_the_input_is_not_overwritten(loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = loop.read_text()
    assert "overwrite the input" in told(capsys, str(loop), "--cpu", "toy", "-o", str(loop), code=2)
    assert loop.read_text() == before


def test_standard_input_is_read(
    loop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(loop.read_bytes())))
    assert "<stdin>:1-6" in told(capsys, "-", "--cpu", "toy")


def test_hex_is_decoded(capsys: pytest.CaptureFixture[str]) -> None:
    assert "add rax, rbx" in told(capsys, "--hex", "4801d8", "--cpu", "toy", "--mode", "unroll")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either a FILE"),
        (["loop.s", "--hex", "90"], "give either a FILE"),
        (["--hex", "9"], "half a byte"),
        (["no such file.s"], "no such file.s"),
        (["loop.s", "--lines", "9-3"], "not in order"),
        (["loop.s", "--lines", "90-99"], "no instructions in lines 90-99"),
        (["loop.s", "--address", "nothing"], "not a list of addresses"),
        (["loop.s", "--function", "nosuch"], "no function 'nosuch'"),
        (["loop.s", "--marker", "nosuch"], "no marked region 'nosuch'"),
        (["loop.s", "--loop", "7"], "loop 7 was asked for"),
        (["loop.s", "--loop", "first"], "not a choice of loop"),
        (["loop.s", "--isa", "aarch64"], ""),
        (["loop.s", "--set", "load_queue=-1"], "load_queue.entries must be an integer from 1 to 1000000 (loads), or"),
        (["loop.s", "--set", "reorder_buffer=-1"], "reorder_buffer.entries must be an integer from 1 to 1000000"),
        (["loop.s", "-o", "no/such/folder/out"], "no/such/folder/out: No such file or directory"),
    ],
)
def test_bad_input_is_one_message(
    arguments: list[str],
    message: str,
    loop: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(loop.parent)
    text = told(capsys, *arguments, "--cpu", "toy", code=2)
    assert text.startswith("corecast: error: ")
    assert len(text.splitlines()) == 1
    assert message in text


def test_an_unknown_cpu_is_told(loop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no machine model is called 'nosuch'" in told(capsys, str(loop), "--cpu", "nosuch", code=2)


def test_without_cpu_the_host_is_taken_and_told(
    loop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corecast.machine.host.host_machine", lambda: "toy_x86")
    assert "warning: no --cpu given: toy_x86 is used (this machine's core)" in told(capsys, str(loop))
    monkeypatch.setattr("corecast.machine.host.host_machine", lambda: None)
    assert "no --cpu given" in told(capsys, str(loop), code=2)


@pytest.mark.skipif(_core.measurable_isa() != "x86", reason="needs an x86 host")
@pytest.mark.parametrize(("missing", "offered"), [("", True), ("this core has no AMX tiles", False)])
def test_measuring_is_offered_only_where_this_machine_can(
    missing: str, offered: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corecast.machine.host.host_machine", lambda: "sapphire_rapids")
    monkeypatch.setattr(_core, "missing_tiles", lambda: missing)
    monkeypatch.setattr(_core, "refused_tiles", lambda: "")
    monkeypatch.setattr(_core, "tile_features", lambda: ["amx_tile"])
    path = tmp_path / "loop.s"
    adds = "".join(f"\taddq\t$1, %r{number}\n" for number in range(8, 12))
    path.write_text(f".L1:\n{adds}\ttilezero\t%tmm0\n\tdecq\t%rax\n\tjne\t.L1\n")
    assert main(["analyze", str(path), "--cpu", "sapphire_rapids"]) in (0, 1)
    hint = "to measure it here: corecast measure form --learn 'tilezero tmm'"
    assert (hint in capsys.readouterr().err) is offered


def test_text_of_another_instruction_set_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not as a report in which everything but the `ret` is unknown."""
    path = tmp_path / "loop.s"
    path.write_text(".L1:\n\tldr\td1, [x0], #8\n\tfadd\td0, d0, d1\n\tcmp\tx0, x1\n\tb.ne\t.L1\n\tret\n")
    assert main(["analyze", str(path), "--cpu", "toy"]) == 2
    assert capsys.readouterr().err.endswith("the code is aarch64, but toy_x86 is a core of x86\n")


def test_text_that_is_no_code_of_any_set_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "loop.s"
    path.write_text("\tfrob\n\tgrob\n\tret\n")
    assert main(["analyze", str(path), "--cpu", "toy"]) == 2
    assert f"{path}:1: 'frob' is not an x86 instruction" in capsys.readouterr().err
    assert main(["analyze", str(path), "--cpu", "toy", "--unknown", "skip"]) == 0
    notes = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    assert any(line.startswith("warning: left out 2 lines that are not instructions") for line in notes)
