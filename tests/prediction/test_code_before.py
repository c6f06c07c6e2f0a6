"""What lies in front of a loop has begun the line of the uop cache that the loop goes on in (pipeline facts IN-56)."""

from __future__ import annotations

import pytest

import corecast
from corecast.api import analyze_region
from corecast.asm import Kernel
from corecast.dataclass import replace
from corecast.machine import load_machine

STRIDE2 = "f30f1004c2f30f5844c204f30f11048648ffc04839c775e8"
TRIAD = "f20f100cc1f20f59c8f20f580cc2f20f110cc648ffc04839c775e5"
SATURATE = "81f9ff0000004189c8450f4fc2448804064883c0014839c7740c8b0c824589c885c979dc"
ENTRY = "4885ff7413" + "31c0" + "660f1f840000000000"
"""test and je, xor, and a NOP of nine bytes: three slots."""
JUMP = "4885ff7431" + "b800000000" + "41b900000000" + "41baffffffff" + "eb1a"
"""Five slots, the last one a jump over the start of the loop."""


@pytest.mark.parametrize(
    ("code", "before", "address", "measured"),
    [(STRIDE2, ENTRY, 16, 1.5), (TRIAD, ENTRY, 16, 2.0), (SATURATE, JUMP, 24, 2.25)],
)
def test_compiled_loops_take_what_their_functions_let_them(
    code: str, before: str, address: int, measured: float
) -> None:
    (found,) = corecast.predict([code], "skylake_x", method="simulate", addresses=[address], codes_before=[before])
    assert found.cycles == pytest.approx(measured, abs=0.001)
    kernel = Kernel.from_hex(before + code, address=address - len(before) // 2)
    count = len(Kernel.from_hex(before).instructions)
    kernel = replace(kernel, instructions=kernel.instructions[count:], before=kernel.instructions[:count])
    region = analyze_region(kernel, load_machine("skylake_x"))
    assert region.prediction.cycles_per_iteration == pytest.approx(measured, abs=0.001)


def test_without_it_its_length_is_a_guess() -> None:
    addresses = {"addresses": [16, 16]}
    guessed, nothing = corecast.predict(
        [STRIDE2] * 2, "skylake_x", method="simulate", codes_before=["", None], **addresses
    )
    assert guessed.cycles == nothing.cycles == 2.0
    known, other = corecast.predict([STRIDE2] * 2, "granite_rapids", codes_before=["", ENTRY], **addresses)
    assert known.cycles == other.cycles


def test_code_before_that_is_none_is_told() -> None:
    bad, fine = corecast.predict([STRIDE2] * 2, "skylake_x", codes_before=["0g", "90"])
    assert (bad.status, fine.status) == ("error", "ok")
    assert bad.reason.startswith("the code before: ")


def test_it_may_be_code_that_the_core_does_not_have() -> None:
    """It need not run: functions choose by what the core can do."""
    avx512 = "62f1f5485914ce"
    (found,) = corecast.predict([STRIDE2], "skylake", method="simulate", addresses=[16], codes_before=[avx512])
    assert (found.status, found.cycles) == ("ok", 1.5)
