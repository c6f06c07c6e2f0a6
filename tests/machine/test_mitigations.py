"""One switch for microcode mitigations, with one meaning on every affected core."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from corecast import analyze
from corecast.analysis.options import AnalyzeOptions
from corecast.cli.main import main
from corecast.errors import InputError
from corecast.machine import list_machines, load_machine, variant

AFFECTED = ("skylake", "skylake_x", "cascade_lake", "ice_lake", "ice_lake_x", "tiger_lake", "rocket_lake")
KEY = "mitigations.gather_data_sampling"
GATHERS = """.L4:
vmovdqa %ymm4, %ymm3
vgatherdps %ymm3, (%rdi,%ymm1,4), %ymm2
vmovups %ymm2, (%rdx,%rax)
addq $32, %rax
cmpq %rax, %rcx
jne .L4
"""
MASKED = GATHERS.replace("vmovdqa %ymm4, %ymm3", "kmovw %k2, %k1").replace(
    "vgatherdps %ymm3, (%rdi,%ymm1,4), %ymm2", "vgatherdps (%rdi,%zmm1,4), %zmm2 {%k1}"
)


def test_the_cores_that_intel_lists_are_the_affected_ones() -> None:
    found = [info.name for info in list_machines() if load_machine(info.name).pipeline.get("mitigations")]
    assert sorted(found) == sorted(AFFECTED)


@pytest.mark.parametrize("cpu", AFFECTED)
def test_every_gather_is_slower_with_the_mitigation_and_only_gathers_are(cpu: str) -> None:
    on = load_machine(cpu)
    off = variant(on, {KEY: False})
    assert set(on.keys()) == set(off.keys())
    for form in on.keys():  # noqa: SIM118
        with_it, without = on.core.row(form), off.core.row(form)
        assert with_it is not None
        assert without is not None
        if re.match(r"v(p)?gather[dq]", form):
            slow, fast = on.core.find(form), off.core.find(form)
            assert slow is not None
            assert fast is not None
            assert slow["rthroughput"] >= 25
            assert "SERIAL" not in without[0]
            assert "skylake_x_measured" in slow["source"]
            assert "skylake_x_measured" not in fast["source"]
        else:
            assert with_it[:1] == without[:1]


@pytest.mark.parametrize("cpu", AFFECTED)
@pytest.mark.parametrize("method", ["simulate", "bounds"])
def test_the_report_says_so_and_names_the_cycles_without(cpu: str, method: str) -> None:
    options = AnalyzeOptions(method=method)  # type: ignore[arg-type]
    region = analyze(GATHERS, cpu, options).regions[0]
    without = analyze(GATHERS, cpu, options, settings={KEY: False}).regions[0]
    assert region.prediction.cycles_per_iteration == pytest.approx(29, abs=0.5)
    assert without.prediction.cycles_per_iteration < 9
    cycles = f"{without.prediction.cycles_per_iteration:.2f}"
    expected = f"Gather Data Sampling: line 3; without it {cycles} cycles (--set {KEY}=false)"
    assert [text for text in region.warnings if expected in text]
    assert not [text for text in without.warnings if "mitigation" in text]


def test_masked_gathers_are_affected_alike(capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    cycles = {cpu: analyze(MASKED, cpu).regions[0].prediction.cycles_per_iteration for cpu in AFFECTED[1:]}
    assert max(cycles.values()) - min(cycles.values()) < 1
    assert min(cycles.values()) >= 60


@pytest.mark.parametrize("cpu", ["haswell", "alder_lake_p", "granite_rapids", "zen4", "neoverse_v2"])
def test_other_cores_have_no_such_switch(cpu: str) -> None:
    with pytest.raises(InputError, match=f"{cpu} has no figures for {KEY}"):
        variant(load_machine(cpu), {KEY: False})


def test_json_holds_the_note(capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    file = f"{tmp_path}/gather.s"
    with open(file, "w", encoding="utf-8") as out:
        out.write(GATHERS)
    assert main(["analyze", file, "--cpu", "skylake_x", "--format", "json"]) == 0
    (region,) = json.loads(capsys.readouterr().out)["regions"]
    assert any(KEY in text for text in region["warnings"])
    assert main(["analyze", file, "--cpu", "skylake_x", "--set", f"{KEY}=false", "--format", "json"]) == 0
    (region,) = json.loads(capsys.readouterr().out)["regions"]
    assert not any(KEY in text for text in region["warnings"])


def test_where_something_else_limits_the_note_says_that_cycles_are_the_same() -> None:
    region = analyze(GATHERS, "skylake_x", AnalyzeOptions(bandwidth=("0.1B/cycle",))).regions[0]
    assert region.prediction.bottleneck == "memory"
    assert [text for text in region.warnings if "line 3; the same cycles without it (--set" in text]


def test_explore_and_predict_warn_as_analyze_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop = tmp_path / "gathers.s"
    loop.write_text(GATHERS)
    sweep = ["--sweep", "reorder_buffer=100,200"]
    note = "slowed by the microcode mitigation for Gather Data Sampling"
    switch = f"--set {KEY}=false"
    assert main(["explore", str(loop), "--cpu", "skylake", *sweep]) == 0
    assert f"{note}: line 3 ({switch})" in capsys.readouterr().err
    for unaffected in (["--set", f"{KEY}=false", *sweep], ["--sweep", f"{KEY}=true,false"]):
        assert main(["explore", str(loop), "--cpu", "skylake", *unaffected]) == 0
        assert note not in capsys.readouterr().err
    blocks = tmp_path / "blocks.csv"
    blocks.write_text("hex\nc4e265921c8f\n90\nc4e265921c8f90\n")
    assert main(["predict", str(blocks), "--cpu", "skylake"]) == 0
    assert f"{blocks}: 2 of 3 blocks have instructions {note} ({switch})" in capsys.readouterr().err
    for unaffected in (["--cpu", "skylake", "--set", f"{KEY}=false"], ["--cpu", "haswell"]):
        assert main(["predict", str(blocks), *unaffected]) == 0
        assert note not in capsys.readouterr().err
