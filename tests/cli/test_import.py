"""`corecast import` makes models that the other commands use."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.cli.main import main
from corecast.machine import load_machine

XML = Path(__file__).resolve().parent.parent / "data" / "imports" / "instructions.xml"


def test_an_import_tells_what_it_did_and_the_model_works(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    arguments = ["import", "uops-info", str(XML), "--arch", "SKL", "-o", str(folder)]
    assert main([*arguments, "--dispatch-width", "4"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "uops.info's measurements of SKL: 8 forms from 6 entries"
    assert told[1].startswith(f"{folder}/forms/uops_info.tsv: 8 rows, 8 of them of new forms")
    assert main(["lookup", "vfmadd213pd ymm, ymm, m256", "--machine", str(folder)]) == 0
    assert "1*p01+1*p23" in capsys.readouterr().out
    assert load_machine(folder).ports == ("0", "1", "2", "3", "4", "5", "6")


def test_importing_twice_writes_nothing_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    arguments = ["import", "uops-info", str(XML), "--arch", "SKL", "-o", str(folder)]
    assert main([*arguments, "--dispatch-width", "4"]) == 0
    capsys.readouterr()
    assert main(arguments) == 0
    assert "knows all of it already: nothing written" in capsys.readouterr().out


def test_llvm_s_notes_go_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "llvm", "--cpu", "sifive-p450", "-o", str(tmp_path / "p450")]) == 0
    captured = capsys.readouterr()
    assert "LLVM has the same model for sifive-p470" in captured.err
    assert "sifive-p450" in captured.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["uops-info", str(XML)], "--arch says which core's figures are meant"),
        (["uops-info", "absent.xml", "--arch", "SKL"], "No such file"),
        (["uops-info", str(XML), "--arch", "SKL"], "does not give the dispatch width"),
        (["llvm", "--cpu", "vax"], "has no scheduling model for 'vax'"),
        (["winic", str(XML)], "--isa says which instruction set"),
        (["winic", str(XML), "--isa", "x86"], "no entry that begins with llvmName"),
        (["latency-list", str(XML)], "--extends names the model whose forms"),
        (["latency-list", str(XML), "--extends", "zen4"], "one column must be called forms"),
        (["latency-list", "absent.csv", "--extends", "zen4"], "No such file"),
        (["uops-info", str(XML), "--arch", "SKL", "--port", "x"], "--port is NAME=PORTS"),
        (["uops-info", str(XML), "--arch", "SKL", "--dispatch-width", "0"], "--dispatch-width is a number"),
    ],
)
def test_bad_input_is_one_message_and_leaves_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["import", *arguments, "-o", str(tmp_path / "new")]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert len(captured.err.splitlines()) == 1
    assert not (tmp_path / "new").exists()
