"""Average waits of a timeline: how long micro-ops wait, and for what."""

from __future__ import annotations

from dataclasses import replace

import pytest

import corecast
from corecast.analysis import AnalyzeOptions
from corecast.analysis.simulated import Timeline, TimelineUop
from corecast.report import render

CHAIN = ".L1:\nvdivsd %xmm1, %xmm0, %xmm0\nvaddsd (%rdi), %xmm0, %xmm2\naddq $8, %rdi\ncmpq %rdi, %rsi\njne .L1\n"


def uop(**fields: object) -> TimelineUop:
    usual = {
        "iteration": 0, "instruction": 0, "uop": 0, "port": "0", "eliminated": False, "delivered": 0, "renamed": 2,
        "ready": 5, "dispatched": 9, "completed": 12, "retired": 14, "waited": "port", "from_iteration": None,
        "from_instruction": None, "resource": "0",
    }  # fmt: skip
    return TimelineUop(**{**usual, **fields})  # type: ignore[arg-type]


def waits_of(*uops: TimelineUop) -> tuple[object, ...]:
    return Timeline(0, 0, 0, uops, (), False).average_waits()


def test_waits_are_averages_over_micro_ops() -> None:
    late = uop(iteration=1, renamed=3, ready=11, dispatched=12, completed=14, retired=20)
    (found,) = Timeline(0, 0, 0, (uop(), late), (), False).average_waits()
    assert found.executions == 2
    assert found.queued_cycles == pytest.approx((7 + 9) / 2)
    assert found.ready_cycles == pytest.approx((4 + 1) / 2)
    assert found.retire_cycles == pytest.approx((2 + 6) / 2)
    assert (found.waited, found.resource) == ("port", "0")


def test_operands_that_were_there_before_rename_count_from_rename() -> None:
    (found,) = Timeline(0, 0, 0, (uop(ready=0),), (), False).average_waits()
    assert found.ready_cycles == found.queued_cycles == 7


def test_what_was_waited_for_longest_counts() -> None:
    operand = uop(waited="operand", from_instruction=3, dispatched=30, resource="")
    (found,) = Timeline(0, 0, 0, (uop(), operand), (), False).average_waits()
    assert (found.waited, found.from_instruction, found.resource) == ("operand", 3, "")


def test_what_needs_no_port_waits_in_no_queue_and_what_is_cut_off_does_not_count() -> None:
    eliminated = uop(port="", eliminated=True, dispatched=2, completed=2, retired=8, waited="")
    (found,) = Timeline(0, 0, 0, (eliminated,), (), False).average_waits()
    assert (found.queued_cycles, found.ready_cycles, found.retire_cycles) == (0, 0, 6)
    assert waits_of(uop(retired=-1)) == ()


def test_the_report_has_them_below_the_timeline() -> None:
    result = corecast.analyze(CHAIN, "skylake_x", AnalyzeOptions(timeline=2))
    text = render(result, "text")
    start = text.index("Average waits of the micro-ops above, in cycles")
    assert text.index("Timeline: ") < start < text.index("Port pressure in")
    heading, divide, add = text[start:].splitlines()[1:4]
    assert heading.split() == ["line", "|", "queued", "ready", "retire", "|", "mostly", "for", "|", "instruction"]
    assert [cell.strip() for cell in divide.split("|")][2:] == ["line 2", "vdivsd %xmm1, %xmm0, %xmm0"]
    assert [cell.strip() for cell in add.split("|")][2:] == ["line 2", "vaddsd (%rdi), %xmm0, %xmm2"]
    queued = float(divide.split("|")[1].split()[0])
    assert queued > 13  # the latency of the divide before it
    (region,) = result.to_dict()["regions"]
    (first, *_) = region["simulated"]["timeline"]["average_waits"]
    assert first["instruction"] == 0
    assert first["queued_cycles"] == pytest.approx(queued, abs=0.06)


def test_no_timeline_no_waits() -> None:
    assert "Average waits" not in render(corecast.analyze(CHAIN, "skylake_x"), "text")


def test_instructions_stand_beside_the_timeline_where_there_is_room() -> None:
    from corecast.report.style import TextStyle

    result = corecast.analyze(CHAIN, "skylake_x", AnalyzeOptions(timeline=1))
    result = replace(result, regions=result.regions)
    narrow, wide = (render(result, "text", TextStyle(width=width)) for width in (80, 400))
    row = next(line for line in wide.splitlines() if line.startswith("[") and ",3]" in line)
    assert row.endswith("vaddsd (%rdi), %xmm0, %xmm2")
    rows = [line for line in narrow.splitlines() if line.startswith("[")]
    assert rows
    assert not any("vaddsd" in line for line in rows)
    assert max(map(len, narrow.splitlines()[1:])) <= 80
