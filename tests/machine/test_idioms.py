"""Instructions of x86 whose result is the same whatever the register that all operands name."""

from __future__ import annotations

import pytest

from corecast import _core
from corecast.analysis import analyze_kernel
from corecast.asm import Kernel
from corecast.machine import load_machine

AVX2 = (
    "haswell", "broadwell", "skylake", "skylake_x", "cascade_lake", "ice_lake", "ice_lake_x", "tiger_lake",
    "rocket_lake", "alder_lake_p", "sapphire_rapids", "emerald_rapids", "meteor_lake_p", "granite_rapids",
    "arrow_lake_p", "alder_lake_e", "meteor_lake_e", "arrow_lake_e", "zen1", "zen2", "zen3", "zen4",
)  # fmt: skip
AVX = ("sandy_bridge", "ivy_bridge", *AVX2)
INTEL = tuple(name for name in AVX if not name.startswith("zen"))
AVX512 = ("skylake_x", "ice_lake", "sapphire_rapids", "granite_rapids", "zen4")

BROKEN = {
    "pcmpeqd xmm0, xmm0": ("nehalem", *AVX),
    "pcmpeqq xmm0, xmm0": AVX,
    **{f"vpcmpeq{size} xmm0, xmm0, xmm0": AVX for size in "bwdq"},
    **{f"vpcmpeq{size} ymm0, ymm0, ymm0": AVX2 for size in "bwdq"},
    "vpxor xmm0, xmm0, xmm0": AVX,
    "vpxor ymm0, ymm0, ymm0": AVX2,
    "vxorps xmm0, xmm0, xmm0": AVX,
    "vxorpd ymm0, ymm0, ymm0": AVX,
    "vpsubb xmm0, xmm0, xmm0": AVX,
    "vpsubq ymm0, ymm0, ymm0": AVX2,
    "vpcmpgtq xmm0, xmm0, xmm0": AVX,
    "vpcmpgtw ymm0, ymm0, ymm0": AVX2,
    "vpxord zmm0, zmm0, zmm0": AVX512,
    "vpxorq zmm0, zmm0, zmm0": AVX512,
}
KEPT = {
    "pcmpeqq xmm0, xmm0": ("nehalem",),  # SSE4.1 of Nehalem; Sandy Bridge knows it
    "vpand xmm0, xmm0, xmm0": AVX,
    "vpandn xmm0, xmm0, xmm0": INTEL,
    "vandnps ymm0, ymm0, ymm0": INTEL,
    "vpcmpeqd xmm0, xmm0, xmm1": AVX,
    "vpcmpeqb ymm0, ymm1, ymm0": AVX2,
}
CASES = [
    (text, name, expected) for table, expected in ((BROKEN, True), (KEPT, False)) for text in table
    for name in table[text]
]  # fmt: skip


@pytest.mark.parametrize(("text", "name", "broken"), CASES)
def test_only_idioms_break_the_chain_of_a_register(text: str, name: str, broken: bool) -> None:
    kernel = Kernel.from_text(f".intel_syntax noprefix\n.L0:\n{text}\ndec rcx\njnz .L0\n", isa="x86")
    result = analyze_kernel(kernel, load_machine(name))
    chains = [chain for chain in result.dependencies.loop_carried if 0 in chain.instructions]
    assert bool(chains) is not broken


@pytest.mark.parametrize("text", ["pcmpeqd xmm0, xmm0", "vpcmpeqd xmm0, xmm0, xmm0"])
@pytest.mark.parametrize("name", AVX)
def test_all_ones_take_a_port(text: str, name: str) -> None:
    listing = _core.assemble("x86", text + "\n", "intel")
    _, row, _ = load_machine(name).core.lookup(listing.instructions[0])
    assert row is not None
    assert "zero_idiom" not in row["flags"]
    assert row["ports"]
