"""The x86 semantics overlay: facts of the architecture, agreement with iced-x86, and generated code up to date."""

from __future__ import annotations

import shutil
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from x86_semantics.emit import inc_text, read_tsv  # noqa: E402
from x86_semantics.semantics import ACCESSES, FLAG_LETTERS, SAME_REGISTER_KINDS, Row, Semantics, order_key  # noqa: E402

TSV = ROOT / "src/corecast/isa/data/x86_semantics.tsv"
INC = ROOT / "cpp/llvm/generated/x86_semantics.inc"
ROWS = read_tsv(TSV)
BY_KEY = {(row.mnemonic, row.shape): row.semantics for row in ROWS}
ALL = "CPAZSO"


def of(mnemonic: str, shape: str = "") -> Semantics:
    """Return the semantics of a row that must be there."""
    return BY_KEY[mnemonic, shape]


def touched(semantics: Semantics) -> str:
    """Return the flags that do not surely keep their value."""
    changed = semantics.flags_written + semantics.flags_conditional + semantics.flags_undefined
    return "".join(letter for letter in FLAG_LETTERS if letter in changed)


# One fact a line: mnemonic, shape, column, value, and why.
FACTS: list[tuple[str, str, str, object, str]] = [
    ("add", "", "flags_written", ALL, "add writes all six arithmetic flags"),
    ("add", "", "memory_first", "rw", "add to memory reads and writes it"),
    ("add", "", "memory_other", "r", "add from memory reads it"),
    ("inc", "", "flags_written", "PAZSO", "inc keeps CF"),
    ("dec", "", "flags_written", "PAZSO", "dec keeps CF"),
    ("adc", "", "flags_read", "C", "adc reads CF only"),
    ("adcx", "", "flags_read", "C", "adcx reads CF"),
    ("adcx", "", "flags_written", "C", "adcx writes CF only"),
    ("adox", "", "flags_read", "O", "adox reads OF"),
    ("adox", "", "flags_written", "O", "adox writes OF only"),
    ("and", "", "flags_undefined", "A", "and leaves AF undefined"),
    ("not", "", "memory_first", "rw", "not writes no flag, but reads and writes memory"),
    ("neg", "", "flags_written", ALL, "neg writes all six"),
    ("shl", "*,cl", "flags_conditional", ALL, "a shift by cl keeps every flag when the count is 0"),
    ("shl", "*,cl", "flags_written", "", "a shift by cl writes no flag for sure"),
    ("shl", "*,cl", "flags_undefined", "AO", "AF and, for counts above 1, OF of a shift are undefined"),
    ("shl", "2", "flags_written", "CPZS", "a shift by an immediate writes CF PF ZF SF for sure"),
    ("shl", "1", "flags_written", "CPZSO", "a shift by one defines OF"),
    ("shld", "*,*,cl", "flags_conditional", ALL, "double shifts by cl are conditional, too"),
    ("rol", "2", "flags_written", "C", "rotates write CF"),
    ("rol", "2", "flags_undefined", "O", "and leave OF undefined for counts above 1, and the others alone"),
    ("rol", "*,cl", "flags_conditional", "CO", "rotates by cl are conditional"),
    ("rcl", "2", "flags_read", "C", "rotates through carry read CF"),
    ("bt", "", "flags_written", "C", "bt writes CF"),
    ("bt", "", "flags_undefined", "PASO", "bt keeps ZF and leaves the others undefined"),
    ("bt", "", "memory_first", "r", "bt only reads memory"),
    ("bts", "", "memory_first", "rw", "bts reads and writes memory"),
    ("bsf", "", "flags_written", "Z", "bsf defines ZF only"),
    ("tzcnt", "", "flags_written", "CZ", "tzcnt defines CF and ZF"),
    ("popcnt", "", "flags_written", ALL, "popcnt writes all: all but ZF are cleared"),
    ("cmc", "", "flags_read", "C", "cmc complements CF"),
    ("clc", "", "flags_written", "C", "clc writes CF"),
    ("std", "", "flags_written", "D", "std sets DF"),
    ("test", "", "memory_first", "r", "test does not write memory"),
    ("cmp", "", "memory_first", "r", "cmp does not write memory"),
    ("cmp", "", "same_register", "flags", "a register equals itself"),
    ("jne", "", "flags_read", "Z", "jne reads ZF"),
    ("ja", "", "flags_read", "CZ", "ja reads CF and ZF"),
    ("jg", "", "flags_read", "ZSO", "jg reads ZF, SF and OF"),
    ("cmovl", "", "flags_read", "SO", "cmovl reads SF and OF"),
    ("setp", "", "flags_read", "P", "setp reads PF"),
    ("setne", "", "memory_first", "w", "setcc to memory does not read it"),
    ("lahf", "", "flags_read", "CPAZS", "lahf does not read OF"),
    ("lahf", "", "implicit_written", ("ah",), "lahf writes ah"),
    ("sahf", "", "flags_written", "CPAZS", "sahf does not write OF"),
    ("ucomisd", "", "flags_written", ALL, "ucomisd clears OF, SF and AF"),
    ("ptest", "", "flags_written", ALL, "ptest writes all: all but CF and ZF are cleared"),
    ("kortestw", "", "flags_written", ALL, "kortest writes all"),
    ("fcomi", "", "flags_written", ALL, "fcomi writes EFLAGS"),
    ("fcmovbe", "", "flags_read", "CZ", "fcmovbe reads CF and ZF"),
    ("cqo", "", "implicit_read", ("rax",), "cqo reads rax only"),
    ("cqo", "", "implicit_written", ("rdx",), "cqo writes rdx"),
    ("cdq", "", "implicit_read", ("eax",), "cdq reads eax"),
    ("mul", "1", "implicit_read", ("rax",), "mul does not read rdx"),
    ("mul", "1", "implicit_written", ("rax", "rdx"), "mul writes both halves"),
    ("mul", "m8|r8", "implicit_read", ("al",), "byte mul reads al"),
    ("mul", "m8|r8", "implicit_written", ("ax",), "byte mul writes ax and leaves dx alone"),
    ("mul", "1", "flags_written", "CO", "mul defines CF and OF only"),
    ("imul", "2", "implicit_read", (), "imul with two operands has no implicit ones"),
    ("imul", "1", "implicit_written", ("rax", "rdx"), "imul with one operand writes both halves"),
    ("div", "1", "implicit_read", ("rax", "rdx"), "div reads both halves"),
    ("div", "1", "flags_undefined", ALL, "div leaves all flags undefined"),
    ("mulx", "3", "implicit_read", ("rdx",), "mulx reads rdx"),
    ("loop", "", "implicit_read", ("rcx",), "loop counts in rcx"),
    ("loop", "", "implicit_written", ("rcx",), "loop counts in rcx"),
    ("loopne", "", "flags_read", "Z", "loopne reads ZF"),
    ("jrcxz", "", "implicit_read", ("rcx",), "jrcxz reads rcx"),
    ("push", "1", "implicit_written", ("rsp",), "push moves rsp"),
    ("push", "1", "memory", ("rsp:8:w",), "push stores 8 bytes"),
    ("push", "m16|r16", "memory", ("rsp:2:w",), "push of 16 bits stores 2 bytes"),
    ("pop", "1", "memory", ("rsp:8:r",), "pop loads 8 bytes"),
    ("pop", "1", "memory_first", "w", "pop to memory writes it"),
    ("call", "1", "memory", ("rsp:8:w",), "call stores the return address"),
    ("ret", "", "memory", ("rsp:8:r",), "ret loads it"),
    ("ret", "", "implicit_written", ("rsp",), "ret moves rsp"),
    ("leave", "", "memory", ("rbp:8:r",), "leave loads rbp"),
    ("pushfq", "", "flags_read", "CPAZSOD", "pushf reads all flags"),
    ("popfq", "", "flags_written", "CPAZSOD", "popf writes all flags"),
    ("lea", "", "memory_other", "none", "lea does not access memory"),
    ("prefetcht0", "", "memory_first", "none", "a prefetch yields no value"),
    ("clflush", "", "memory_first", "none", "clflush yields no value"),
    ("nop", "", "memory_first", "none", "a long nop does not access memory"),
    ("movsb", "", "memory", ("rdi:1:w", "rsi:1:r"), "movs stores to rdi and loads from rsi"),
    ("movsb", "", "flags_read", "D", "string instructions read DF"),
    ("rep movsq", "", "implicit_written", ("rcx", "rsi", "rdi"), "rep counts in rcx"),
    ("cmpsb", "", "memory", ("rsi:1:r", "rdi:1:r"), "cmps loads twice"),
    ("cmpsb", "", "flags_written", ALL, "cmps compares"),
    ("rep cmpsb", "", "flags_conditional", ALL, "rep cmps with rcx of 0 keeps the flags"),
    ("repne scasb", "", "flags_conditional", ALL, "repne scas with rcx of 0 keeps the flags"),
    ("stosq", "", "memory", ("rdi:8:w",), "stos stores"),
    ("lodsd", "", "memory", ("rsi:4:r",), "lods loads"),
    ("movsd", "2", "implicit_read", (), "the scalar move is not a string instruction"),
    ("movsd", "m32,*", "implicit_read", ("rsi", "rdi"), "the string instruction of the same name is one"),
    ("xlatb", "", "memory", ("rbx+al:1:r",), "xlat loads from rbx + al"),
    ("maskmovdqu", "", "memory", ("rdi:16:w",), "maskmovdqu stores to rdi"),
    ("cmpxchg", "2", "implicit_read", ("rax",), "cmpxchg compares with rax"),
    ("cmpxchg", "2", "implicit_written", ("rax",), "and loads it"),
    ("cmpxchg", "2", "operand_access", ("rw", "r"), "cmpxchg reads its destination"),
    ("cmpxchg16b", "", "flags_written", "Z", "cmpxchg16b writes ZF only"),
    ("cmpxchg16b", "", "implicit_read", ("rax", "rcx", "rdx", "rbx"), "cmpxchg16b reads two pairs"),
    ("xadd", "", "flags_written", ALL, "xadd adds"),
    ("cpuid", "", "implicit_written", ("rax", "rcx", "rdx", "rbx"), "cpuid writes four registers"),
    ("rdtsc", "", "implicit_written", ("rax", "rdx"), "rdtsc writes rdx:rax"),
    ("rdtscp", "", "implicit_written", ("rax", "rcx", "rdx"), "rdtscp writes rcx, too"),
    ("xgetbv", "", "implicit_read", ("ecx",), "xgetbv reads ecx"),
    ("pcmpistri", "", "implicit_written", ("rcx",), "pcmpistri writes ecx"),
    ("fld", "", "x87_top", -1, "fld pushes"),
    ("fstp", "", "x87_top", 1, "fstp pops"),
    ("fcompp", "", "x87_top", 2, "fcompp pops twice"),
    ("faddp", "", "operand_access", ("rw", "r"), "faddp adds to its first operand"),
    ("fnstsw", "", "implicit_read", ("fpsw",), "fnstsw reads the condition codes"),
    ("fcom", "", "implicit_written", ("fpsw",), "fcom writes the condition codes"),
    ("xor", "", "same_register", "zero", "x ^ x is 0"),
    ("vpxorq", "", "same_register", "zero", "x ^ x is 0"),
    ("vpsubusw", "", "same_register", "zero", "x - x is 0"),
    ("pcmpgtd", "", "same_register", "zero", "nothing is greater than itself"),
    ("pandn", "", "same_register", "zero", "~x & x is 0"),
    ("vpcmpeqd", "", "same_register", "ones", "x equals x"),
    ("sbb", "", "same_register", "carry", "x - x - CF depends on CF only"),
    ("vpternlogd", "", "same_register", "immediate", "immediates 0x00 and 0xff ignore the sources"),
]


