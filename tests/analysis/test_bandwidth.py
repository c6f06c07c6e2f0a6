"""--bandwidth and --clock move the answer, alike in text, JSON and Python and with every method."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corecast import analyze
from corecast.analysis.options import AnalyzeOptions
from corecast.analysis.results import RegionResult
from corecast.cli.main import main
from corecast.errors import InputError

COPIES = {  # 8 bytes loaded and 8 stored
    "skylake_x": "a:\nmovq (%rsi), %rax\nmovq %rax, (%rdi)\naddq $8, %rsi\naddq $8, %rdi\ndecq %rcx\njne a\n",
    "neoverse_v2": "a:\nldr x3, [x0], #8\nstr x3, [x1], #8\nsubs x2, x2, #1\nb.ne a\n",
    "sifive_p670": "a:\nld a3, 0(a0)\nsd a3, 0(a1)\naddi a0, a0, 8\naddi a1, a1, 8\naddi a2, a2, -1\nbnez a2, a\n",
}
STREAMS = {"skylake_x": "rdi", "neoverse_v2": "x1", "sifive_p670": "a1"}
DOT = ".L3: vmovsd (%rdi,%rax,8), %xmm1\nvfmadd231sd (%rsi,%rax,8), %xmm1, %xmm0\nincq %rax\ncmpq %rax, %rdx\njne .L3\n"


def region(code: str, cpu: str, **options: object) -> RegionResult:
    return analyze(code, cpu, AnalyzeOptions(**options)).regions[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("cpu", sorted(COPIES))
@pytest.mark.parametrize("method", ["simulate", "bounds"])
def test_the_slower_of_core_and_memory_is_the_answer(cpu: str, method: str) -> None:
    core = region(COPIES[cpu], cpu, method=method).prediction
    slow = region(COPIES[cpu], cpu, method=method, bandwidth=("2B/cycle",)).prediction
    assert (slow.cycles_per_iteration, slow.bottleneck, slow.detail) == (8, "memory", "bandwidth")
    assert slow.bounds["memory"] == 8
    assert slow.bracket.expected == 8
    assert slow.bracket.lower == 8
    assert slow.bracket.upper >= 8
    assert slow.method == method
    wide = region(COPIES[cpu], cpu, method=method, bandwidth=("1000B/cycle",)).prediction
    assert (wide.cycles_per_iteration, wide.bottleneck) == (core.cycles_per_iteration, core.bottleneck)
    assert wide.bounds["memory"] == pytest.approx(0.016)


@pytest.mark.parametrize("cpu", sorted(COPIES))
def test_a_stream_is_that_of_a_register(cpu: str) -> None:
    found = region(COPIES[cpu], cpu, bandwidth=("1000B/cycle", f"{STREAMS[cpu]}=0.5B/cycle")).prediction
    assert (found.cycles_per_iteration, found.bottleneck) == (16, "memory")


def test_advice_and_reasons_are_not_about_the_core_when_memory_binds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "dot.s"
    file.write_text(DOT)
    arguments = ["analyze", str(file), "--cpu", "skylake_x", "--bandwidth", "5GB/s", "--clock", "2.5GHz"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert out.startswith("8.00 cycles, simulated; memory bandwidth; remedy: none\n")
    assert "accumulators" not in out
    assert "Core alone 4.00" in out
    assert "Time 3.2 ns per iteration at 2.5 GHz: 0.625 Gflop/s, 5 GB/s loaded and stored" in " ".join(out.split())
    assert main([*arguments, "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["regions"]
    assert (found["cycles_per_iteration"], found["bottleneck"]) == (8, "memory")
    assert found["clock"]["nanoseconds_per_iteration"] == pytest.approx(3.2)
    assert found["ecm"]["t_comp_cycles"] == 4
    assert main(["explore", *arguments[1:], "--sweep", "reorder_buffer=224", "--format", "json"]) == 0
    (point,) = json.loads(capsys.readouterr().out)["points"]
    assert point["cycles_per_iteration"] == 8


def test_a_clock_alone_gives_time_and_rates() -> None:
    found = region(DOT, "skylake_x", clock="2GHz")
    assert found.clock is not None
    assert found.prediction.cycles_per_iteration == 4
    assert found.clock.to_dict(4) == {
        "hertz": 2e9,
        "nanoseconds_per_iteration": 2,
        "flops_per_second": 1e9,
        "bytes_per_second": 8e9,
    }
    assert found.ecm is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bandwidth": ("5GB/s",)}, "--bandwidth 5GB/s needs --clock"),
        ({"bandwidth": ("5GB",)}, "25.6GB/s or 16B/cycle"),
        ({"bandwidth": ("0B/cycle",)}, "25.6GB/s or 16B/cycle"),
        ({"clock": "fast"}, "--clock is a quantity such as 2.5GHz, not 'fast'"),
        ({"bandwidth": ("2B/cycle",), "clock": "3GB/s"}, "--clock is a quantity"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as refused:
        region(DOT, "skylake_x", **options)
    assert message in refused.value.message
