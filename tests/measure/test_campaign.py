"""Campaigns stop and go on at any time; what they have done is not done again."""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from corecast import load_machine
from corecast.measure import SimulatedCore, TimedKernel, Timing
from corecast.measure.campaign import Campaign
from corecast.measure.isa.x86.x87 import is_x87
from corecast.measure.questions.selection import in_rounds
from corecast.measure.record.file import read_records
from corecast.measure.run.core import Relay

FORMS = ["imul r64, r64", "add r64, r64", "vaddpd xmm, xmm, xmm", "popcnt r64, r64"]


@dataclass
class CountingCore(Relay[SimulatedCore]):
    """A simulated core that counts, and that may find nothing stable the first time."""

    calls: int = 0
    unstable_until: int = 0
    slow_until: int = 0

    def time(self, kernel: TimedKernel) -> Timing:
        self.calls += 1
        timing = self.core.time(kernel)
        return (
            replace(timing, stable=False, cycles=timing.cycles * 1.5) if self.calls <= self.unstable_until else timing
        )


def core() -> CountingCore:
    return CountingCore(SimulatedCore(load_machine("skylake_x")))


def values(path: Path) -> dict[str, object]:
    return {record["form"]: record["throughput"] for record in read_records(path) if record["kind"] == "form"}


def test_a_campaign_measures_every_form_once(tmp_path: Path) -> None:
    timed = core()
    path = tmp_path / "records"
    progress = Campaign(timed, path, FORMS).run()
    assert (progress.done, progress.seen, progress.total, progress.unstable) == (4, 4, 4, 0)
    assert list(values(path)) == FORMS
    calls = timed.calls
    assert Campaign(timed, path, FORMS).run().done == 4
    assert timed.calls == calls


def test_a_campaign_goes_on_where_a_torn_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "records"
    Campaign(core(), path, FORMS).run()
    whole = path.read_bytes()
    expected = values(path)
    for cut in range(0, len(whole), max(1, len(whole) // 12)):
        path.write_bytes(whole[:cut])
        Campaign(core(), path, FORMS).run()
        assert values(path) == expected


def test_what_was_not_stable_is_measured_again_and_the_stable_value_wins(tmp_path: Path) -> None:
    path = tmp_path / "records"
    timed = core()
    timed.unstable_until = 2
    progress = Campaign(timed, path, ["imul r64, r64"]).run()
    assert progress.unstable == 0
    records = [record for record in read_records(path) if record["kind"] == "form"]
    assert [record["stable"] for record in records] == [False, True]
    assert [each["timing"]["stable"] for each in records[0]["throughput"]["kernels"]] == [True, False, True]
    assert records[1]["throughput"]["max_cycles"] == pytest.approx(1.0, rel=0.02)


def test_what_is_never_stable_is_left_after_as_many_tries_as_are_asked_for(tmp_path: Path) -> None:
    timed = core()
    timed.unstable_until = 10**9
    path = tmp_path / "records"
    Campaign(timed, path, FORMS[:1], tries=2).run()
    assert sum(record["kind"] == "form" for record in read_records(path)) == 2
    Campaign(timed, path, FORMS[:1]).run()
    assert sum(record["kind"] == "form" for record in read_records(path)) == 4


def test_of_two_looks_at_a_form_the_faster_counts(tmp_path: Path) -> None:
    """What shares the core slows code down, sometimes so evenly that its time is stable."""
    path = tmp_path / "records"
    timed = core()
    timed.slow_until = 1
    Campaign(timed, path, ["imul r64, r64"]).run()
    assert values(path)["imul r64, r64"]["max_cycles"] == pytest.approx(1.0, rel=0.02)  # type: ignore[index]


def test_a_budget_ends_a_campaign(tmp_path: Path) -> None:
    path = tmp_path / "records"
    progress = Campaign(core(), path, FORMS, budget_seconds=0).run()
    assert progress.done == 0


def test_the_plainest_form_of_each_mnemonic_comes_first() -> None:
    keys = ["add m64, r64", "add r16, r16", "add r64, r64", "vaddpd zmm{k}, zmm, zmm", "vaddpd xmm, xmm, xmm"]
    assert in_rounds(keys)[:2] == ["add r64, r64", "vaddpd xmm, xmm, xmm"]
    assert sorted(in_rounds(keys)) == sorted(keys)


def test_x87_is_told_by_its_mnemonics() -> None:
    assert is_x87("fadd st, st")
    assert not is_x87("fxsave m")


def test_nothing_is_lost_when_a_campaign_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "records"
    command = [sys.executable, "-m", "corecast", "measure", "machine", "--simulated", "skylake_x", "-o", str(path)]
    for form in (*FORMS, "adc r64, r64", "bts r64, r64", "shld r64, r64, i8", "vmulps zmm, zmm, zmm"):
        command += ["--forms", form]
    whole = b""
    for _ in range(4):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (not path.exists() or path.stat().st_size <= len(whole)):
            time.sleep(0.002)
        process.kill()
        process.wait()
        after = path.read_bytes()
        assert after.startswith(whole)
        whole = after[: after.rfind(b"\n") + 1]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    forms = [record["form"] for record in read_records(path) if record["kind"] == "form"]
    assert len(set(forms)) == 8
    assert all(forms.count(form) == 2 for form in forms)  # looked at twice, whatever was killed
    command[command.index(str(path))] = str(tmp_path / "through")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert last_records(path) == last_records(tmp_path / "through")


class Stopped(BaseException):
    """What ends a campaign at any place."""


@dataclass
class StoppingCore(CountingCore):
    """Ends the campaign at one of its calls; its cycles have more digits than records tell."""

    stop_at: int = sys.maxsize

    def time(self, kernel: TimedKernel) -> Timing:
        timing = super().time(kernel)
        if self.calls == self.stop_at:
            raise Stopped
        return replace(timing, cycles=timing.cycles * 8 / 7)


def last_records(path: Path) -> dict[str, object]:
    return {record["form"]: record for record in read_records(path) if record["kind"] == "form"}


def test_a_campaign_that_was_stopped_ends_as_one_run_through(tmp_path: Path) -> None:
    forms = [*FORMS, "adc r64, r64", "vmovq xmm, r64", "add m64, r64", "kmovq k, r64"]
    Campaign(StoppingCore(core().core), tmp_path / "through", forms).run()
    chance = random.Random(1)
    path = tmp_path / "stopped"
    for _ in range(10):
        with contextlib.suppress(Stopped):
            Campaign(StoppingCore(core().core, stop_at=chance.randint(5, 60)), path, forms).run()
    Campaign(StoppingCore(core().core), path, forms).run()
    assert last_records(path) == last_records(tmp_path / "through")