@pytest.mark.parametrize(("mnemonic", "shape", "column", "value", "why"), FACTS)
def test_fact_of_the_architecture(mnemonic: str, shape: str, column: str, value: object, why: str) -> None:
    """Every fact listed above holds."""
    assert getattr(of(mnemonic, shape), column) == value, why


def test_instructions_that_touch_no_flag() -> None:
    """Moves, lea, not, push, mulx and the BMI2 shifts keep all flags."""
    for mnemonic in ("mov", "lea", "not", "push", "pop", "mulx", "shlx", "rorx", "pdep", "call", "xchg", "movbe"):
        for row in ROWS:
            privileged = "cr" in row.pattern() or "dr" in row.pattern()
            if row.mnemonic == mnemonic and not privileged:
                assert touched(row.semantics) == "", row


@pytest.mark.parametrize("mnemonic", ["vzeroupper", "emms", "wait", "fnop", "cli", "sti", "clac", "stac"])
def test_rows_that_say_nothing_happens(mnemonic: str) -> None:
    """These have an empty row, because LLVM names registers or EFLAGS that no dependency goes through."""
    assert of(mnemonic) == Semantics()


def test_plain_vector_arithmetic_has_no_row() -> None:
    """What LLVM describes well is not repeated."""
    mnemonics = {row.mnemonic for row in ROWS}
    assert mnemonics.isdisjoint({"vaddps", "addpd", "vfmadd213pd", "paddd", "vpermq", "sarx"})


