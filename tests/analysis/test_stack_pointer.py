"""The stack engine's synchronisation uop is part of the chain through rsp."""

from __future__ import annotations

import pytest

import corecast
from corecast.asm import RegionOptions


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        # pop moves rsp in the renamer only; the next explicit read needs a uop that adds the offset: one more cycle.
        ("mov rax, [rsp]\nadd rsp, 16\npop rbx\n", 2.0),
        # Without a pop there is nothing to add.
        ("mov rax, [rsp]\nadd rsp, 16\n", 1.0),
        # Whoever reads rsp after the first reader waits for the same uop.
        ("push rbp\nmov rbp, rsp\npush rbx\nsub rsp, 8\n", 3.0),
    ],
)
def test_explicit_reads_wait_for_synchronisation(text: str, cycles: float) -> None:
    """Measured on Skylake-X: 2.00, 1.00 and 3.00 cycles."""
    options = RegionOptions(mode="unroll", syntax="intel")
    assert corecast.analyze(text, "skylake_x", regions=options).regions[0].dependencies.bound == cycles
