"""Which loops were vectorized, from the code itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corecast.analysis.work.strides import longest_stride
from corecast.asm import Kernel
from corecast.errors import InputError
from corecast.explore.vectorize import TARGETS, loops_of, study

LOOPS = Path(__file__).parents[2] / "examples/vectorize/loops.c"
SOURCE = """
/* class: plain */
void scale(unsigned long n, double *restrict a, const double *restrict b, double s) {
  for (unsigned long i = 0; i < n; ++i) a[i] = s * b[i];
}
/* class: recurrence */
void recur(unsigned long n, double *restrict a, const double *restrict b) {
  for (unsigned long i = 1; i < n; ++i) a[i] = a[i - 1] * 0.5 + b[i];
}
"""


def test_loops_have_the_class_of_the_comment_before() -> None:
    assert loops_of(SOURCE) == {"scale": "plain", "recur": "recurrence"}
    assert len(loops_of(LOOPS.read_text())) >= 100


@pytest.mark.parametrize(
    ("text", "stride"),
    [
        ("a:\nldr d0, [x0], #8\nstr d0, [x1], #8\nsubs x2, x2, #1\nb.ne a\n", 8),
        ("a:\nldr q0, [x0, x3]\nstr q0, [x1, x3]\nadd x3, x3, #16\ncmp x3, x4\nb.ne a\n", 16),
        ("a:\nldr d0, [x0, x3, lsl #3]\nsub x3, x3, #2\ncbnz x3, a\n", 16),
        ("a:\nldr d0, [x0]\nsubs x2, x2, #1\nb.ne a\n", None),
    ],
)
def test_strides_of_accesses(text: str, stride: float | None) -> None:
    assert longest_stride(Kernel.from_text(text, isa="aarch64")) == stride


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_a_recurrence_is_not_vectorized_and_a_plain_loop_is(tmp_path: Path) -> None:
    file = tmp_path / "loops.c"
    file.write_text(SOURCE)
    compiler = shutil.which("x86_64-linux-gnu-gcc") or "gcc"
    scale, recur = study(str(file), [compiler], [TARGETS["avx2"]])
    assert (scale.loop, scale.vectorized) == ("scale", True)
    assert scale.how.startswith("4 at a time")
    assert scale.speed_up is not None
    assert scale.speed_up > 2
    assert (recur.loop, recur.vectorized) == ("recur", False)
    assert recur.vector is not None
    assert recur.vector.cycles_per_element >= 4  # a fused multiplication and addition, one after the other


def test_a_file_without_functions_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "none.c"
    file.write_text("int x;\n")
    with pytest.raises(InputError, match="no functions"):
        study(str(file), ["gcc"], [TARGETS["sse"]])
