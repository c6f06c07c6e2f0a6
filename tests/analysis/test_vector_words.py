"""How wide the vectors of some forms are."""

from __future__ import annotations

import pytest

from corecast.analysis.work.mix import vector_words
from corecast.asm.code import Isa


@pytest.mark.parametrize(
    ("isa", "forms", "words"),
    [
        ("x86", ["vaddpd zmm, zmm, zmm", "vaddpd ymm, ymm, ymm"], "512 bits"),
        ("x86", ["vmovupd ymm, m256", "add r64, r64"], "256 bits"),
        ("x86", ["addps xmm, xmm"], "128 bits"),
        ("x86", ["vaddsd xmm, xmm, xmm", "add r64, r64"], ""),
        ("aarch64", ["fmla v.2d, v.2d, v.2d"], "128 bits"),
        ("aarch64", ["fmla v.2d, v.2d, v.2d", "fmla z.d, p/m, z.d, z.d"], "scalable"),
        ("aarch64", ["fadd d, d, d"], ""),
        ("riscv64", ["vfadd.vv v, v, v@m1,e64"], "scalable"),
        ("riscv64", ["add x, x, x"], ""),
        ("x86", [""], ""),
    ],
)
def test_the_widest_counts(isa: Isa, forms: list[str], words: str) -> None:
    assert vector_words(forms, isa) == words
