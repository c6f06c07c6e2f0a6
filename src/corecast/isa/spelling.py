"""Names of instruction sets as files spell them."""

from __future__ import annotations

_OTHERS = {"x86": ("x86-64", "x86_64", "amd64", "x64"), "aarch64": ("arm64",), "riscv64": ("riscv", "rv64", "rv64gc")}


def spellings(isa: str) -> tuple[str, ...]:
    """All names of an instruction set in lower case, and no name at all: whoever leaves it out means this one."""
    return ("", isa, *_OTHERS.get(isa, ()))
