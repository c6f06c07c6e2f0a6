"""Source code through the user's compiler."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from corecast.asm import Kernel, RegionOptions, read_regions
from corecast.asm.compile import compiler_arguments, read_source
from corecast.errors import CompilerError, InputError

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


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("gcc -O2", "-g1 -S -o OUT FILE"),
        ("aarch64-linux-gnu-gcc-12 -O2", "-g1 -S -o OUT FILE"),
        ("ccache clang++-16 -O3", "-g1 -S -o OUT FILE"),
        ("gfortran -O3 -g", "-g -S -o OUT FILE"),
        ("some-new-compiler -O2", "-g1 -S -o OUT FILE"),
        ("nvc -O3", "-S -o OUT FILE"),
        ("rustc -O --emit obj -o x", "-Cdebuginfo=line-tables-only --emit=asm -o OUT FILE"),
        ("rustc -C opt-level=3 -g --emit=llvm-ir", "-C opt-level=3 -g --emit=asm -o OUT FILE"),
        ("swiftc -O", "-gline-tables-only -emit-assembly -o OUT FILE"),
        ("zig build-obj -O ReleaseFast", "-fno-emit-bin -femit-asm=OUT FILE"),
        ("zig cc -O2", "-g1 -S -o OUT FILE"),
        ("ldc2 -O3 -of=x", "--output-s --of=OUT FILE"),
        ("nasm -f win64", "-f elf64 -o OUT FILE"),
    ],
)
def test_each_compiler_is_asked_for_code_in_its_own_way(tmp_path: Path, command: str, options: str) -> None:
    """A stand-in for the compiler notes what it is called with."""
    log = tmp_path / "log"
    script = tmp_path / command.split()[0]
    script.write_text(f'#!/bin/sh\necho "$@" > {log}\n')
    script.chmod(0o755)
    source = tmp_path / "f.src"
    source.write_text("x")
    with pytest.raises(CompilerError, match="wrote no"):
        read_source(source, f"{tmp_path}/{command}")
    called = re.sub(r"/[^ =]*/output\.[so]", "OUT", log.read_text().strip())
    assert called.replace(str(source), "FILE").endswith(options)


def test_builders_are_no_compilers(source: Path) -> None:
    with pytest.raises(CompilerError, match="go writes no assembly"):
        read_regions(source, compiler="go build")


@pytest.mark.skipif(shutil.which("rustc") is None, reason="no Rust compiler")
def test_rust_is_compiled_with_or_without_a_main_function(tmp_path: Path) -> None:
    body = "for (p, q) in y.iter_mut().zip(x) { *p += a * q; }"
    path = tmp_path / "f.rs"
    path.write_text(f"#[inline(never)] pub fn axpy(y: &mut [f32], x: &[f32], a: f32) {{ {body} }}\n")
    (kernel, *_) = read_regions(path, RegionOptions(function="axpy"), compiler="rustc -O")
    assert kernel.name.startswith("f::axpy:")
    assert any(line.endswith("f.rs:1") for line in kernel.source_lines)
    path.write_text("pub fn f( { }\n")
    with pytest.raises(CompilerError, match=r"rustc failed on .*error: .*; --> "):
        read_regions(path, compiler="rustc -O")
    path.write_text("pub fn small(x: i32) -> i32 { x + 1 }\n")
    with pytest.raises(CompilerError, match="compiled no function: make one `pub`"):
        read_regions(path, compiler="rustc -O")


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="no Fortran compiler")
def test_fortran_is_compiled(tmp_path: Path) -> None:
    path = tmp_path / "t.f90"
    path.write_text(
        "subroutine scale(a, n)\ninteger :: n, i\nreal(8) :: a(n)\ndo i = 1, n\na(i) = 2 * a(i)\nend do\nend\n"
    )
    (kernel,) = read_regions(path, compiler="gfortran -O1")
    assert kernel.name.startswith("scale_")


@needs_compiler
def test_objects_and_assembly_are_not_compiled(tmp_path: Path) -> None:
    path = tmp_path / "a.s"
    path.write_text(".L1: addq $1, %rax\n jne .L1\n")
    (kernel,) = read_regions(path, compiler="nosuchcompiler -O2")
    assert kernel.origin == "text"


@needs_compiler
def test_a_file_name_like_an_option_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "-o.c").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    assert len(read_regions("-o.c", compiler=f"{COMPILER} -O1")) == 1


def test_standard_input_is_not_compiled() -> None:
    with pytest.raises(InputError, match="not standard input"):
        read_regions("-", compiler="gcc")
