"""What ibench and asmbench print, as rows of a model's forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.cli.main import main
from corecast.convert.importers.bench_lists import import_asmbench, import_ibench
from corecast.errors import InputError
from corecast.machine import Machine, load_machine
from corecast.machine.making.imported import Imported

IBENCH = """Using frequency 2.20GHz.
vaddpd-x_x_x-TP:   0.503 (clock cycles)   [DEBUG - result: 1.000000]
vaddpd-x_x_x-LT:   4.012 (clock cycles)   [DEBUG - result: 1.000000]
vfmadd213pd-mbis_y_y-TP:   0.50 (clock cycles)
vmovapd-mbo_z-TP:   0.50 (clock cycles)
sub-i_r32-TP:   0.26 (clock cycles)
add-r_r-LT:   1.0 (clock cycles)
cvtsi2sd-r32_x-LT:   0.0 (clock cycles)
frobnicate-r_r-TP:   1.0 (clock cycles)
add-q_r-TP:   1.0 (clock cycles)
"""
ASMBENCH = """fadd-d_d_d
Latency: 9.00 cycle
Throughput: 0.50 cycle

fmla-v2d_v2d_v2d
Latency: 9.00 cycle
Throughput: 0.50 cycle

fadd-vd_vd_vd
Latency: 9.00 cycle
Throughput: 0.50 cycle

ldr-x_mbo
Latency: 5.00 cycle
Throughput: 0.50 cycle
"""


@pytest.fixture(scope="module")
def skylake() -> Machine:
    return load_machine("skylake_x")


def imported(text: str, folder: Path, machine: Machine, tool: str = "ibench") -> Imported:
    path = folder / f"{tool}.txt"
    path.write_text(text)
    return (import_ibench if tool == "ibench" else import_asmbench)(path, machine)


def test_ibench_names_forms_in_att_order(tmp_path: Path, skylake: Machine) -> None:
    found = imported(IBENCH, tmp_path, skylake)
    rows = found.rows
    assert rows["vaddpd xmm, xmm, xmm"].to_line().split("\t")[3] == "*->1:4"
    assert rows["vaddpd xmm, xmm, xmm"].reciprocal_throughput_cycles == 0.5
    assert rows["vfmadd213pd ymm, ymm, m256 @indexed"].reciprocal_throughput_cycles == 0.5
    assert "vfmadd213pd ymm, ymm, m256" not in rows
    assert rows["vmovapd zmm, m512"].latency is None
    assert {"sub r32, i8", "sub r32, i32"} <= rows.keys()
    assert rows["add r64, r64"].to_line().split("\t")[3] == "*->1:1;*->flags:1"
    assert all(row.confidence == "measured" and row.source == "ibench:ibench.txt" for row in rows.values())


def test_what_gives_no_row_is_told_with_its_line(tmp_path: Path, skylake: Machine) -> None:
    assert list(imported(IBENCH, tmp_path, skylake).unmapped) == [
        ("line 8: cvtsi2sd-r32_x", "no cycles: nothing was measured"),
        ("line 9: frobnicate-r_r", "no form of skylake_x fits"),
        ("line 10: add-q_r", "no form of skylake_x fits"),
    ]


def test_asmbench_on_aarch64_names_forms_in_their_own_order(tmp_path: Path) -> None:
    found = imported(ASMBENCH, tmp_path, load_machine("a64fx"), "asmbench")
    assert found.rows["fadd d, d, d"].to_line().split("\t")[3] == "*->1:9"
    assert found.rows["fadd v.2d, v.2d, v.2d"].reciprocal_throughput_cycles == 0.5
    assert found.rows["ldr x, [x]"].latency is not None
    assert [entry for entry, _ in found.unmapped] == ["line 6: fmla-v2d_v2d_v2d"]


@pytest.mark.parametrize(
    ("tool", "text", "message", "line"),
    [
        ("ibench", "nothing\n", "has no figures of instructions", None),
        ("ibench", "", "has no figures of instructions", None),
        ("ibench", "add-r_r-LT: much (clock cycles)\n", "'much' is not a number of cycles", 1),
        ("ibench", "add-r_r-LT: nan\n", "nan cycles are none", 1),
        ("ibench", "foo-r_r-LT: 1.0\n", "no entry is of a form of skylake_x", None),
        ("asmbench", "Latency: 1.0 cycle\n", "a figure without an instruction above it", 1),
        ("asmbench", "add-r_r\nwhat is this\n", "'what is this' is not a name of a form", 2),
        ("asmbench", "add-r_r\nLatency: -1 cycle\n", "-1 cycles are none", 2),
    ],
)
def test_faults_are_one_message_with_the_line(
    tmp_path: Path, skylake: Machine, tool: str, text: str, message: str, line: int | None
) -> None:
    with pytest.raises(InputError, match=message) as error:
        imported(text, tmp_path, skylake, tool)
    assert error.value.line == line


def test_the_command_adds_to_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ibench.txt"
    path.write_text("vaddpd-x_x_x-LT: 7.0 (clock cycles)\n")
    assert main(["import", "ibench", str(path), "-o", str(tmp_path / "model")]) == 2
    assert "--extends names the model" in capsys.readouterr().err
    assert main(["import", "ibench", str(path), "-o", str(tmp_path / "model"), "--extends", "gem5_sve"]) == 2
    assert main(["import", "ibench", str(path), "-o", str(tmp_path / "model"), "--extends", "skylake_x"]) == 0
    assert "1 forms from 1 entries" in capsys.readouterr().out
