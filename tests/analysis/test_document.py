"""The document of schema corecast/1."""

from __future__ import annotations

import json

import pytest

from corecast.analysis.analysis_result import AnalysisResult
from corecast.api import analyze
from toy_machines import toy

TEXT = ".L1:\n\tmovq (%rsi), %rax\n\taddq %rax, %rbx\n\taddq $8, %rsi\n\tcmpq %rdi, %rsi\n\tjne .L1\n"


@pytest.fixture(scope="module")
def result() -> AnalysisResult:
    return analyze(TEXT, toy("toy_x86"))


def test_fields_of_the_contract(result: AnalysisResult) -> None:
    document = result.to_dict()
    assert document["schema"] == "corecast/1"
    assert {"schema", "version", "cpu", "isa", "regions"} <= document.keys()
    (region,) = document["regions"]
    assert {
        "name", "source", "mode", "cycles_per_iteration", "bottleneck", "bounds", "simulated", "critical_path",
        "loop_carried", "port_pressure", "instructions", "coverage", "warnings",
    } <= region.keys()  # fmt: skip
    assert {"file", "first_line", "last_line"} <= region["source"].keys()
    assert {"ports", "frontend", "dependency"} <= region["bounds"].keys()
    for row in region["instructions"]:
        assert {
            "line", "text", "form", "uops", "port_pressure", "latency_cycles", "on_critical_path",
            "on_loop_carried", "status",
        } <= row.keys()  # fmt: skip
        assert isinstance(row["on_critical_path"], bool)
    assert region["critical_path"]["lines"] == [2, 3]


def test_it_is_plain_json(result: AnalysisResult) -> None:
    document = result.to_dict()
    assert json.loads(json.dumps(document)) == document
