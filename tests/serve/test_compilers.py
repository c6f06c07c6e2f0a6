"""Which compilers are offered, and which of their options."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.errors import CorecastError, InputError
from corecast.serve.compilers import OfferedCompiler, check_flags, command_of, found_compilers, listed_compilers


def written(folder: Path, text: str) -> Path:
    file = folder / "compilers.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_list_is_read(tmp_path: Path) -> None:
    file = written(
        tmp_path, '[[compiler]]\nname = "shell"\ncommand = "sh -x"\nlanguages = ["c", "c++"]\nflags = "-O2"\n'
    )
    assert listed_compilers(file) == (OfferedCompiler("shell", "sh -x", ("c", "c++"), "-O2"),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[[compiler]]\n",
        '[[compiler]]\nname = "a"\ncommand = "sh"\nlanguages = ["ada"]\n',
        '[[compiler]]\nname = "a"\ncommand = "no-such-program"\nlanguages = ["c"]\n',
        '[[compiler]]\nname = "a"\ncommand = "sh"\nlanguages = ["c"]\nflags = "-o x"\n',
        '[[compiler]]\nname = "a"\ncommand = "make"\nlanguages = ["c"]\n',
        '[[compiler]]\nname = "a"\ncommand = "sh"\nlanguages = ["c"]\nother = 1\n',
        '[[compiler]]\nname = 1\ncommand = "sh"\nlanguages = ["c"]\n',
        '[[compiler]]\nname = "a"\ncommand = "sh"\nlanguages = ["c"]\n' * 2,
        "not toml",
    ],
)
def test_faults_of_a_list_name_the_file(tmp_path: Path, text: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(CorecastError) as caught:
        listed_compilers(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize(
    "flags",
    [
        "-O3 -march=haswell -ffast-math -funroll-loops -mavx512f -mprefer-vector-width=512",
        "-C opt-level=3 -C target-cpu=znver4 -Ctarget-feature=+avx2",
        "-std=c++20 -DN=8 -UNDEBUG -fopenmp-simd -mcpu=neoverse-v1+nosve -O2 -fno-tree-vectorize",
        "",
    ],
)
def test_options_of_code_generation_are_allowed(flags: str) -> None:
    assert check_flags(flags) == flags.split()


@pytest.mark.parametrize(
    "flag",
    [
        "-o", "x.c", "-I.", "@x", "-fplugin=a", "-fdump-tree-all", "-save-temps", "-Wl,-x", "-Wp,-MD,x", "-Wa,-a=x",
        "-fprofile-use=x", "-fprofile-generate", "-ffile-prefix-map=a=b", "-B.", "-specs=x", "-include", "-imacros",
        "-MD", "-Xclang", "-mllvm", "--sysroot=x", "-C linker=x", "-Clinker=x", "--emit=link", "-L.", "-l", "-E", "-P",
        "-fuse-ld=x/y", "-wrapper", "-fcallgraph-info=x/y", "-fsave-optimization-record", "-", "--",
    ],
)  # fmt: skip
def test_other_options_are_refused(flag: str) -> None:
    with pytest.raises(InputError):
        check_flags(flag)


def test_a_command_is_of_an_offered_compiler() -> None:
    offered = (OfferedCompiler("cc", "ccache cc", ("c",)),)
    assert command_of(offered, "cc", "c", "-O2") == "ccache cc -O2"
    for name, language in (("sh", "c"), ("cc", "rust")):
        with pytest.raises(InputError):
            command_of(offered, name, language, "")


def test_the_same_program_is_offered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "gcc-12"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "gcc").symlink_to(program)
    (tmp_path / "clang-15").symlink_to(program)
    other = tmp_path / "gcc-11"
    other.write_text("#!/bin/sh\n", encoding="utf-8")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [each.name for each in found_compilers()] == ["gcc", "gcc-11"]


def test_default_options_of_found_compilers_are_allowed() -> None:
    for each in found_compilers():
        check_flags(each.flags)
