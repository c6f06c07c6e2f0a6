"""Semantics of one example instruction, as iced-x86 reports it and LLVM prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import iced_x86 as ix

from .llvm_spelling import Spelling
from .semantics import FLAG_LETTERS, Semantics
from .variants import BASE_REGISTER, INDEX_REGISTER, KIND_NAMES, MASK_REGISTER, REGISTER_NAMES, Register, Variant

if TYPE_CHECKING:
    from iced_x86._iced_x86_py import Register as RegisterId

_FACTORY = ix.InstructionInfoFactory()
_BITS = (
    ix.RflagsBits.CF, ix.RflagsBits.PF, ix.RflagsBits.AF, ix.RflagsBits.ZF, ix.RflagsBits.SF, ix.RflagsBits.OF,
    ix.RflagsBits.DF,
)  # fmt: skip
_CONDITION_CODES = ix.RflagsBits.C0 | ix.RflagsBits.C2 | ix.RflagsBits.C3
_READS = frozenset({
    ix.OpAccess.READ, ix.OpAccess.COND_READ, ix.OpAccess.READ_WRITE, ix.OpAccess.READ_COND_WRITE,
    ix.OpAccess.COND_WRITE,  # where the write does not happen, the old value stays
})  # fmt: skip
_WRITES = frozenset({
    ix.OpAccess.WRITE, ix.OpAccess.COND_WRITE, ix.OpAccess.READ_WRITE, ix.OpAccess.READ_COND_WRITE,
})  # fmt: skip
_X87_FEATURES = frozenset({ix.CpuidFeature.FPU, ix.CpuidFeature.FPU287, ix.CpuidFeature.FPU387})
_PRINTED_NAMES = {"st": "st0", **{f"st({number})": f"st{number}" for number in range(8)}}
_FIXED_KINDS = {"CL": "cl", "AL": "al", "AX": "ax", "EAX": "eax", "RAX": "rax", "DX": "dx", "FS": "fs", "GS": "gs"}


def flag_letters(mask: int) -> str:
    """Name the flags of a mask of iced-x86."""
    return "".join(letter for letter, bit in zip(FLAG_LETTERS, _BITS, strict=True) if mask & bit)


def _family(register: RegisterId) -> int:
    return int(ix.RegisterInfo(register).full_register)


def _access_name(access: int, memory: bool = False) -> str:
    """Return r, w or rw; a store under a mask or condition does not read memory."""
    reads = access in _READS and not (memory and access == ix.OpAccess.COND_WRITE)
    return ("r" if reads else "") + ("w" if access in _WRITES else "") or "none"


def _explicit_families(variant: Variant, spelling: Spelling) -> set[int]:
    families = {_family(register) for register in variant.explicit_registers}
    kinds = [KIND_NAMES[kind] for kind in ix.OpCodeInfo(variant.instruction.code).op_kinds()]
    if any("P3_" in kind or kind == "KP1_REG" for kind in kinds):  # register groups: all members
        members = {cast("RegisterId", first + offset) for first in variant.explicit_registers for offset in range(4)}
        families |= {_family(register) for register in members}
    for operand in spelling.operands:
        name = _PRINTED_NAMES.get(operand, operand)
        if hasattr(Register, name.upper()):
            families.add(_family(getattr(Register, name.upper())))
    if any("MEM" in kind or "VSIB" in kind for kind in kinds):
        families |= {_family(register) for register in (BASE_REGISTER, INDEX_REGISTER)}
    if variant.instruction.is_vsib:
        families.add(_family(variant.instruction.memory_index))
    if variant.instruction.has_op_mask:
        families.add(MASK_REGISTER)
    return families


def _implicit_registers(variant: Variant, info: ix.InstructionInfo, spelling: Spelling) -> tuple[list[str], list[str]]:
    explicit = _explicit_families(variant, spelling)
    uses = [
        used
        for used in info.used_registers()
        if _family(used.register) not in explicit and not Register.MM0 <= used.register <= Register.MM7  # alias st0-7
    ]
    read = {used.register for used in uses if used.access in _READS and used.access != ix.OpAccess.COND_WRITE}
    written = {used.register for used in uses if used.access in _WRITES}
    families = {_family(register) for register in read}
    for used in uses:  # a write that may not happen keeps the old value
        if used.access == ix.OpAccess.COND_WRITE and _family(used.register) not in families:
            read.add(used.register)
    return [REGISTER_NAMES[register] for register in sorted(read)], [REGISTER_NAMES[r] for r in sorted(written)]


def _x87(instruction: ix.Instruction, read: list[str], written: list[str]) -> int:
    """Add the x87 status word and pushed values; return the change of TOP.

    Stack registers are numbered as before the instruction: what a push creates is st7.
    """
    if not _X87_FEATURES.intersection(instruction.cpuid_features()):
        return 0
    compared = (instruction.rflags_written | instruction.rflags_cleared | instruction.rflags_set) & _CONDITION_CODES
    if compared:
        written.append("fpsw")
    if instruction.rflags_read & _CONDITION_CODES:
        read.append("fpsw")
    top = int(instruction.fpu_stack_increment_info().increment)
    if top == -1 and instruction.mnemonic != ix.Mnemonic.FDECSTP:
        written.append("st7")
    return top


def _fixed_memory(variant: Variant, info: ix.InstructionInfo) -> list[str]:
    instruction = variant.instruction
    entries = []
    for used in info.used_memory():
        if used.base in (BASE_REGISTER, Register.NONE, *variant.explicit_registers) or used.vsib_size:
            continue
        size = ix.MemorySizeInfo(used.memory_size).size or ix.MemorySizeInfo(instruction.memory_size).size
        index = f"+{REGISTER_NAMES[used.index]}" if used.index else ""
        entries.append(f"{REGISTER_NAMES[used.base]}{index}:{size}:{_access_name(used.access, memory=True)}")
    return entries


def _explicit_memory(instruction: ix.Instruction, info: ix.InstructionInfo, spelling: Spelling) -> tuple[str, str]:
    printed = [number for number, operand in enumerate(spelling.operands) if "[" in operand]
    kinds = [instruction.op_kind(number) for number in range(instruction.op_count)]
    memory_kinds = (
        ix.OpKind.MEMORY, ix.OpKind.MEMORY_ESRDI, ix.OpKind.MEMORY_SEG_RSI, ix.OpKind.MEMORY_SEG_RDI,
    )  # fmt: skip
    accesses = [info.op_access(number) for number, kind in enumerate(kinds) if kind in memory_kinds]
    first, other = "", ""
    if len(accesses) == len(printed):
        for number, access in zip(printed, accesses, strict=True):
            name = _access_name(access, memory=True)
            first, other = (name, other) if number == 0 else (first, name)
    return first, other


def _stack_operand_access(instruction: ix.Instruction, info: ix.InstructionInfo, spelling: Spelling) -> tuple[str, ...]:
    """Return the access to each printed operand where all of these are x87 stack registers."""
    if not spelling.operands or any(operand not in _PRINTED_NAMES for operand in spelling.operands):
        return ()
    access = {
        REGISTER_NAMES[instruction.op_register(number)]: _access_name(info.op_access(number))
        for number in range(instruction.op_count)
    }
    return tuple(access[_PRINTED_NAMES[operand]] for operand in spelling.operands)


def fixed_registers(instruction: ix.Instruction) -> frozenset[str]:
    """Return registers that the encoding fixes and that are printed as operands."""
    kinds = [KIND_NAMES[kind] for kind in ix.OpCodeInfo(instruction.code).op_kinds()]
    return frozenset(_FIXED_KINDS[kind] for kind in kinds if kind in _FIXED_KINDS)


def semantics_of(variant: Variant, spelling: Spelling) -> Semantics:
    """Collect everything that is known of one example."""
    instruction = variant.instruction
    info = _FACTORY.info(instruction)
    read, written = _implicit_registers(variant, info, spelling)
    top = _x87(instruction, read, written)
    memory = _fixed_memory(variant, info)
    first, other = _explicit_memory(instruction, info, spelling)
    is_printed = bool(memory) and any("[rsi]" in text or "[rdi]" in text for text in spelling.operands)
    return Semantics(
        flags_read=flag_letters(instruction.rflags_read),
        flags_written=flag_letters(instruction.rflags_written | instruction.rflags_cleared | instruction.rflags_set),
        flags_undefined=flag_letters(instruction.rflags_undefined),
        implicit_read=tuple(read),
        implicit_written=tuple(written),
        memory=tuple(memory),
        memory_printed="yes" if is_printed else "",
        memory_first=first,
        memory_other=other,
        x87_top=top,
        operand_access=_stack_operand_access(instruction, info, spelling),
    )
