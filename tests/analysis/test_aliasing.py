"""Where a forecast rests on a store and a later load not meeting, the other figure is given, too."""

from __future__ import annotations

import json

import pytest

import corecast
from corecast.analysis import AnalyzeOptions
from corecast.errors import InputError
from corecast.report import render

FIXED = ".L1:\nmovq (%rsi),%rax\nimulq %rbx,%rax\nmovq %rax,(%rdi)\ndecq %rcx\njne .L1\n"
STREAM = """.L1:
    vmovsd (%rsi,%rax,8), %xmm0
    vaddsd %xmm0, %xmm1, %xmm0
    vmovsd %xmm0, (%rdi,%rax,8)
    incq %rax
    cmpq %rax, %rdx
    jne .L1
"""
HISTOGRAM = """.L1:
    movslq (%rsi,%rcx,4), %rax
    addl $1, (%rdi,%rax,4)
    incq %rcx
    cmpq %rcx, %rdx
    jne .L1
"""
LIST = ".L1:\nmovq (%rax),%rax\naddl $1,8(%rax)\ntestq %rax,%rax\njne .L1\n"
METHODS = ("simulate", "bounds")


def options(method: str, alias: str = "none") -> AnalyzeOptions:
    return AnalyzeOptions(method=method, alias=alias)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_pointers_that_may_be_equal_give_a_second_figure(method: str) -> None:
    (region,) = corecast.analyze(FIXED, "zen4", options(method)).regions
    assert region.cycles_per_iteration == 1.0
    (other,) = region.alternatives
    assert (other.store, other.load, other.distance) == (2, 0, 1)
    assert other.cycles_per_iteration == 3.0  # measured on a Zen 4: 3.03


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("alias", ["same", "rdi=rsi", "%rsi = %rdi", "rdi=rdx,rdx=rsi"])
def test_what_is_said_of_registers_is_assumed(method: str, alias: str) -> None:
    (region,) = corecast.analyze(FIXED, "zen4", options(method, alias)).regions
    assert region.cycles_per_iteration == 3.0
    assert region.alternatives == ()
    assert region.prediction.bottleneck == "dependency"
    (apart,) = corecast.analyze(FIXED, "zen4", options(method, "rdi=rsi+8")).regions
    assert apart.cycles_per_iteration == 1.0


@pytest.mark.parametrize("method", METHODS)
def test_a_store_one_element_ahead_feeds_the_next_iteration(method: str) -> None:
    (region,) = corecast.analyze(STREAM, "skylake", options(method)).regions
    (other,) = region.alternatives
    assert (other.store, other.load, other.distance) == (2, 0, 1)
    (ahead,) = corecast.analyze(STREAM, "skylake", options(method, "rdi=rsi+8")).regions
    assert ahead.cycles_per_iteration == other.cycles_per_iteration
    assert ahead.cycles_per_iteration is not None
    assert ahead.cycles_per_iteration > 5
    (equal,) = corecast.analyze(STREAM, "skylake", options(method, "same")).regions
    assert equal.cycles_per_iteration == region.cycles_per_iteration


@pytest.mark.parametrize("method", METHODS)
def test_an_index_that_comes_again_gives_a_second_figure_and_a_list_does_not(method: str) -> None:
    (region,) = corecast.analyze(HISTOGRAM, "skylake", options(method)).regions
    (other,) = region.alternatives
    assert (other.store, other.load, other.distance) == (1, 1, 1)
    assert other.cycles_per_iteration > 4
    (walk,) = corecast.analyze(LIST, "skylake", options(method)).regions
    assert walk.alternatives == ()


def test_code_that_leaves_nothing_open_has_no_second_figure() -> None:
    for text in (
        FIXED.replace("(%rdi)", "8(%rsi)"),  # one base
        FIXED.replace("(%rdi)", "8(%rsp)"),  # the frame
        FIXED.replace("(%rdi)", "-8(%rbp)"),
        FIXED.replace("(%rdi)", "table(%rip)"),
        FIXED.replace("movq %rax,(%rdi)", "movq %rdx,(%rdi)"),  # feeds no chain
        FIXED.replace("movq %rax,(%rdi)", "movl %eax,(%rdi)"),  # covers the load in part only
    ):
        assert corecast.analyze(text, "skylake").regions[0].alternatives == (), text


def test_reports_name_store_load_and_both_figures() -> None:
    result = corecast.analyze(FIXED, "zen4")
    words = "3.00 if the store of line 4 feeds the load of line 2 of the next iteration"
    assert f"Aliasing {words}" in " ".join(render(result, "text").split())
    assert words in render(result, "html")
    document = json.loads(render(result, "json"))["regions"][0]
    assert document["alternatives"] == [
        {"cycles_per_iteration": 3.0, "store": 2, "store_line": 4, "load": 0, "load_line": 2, "distance": 1}
    ]
    assumed = render(corecast.analyze(FIXED, "zen4", AnalyzeOptions(alias="rdi=rsi")), "text")
    assert "Assumed     at the start of every iteration rdi=rsi" in assumed


@pytest.mark.parametrize(
    ("alias", "why"),
    [
        ("rdi", "is no pair of registers"),
        ("rdi=foo", "'foo' is no register of zen4"),
        ("rdi=rsi+x", "'x' is no whole number of bytes"),
        ("rdi=rsi,rsi=rdi+8", "contradicts the others"),
        ("rdi=rcx", "rdi and rcx do not advance by the same step"),
    ],
)
def test_what_cannot_be_said_of_registers_is_refused(alias: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        corecast.analyze(FIXED, "zen4", AnalyzeOptions(alias=alias))


SUMS = """.L1:
    movq (%rsi,%rax,8), %rcx
    imulq %rbx, %rcx
    movq %rcx, 8(%rdi,%rax,8)
    vaddsd (%r8,%rax,8), %xmm0, %xmm0
    vaddsd (%r9,%rax,8), %xmm0, %xmm0
    vaddsd (%r10,%rax,8), %xmm0, %xmm0
    incq %rax
    cmpq %rax, %rdx
    jne .L1
"""
"""A sum of 12 cycles beside a store that may feed the next iteration's load: 7.4 cycles on a Skylake."""


@pytest.mark.parametrize("method", METHODS)
def test_changed_code_is_timed_under_the_same_assumption(method: str) -> None:
    found = {}
    for alias in ("none", "same", "rdi=rsi", "rdi=r11,r11=rsi"):
        (region,) = corecast.analyze(SUMS, "skylake", options(method, alias)).regions
        assert region.cycles_per_iteration == 12.0
        assert region.advice is not None
        assert region.advice.accumulators is not None
        found[alias] = region.advice.accumulators
    assert found["none"].gain > 4
    for alias in ("same", "rdi=rsi", "rdi=r11,r11=rsi"):
        # Copies share the chain through memory, so that no number of them is faster than it.
        assert all(7.3 < each.cycles_per_iteration < 7.7 for each in found[alias].unrolled), alias
        assert found[alias].unroll == 2
