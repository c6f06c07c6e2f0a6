"""A simulated core answers like a real one, and the way from clock readings to cycles is the same."""

from __future__ import annotations

import pytest

from corecast import Kernel, load_machine
from corecast.measure import Core, Noise, Reason, Rejection, SimulatedCore, Timing, timed_kernel


def time(core: Core, code: str) -> Timing | Rejection:
    return core.time(timed_kernel(Kernel.from_hex(code)))


@pytest.mark.parametrize(
    ("code", "cycles"),
    [("480fafc3", 3), ("4801f0", 1), ("480fafc3480fafcb", 3), ("c5fd5ed1", 8)],
    ids=["imul chain", "add chain", "two imul chains", "vdivpd ymm"],
)
def test_known_kernels_have_the_models_cycles(code: str, cycles: float) -> None:
    timing = time(SimulatedCore(load_machine("skylake_x")), code)
    assert isinstance(timing, Timing)
    assert timing.stable
    assert timing.cycles == pytest.approx(cycles, abs=0.002)
    assert dict(timing.lost) == {"interrupted": 0, "unsteady": 0}


def test_a_loop_takes_at_least_a_cycle() -> None:
    loop = timed_kernel(Kernel.from_text(".L1: nop\n dec %rcx\n jnz .L1\n", isa="x86"))
    assert SimulatedCore(load_machine("skylake_x")).time(loop).cycles == pytest.approx(1, abs=0.002)


@pytest.mark.parametrize("seed", range(5))
def test_noise_and_interrupts_leave_the_value(seed: int) -> None:
    noise = Noise(readings=0.002, drift=0.0005, interrupts=0.03, seed=seed)
    timing = time(SimulatedCore(load_machine("skylake_x"), noise), "480fafc3")
    assert timing.cycles == pytest.approx(3, rel=0.01)
    assert timing.lost["interrupted"] > 0
    assert timing.low_cycles <= timing.high_cycles


def test_the_same_seed_gives_the_same_readings() -> None:
    def once() -> Timing | Rejection:
        return time(SimulatedCore(load_machine("zen4"), Noise(readings=0.01, interrupts=0.1, seed=3)), "4801f0")

    assert once() == once()


def test_too_much_noise_is_told_as_not_stable() -> None:
    timing = time(SimulatedCore(load_machine("zen4"), Noise(readings=0.2)), "4801f0")
    assert not timing.stable


def test_what_the_core_does_not_have_is_no_value() -> None:
    timing = time(SimulatedCore(load_machine("nehalem")), "62f1fd4858c1")  # vaddpd zmm
    assert isinstance(timing, Rejection)
    assert timing.reason is Reason.LACKS
    assert timing.message == "needs AVX-512F, which simulated nehalem does not have"
