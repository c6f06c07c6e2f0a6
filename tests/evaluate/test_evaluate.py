"""Predictors compared with measurements: reading, asking, writing down."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from corecast.cli.main import main
from corecast.errors import InputError
from corecast.evaluate import (
    Cases,
    Setting,
    evaluate,
    metrics_csv,
    predictions_csv,
    read_blocks,
    read_kernels,
    to_json,
    to_markdown,
)
from corecast.evaluate.predictors import find_predictor
from corecast.machine import load_machine

BLOCKS = """\
hex,cycles,app
4801c3,1,b
480fafc0,3,a
480fafd8,,a
4801d84801d8,2.5,a
4883c001488b18,1,a
"""


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    path = tmp_path / "measured.csv"
    path.write_text(BLOCKS)
    return path


def setting(mode: str = "unroll") -> Setting:
    return Setting(load_machine("skylake_x"), mode)  # type: ignore[arg-type]


def test_blocks_without_a_measurement_are_left_out(measured: Path) -> None:
    cases = read_blocks(measured)
    assert list(cases.measured) == [1, 3, 2.5, 1]
    assert cases.groups == ["b", "a", "a", "a"]
    assert cases.addresses is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty, or its first line: it must name the columns, among them hex and cycles"),
        ("hex,app\n90,x\n", "one column must be called cycles"),
        ("hex,cycles\n90,-1\n", "measured.csv:2: cycles must be a number above 0"),
        ("hex,cycles\n90,1\n90,fast\n", "measured.csv:3: cycles must be a number above 0"),
        ("hex,cycles\n90,\n", "holds no measurement"),
        ("hex,cycles,count\n90,1,-2\n", "measured.csv:2: count must be a number"),
        ("hex,cycles,register_step\n90,1,\n90,1,x\n", "measured.csv:3: register_step must be a whole number from 0"),
        ("hex,cycles,register_step\n90,1,64\n", "measured.csv:2: register_step must be a whole number from 0 to 63"),
    ],
)
def test_a_table_that_cannot_be_used_is_told(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_blocks(path)
    assert message in str(caught.value)


NEIGHBOURS = "4c89451848894520"
"""mov [rbp + 24], r8; mov [rbp + 32], rax."""


def test_where_registers_pointed_is_part_of_a_case(tmp_path: Path) -> None:
    """Both stores lie in one block of 32 bytes only where rbp, number 5, points 40 bytes into a line."""
    path = tmp_path / "measured.csv"
    path.write_text(f"hex,cycles,register_step\n{NEIGHBOURS},2,\n{NEIGHBOURS},2,0\n{NEIGHBOURS},1,8\n")
    cases = read_blocks(path)
    assert (cases.register_steps, cases.repeated) == ([0, 8], 1)
    found = evaluate(cases, Setting(load_machine("zen4"), "loop"), ["simulate", "bounds"])
    for result in found.results:
        assert list(result.answers.cycles) == [pytest.approx(2, abs=0.01), pytest.approx(1, abs=0.01)]
    predicted = tmp_path / "predicted.csv"
    assert main(["predict", str(path), "--cpu", "zen4", "-o", str(predicted)]) == 0
    cycles = [float(row["predicted_cycles"]) for row in csv.DictReader(predicted.read_text().splitlines())]
    assert cycles == [pytest.approx(2, abs=0.01), pytest.approx(2, abs=0.01), pytest.approx(1, abs=0.01)]


def test_own_predictors_answer_as_predict_does(measured: Path) -> None:
    import corecast

    cases = read_blocks(measured)
    found = evaluate(cases, setting(), ["simulate", "bounds", "baseline"])
    assert [result.name for result in found.results] == ["simulate", "bounds", "baseline"]
    for result, method in zip(found.results, ("simulate", "bounds"), strict=False):
        own = corecast.predict(cases.codes, "skylake_x", mode="unroll", method=method)  # type: ignore[arg-type]
        assert list(result.answers.cycles) == list(own.cycles)
    assert found.results[0].metrics.mape < 0.3


def test_a_variant_changes_the_machine(measured: Path) -> None:
    names = ["simulate", "simulate:rename.width=1", "simulate:uniform-ports;ideal-front-end"]
    narrow = evaluate(read_blocks(measured), setting(), names).results[1]
    assert narrow.answers.cycles[3] == pytest.approx(2)  # two slots


def test_the_baseline_counts_instructions_and_accesses() -> None:
    def baseline(code: str, mode: str) -> float:
        cases = Cases(names=[code], codes=[code])
        return find_predictor("baseline", setting(mode)).blocks(cases).cycles[0]

    assert baseline("90" * 6, "unroll") == pytest.approx(1.5)
    assert baseline("90" * 7, "loop") == pytest.approx(2)  # and one for the loop's branch
    assert baseline("90", "loop") == pytest.approx(1)
    assert baseline("488b06" * 3, "unroll") == pytest.approx(1.5)  # three loads on two ports
    assert baseline("488906" * 3, "unroll") == pytest.approx(3)  # three stores on one


@pytest.mark.parametrize(
    "name",
    [
        "guess",
        "simulate:no-luck",
        "llvm-mca:/no/such/program",
        "osaca:/no/such/program",
        "uica:/no/such/folder",
        "facile:",
        "=x.csv",
        "baseline:x",
        "x=command:",
        "x=command:/no/such/program",
        "x=command:echo {fpu}",
        "=command:echo 1",
    ],
)
def test_an_unknown_predictor_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        find_predictor(name, setting())


def test_predictions_of_another_tool_come_from_a_file(measured: Path, tmp_path: Path) -> None:
    said = tmp_path / "tool.csv"
    said.write_text("hex,predicted_cycles,status\n4801c3,1.1,ok\n480fafc0,,error: crash\n4801d84801d8,2,unknown\n")
    (result,) = evaluate(read_blocks(measured), setting(), [f"tool={said}"]).results
    assert result.name == "tool"
    assert result.answers.statuses == ["ok", "error: crash", "unknown", "error: not in the file"]
    assert result.metrics.scored == 1


def fake_peer(tmp_path: Path, body: str) -> str:
    """A program in llvm-mca's place."""
    path = tmp_path / "peer"
    path.write_text(f"#!/usr/bin/env python3\nimport json, re, sys\n{body}")
    path.chmod(0o755)
    return str(path)


