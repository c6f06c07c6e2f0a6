"""Source code through the user's compiler."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corecast.asm import Kernel, RegionOptions, read_regions
from corecast.asm.compile import compiler_arguments
from corecast.errors import CompilerError

COMPILER = shutil.which("gcc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler")
SOURCE = """\
void triad(double *restrict a, const double *restrict b, double s, long n) {
  for (long i = 0; i < n; i++)
    a[i] = s * b[i];
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "triad.c"
    path.write_text(SOURCE)
    return path


@needs_compiler
def test_a_source_is_compiled_and_keeps_its_lines(source: Path) -> None:
    (kernel,) = read_regions(source, compiler=f"{COMPILER} -O1")
    assert (kernel.origin, kernel.file) == ("source", str(source))
    assert any(line.endswith("triad.c:3") for line in kernel.source_lines)
    assert (kernel.first_line, kernel.last_line) in ((2, 3), (3, 3))


@needs_compiler
def test_a_source_whose_name_begins_with_a_dash_is_no_option(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(source.parent)
    source.rename("-o.c")
    (kernel,) = read_regions("-o.c", compiler=f"{COMPILER} -O1")
    assert kernel.file == "-o.c"


@needs_compiler
def test_lines_of_the_source_can_be_chosen(source: Path) -> None:
    (kernel,) = read_regions(source, RegionOptions(lines=((3, 3),)), compiler=f"{COMPILER} -O1 -c -o x.o")
    assert all(line.endswith("triad.c:3") for line in kernel.source_lines)
    assert len(Kernel.from_source(source, f"{COMPILER} -O1 -g")) >= 4


@needs_compiler
def test_errors_of_the_compiler_are_told_in_one_line(source: Path) -> None:
    source.write_text("void f(void) { undeclared_thing(; }\n")
    with pytest.raises(CompilerError, match=r"triad\.c.*error") as caught:
        read_regions(source, compiler=f"{COMPILER} -O1")
    assert "\n" not in str(caught.value)


def test_a_compiler_that_writes_nothing_is_told(source: Path) -> None:
    with pytest.raises(CompilerError, match="wrote no assembly"):
        read_regions(source, compiler="true")


def test_the_stage_and_output_flags_are_ours() -> None:
    assert compiler_arguments("gcc -O3 -c -o out.o -S -flto=auto -DX='a b'") == ["gcc", "-O3", "-DX=a b"]


@pytest.mark.parametrize("command", ["", "   ", "gcc 'unbalanced"])
def test_commands_that_cannot_be_read(command: str) -> None:
    with pytest.raises(CompilerError):
        compiler_arguments(command)
