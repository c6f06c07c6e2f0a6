"""Names of instruction sets: ours, and as files, triples and systems spell them."""

from __future__ import annotations

from corecast.hints import Literal

Isa = Literal["x86", "aarch64", "riscv64"]
ISAS: tuple[Isa, ...] = ("x86", "aarch64", "riscv64")
ARCHITECTURES: dict[Isa, str] = {"x86": "x86_64", "aarch64": "aarch64", "riscv64": "riscv64"}
"""As triples begin."""
_OTHERS = {"x86": ("x86-64", "x86_64", "amd64", "x64"), "aarch64": ("arm64",), "riscv64": ("riscv", "rv64", "rv64gc")}


def spellings(isa: str) -> tuple[str, ...]:
    """All names of an instruction set in lower case, and no name at all: a file without one means this one."""
    return ("", isa, *_OTHERS.get(isa, ()))


def isa_called(name: str) -> Isa | None:
    """The instruction set that a file, a triple or `platform.machine()` names; None for other names."""
    return next((isa for isa in ISAS if name and name.lower() in spellings(isa)), None)


def linux_triple(isa: Isa) -> str:
    """The start of the names of GNU's cross compilers, and their folder in /usr."""
    return f"{ARCHITECTURES[isa]}-linux-gnu"
