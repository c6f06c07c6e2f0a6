"""What iced-x86 does not say, or says in another way than the table wants: our own rules, each with its reason."""

from __future__ import annotations

from dataclasses import replace

from .semantics import FLAG_LETTERS, Semantics

SHIFTS_BY_CL = frozenset({"rcl", "rcr", "rol", "ror", "sar", "shl", "shr", "shld", "shrd"})
NO_ACCESS = ("prefetch", "clflush", "clwb", "cldemote")
"""Hints and cache control move lines, not values."""
ADDRESS_IN_FIRST_OPERAND = frozenset({"movdir64b", "enqcmd", "enqcmds"})
"""The first operand, printed as a register, is the address of a store of 64 bytes."""

NOTHING = frozenset({"clac", "stac", "cli", "sti", "emms", "femms", "fnop", "vzeroupper", "wait"})
"""Rows without any effect, because LLVM says more than dependencies need: AC and IF are in its EFLAGS, emms and fnop
write its x87 registers, and vzeroupper leaves all that later instructions may read (the lower halves) as it was."""

_PACKED_INTEGERS = ("b", "w", "d", "q")
_SATURATING = ("sb", "sw", "usb", "usw")
ZERO = frozenset(
    ["xor", "sub", "andn", "pxor", "xorps", "xorpd", "vpxor", "vpxord", "vpxorq", "vxorps", "vxorpd"]
    + ["pandn", "andnps", "andnpd", "vpandn", "vpandnd", "vpandnq", "vandnps", "vandnpd"]
    + [f"{v}psub{kind}" for v in ("", "v") for kind in _PACKED_INTEGERS + _SATURATING]
    + [f"{v}pcmpgt{kind}" for v in ("", "v") for kind in _PACKED_INTEGERS]
    + [f"{name}{kind}" for name in ("kxor", "kandn") for kind in _PACKED_INTEGERS]
)
ONES = frozenset(
    [f"{v}pcmpeq{kind}" for v in ("", "v") for kind in _PACKED_INTEGERS] + [f"kxnor{kind}" for kind in _PACKED_INTEGERS]
)
SAME_REGISTER = {
    **dict.fromkeys(ZERO, "zero"),
    **dict.fromkeys(ONES, "ones"),
    "sbb": "carry",  # 0 or -1 by CF alone
    "cmp": "flags",  # equal, whatever the value
    "vpternlogd": "immediate",  # 0x00 and 0xff ignore every source, other immediates may with equal ones
    "vpternlogq": "immediate",
}


def _letters(*groups: str) -> str:
    return "".join(letter for letter in FLAG_LETTERS if any(letter in group for group in groups))


def _conditional(semantics: Semantics) -> Semantics:
    touched = _letters(semantics.flags_written, semantics.flags_undefined)
    return replace(semantics, flags_written="", flags_conditional=touched)


def correct(mnemonic: str, operands: tuple[str, ...], semantics: Semantics) -> Semantics:
    """Apply every rule to what iced-x86 says of one printed instruction."""
    if mnemonic in SHIFTS_BY_CL and operands[-1] == "cl":
        semantics = _conditional(semantics)  # a count of 0 keeps all flags
    if mnemonic.startswith(("rep ", "repne ")) and semantics.flags_written:
        semantics = _conditional(semantics)  # rcx of 0 compares nothing
    if mnemonic.startswith(NO_ACCESS):
        semantics = replace(semantics, memory_first="none", memory_other="")
    if mnemonic in ADDRESS_IN_FIRST_OPERAND:
        semantics = replace(semantics, memory=("op1:64:w",))
    if mnemonic in ("cmpxchg", "lar", "lsl"):
        semantics = replace(semantics, operand_access=("rw", "r"))  # a destination that may keep its value; LLVM: w
    if mnemonic == "vmwrite":
        semantics = replace(semantics, operand_access=("r", "r"))  # LLVM: w
    if mnemonic == "clzero":
        semantics = replace(semantics, memory=("rax:64:w",))
    if mnemonic in NOTHING:
        semantics = Semantics()
    return replace(semantics, same_register=SAME_REGISTER.get(mnemonic, ""))


OTHER_INSTRUCTIONS = frozenset({"mcommit", "pcommit", "rdudbg", "wrudbg", "reservednop", "vmgexit", "undoc"})
"""Encodings that LLVM 22 reads as another instruction."""
EXCLUDED = {
    **dict.fromkeys(("bndcl", "bndcn", "bndcu", "bndldx", "bndmk", "bndmov", "bndstx"), "MPX: LLVM does not know it"),
    **dict.fromkeys(("ccs_encrypt", "ccs_hash", "xsha512", "xsha512_alt", "xstore_alt"), "VIA: LLVM does not know it"),
    **dict.fromkeys(
        ("fclex", "fdisi", "feni", "finit", "fsave", "fsetpm", "fstcw", "fstenv", "fstsw"),
        "two instructions: wait and the form without waiting",
    ),
    **dict.fromkeys(("fndisi", "fneni", "fnsetpm", "fstpnce"), "8087 relic that LLVM does not know"),
    **dict.fromkeys(OTHER_INSTRUCTIONS, "LLVM reads the encoding as another instruction"),
    **dict.fromkeys(("pcmpestri64", "pcmpestrm64", "vpcmpestri64", "vpcmpestrm64"), "printed without the 64"),
    "sal": "printed as shl",
    "int1": "not disassembled",
    "ud0": "not disassembled",
}
"""Mnemonics of iced-x86 without a row, and why."""
