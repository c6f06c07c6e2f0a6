"""Programs that cannot run where there is no AVX-512, as under callgrind and QEMU."""

from __future__ import annotations

from pathlib import Path

from corecast import _core
from corecast.asm.elf import read_elf
from corecast.errors import CorecastError

_MOST_BYTES = 2 << 20
"""Of code that is looked through; it takes some seconds."""
_EVEX = b"\x62"
"""The first byte of every instruction of AVX-512."""
_ASKING = ("cpuid", "xgetbv")
"""Programs that choose their code by these run anywhere."""


def needs_avx512(path: str) -> bool:
    """Whether a program has instructions of AVX-512 and never asks the processor for them."""
    try:
        image = read_elf(Path(path).read_bytes(), path)
    except (OSError, ValueError, CorecastError):
        return False
    sections = list(image.sections.values())
    if sum(len(section.data) for section in sections) > _MOST_BYTES:
        return False
    if not any(_EVEX in section.data for section in sections):
        return False
    found = False
    for section in sections:
        for each in _core.disassemble("x86", section.data, section.address).instructions:
            if each.mnemonic in _ASKING:
                return False
            found = found or (each.bytes[:1] == _EVEX and not each.unknown)
    return found
