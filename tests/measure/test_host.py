"""Timing on the machine that the tests run on. It may be busy: bounds are wide."""

from __future__ import annotations

import threading

import pytest

from corecast import Kernel, _core
from corecast.errors import InputError
from corecast.measure import HostCore, Timing, host_core, timed_kernel

x86_only = pytest.mark.skipif(_core.measurable_isa() != "x86", reason=_core.measuring_obstacle() or "not x86")


def time(code: str, core: HostCore | None = None) -> Timing:
    return (core or HostCore()).time(timed_kernel(Kernel.from_hex(code)))


@x86_only
def test_a_chain_of_additions_takes_a_cycle_each() -> None:
    timing = time("4801f04801f04801f0")
    assert timing.ok
    assert timing.cycles == pytest.approx(3, rel=0.1)
    assert timing.copies[1] == 2 * timing.copies[0]
    assert timing.ticks_per_cycle > 0


@x86_only
@pytest.mark.parametrize(
    ("code", "signal", "instruction"),
    [("900f0b", "SIGILL", 1), ("31c0f7f0", "SIGFPE", 1), ("0f05", "SIGSYS", 0), ("488b042508000000", "SIGSEGV", 0)],
)
def test_faults_are_told(code: str, signal: str, instruction: int) -> None:
    timing = time(code)
    assert timing.failure is not None
    if signal == "SIGSYS" and not timing.conditions["confined"]:
        pytest.skip("the system does not let processes refuse system calls")
    assert (timing.failure.kind, timing.failure.signal) == ("signal", signal)
    assert timing.failure.instruction == instruction


@x86_only
def test_code_that_never_ends_is_killed() -> None:
    region = Kernel.from_hex("f3a4")  # rep movsb
    kernel = timed_kernel(region)
    from dataclasses import replace

    endless = replace(kernel, values=replace(kernel.values, general={1: 1 << 62}))
    timing = HostCore(timeout_seconds=0.3).time(endless)
    assert timing.failure is not None
    assert timing.failure.kind in ("timeout", "signal")  # slow systems: it may run out of pages first


@x86_only
def test_other_python_threads_run_meanwhile() -> None:
    ticks: list[int] = []
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            ticks.append(1)
            done.wait(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = len(ticks)
    time("4801f0")
    inside = len(ticks) - before
    done.set()
    thread.join()
    assert inside > 0


@pytest.mark.skipif(bool(_core.measurable_isa()), reason="this host can be measured")
def test_a_host_that_cannot_be_measured_says_so() -> None:
    with pytest.raises(InputError, match="cannot be measured"):
        host_core()