def test_no_mnemonic_of_knights_corner() -> None:
    """Encodings of a dead instruction set do not shadow living ones."""
    assert {row.mnemonic for row in ROWS}.isdisjoint({"jknzd", "vpackstorehd", "delay"})


def test_rows_are_ordered_and_distinct() -> None:
    """The lookup searches binary: rows are sorted, patterns before counts before any."""
    assert sorted(ROWS, key=order_key) == ROWS
    assert len(BY_KEY) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.mnemonic}-{row.shape}")
def test_row_is_well_formed(row: Row) -> None:
    """Cells hold known words; a flag is not both always and conditionally written."""
    semantics = row.semantics
    for flags in (
        semantics.flags_read,
        semantics.flags_written,
        semantics.flags_conditional,
        semantics.flags_undefined,
    ):
        assert flags == "".join(letter for letter in FLAG_LETTERS if letter in flags)
    assert not set(semantics.flags_written) & set(semantics.flags_conditional + semantics.flags_undefined)
    assert {semantics.memory_first, semantics.memory_other} <= set(ACCESSES)
    assert semantics.same_register in SAME_REGISTER_KINDS
    assert len(semantics.operand_access) <= 2
    for entry in semantics.memory:
        base, width, access = entry.split(":")
        assert base
        assert int(width) >= 0
        assert access in ("r", "w", "rw")
    if semantics.memory_printed:
        printed = [access for access in (semantics.memory_first, semantics.memory_other) if access]
        assert len(semantics.memory) == len(printed)


