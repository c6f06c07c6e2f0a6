"""A changed core is recovered from timings, whatever interrupts the calibration."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corecast.calibrate import Calibration, Options, SimulatedBench
from corecast.calibrate.code import part_of, shipped_blocks
from corecast.calibrate.journal import FILE
from corecast.cli.main import main
from corecast.errors import InputError
from corecast.hints import Any
from corecast.machine import load_machine
from corecast.machine.evidence import evidence_of
from corecast.prediction import predict
from interruptible import start

Calibrated = tuple[Path, dict[str, Any]]


def test_changed_parameters_are_recovered(calibrated: Calibrated) -> None:
    machine = load_machine(calibrated[0] / "model")
    assert machine.parameter("rename.width") == 4
    assert machine.parameter("store_forwarding.latency_cycles") == 9
    assert machine.parameter("loads.latency_cycles") == 4


def test_measured_parameters_say_so(calibrated: Calibrated) -> None:
    """Also where they are as the start model has them."""
    known = {each.key: each for each in evidence_of(load_machine(calibrated[0] / "model"))}
    for key in ("rename.width", "loads.latency_cycles", "store_forwarding.latency_cycles"):
        assert known[key].confidence == "measured", key
        assert "measured by corecast calibrate on simulated odd" in known[key].source


def test_the_number_of_load_ports_is_recovered(calibrated: Calibrated) -> None:
    """Two loads take two cycles, where the start model has three address units."""
    found = predict(["488b06488b5f08"], load_machine(calibrated[0] / "model"), "loop", "simulate")
    assert found.cycles[0] == pytest.approx(2.0)


def test_held_back_code_is_predicted_better(calibrated: Calibrated) -> None:
    for kind in calibrated[1]["kinds"].values():
        assert kind["held"] > 5
        assert kind["after"]["mape"] < kind["before"]["mape"], kind["title"]


def test_the_report_says_what_evaluate_says(calibrated: Calibrated, tmp_path: Path) -> None:
    folder, document = calibrated
    for kind, mode in (("loop", "loop"), ("unroll", "unroll"), ("compiled", "loop")):
        measured = folder / "measured" / f"{kind}.held.csv"
        for model, key in ((["--machine", str(folder / "model")], "after"), (["--cpu", "zen4"], "before")):
            out = tmp_path / f"{kind}.{key}"
            command = ["evaluate", str(measured), *model, "--mode", mode, "--predictor", "simulate"]
            assert main([*command, "-o", str(out), "--format", "json"]) == 0
            found = json.loads((out / "evaluation.json").read_text())["predictors"][0]["metrics"]
            told = document["kinds"][kind][key]
            assert told["mape"] == pytest.approx(found["mape"], abs=1e-4)
            assert told["scored"] == found["scored"]


def test_the_model_says_how_well_it_predicts(calibrated: Calibrated) -> None:
    folder, document = calibrated
    found = {each.kind: each.mape_percent for each in load_machine(folder / "model").info.validation}
    assert found["loops"] == pytest.approx(100 * document["kinds"]["loop"]["after"]["mape"], abs=0.01)


def test_code_that_is_held_back_is_a_third_of_every_kind() -> None:
    blocks = shipped_blocks()
    for kind in ("loop", "unroll", "compiled"):
        held = [block for block in blocks if block.kind == kind and block.part == "held"]
        assert len(held) == pytest.approx(sum(block.kind == kind for block in blocks) / 3, rel=0.15)
    assert part_of("c3") == part_of("c3")


def test_the_same_command_shows_the_report_again(calibrated: Calibrated, odd: Path) -> None:
    folder, document = calibrated
    before = (folder / FILE).read_bytes()
    again = Calibration(folder, Options(40.0, pipeline_of="zen4"), SimulatedBench(load_machine(odd)))
    assert again.run() == json.loads((folder / "report.json").read_text())
    again.close()
    assert (folder / FILE).read_bytes() == before
    assert document["kinds"] == again_kinds(folder)


def again_kinds(folder: Path) -> Any:
    return json.loads((folder / "report.json").read_text())["kinds"]


def test_what_was_stopped_resumes(odd: Path, calibrated: Calibrated, tmp_path: Path) -> None:
    """Stopped in the validation code and in the experiments; timings that were made are not made again."""
    folder = tmp_path / "stopped"
    options = Options(40.0, pipeline_of="zen4")
    for word, after in (("validation code", 100), ("pipeline", 8)):
        heard = 0

        def stop(text: str, word: str = word, after: int = after) -> None:
            nonlocal heard
            heard += word in text
            if heard > after:
                raise KeyboardInterrupt

        calibration = Calibration(folder, options, SimulatedBench(load_machine(odd)), stop)
        try:
            with pytest.raises(KeyboardInterrupt):
                calibration.run()
        finally:
            calibration.close()
    calibration = Calibration(folder, options, SimulatedBench(load_machine(odd)))
    document = calibration.run()
    calibration.close()
    assert document["properties"] == calibrated[1]["properties"]
    for kind, told in calibrated[1]["kinds"].items():
        assert document["kinds"][kind]["timed"] == told["timed"]
    visits = [line for line in (folder / FILE).read_text().splitlines() if '"visit"' in line]
    assert len(visits) == len((calibrated[0] / FILE).read_text().split('"visit"')) - 1


def test_what_was_interrupted_and_killed_resumes(odd: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    command = [sys.executable, "-m", "corecast", "calibrate", "--on", str(odd), "--pipeline-of", "zen4"]
    command += ["--time", "30s", "-o", str(folder)]
    for number, lines, code in ((signal.SIGINT, 20, 130), (signal.SIGKILL, 200, -signal.SIGKILL)):
        process = start(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None and not _has_lines(folder / FILE, lines):
            time.sleep(0.01)
        process.send_signal(number)
        said = process.communicate()[1].decode()
        assert process.returncode == code, said
        assert ("rerun the command to resume" in said) == (number == signal.SIGINT)
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "blocks as loops" in found.stdout
    assert (folder / "report.html").is_file()


def _has_lines(path: Path, count: int) -> bool:
    return path.exists() and path.read_bytes().count(b"\n") >= count


def test_a_folder_of_something_else_is_refused(odd: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear ...")
    with pytest.raises(InputError, match="holds no calibration"):
        Calibration(tmp_path, Options(40.0), SimulatedBench(load_machine(odd)))
    assert [each.name for each in tmp_path.iterdir()] == ["letter.txt"]
    with pytest.raises(InputError, match="is not a folder"):
        Calibration(tmp_path / "letter.txt", Options(40.0), SimulatedBench(load_machine(odd)))


def test_more_time_continues_what_had_ended(odd: Path, calibrated: Calibrated, tmp_path: Path) -> None:
    folder = tmp_path / "longer"
    shutil.copytree(calibrated[0], folder)
    longer = Calibration(folder, Options(60.0, pipeline_of="zen4"), SimulatedBench(load_machine(odd)))
    document = longer.run()
    longer.close()
    assert document["kinds"]["loop"]["timed"] > calibrated[1]["kinds"]["loop"]["timed"]
    assert calibrated[1]["spent_seconds"] < document["spent_seconds"] < 70  # a form takes some seconds
    assert document["parameters"]["rename.width"] == {"start": 6, "model": 4, "measured": True}


@pytest.mark.parametrize(
    ("options", "cpu", "message"),
    [
        (Options(40.0, pipeline_of="zen4"), "zen3", "not of 'simulated zen3"),
        (Options(40.0, pipeline_of="zen3"), "", "--pipeline-of zen4, not zen3"),
        (Options(40.0, hidden=("zen4",), pipeline_of="zen4"), "", "--hide nothing, not zen4"),
    ],
)
def test_the_folder_of_another_calibration_is_refused(
    calibrated: Calibrated, odd: Path, options: Options, cpu: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Calibration(calibrated[0], options, SimulatedBench(load_machine(cpu or odd)))


def test_another_version_s_folder_is_refused(calibrated: Calibrated, odd: Path, tmp_path: Path) -> None:
    folder = tmp_path / "old"
    shutil.copytree(calibrated[0], folder)
    lines = (folder / FILE).read_text().splitlines(keepends=True)
    head = {**json.loads(lines[0]), "version": "0.0.9"}
    (folder / FILE).write_text("".join([json.dumps(head) + "\n", *lines[1:]]))
    with pytest.raises(InputError, match=r"corecast 0\.0\.9, not"):
        Calibration(folder, Options(40.0, pipeline_of="zen4"), SimulatedBench(load_machine(odd)))


def test_a_model_that_is_hidden_is_no_start(tmp_path: Path) -> None:
    """Of the others the nearest is; here the time of kernels says so."""
    bench = SimulatedBench(load_machine("zen4"))
    calibration = Calibration(tmp_path / "hidden", Options(40.0, hidden=("zen4",)), bench)
    assert calibration._start().machine == "zen3"
    calibration.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--time", "5s"], "at least 30s"),
        (["--time", "soon"], "not 'soon'"),
        (["--hide", "zen99"], "zen99"),
        (["--on", "neoverse_n1"], "for x86 so far"),
    ],
)
def test_bad_options_are_refused(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    on = [] if "--on" in arguments else ["--on", "zen4"]
    assert main(["calibrate", "-o", str(tmp_path / "new"), *on, *arguments]) == 2
    assert message in capsys.readouterr().err
