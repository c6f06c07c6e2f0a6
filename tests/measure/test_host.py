"""Timing on the machine that the tests run on. It may be busy: bounds are wide."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from corecast import Kernel, _core
from corecast.errors import InputError
from corecast.measure import HostCore, Reason, Rejection, TimedKernel, Timing, host_core, timed_kernel

x86_only = pytest.mark.skipif(_core.measurable_isa() != "x86", reason=_core.measuring_obstacle() or "not x86")


def time(code: str, core: HostCore | None = None) -> Timing | Rejection:
    return (core or HostCore()).time(timed_kernel(Kernel.from_hex(code)))


@x86_only
def test_a_chain_of_additions_takes_a_cycle_each() -> None:
    tries = (time("4801f04801f04801f0") for _ in range(5))
    timing = next((each for each in tries if isinstance(each, Timing) and each.stable), None)
    if timing is None:
        pytest.skip("this machine is too busy to time anything")
    assert timing.cycles == pytest.approx(3, rel=0.1)
    assert timing.copies[1] == 2 * timing.copies[0]
    assert timing.ticks_per_cycle > 0


@x86_only
@pytest.mark.parametrize(
    ("code", "reason", "instruction"),
    [
        ("900f0b", Reason.ILLEGAL, 1),
        ("31c0f7f0", Reason.ARITHMETIC, 1),
        ("0f05", Reason.SYSTEM_CALL, 0),
        ("488b042508000000", Reason.SEGMENT, 0),
    ],
)
def test_faults_are_told(code: str, reason: Reason, instruction: int) -> None:
    found = time(code)
    if reason is Reason.SYSTEM_CALL and isinstance(found, Timing):
        pytest.skip("the system does not let processes refuse system calls")
    assert isinstance(found, Rejection)
    assert (found.reason, found.instruction) == (reason, instruction)


@x86_only
@pytest.mark.parametrize("code", ["83054210000001", "8b0542100000890538100000", "f20f580500000000"])
def test_data_relative_to_the_instruction_is_there(code: str) -> None:
    assert isinstance(time(code), Timing)


@x86_only
@pytest.mark.parametrize("number", [0, 3, 7])
def test_registers_of_mmx_hold_numbers(number: int) -> None:
    """Loaded, not as XRSTOR left them: what reads such a register takes nine cycles on Redwood Cove."""
    code = Kernel.from_text(f"movd %mm{number}, %ecx\nxor %edx, %edx\ndiv %ecx\n", isa="x86")
    kernel = timed_kernel(code)
    assert kernel.values.mmx
    assert isinstance(HostCore().time(kernel), Timing)
    without = replace(kernel, values=replace(kernel.values, mmx=False))
    found = HostCore().time(without)
    assert isinstance(found, Rejection)
    assert found.reason is Reason.ARITHMETIC


@x86_only
def test_code_that_never_ends_is_killed() -> None:
    region = Kernel.from_hex("f3a4")  # rep movsb
    kernel = timed_kernel(region)
    from dataclasses import replace

    endless = replace(kernel, values=replace(kernel.values, general={1: 1 << 62}))
    found = HostCore(timeout_seconds=0.3).time(endless)
    assert isinstance(found, Rejection)
    assert found.reason in (Reason.TIMEOUT, Reason.SEGMENT, Reason.BUS)  # slow systems: it may run out of pages first


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


@x86_only
def test_who_times_for_somebody_that_is_killed_ends_without_a_word() -> None:
    command = [sys.executable, "-m", "corecast.measure.run.worker"]
    reader, writer = os.pipe()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE) as process:
        os.close(writer)
        os.close(reader)
        request = pickle.dumps(HostCore()) + pickle.dumps((2, timed_kernel(Kernel.from_hex("4801f0"))))
        _, error = process.communicate(request, timeout=300)
    assert (process.returncode, error) == (0, b"")


@dataclass
class Scripted(HostCore):
    """Gives estimates by unroll factor (0: its own choice) and by whether it is asked for a core that nobody shares."""

    answers: dict[tuple[int, bool], dict[str, Any]] = field(default_factory=dict)

    def _measure(self, kernel: TimedKernel, copies: int = 0, witness: float = 0.0) -> Any:
        estimate = {
            "cycles": 1.0, "low": 1.0, "high": 1.0, "kept": 40, "interrupted": 0, "unsteady": 0, "batches": 2,
            "stable": True, "ticks_per_cycle": 0.7, "witness_cycles": 3000.0, "at_known_rate": True,
            "overhead_cycles": 1.0, **self.answers.get((copies, witness > 0), {}),
        }  # fmt: skip
        end = "done" if estimate["kept"] else "failed"
        return SimpleNamespace(
            estimate=SimpleNamespace(**estimate), end=end, message="no sample was free of disturbances", iterations=1,
            x87_status=0, simd_status=0, tiles_refused=False,
            short_copies=copies or 64, long_copies=2 * (copies or 64), pinned=True, real_time=True, confined=True,
        )  # fmt: skip


NOP = timed_kernel(Kernel.from_hex("4801f0"))


def test_two_loops_that_run_in_different_ways_do_not_count() -> None:
    """The longer took a third of a cycle less for each copy than the shorter: other unroll factors are tried."""
    uneven = {"cycles": 0.33, "overhead_cycles": 85.0}
    core = Scripted(answers={(0, True): uneven, (48, True): uneven})
    timing = core.time(NOP)
    assert (timing.cycles, timing.copies, timing.stable) == (1.0, (65, 130), True)
    everywhere = {(copies, True): uneven for copies in (0, 48, 65, 32)}
    assert not Scripted(answers=everywhere).time(NOP).stable


def test_a_core_that_is_always_shared_gives_values_that_are_not_stable() -> None:
    timing = Scripted(answers={(0, True): {"kept": 0}, (0, False): {"cycles": 2.0}}).time(NOP)
    assert isinstance(timing, Timing)
    assert (timing.cycles, timing.stable) == (2.0, False)


@dataclass
class Witnessed(Scripted):
    """The witness takes 3,000 cycles, but for one look; no sample is kept where it took 12 % more than is known."""

    odd: int = 0
    looks: int = 0

    def _measure(self, kernel: TimedKernel, copies: int = 0, witness: float = 0.0) -> Any:
        self.looks += 1
        cycles = 2500.0 if self.looks == self.odd else 3000.0
        shared = witness > 0 and cycles > 1.12 * witness
        self.answers = {(copies, witness > 0): {"witness_cycles": cycles, **({"kept": 0} if shared else {})}}
        return super()._measure(kernel, copies, witness)


@pytest.mark.parametrize("odd", [2, 20])
def test_a_witness_that_was_too_fast_once_is_no_measure(odd: int) -> None:
    core = Witnessed(odd=odd)
    for _ in range(30):
        timing = core.time(NOP)
    assert timing.stable


def test_a_core_that_was_too_busy_at_first_is_looked_at_again() -> None:
    core = Scripted(answers={(0, False): {"kept": 0}})
    core.time(NOP)
    core.answers = {(0, False): {"witness_cycles": 2500.0}}
    core.time(NOP)
    assert (core._rate, core._witness(NOP)) == (0.7, 2500.0)


def chosen(monkeypatch: pytest.MonkeyPatch, obstacle: str, clock: Any) -> str:
    """The clock of the host's core, were there this obstacle to reading the counter of cycles."""
    monkeypatch.setattr(_core, "measuring_obstacle", lambda: "")
    monkeypatch.setattr(_core, "counter_obstacle", lambda: obstacle)
    return host_core(clock=clock).clock


def test_the_counter_of_cycles_is_the_clock_where_programs_may_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    counter, timer = _core.measuring_clock("counter"), _core.measuring_clock("timer")
    assert counter != timer or not _core.measurable_isa()
    assert chosen(monkeypatch, "", "auto") == counter
    assert chosen(monkeypatch, "", "perf") == counter
    assert chosen(monkeypatch, "", "timer") == timer
    assert chosen(monkeypatch, "none here", "auto") == timer
    with pytest.raises(InputError, match="no clock 'perf' here: none here"):
        chosen(monkeypatch, "none here", "perf")


@x86_only
def test_a_counter_that_cannot_be_read_after_all_is_a_failure() -> None:
    timing = HostCore(counts_cycles=True).time(NOP)
    if _core.counter_obstacle():
        assert isinstance(timing, Rejection)
        assert "cannot read the counter of cycles" in timing.message
    else:
        assert timing.ticks_per_cycle == pytest.approx(1, rel=0.05)


@pytest.mark.skipif(bool(_core.measurable_isa()), reason="this host can be measured")
def test_a_host_that_cannot_be_measured_says_so() -> None:
    with pytest.raises(InputError, match="cannot be measured"):
        host_core()
