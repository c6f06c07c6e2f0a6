"""Disassemblers' output is code; tests/data/listings has what the tools write of two loops."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corecast.asm import RegionOptions, regions_of_text
from corecast.asm.detect import may_be_listing
from corecast.asm.kernel import Kernel
from corecast.asm.listing_lines import listing_kind
from corecast.asm.objects import read_object
from corecast.asm.region_choice import choose_regions
from corecast.asm.text import read_text
from corecast.errors import InputError, SyntaxProblem

DATA = Path(__file__).resolve().parent.parent / "data"
LISTINGS = DATA / "listings"

TRIAD = {
    "x86": ["movapd", "mulsd", "addsd", "movsd", "add", "cmp", "jne"],
    "aarch64": ["ldr", "fmul", "ldr", "fadd", "str", "add", "cmp", "b.ne"],
    "riscv64": ["fld", "fmul.d", "fld", "fadd.d", "fsd", "addi", "addi", "addi", "bne"],
}
START = {"x86": 0xA, "aarch64": 0xC, "riscv64": 0xA}
WITHOUT_COUNT = ("gdb_x86_source.txt", "gdb_x86_examine_intel.txt", "perf_x86.txt", "perf_x86_bytes.txt")
FILES = sorted(path.name for path in LISTINGS.glob("*.txt") if "stdio2" not in path.name)


def text(file: str) -> str:
    return (LISTINGS / file).read_text(encoding="utf-8")


def isa_of(file: str) -> str:
    return "aarch64" if "aarch64" in file else "riscv64" if "riscv" in file else "x86"


@pytest.mark.parametrize("file", FILES)
def test_the_loops_of_a_listing_are_found(file: str) -> None:
    kernels = regions_of_text(text(file), file)
    isa = isa_of(file)
    assert kernels[0].isa == isa
    assert [each.mnemonic for each in kernels[0].instructions] == TRIAD[isa]
    assert kernels[0].name.startswith(f"triad+{START[isa]:#x} (")
    assert [kernel.name.split("+")[0] for kernel in kernels[1:]] == ([] if file in WITHOUT_COUNT else ["count"])
    assert not any(kernel.unreadable or kernel.warnings for kernel in kernels)


@pytest.mark.parametrize("file", FILES)
def test_instructions_know_the_lines_of_the_listing(file: str) -> None:
    lines = text(file).split("\n")
    for kernel in regions_of_text(text(file), file):
        for instruction, statement in zip(kernel.instructions, kernel.statements, strict=True):
            assert statement
            assert statement in " ".join(lines[instruction.line - 1].split())


@pytest.mark.parametrize("name", ["gnu_x86", "gnu_x86_text", "llvm22_x86_text_only", "gdb_x86"])
def test_bytes_and_text_give_the_same_kernels(name: str) -> None:
    (reference, _) = regions_of_text(text("llvm22_x86.txt"))
    (kernel, _) = regions_of_text(text(f"{name}.txt") if name != "gnu_x86_text" else _without_bytes("gnu_x86.txt"))
    assert [each.form for each in kernel.instructions] == [each.form for each in reference.instructions]


def _without_bytes(file: str) -> str:
    """What --no-show-raw-insn writes."""
    rows = []
    for line in text(file).split("\n"):
        fields = line.split("\t")
        rows.append("\t".join((fields[0], *fields[2:])) if len(fields) > 2 else line)
    return "\n".join(rows)


@pytest.mark.parametrize("isa", ["aarch64", "riscv"])
@pytest.mark.parametrize("tool", ["gdb", "perf"])
def test_gdb_and_perf_on_other_instruction_sets(isa: str, tool: str) -> None:
    """They print what objdump prints, in their own columns."""
    rows = []
    for line in _without_bytes(f"gnu_{isa}.txt").split("\n"):
        if "file format" in line:
            continue
        address, colon, rest = line.partition(":\t")
        if tool == "perf":
            rows.append(f"    1.23 : {address}:   {rest}" if colon else f"         : 5    {line}")
        elif colon:
            rows.append(f"   {int(address, 16):#018x} <+{int(address, 16)}>:\t{rest}")
        elif line.startswith("0"):
            rows.append(f"Dump of assembler code for function {line.split('<')[1][:-2]}:")
    if tool == "perf":
        rows.insert(0, " Percent |\tSource code & Disassembly of a for cycles (3 samples, percent: local period)")
    if tool == "gdb" and isa == "riscv":  # local labels head no function in gdb
        rows = [row for row in rows if "function .L" not in row]
    kernels = regions_of_text("\n".join(rows), "a.txt", RegionOptions(isa="aarch64" if isa == "aarch64" else "riscv64"))
    assert [kernel.name.split("+")[0] for kernel in kernels] == ["triad", "count"]
    assert [each.mnemonic for each in kernels[0].instructions] == TRIAD[isa if isa == "aarch64" else "riscv64"]


def test_a_function_can_be_chosen() -> None:
    (kernel,) = regions_of_text(text("gnu_x86.txt"), "a.txt", RegionOptions(function="count"))
    assert kernel.name == "count+0xc (0x33-0x4a)"
    assert kernel.symbol == "count"
    with pytest.raises(InputError, match="count"):
        regions_of_text(text("gnu_x86.txt"), "a.txt", RegionOptions(function="nothing"))


def test_addresses_and_lines_can_be_chosen() -> None:
    (kernel,) = regions_of_text(text("llvm22_x86_text_only.txt"), "a.txt", RegionOptions(address=((0xA, 0x26),)))
    assert [each.mnemonic for each in kernel.instructions] == TRIAD["x86"]
    first = kernel.instructions[0].line
    (kernel,) = regions_of_text(text("llvm22_x86_text_only.txt"), "a.txt", RegionOptions(lines=((first, first + 1),)))
    assert [each.mnemonic for each in kernel.instructions] == ["movapd", "mulsd"]


def test_a_loop_pasted_without_its_surroundings_is_read() -> None:
    rows = [line for line in text("gnu_x86.txt").split("\n") if line.startswith(("   a:", "   e:", "  1", "  2"))][:7]
    (kernel,) = regions_of_text("\n".join(rows), "a.txt")
    assert [each.mnemonic for each in kernel.instructions] == TRIAD["x86"]


@pytest.mark.parametrize("file", ["gnu_x86.txt", "llvm22_x86_text_only.txt", "gdb_x86_source.txt"])
def test_a_listing_cut_within_its_loop_is_refused(file: str) -> None:
    lines = text(file).split("\n")
    last = next(number for number, line in enumerate(lines) if "cmp" in line)
    cut = "\n".join([*lines[:4], *lines[last - 2 : last + 2]])
    with pytest.raises(SyntaxProblem, match="does not hold the loop's start: this branch goes to 0xa"):
        regions_of_text(cut.replace("<triad>:", ""), "a.txt")


def test_perf_output_without_addresses_is_refused() -> None:
    with pytest.raises(InputError, match="perf annotate --stdio"):
        regions_of_text(text("perf_x86_stdio2.txt"))


def test_a_listing_for_another_machine_is_refused() -> None:
    with pytest.raises(InputError, match="elf32-i386"):
        regions_of_text(text("gnu_x86.txt").replace("elf64-x86-64", "elf32-i386"), "a.txt")


def test_a_listing_without_instructions_is_refused() -> None:
    with pytest.raises(InputError, match="without instructions: give the object file"):
        regions_of_text("\na.o:     file format elf64-x86-64\n\n", "a.txt")


def test_gdb_listings_in_the_order_of_the_source_are_refused() -> None:
    lines = text("gdb_x86_source.txt").split("\n")
    moved = "\n".join([*lines[:4], *lines[8:13], *lines[4:8], *lines[13:]])
    with pytest.raises(InputError, match="go back to 0x0: write the listing with `disassemble /s`"):
        regions_of_text(moved, "a.txt")


def test_sections_may_repeat_addresses() -> None:
    """Every section of an object file starts at 0, and listings are pasted together."""
    twice = text("gnu_x86.txt") + text("gnu_x86.txt").replace("triad", "other")
    names = [kernel.name for kernel in regions_of_text(twice)]
    assert [name.split("+")[0] for name in names] == ["triad", "count", "other", "count"]
    twice = text("llvm22_x86_text_only.txt") + text("llvm22_x86_text_only.txt")
    assert len(regions_of_text(twice)) == 4


def test_data_among_the_code_is_told_once() -> None:
    listing = text("gnu_x86.txt") + "  55:\t06                   \t(bad)\n"
    kernels = regions_of_text(listing, "a.txt")
    assert [len(kernel.warnings) for kernel in kernels] == [1, 0]
    assert kernels[0].warnings[0].startswith("1 line outside the analyzed code could not be read")


def test_bytes_of_a_long_instruction_on_two_lines() -> None:
    listing = (
        "   0:\t48 b8 ef cd ab 90 78 \tmovabs $0x1234567890abcdef,%rax\n   7:\t56 34 12 \n"
        "   a:\t48 01 c3             \tadd    %rax,%rbx\n   d:\t75 fb                \tjne    a <f+0xa>\n"
    )
    code = read_text(listing)
    assert [each.length_bytes for each in code.instructions] == [10, 3, 2]
    assert code.targets == [-1, -1, 1]


@pytest.mark.parametrize(
    "assembly",
    [
        "1:\tnop\n2:\tnop\n3:\tjmp 1b\n",
        "  1:\tnop\n  2:\tnop\n  3:\tjmp 1b\n",
        "10:\taddq %rax, %rbx\n20:\taddq %rax, %rbx\n\tjne 10b\n",
        ".L1:\n\taddq $1, %rax\n\tjne .L1\n",
        "f:\tadd x0, x0, #1\n\tb f\n",
    ],
)
def test_assembly_is_no_listing(assembly: str) -> None:
    assert listing_kind(assembly) == ""


@pytest.mark.parametrize("path", sorted((DATA / "asm").glob("*.s")), ids=lambda path: path.name)
def test_compiler_output_is_no_listing(path: Path) -> None:
    assert listing_kind(path.read_text(encoding="utf-8")) == ""


@pytest.mark.skipif(shutil.which("objdump") is None, reason="no objdump")
@pytest.mark.parametrize("options", [["-d"], ["-d", "--no-show-raw-insn"], ["-d", "-M", "intel", "-r", "-l"]])
def test_the_listing_of_an_object_gives_what_the_object_gives(options: list[str]) -> None:
    path = DATA / "asm" / "gcc12_x86.o"
    listing = subprocess.run(["objdump", *options, path], capture_output=True, text=True, check=True).stdout
    expected = [Kernel.of_region(region) for region in choose_regions(read_object(path))]
    found = regions_of_text(listing, str(path))
    assert [kernel.name for kernel in found] == [kernel.name for kernel in expected]
    for kernel, reference in zip(found, expected, strict=True):
        assert [each.form for each in kernel.instructions] == [each.form for each in reference.instructions]


_PIECES = (
    *("Percent", "Dump of assembler code for function f:", "file format elf64-x86-64", "a.o:     file format", "event"),
    *("Disassembly of section .text:", "0000000000001130 <f>:", "  1130:", "=> 0x1130 <+4>:", "abc:", "\t", " ", "\n"),
    *(".L3:", "add", "rax, rbx", "# 12: ", "4:", "<f>:", ":", "0x", "Source code", "Disassembly", "│", "\r", "é"),
)


@given(st.lists(st.sampled_from(_PIECES), max_size=40))
def test_no_listing_is_passed_over(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert may_be_listing(text) or not listing_kind(text)


@pytest.mark.parametrize("text", ["", ".L3:\n\taddq %rax, %rbx # 0x3: \n\tjne .L3\n", "loop:\n add rax, [rbx]\n"])
def test_assembly_text_is_no_listing_at_first_sight(text: str) -> None:
    assert not may_be_listing(text)