PEER = """\
if "--version" in sys.argv:
    print("peer version 1")
    sys.exit()
regions = re.findall("BEGIN.*?END", sys.stdin.read(), re.S)
if any("imul" in region for region in regions):
    %s
iterations = int(next(word for word in sys.argv if word.startswith("-iterations=")).split("=")[1])
view = lambda region: {"TotalCycles": 7 + iterations * region.count("add"), "Iterations": iterations}
print(json.dumps({"CodeRegions": [{"SummaryView": view(region)} for region in regions]}))
"""


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        ("import os; os.abort()", "error: crash (signal 6)"),
        ("sys.exit('error: no such instruction')", "error: no such instruction"),
        ("sys.exit('<stdin>:6:1: error: what is this?')", "error: what is this?"),
        ("print('{'); sys.exit()", "error: its output cannot be read"),
    ],
)
def test_a_crash_of_a_peer_costs_only_the_block_that_causes_it(
    measured: Path, tmp_path: Path, failure: str, status: str
) -> None:
    peer = fake_peer(tmp_path, PEER % failure)
    (result,) = evaluate(read_blocks(measured), setting(), [f"llvm-mca:{peer}"]).results
    assert result.description == "peer version 1"
    assert result.answers.statuses == ["ok", status, "ok", "ok"]
    assert list(result.answers.cycles)[2:] == [2, 1]  # without the seven cycles in which the pipeline fills


KERNEL = """\
# OSACA-BEGIN
.L1:
    addsd %xmm1, %xmm0
    subq $1, %rax
    jne .L1
# OSACA-END
"""


def test_kernels_bring_their_core_and_published_predictions(tmp_path: Path) -> None:
    (tmp_path / "sum.s").write_text(KERNEL)
    table = tmp_path / "kernels.csv"
    table.write_text("file,cpu,cycles,predicted_Tool\nsum.s,skx,4.1,3\nsum.s,zen1,3,\nnone.s,skx,1,1\n")
    cases = read_kernels(table)
    found = evaluate(cases, Setting(None), ["best", "bounds", "baseline"])
    best, bounds, baseline, tool = found.results
    assert list(best.answers.cycles)[:2] == list(bounds.answers.cycles)[:2] == [4, 3]
    assert baseline.answers.cycles[0] == pytest.approx(1)
    assert best.answers.statuses[2].startswith("error: ")
    assert tool.name == "Tool"
    assert tool.metrics.scored == 2
    assert "skylake_x" in to_markdown(found)


def test_what_is_written_down_agrees(measured: Path) -> None:
    found = evaluate(read_blocks(measured), setting("loop"), ["simulate", "baseline"])
    rows = list(csv.DictReader(io.StringIO("".join(predictions_csv(found)))))
    assert [row["hex"] for row in rows] == found.cases.codes
    assert float(rows[1]["simulate_cycles"]) == found.results[0].answers.cycles[1]
    document = json.loads(to_json(found, "0"))
    summary = {row["predictor"]: row for row in csv.DictReader(io.StringIO(metrics_csv(found))) if not row["by"]}
    for predictor in document["predictors"]:
        assert float(summary[predictor["name"]]["mape"]) == pytest.approx(predictor["metrics"]["mape"], abs=1e-6)
    text = to_markdown(found, worst=1)
    assert "| `simulate` | 100.0 % |" in text
    assert "Largest errors of `baseline`" in text
    assert "imul rax, rax" in text


def test_small_groups_are_one() -> None:
    cases = Cases(groups=["a"] * 30 + ["b"] + ["c"] * 2)
    assert {name: len(places) for name, places in cases.by_group(20).items()} == {"a": 30, "others": 3}
