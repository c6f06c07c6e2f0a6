"""LLVM's names of opcodes, where a form is asked for: `ADD64rr` is `add r64, r64`."""

from __future__ import annotations

from functools import cache

from corecast.machine.types import Isa
from corecast.pattern import lazy_pattern

_OPCODE = lazy_pattern(r"[A-Z](?=\w*[a-z\d_])\w*")
"""Forms begin with a small letter; capitals alone are a mnemonic (`ADD`), although RISC-V has opcodes of such names."""


def form_of_opcode(name: str, isa: Isa) -> str:
    """The form that an opcode of LLVM's stands for; any other text as it is. Takes seconds for an opcode, once."""
    from corecast import _core

    if _OPCODE.fullmatch(name) is None or not _core.has_opcode(isa, name):
        return name
    code = _examples(isa).get(name)
    return name if code is None else _core.disassemble(isa, code).instructions[0].form


@cache
def _examples(isa: Isa) -> dict[str, bytes]:
    """Encoded instructions of all opcodes."""
    from corecast import _core

    return {each.opcode: each.code for each in _core.enumerate_opcodes(isa)}
