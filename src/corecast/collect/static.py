"""All blocks of an object, executable or shared library, whether they ever run or not."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from corecast.asm.binaries import read_image
from corecast.asm.detect import read_bytes
from corecast.asm.image import CodeSection
from corecast.asm.objects import CodePiece, code_pieces
from corecast.collect.blocks import Reasons
from corecast.collect.cut import Piece, cut_steps, decode
from corecast.collect.modules import ModuleFile
from corecast.errors import ObjectFileError

_STRETCH_BYTES = 1 << 17
"""Decoded at once, unless a function is longer."""


def open_object(path: str) -> ModuleFile:
    """Raises ObjectFileError where the file is not an ELF object, is damaged, of another ISA, or has no code."""
    image = read_image(read_bytes(path), path)
    if not code_pieces(image):
        raise ObjectFileError("the file has no code", path)
    return ModuleFile(image)


def pieces(module: ModuleFile, reasons: Reasons) -> Iterator[tuple[Piece, CodeSection]]:
    """The blocks of a file. They start at functions, at targets of direct branches, and behind branches."""
    image = module.image
    for part in code_pieces(image):
        entries = sorted({symbol.address for symbol in image.functions if symbol.section == part.section.index})
        for stretch in _stretches(part, entries):
            steps = list(decode(image.isa, stretch.code, stretch.start))
            leaders = {target for _, target in steps if target >= 0}
            leaders.update(entries[bisect_left(entries, stretch.start) : bisect_left(entries, stretch.end)])
            for piece in cut_steps((step for step, _ in steps), reasons, leaders):
                yield piece, part.section


def _stretches(part: CodePiece, entries: Sequence[int]) -> Iterator[CodePiece]:
    """Parts of code that begin where functions do."""
    start = part.start
    while start < part.end:
        index = bisect_left(entries, start + _STRETCH_BYTES)
        end = min(entries[index], part.end) if index < len(entries) else part.end
        yield CodePiece(part.section, start, end)
        start = end
