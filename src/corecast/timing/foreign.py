"""Files whose blocks are code of another instruction set than this machine's, and do not say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from corecast import _core
from corecast.asm.code import Isa
from corecast.errors import InputError

_OTHERS: tuple[Isa, ...] = ("x86", "aarch64", "riscv64")
_MOST_STRANGE = 0.2
"""Share of blocks that are no code of this machine. Files of x86 blocks have far fewer: about half of AArch64's bytes
are legal x86 code."""
_FEWEST_STRANGE = 3
"""A file of a few blocks may hold broken ones."""


def refuse_foreign(codes: Iterable[bytes], isa: Isa, path: str) -> None:
    """Raises InputError where so many blocks are no code of the instruction set that the others cannot be trusted to
    be. Nothing is executed."""
    count = strange = 0
    fitting: Counter[Isa] = Counter()
    for code in codes:
        count += 1
        if _decodes(code, isa):
            continue
        strange += 1
        fitting.update(other for other in _OTHERS if other != isa and _decodes(code, other))
    if strange < _FEWEST_STRANGE or strange <= _MOST_STRANGE * count:
        return
    guess = "".join(f"; {times:,} of them are legal {other} code" for other, times in fitting.most_common(1))
    raise InputError(
        f"{strange:,} of {count:,} blocks are not {isa} code{guess}: name their instruction set with --isa or in a "
        "column isa",
        path,
    )


def _decodes(code: bytes, isa: Isa) -> bool:
    return not any(each.unknown for each in _core.disassemble(isa, code, 0).instructions)
