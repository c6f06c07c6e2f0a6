"""Operations, bytes, instruction mix, and data beyond the first-level cache."""

from __future__ import annotations

import pytest

from corecast.analysis.kernels import analyze_kernel
from corecast.analysis.work.amounts import work_of
from corecast.analysis.work.ecm import ecm_of
from corecast.analysis.work.memory import (
    Bandwidth,
    bandwidth_of,
    latency_settings,
    load_latencies,
    traffic_of,
)
from corecast.analysis.work.mix import CLASSES, class_of
from corecast.asm import Kernel
from corecast.errors import InputError
from corecast.machine import load_machine


def line(text: str, isa: str = "aarch64") -> Kernel:
    return Kernel.from_text(text + "\n", isa=isa)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "isa", "flops", "loaded", "stored"),
    [
        ("fmla z0.d, p0/m, z1.d, z2.d", "aarch64", 8, 0, 0),
        ("fadd v0.4s, v1.4s, v2.4s", "aarch64", 4, 0, 0),
        ("fmadd d0, d1, d2, d3", "aarch64", 2, 0, 0),
        ("ld1d {z0.d}, p0/z, [x0]", "aarch64", 0, 32, 0),
        ("ld1w {z0.d}, p0/z, [x0]", "aarch64", 0, 16, 0),
        ("ld1rd {z0.d}, p0/z, [x0]", "aarch64", 0, 8, 0),
        ("ld1d {z0.d}, p0/z, [x0, z1.d, lsl #3]", "aarch64", 0, 32, 0),
        ("st2d {z0.d, z1.d}, p0, [x0]", "aarch64", 0, 0, 64),
        ("str z0, [x0]", "aarch64", 0, 0, 32),
        ("ldr q0, [x0]", "aarch64", 0, 16, 0),
        ("vfmadd231pd ymm0, ymm1, [rsi]", "x86", 8, 32, 0),
        ("vaddss xmm0, xmm1, xmm2", "x86", 1, 0, 0),
        ("vmulps zmm0, zmm1, zmm2", "x86", 16, 0, 0),
        ("mov [rdi], eax", "x86", 0, 0, 4),
        ("add rax, rbx", "x86", 0, 0, 0),
    ],
)
def test_operations_and_bytes_of_an_instruction(
    text: str, isa: str, flops: float, loaded: float, stored: float
) -> None:
    work = work_of(line(text, isa), 256)
    assert (work.flops, work.loaded_bytes, work.stored_bytes, work.unknown) == (flops, loaded, stored, 0)


def test_operations_follow_a_register_group() -> None:
    work = work_of(line("vsetvli t0, a0, e64, m2, ta, ma\nvle64.v v8, (a1)\nvfmacc.vv v8, v10, v12", "riscv64"), 256)
    assert (work.flops, work.loaded_bytes) == (16, 64)


def test_traffic_counts_what_moves_on_once() -> None:
    text = "a:\nldr d0, [x0, x3]\nldr d1, [x0, x3]\nldr d2, [x1]\nstr d0, [x2], #8\nadd x3, x3, #8\ncbnz x3, a"
    assert traffic_of(line(text), 128) == 16
    assert traffic_of(line(text), 128, "x2") == 8
    assert traffic_of(line(text), 128, "x1") == 0


def test_terms_of_an_ecm_model() -> None:
    machine = load_machine("skylake_x")
    kernel = line(
        "a:\nvmovupd ymm0, [rsi+rax]\nvmulpd ymm0, ymm0, ymm1\nvmulpd ymm0, ymm0, ymm1\nadd rax, 32\njnz a", "x86"
    )
    found = ecm_of(kernel, machine, analyze_kernel(kernel, machine), Bandwidth(4.0))
    assert found.overlapping_cycles == 1
    assert found.transfer_cycles == 0.5
    assert found.memory_cycles == 8
    assert found.cycles == 8
    assert found.flops_per_cycle == 1


@pytest.mark.parametrize(("text", "extra"), [("l1", 0), ("l2", 7), ("45", 40)])
def test_later_loads(text: str, extra: float) -> None:
    found = load_latencies([text], load_machine("gem5_sve"))
    assert latency_settings(found) == {"loads.extra_latency_cycles": extra}


