"""Elements of an iteration make loops with vectors of different lengths comparable."""

from __future__ import annotations

import pytest

from corecast.analysis import AnalyzeOptions, analyze_kernel
from corecast.analysis.elements import parse_elements
from corecast.asm import Kernel, RegionOptions
from corecast.machine import load_machine, variant

COPY = "a:\nld1d {z0.d}, p0/z, [x0, x3, lsl #3]\nst1d {z0.d}, p0, [x1, x3, lsl #3]\nincd x3\ncmp x3, x4\nb.ne a"


@pytest.mark.parametrize(("bits", "elements"), [(128, 2), (512, 8), (2048, 32)])
def test_an_analysis_tells_cycles_per_element(bits: int, elements: int) -> None:
    machine = variant(load_machine("gem5_sve"), {"vector_length_bits": bits})
    found = analyze_kernel(Kernel.from_text(COPY, isa="aarch64"), machine)
    assert found.elements is not None
    assert (found.elements.elements, found.elements.vector_bits) == (elements, bits)
    assert found.cycles_per_element == found.prediction.cycles_per_iteration / elements


def test_what_is_given_counts_instead() -> None:
    machine = variant(load_machine("gem5_sve"), {"vector_length_bits": 512})
    options = AnalyzeOptions(elements=parse_elements("2x64"))
    found = analyze_kernel(Kernel.from_text(COPY, isa="aarch64"), machine, options)
    assert found.elements is not None
    assert found.elements.elements == 16


def test_vectors_of_a_length_that_the_code_says_are_not_counted() -> None:
    kernel = Kernel.from_text("a:\nvaddpd ymm0, ymm0, ymm1\ndec rax\njnz a", RegionOptions(isa="x86", syntax="intel"))
    found = analyze_kernel(kernel, load_machine("zen4"))
    assert found.elements is None
    assert found.cycles_per_element is None
