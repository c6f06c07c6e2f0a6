"""Results of kernels that come one after the other: only what is wanted is kept, and advised."""

from __future__ import annotations

import weakref
from collections.abc import Iterator

import pytest

from corecast import Kernel, load_machine
from corecast.analysis.advice import rules
from corecast.api import Gathering, analyze_kernels


def loops() -> Iterator[Kernel]:
    """Chains of different lengths, the longest in the middle."""
    for length in [*range(1, 90), *range(95, 0, -1)]:
        text = ".L1:\n" + "imulq %rbx, %rax\n" * length + "decq %rcx\njne .L1\n"
        yield Kernel.from_text(text, isa="x86")


def test_the_slowest_are_those_of_all_and_only_they_get_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = load_machine("zen4")
    everything = analyze_kernels(list(loops()), machine).regions
    advised = []
    with_advice = rules.with_advice

    def counted(*arguments):  # type: ignore[no-untyped-def]
        advised.append(arguments)
        return with_advice(*arguments)

    monkeypatch.setattr(rules, "with_advice", counted)
    gathered = Gathering(machine, most=3)
    for kernel in loops():
        gathered.add(kernel)
    assert advised == []
    found = gathered.result()
    assert len(advised) == 3
    assert gathered.count == len(everything)
    slowest = sorted(everything, key=lambda region: -region.prediction.cycles_per_iteration)[:3]
    assert found.regions == tuple(slowest)


@pytest.mark.parametrize("most", [2, None])
def test_kernels_are_not_held(most: int | None) -> None:
    gathered = Gathering(load_machine("zen4"), most=most)
    alive = []
    for kernel in loops():
        gathered.add(kernel)
        alive.append(weakref.ref(kernel))
    del kernel
    held = sum(each() is not None for each in alive)
    assert held == 0 if most is None else held < len(alive) / 2
