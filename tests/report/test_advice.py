"""What limits a region, in sentences."""

from __future__ import annotations

from dataclasses import replace

import corecast
from corecast.report.advice import advice
from corecast.report.headline import headline
from report import factory
from report.factory import Parts, Row, edge, path, region


def test_a_chain_that_binds_is_named_with_the_next_bound() -> None:
    cause, following = advice(factory.gauss_seidel())
    assert cause.startswith("Limited by the dependency chain of lines 13, 14, 16: 8.00 cycles")
    assert following == "The next limit is the front end at 2.00 cycles."


def test_the_next_chain_counts_only_where_it_shares_no_instruction() -> None:
    rows = tuple(Row(f"i{n}", {"0": 0.25}) for n in range(4))
    apart = Parts(("0",), chains=(path([(0, 4), (1, 4)]), path([(2, 6)])))
    assert "The next limit is the chain of line 12 at 6.00" in advice(region(rows, apart))[1]
    shared = replace(apart, chains=(path([(0, 4), (1, 4)]), path([(1, 6)])))
    assert "The next limit is port pressure at 1.00" in advice(region(rows, shared))[1]


def test_ports_that_bind_are_named_with_their_work() -> None:
    rows = (Row("a", {"2": 1.0}), Row("b", {"2": 0.5, "3": 1.5}))
    said = advice(region(rows, Parts(("2", "3"))))
    assert said[0] == "Limited by ports 2 and 3: 3.00 cycles of work from 2 instructions (lines 10, 11)."
    assert len(said) == 1


def test_bounds_that_bind_alike_are_told_together() -> None:
    rows = (Row("a", {"0": 1.0}),)
    parts = Parts(("0",), edges=(edge(0, 0, 1, "rax", distance=1),), chains=(path([(0, 1)]),))
    assert advice(region(rows, parts))[0] == (
        "Port pressure and loop-carried dependency are equally limiting (1.00 cycles): reduce both."
    )


def test_without_any_bound_there_is_no_advice() -> None:
    assert advice(region((Row("nop"),), Parts(("0",)))) == ()


def test_a_chain_that_is_as_slow_as_the_first_promises_nothing() -> None:
    rows = tuple(Row(f"i{n}", {"0": 0.25}) for n in range(2))
    parts = Parts(("0",), chains=(path([(0, 4)]), path([(1, 4)])))
    assert advice(region(rows, parts))[1] == "The chain of line 11 takes as long: shorten both."


def test_a_bound_of_predecode_is_about_bytes() -> None:
    base = region((Row("a", {"0": 0.25}),), Parts(("0",)))
    frontend = replace(base.frontend, bound=2.0, limiting="predecode")
    static = replace(base.static, bottleneck="frontend", bounds={"ports": 0.25, "frontend": 2.0})
    said = advice(replace(base, frontend=frontend, static=static))
    assert said[0] == "Limited by predecode (2.00 cycles): reduce the number or the length of instructions."


def test_vectors_that_are_too_wide_are_no_ports() -> None:
    """A Granite Rapids does less of 512 bits at once than its ports could (pipeline facts GC-16)."""
    loads = "vmovupd (%rdi,%rax), %zmm0\n vmovupd (%rsi,%rax), %zmm1\n"
    work = "vandpd %zmm2, %zmm0, %zmm0\n vorpd %zmm0, %zmm1, %zmm1\n vmovupd %zmm1, (%rdx,%rax)\n"
    loop = f".L:\n{loads}{work} addq $64, %rax\n cmpq %rcx, %rax\n jne .L\n"
    (found,) = corecast.analyze(loop, "granite_rapids").regions
    assert found.prediction.bottleneck == "activity"
    assert "too many wide vectors at once" in headline(found)
    assert "fewer wide loads" in advice(found)[0]
