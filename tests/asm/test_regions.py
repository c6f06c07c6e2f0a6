"""Choice of regions."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from corecast.asm import Kernel, RegionOptions, parse_addresses, parse_lines, read_regions, regions_of_text
from corecast.asm.regions import regions_of_code
from corecast.asm.text import read_text
from corecast.errors import CompilerError, InputError, MarkerError

DATA = Path(__file__).resolve().parent.parent / "data" / "asm"
TWO = """\
\t.type f, @function
\t.type g, @function
f:
\tnop
.L1:
\tincq %rax
\tjne .L1
.L2:
\tdecq %rax
\tjne .L2
\tret
g:
\tnegq %rax
\tret
"""


def names(text: str, **options: object) -> list[str]:
    return [kernel.name for kernel in regions_of_text(text, "a.s", RegionOptions(**options))]  # type: ignore[arg-type]


def test_without_a_choice_every_innermost_loop_is_a_region() -> None:
    assert names(TWO) == ["f:.L1 (lines 5-7)", "f:.L2 (lines 8-10)"]


def test_loops_can_be_numbered() -> None:
    assert names(TWO, loop="2") == ["f:.L2 (lines 8-10)"]
    with pytest.raises(MarkerError, match="loop 3 was asked for, but there are only 2 loops"):
        names(TWO, loop="3")
    with pytest.raises(InputError, match="not a choice of loop"):
        names(TWO, loop="first")


def test_a_function_gives_its_loops_or_all_of_it() -> None:
    assert names(TWO, function="f") == ["f:.L1 (lines 5-7)", "f:.L2 (lines 8-10)"]
    (kernel,) = regions_of_text(TWO, "a.s", RegionOptions(function="g"))
    assert (kernel.name, kernel.first_line, kernel.last_line, len(kernel)) == ("g (lines 12-14)", 12, 14, 2)
    assert "no loop found" in kernel.warnings[0]


def test_an_unknown_function_lists_the_known_ones() -> None:
    with pytest.raises(MarkerError, match="no function 'h'; found: f, g"):
        names(TWO, function="h")


def test_lines_make_one_region() -> None:
    (kernel,) = regions_of_text(TWO, "a.s", RegionOptions(lines=((6, 7), (13, 13))))
    assert (kernel.name, [i.mnemonic for i in kernel.instructions]) == ("lines 6-7,13-13", ["inc", "jne", "neg"])
    with pytest.raises(InputError, match="no instructions in lines 100-200"):
        names(TWO, lines=((100, 200),))


def test_a_text_without_loop_is_taken_whole_and_told() -> None:
    (kernel,) = regions_of_text("addq %rax, %rbx\nret\n", "a.s")
    assert (len(kernel), kernel.is_loop) == (2, True)
    assert kernel.warnings == ("no loop found: the whole text (2 instructions) is analyzed as one iteration",)


def test_an_object_without_a_loop_is_all_code() -> None:
    code = dataclasses.replace(read_text("addq %rax, %rbx\nret\n"), origin="object")
    (kernel,) = regions_of_code(code)
    assert kernel.warnings == ("no loop found: all code (2 instructions) is analyzed as one iteration",)


def test_mode_unroll_makes_no_loop() -> None:
    (kernel,) = regions_of_text("addq %rax, %rbx\n", "a.s", RegionOptions(mode="unroll"))
    assert not kernel.is_loop


def test_markers_go_before_loops() -> None:
    text = TWO.replace("\tnegq", "# OSACA-BEGIN\n\tnegq").replace("%rax\n\tret\n", "%rax\n# OSACA-END\n\tret\n")
    assert names(text) == ["marked region (lines 14-14)"]
    assert len(names(text, loop="all")) == 2


def test_unread_lines_are_told_in_their_region_only() -> None:
    text = TWO.replace("\tnegq %rax", "\tfrobnicate %rax")
    told = ("1 line outside the analyzed code could not be read (first: a.s:13: 'frobnicate %rax')",)
    assert [kernel.warnings for kernel in regions_of_text(text, "a.s")] == [told, ()]
    (kernel,) = regions_of_text(text, "a.s", RegionOptions(function="g"))
    assert kernel.warnings[1].startswith("a.s:13: cannot read 'frobnicate %rax'")


def test_the_same_text_gives_the_same_names() -> None:
    text = (DATA / "gcc12_att_debug.s").read_text()
    assert names(text) == names(text)


EXPECTED = {
    "gcc12_intel.s": ["daxpy:.L3", "nested:.L10", "widen:.L18", "states:.L30", "calls:.L35"],
    "gcc12_att_debug.s": ["daxpy:.L3", "nested:.L10", "widen:.L18", "states:.L30", "calls:.L35"],
    "gcc12_aarch64_sve.s": ["daxpy:.L3", "nested:.L9", "widen:.L17", "states:.L29", "calls:.L35"],
    "gcc12_riscv.s": ["daxpy:.L3", "nested:.L9", "widen:.L17", "states:.L29", "calls:.L34"],
    "clang22_aarch64.s": ["daxpy:.LBB0_1", "nested:.LBB1_4", "widen:.LBB2_1", "states:.LBB3_3", "calls:.LBB4_2"],
    "clang22_rvv.s": ["daxpy:.LBB0_2", "nested:.LBB1_6", "widen:.LBB2_2", "states:.LBB3_3", "calls:.LBB4_2"],
    "gfortran12.s": ["__kernels_MOD_triad:.L7"],
    "icc_att.s": ["triad:..B1.3"],
}


@pytest.mark.parametrize("file", EXPECTED)
def test_loops_of_compiler_outputs(file: str) -> None:
    assert [kernel.name.split(" ")[0] for kernel in read_regions(DATA / file)] == EXPECTED[file]


def test_source_lines_come_with_each_instruction() -> None:
    (kernel,) = read_regions(DATA / "gcc12_att_debug.s", RegionOptions(function="daxpy"))
    assert len(kernel.source_lines) == len(kernel)
    assert set(kernel.source_lines) <= {"sample.c:7", "sample.c:8"}
    (kernel,) = read_regions(DATA / "icc_att.s")
    assert kernel.source_lines[0] == "triad.c:4"


@pytest.mark.parametrize(
    ("wanted", "heading", "symbol"),
    [
        (
            "num::dot(double const*, double const*, int)",
            "num::dot(double const*, double const*, int):.L3 (lines 14-20)",
            "_ZN3num3dotEPKdS1_i",
        ),
        ("Matrix::trace", "num::Matrix::trace(int) const:.L16 (lines 90-94)", "_ZNK3num6Matrix5traceEi"),
        ("scale<float>", "num::scale<float>(float*, float, int):.L8 (lines 41-47)", "_ZN3num5scaleIfEEvPT_S1_i"),
    ],
)
def test_cpp_functions_are_found_and_shown_by_their_readable_name(wanted: str, heading: str, symbol: str) -> None:
    (kernel,) = read_regions(DATA / "gcc12_names.s", RegionOptions(function=wanted))
    assert (kernel.name, kernel.symbol) == (heading, symbol)


def test_a_name_without_arguments_means_all_instances() -> None:
    assert len(read_regions(DATA / "gcc12_names.s", RegionOptions(function="num::scale"))) == 2


def test_every_chosen_function_without_a_loop_is_a_region() -> None:
    kernels = regions_of_text(
        "_Z1fi:\n addl $1, %edi\n ret\n_Z1fl:\n addq $1, %rdi\n ret\n", "a.s", RegionOptions(function="f")
    )
    assert [kernel.name for kernel in kernels] == ["f(int) (lines 1-3)", "f(long) (lines 4-6)"]


def test_fortran_functions_are_found_by_their_plain_name() -> None:
    (kernel,) = read_regions(DATA / "gfortran12.s", RegionOptions(function="triad"))
    assert kernel.name.startswith("__kernels_MOD_triad:")


def test_from_text_wants_one_region() -> None:
    assert len(Kernel.from_text(TWO, RegionOptions(loop="1"))) == 2
    with pytest.raises(InputError, match="there are 2 regions"):
        Kernel.from_text(TWO)
    assert Kernel.from_text("nop", isa="riscv64").isa == "riscv64"


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b".L1:\nincq %rax\njne .L1\n")))
    (kernel,) = read_regions("-")
    assert kernel.file == "<stdin>"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"addq %rax, %rbx\nad\x00d", "NUL character"),
        (b"!<arch>\nabc", "static library"),
        (b"BC\xc0\xde", "bitcode"),
    ],
)
def test_what_is_no_assembly_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.s"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_regions(path)
    assert str(caught.value).startswith(str(path))


def test_nul_characters_in_comments_are_blanks(tmp_path: Path) -> None:
    """clang -g writes the characters of `.byte` directives into comments."""
    path = tmp_path / "a.s"
    path.write_bytes(b"\t.byte\t0  # \x00\n.L1:\n\tincq %rax // \x00 a\n\tjne .L1 # \x00\n")
    (kernel,) = read_regions(path)
    assert [each.mnemonic for each in kernel.instructions] == ["inc", "jne"]


@pytest.mark.parametrize("line_end", ["\r", "\r\n", "\n"])
def test_line_ends_change_nothing(tmp_path: Path, line_end: str) -> None:
    path = tmp_path / "a.s"
    path.write_bytes(line_end.join(["# a loop", ".L1:", "\tincq %rax", "\tjne .L1", ""]).encode())
    (kernel,) = read_regions(path)
    assert (kernel.first_line, kernel.last_line, len(kernel)) == (2, 4, 2)


def test_objects_and_listings_are_read_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (DATA / "gcc12_x86.o", DATA.parent / "listings" / "gnu_x86.txt"):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(path.read_bytes())))
        assert all(kernel.file == "<stdin>" for kernel in read_regions("-"))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_encodings_of_text(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.s"
    path.write_bytes("# é\n.L1:\nincq %rax\njne .L1\n".encode(encoding))
    (kernel,) = read_regions(path)
    assert (kernel.first_line, len(kernel)) == (2, 2)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.s", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            read_regions(path)


def test_source_code_needs_a_compiler(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int f(void) { return 1; }")
    with pytest.raises(InputError, match="--compile"):
        read_regions(path)
    with pytest.raises(CompilerError, match="was not found"):
        read_regions(path, compiler="no-such-compiler-anywhere -O2")


def test_line_lists() -> None:
    assert parse_lines("10-24, 30") == ((10, 24), (30, 30))
    for bad in ("", "a-b", "5-3", "0-3", "1-2-3", "1,,2"):
        with pytest.raises(InputError):
            parse_lines(bad)


def test_address_lists() -> None:
    assert parse_addresses("0x401130-401158,10-20") == ((0x401130, 0x401158), (0x10, 0x20))
    for bad in ("", "10", "20-10", "x-y"):
        with pytest.raises(InputError):
            parse_addresses(bad)
