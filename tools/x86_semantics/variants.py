"""One example encoding per iced-x86 code and operand kind: what the facts are read from.

Explicit operands get registers that no instruction uses implicitly, so that whatever else iced-x86 reports is implicit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import iced_x86 as ix

if TYPE_CHECKING:  # the package types its enumerations in its stubs only
    from iced_x86._iced_x86_py import Code as CodeId
    from iced_x86._iced_x86_py import Register as RegisterId

Code = ix.Code
Kind = ix.OpCodeOperandKind
OpKind = ix.OpKind
Register = ix.Register

BASE_REGISTER = Register.R12
INDEX_REGISTER = Register.R9
MASK_REGISTER = Register.K1
INSTRUCTION_POINTER = 0x1000
IMMEDIATE = 0x45
"""A shift count that no operand width reduces to 0 or 1, and beyond the compare predicates that change the mnemonic."""


def _names(enum: object) -> dict[str, int]:
    return {name: value for name in dir(enum) if name.isupper() and isinstance(value := getattr(enum, name), int)}


KIND_NAMES = {value: name for name, value in _names(Kind).items()}
REGISTER_NAMES = {value: name.lower() for name, value in _names(Register).items()}

_REGISTERS = {
    "R8": ("R13L", "R14L", "R15L"),
    "R16": ("R13W", "R14W", "R15W"),
    "R32": ("R13D", "R14D", "R15D", "R10D"),
    "R64": ("R13", "R14", "R15", "R10"),
    "MM": ("MM5", "MM6", "MM7"),
    "XMM": ("XMM5", "XMM6", "XMM7", "XMM3", "XMM4"),
    "YMM": ("YMM5", "YMM6", "YMM7", "YMM3", "YMM4"),
    "ZMM": ("ZMM5", "ZMM6", "ZMM7", "ZMM3", "ZMM4"),
    "K": ("K3", "K4", "K5", "K6"),
    "TMM": ("TMM1", "TMM2", "TMM3"),
    "BND": ("BND1", "BND2"),
    "SEG": ("FS", "FS"),
    "CR": ("CR4", "CR4"),
    "DR": ("DR7", "DR7"),
}
_GROUPS = {"XMMP3": "XMM8", "ZMMP3": "ZMM8", "KP1": "K2"}
_LITERALS = {name: name for name in ("ST0", "CL", "AX", "EAX", "AL", "RAX", "DX", "FS", "GS")}
_HELD_ADDRESSES = ("R32_REG_MEM", "R64_REG_MEM")
"""Registers that hold the address of an operand that is not printed."""
_STRING_MEMORY = {
    "ES_RDI": OpKind.MEMORY_ESRDI,
    "SEG_RSI": OpKind.MEMORY_SEG_RSI,
    "SEG_RDI": OpKind.MEMORY_SEG_RDI,
}
_IMMEDIATES = {
    "IMM8": OpKind.IMMEDIATE8,
    "IMM8_CONST_1": OpKind.IMMEDIATE8,
    "IMM16": OpKind.IMMEDIATE16,
    "IMM32": OpKind.IMMEDIATE32,
    "IMM64": OpKind.IMMEDIATE64,
    "IMM32SEX64": OpKind.IMMEDIATE32TO64,
    "IMM8SEX16": OpKind.IMMEDIATE8TO16,
    "IMM8SEX32": OpKind.IMMEDIATE8TO32,
    "IMM8SEX64": OpKind.IMMEDIATE8TO64,
    "IMM4_M2Z": OpKind.IMMEDIATE8,
}


@dataclass(frozen=True)
class Variant:
    """An encodable example instruction."""

    instruction: ix.Instruction
    encoding: bytes
    explicit_registers: frozenset[RegisterId]
    """Registers of the operands that the example names itself (fixed ones such as cl are not among them)."""


def _register(name: str) -> RegisterId:
    found: RegisterId = getattr(Register, name)
    return found


def explicit_register(operand_kind: str, position: int) -> RegisterId | None:
    """Return the register that stands for a register operand of this kind, None where it is not a register."""
    if operand_kind == "STI_OPCODE":
        return Register.ST3
    head = operand_kind.split("_")[0]
    if head in _GROUPS:
        return _register(_GROUPS[head])
    if head in _REGISTERS and operand_kind != head:
        return _register(_REGISTERS[head][position])
    return None


def _set_memory(instruction: ix.Instruction, operand_kind: str) -> None:
    instruction.memory_base = BASE_REGISTER
    if "VSIB" in operand_kind:
        instruction.memory_index = getattr(Register, operand_kind[-1] + "MM9")
    elif operand_kind in ("SIBMEM", "MEM_MIB"):
        instruction.memory_index = INDEX_REGISTER
    elif operand_kind == "MEM_OFFS":
        instruction.memory_base = Register.NONE
        instruction.memory_displ_size = 8
        instruction.memory_displacement = 0x123456789ABC


def _set_operand(instruction: ix.Instruction, position: int, kind: str, memory: bool) -> RegisterId | None:
    """Fill one operand; return the register it names, if any."""
    register = explicit_register(kind, position)
    if kind in _STRING_MEMORY:
        instruction.set_op_kind(position, _STRING_MEMORY[kind])
    elif kind == "SEG_RBX_AL":
        instruction.set_op_kind(position, OpKind.MEMORY)
        instruction.memory_base, instruction.memory_index = Register.RBX, Register.AL
    elif kind.startswith(("MEM", "SIBMEM")) or (memory and "_MEM" in kind and kind not in _HELD_ADDRESSES):
        instruction.set_op_kind(position, OpKind.MEMORY)
        _set_memory(instruction, kind)
    elif kind in _HELD_ADDRESSES:
        instruction.set_op_register(position, Register.R12D if kind.startswith("R32") else Register.R12)
    elif kind in _LITERALS:
        instruction.set_op_register(position, getattr(Register, _LITERALS[kind]))
    elif kind in _IMMEDIATES:
        value = {"IMM8_CONST_1": 1, "IMM4_M2Z": 1}.get(kind, IMMEDIATE)
        is_enter_nesting = instruction.code in (Code.ENTERQ_IMM16_IMM8, Code.ENTERW_IMM16_IMM8) and position == 1
        if (position and instruction.op_kind(position - 1) == OpKind.IMMEDIATE8) or is_enter_nesting:
            instruction.set_op_kind(position, OpKind.IMMEDIATE8_2ND)
            value = 0 if is_enter_nesting else value
        else:
            instruction.set_op_kind(position, _IMMEDIATES[kind])
        instruction.set_immediate_i64(position, value)
    elif kind.startswith(("BR", "XBEGIN")):
        instruction.set_op_kind(position, OpKind.NEAR_BRANCH16 if kind.startswith("BR16") else OpKind.NEAR_BRANCH64)
        if kind.startswith("BR16"):
            instruction.near_branch16 = INSTRUCTION_POINTER + 0x40
        else:
            instruction.near_branch64 = INSTRUCTION_POINTER + 0x40
    elif register is not None:
        instruction.set_op_register(position, register)
    else:
        raise ValueError(f"operand kind {kind} is not handled")
    return register


def _build(code: CodeId, memory: bool) -> Variant | None:
    info = ix.OpCodeInfo(code)
    instruction = ix.Instruction()
    instruction.code = code
    named: set[RegisterId] = set()
    for position in range(info.op_count):
        register = _set_operand(instruction, position, KIND_NAMES[info.op_kind(position)], memory)
        if register is not None:
            named.add(register)
    if info.require_op_mask_register:
        instruction.op_mask = MASK_REGISTER
        named.add(MASK_REGISTER)
    return encode(instruction, frozenset(named))


def encode(instruction: ix.Instruction, named: frozenset[RegisterId]) -> Variant | None:
    """Encode for 64-bit mode; None where iced-x86 finds the operands impossible."""
    encoder = ix.Encoder(64)
    try:
        encoder.encode(instruction, INSTRUCTION_POINTER)
    except ValueError:
        return None
    return Variant(instruction, encoder.take_buffer(), named)


def _repeated(variant: Variant) -> Iterator[Variant]:
    """Yield the forms with a repeat prefix of a string instruction."""
    info = ix.OpCodeInfo(variant.instruction.code)
    repeats = ((info.can_use_rep_prefix, "has_repe_prefix"), (info.can_use_repne_prefix, "has_repne_prefix"))
    for usable, attribute in repeats:
        if usable and variant.instruction.is_string_instruction:
            copy = variant.instruction.copy()
            setattr(copy, attribute, True)
            repeated = encode(copy, variant.explicit_registers)
            if repeated is not None:
                yield repeated


def usable_codes() -> list[CodeId]:
    """Return every iced-x86 code that is an instruction of 64-bit mode.

    Left out: Knights Corner's encodings, which no other core shares, and near branches with a 16-bit offset, whose
    operand-size prefix Intel's cores ignore.
    """
    codes: list[CodeId] = []
    for name in _names(Code):
        code: CodeId = getattr(Code, name)
        info = ix.OpCodeInfo(code)
        branch16 = any(KIND_NAMES[kind].startswith("BR16") for kind in info.op_kinds())
        if info.is_instruction and info.mode64 and not name.startswith(("MVEX_", "VEX_KNC_")) and not branch16:
            codes.append(code)
    return codes


def build_variants() -> tuple[list[Variant], list[CodeId]]:
    """Return the examples of all codes, and the codes for which none could be encoded."""
    variants: list[Variant] = []
    failed: list[CodeId] = []
    for code in usable_codes():
        kinds = [KIND_NAMES[kind] for kind in ix.OpCodeInfo(code).op_kinds()]
        found = [_build(code, memory=False)]
        if any("_MEM" in kind for kind in kinds):
            found.append(_build(code, memory=True))
        usable = [variant for variant in found if variant is not None]
        if not usable:
            failed.append(code)
        for variant in usable:
            variants.append(variant)
            variants.extend(_repeated(variant))
    return variants, failed