def test_shares_and_streams_are_drawn_by_the_simulation() -> None:
    machine = load_machine("gem5_sve")
    found = load_latencies(["l1:0.75,25:0.25", "x1=45"], machine)
    assert latency_settings(found) == {
        "loads.late": [
            {"share": 0.75, "cycles": 0},
            {"share": 0.25, "cycles": 20},
            {"share": 1, "cycles": 40, "base": "x1"},
        ]
    }


@pytest.mark.parametrize("text", ["", "l9", "1", "l1:0.5", "l1:2,l2:-1", "l1:x,l2:0", "x99=l2", "x1=", "20000"])
def test_levels_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="--memory"):
        load_latencies([text], load_machine("gem5_sve"))


def test_loads_are_told_of_once() -> None:
    with pytest.raises(InputError, match="twice"):
        load_latencies(["l1", "l2"], load_machine("gem5_sve"))


def test_bandwidths_are_quantities() -> None:
    machine = load_machine("gem5_sve")
    assert bandwidth_of(["25.6GB/s"], "2.5GHz", machine).total == pytest.approx(10.24)
    for wrong in ("25.6", "25GHz", "0GB/s", "fast"):
        with pytest.raises(InputError, match="--bandwidth"):
            bandwidth_of([wrong], "1GHz", machine)
    with pytest.raises(InputError, match="twice"):
        bandwidth_of(["1GB/s", "2GB/s"], "1GHz", machine)


def test_the_narrowest_stream_binds() -> None:
    kernel = line("a:\nldr d0, [x0], #8\nstr d0, [x1], #8\ncbnz x3, a")
    found = bandwidth_of(["16GB/s", "x1=2GB/s"], "1GHz", load_machine("gem5_sve"))
    assert found.cycles(kernel, 128) == 4
    assert Bandwidth(16).cycles(kernel, 128) == 1


@pytest.mark.parametrize(
    ("text", "isa", "kind"),
    [
        ("add x0, x1, x2", "aarch64", "scalar integer"),
        ("fadd d0, d1, d2", "aarch64", "scalar floating point"),
        ("fadd v0.2d, v1.2d, v2.2d", "aarch64", "SIMD"),
        ("ldr q0, [x0]", "aarch64", "SIMD load"),
        ("str x0, [x1]", "aarch64", "scalar store"),
        ("fadd z0.d, z1.d, z2.d", "aarch64", "scalable"),
        ("st1d {z0.d}, p0, [x0]", "aarch64", "scalable store"),
        ("ld1d {z0.d}, p0/z, [x0, z1.d]", "aarch64", "gather"),
        ("st1d {z0.d}, p0, [x0, z1.d]", "aarch64", "scatter"),
        ("ld3d {z0.d, z1.d, z2.d}, p0/z, [x0]", "aarch64", "structure access"),
        ("fadda d0, p0, d0, z1.d", "aarch64", "ordered reduction"),
        ("faddv d0, p0, z1.d", "aarch64", "reduction"),
        ("ptrue p0.d", "aarch64", "predicate"),
        ("whilelo p0.d, x0, x1", "aarch64", "vector length"),
        ("incd x0", "aarch64", "vector length"),
        ("b.ne 0", "aarch64", "branch"),
        ("vaddpd ymm0, ymm1, [rsi]", "x86", "SIMD"),
        ("vaddsd xmm0, xmm1, xmm2", "x86", "scalar floating point"),
        ("vmovupd ymm0, [rsi]", "x86", "SIMD load"),
        ("kandw k1, k2, k3", "x86", "predicate"),
        ("mov rax, [rsi]", "x86", "scalar load"),
        ("vle64.v v8, (a0)", "riscv64", "scalable load"),
        ("vluxei64.v v8, (a0), v9", "riscv64", "gather"),
        ("vfredosum.vs v0, v1, v2", "riscv64", "ordered reduction"),
        ("vredsum.vs v0, v1, v2", "riscv64", "reduction"),
        ("vmand.mm v0, v1, v2", "riscv64", "predicate"),
        ("fadd.d fa0, fa1, fa2", "riscv64", "scalar floating point"),
        ("vsetvli t0, a0, e64, m1, ta, ma", "riscv64", "vector length"),
    ],
)
def test_instructions_have_a_class(text: str, isa: str, kind: str) -> None:
    (instruction,) = line(text, isa).instructions
    assert kind in CLASSES
    assert class_of(instruction, isa) == kind  # type: ignore[arg-type]
