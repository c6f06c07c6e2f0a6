"""Mixes of instructions that PMEvo's authors timed on a Zen+, and what the model of Zen 1 and Zen+ says of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from accuracy.mixes import loop
from corecast.analysis.options import AnalyzeOptions
from corecast.api import analyze_region
from corecast.asm import Kernel
from corecast.machine import load_machine

TWO_OPERATIONS = (
    "VADDPD ymm1, ymm11, ymmword ptr [r15 + 64]; VCVTPS2PD ymm2, xmmword ptr [r15 + 128]; "
    "VMULPD ymm3, ymm12, ymmword ptr [r15 + 192]"
)
TWO_STORES = (
    "VCVTPS2PD ymm1, xmmword ptr [r15 + 64]; VEXTRACTF128 xmmword ptr [r15 + 128], ymm11, 3; "
    "VEXTRACTI128 xmmword ptr [r15 + 192], ymm12, 3; VPCMPEQD ymm2, ymm13, ymmword ptr [r15 + 256]"
)
MICROCODE = (
    "BTR dword ptr [r15 + 64], 3; VMOVUPD ymm1, ymmword ptr [r15 + 128]; "
    "VPERM2I128 ymm2, ymm11, ymmword ptr [r15 + 192], 3; VPMADDWD ymm3, ymm12, ymmword ptr [r15 + 256]; "
    "VPMULLD ymm4, ymm13, ymmword ptr [r15 + 320]"
)


def cycles(mix: str) -> float:
    """Of one copy in the loop that was timed."""
    timed = loop(mix, "x86")
    kernel = Kernel.from_text(timed.text, isa="x86")
    found = analyze_region(kernel, load_machine("zen1"), AnalyzeOptions(method="simulate"))
    return found.prediction.cycles_per_iteration / timed.copies


@pytest.mark.parametrize("mix", [f"CMP r13, 3; LEA rbx, [3]; {TWO_OPERATIONS}", f"INC rbx; {TWO_STORES}"])
def test_each_half_of_a_widening_conversion_loads(mix: str) -> None:
    assert cycles(mix) == pytest.approx(3.0, rel=0.01)


def test_vectors_wait_in_a_queue_before_their_scheduler() -> None:
    """The scheduler has 36 entries; with as many as it and the queue have together a turn takes 7.0 cycles."""
    assert cycles(MICROCODE) == pytest.approx(6.0, rel=0.01)