def test_generated_code_is_up_to_date() -> None:
    """The C++ array is what the table gives: else run tools/generate_x86_semantics.py code."""
    assert INC.read_text(encoding="utf-8") == inc_text(ROWS)


# What LLVM prints in another way than iced-x86 names it.
ICED_NAMES = {
    "fcompi": "fcomip", "fucompi": "fucomip", "getsec": "getsecq", "lcall": "call", "ljmp": "jmp", "retfq": "retf",
    "movabs": "mov", "xstorerng": "xstore",
    "cmpaxadd": "cmpnbexadd", "cmpaexadd": "cmpnbxadd", "cmpgxadd": "cmpnlexadd", "cmpgexadd": "cmpnlxadd",
    "cmpnexadd": "cmpnzxadd", "cmpexadd": "cmpzxadd",
}  # fmt: skip


@cache
def iced_flags() -> dict[str, set[tuple[str, str]]]:
    """Return, by iced-x86's mnemonic, every (read, changed) pair of flags among its forms."""
    from x86_semantics.facts import flag_letters
    from x86_semantics.variants import build_variants

    ix: Any = pytest.importorskip("iced_x86")
    names = {value: name.lower() for name, value in vars(ix.Mnemonic).items() if isinstance(value, int)}
    flags: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for variant in build_variants()[0]:
        instruction = variant.instruction
        pair = flag_letters(instruction.rflags_read), flag_letters(instruction.rflags_modified)
        flags[names[instruction.mnemonic]].add(pair)
    return flags


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.mnemonic}-{row.shape}")
def test_flags_agree_with_iced(row: Row) -> None:
    """Some form of the mnemonic in iced-x86 reads and changes just these flags."""
    pytest.importorskip("iced_x86")
    name = row.mnemonic.rsplit(" ", 1)[-1]
    assert (row.semantics.flags_read, touched(row.semantics)) in iced_flags()[ICED_NAMES.get(name, name)]


def test_table_is_what_the_generator_gives() -> None:
    """The table is up to date with the rules: else run tools/generate_x86_semantics.py all."""
    pytest.importorskip("iced_x86")
    llvm_mc = shutil.which("llvm-mc-22")
    if llvm_mc is None:
        pytest.skip("llvm-mc-22 is not installed")
    from x86_semantics.corrections import EXCLUDED
    from x86_semantics.table import build_rows, collect

    collected = collect(llvm_mc)
    rows, conflicts = build_rows(collected.examples)
    assert conflicts == []
    assert set(collected.missing) == set(EXCLUDED), "every mnemonic without a row has a reason"
    assert rows == ROWS
