"""AMX's tiles in kernels of x86: what uses them, what their loads and stores need, why they cannot be timed.

The runner configures all eight tiles as 16 rows of 64 bytes before the code (cpp/runner/tiles.cpp). A load or store of
a tile accesses its rows at base + displacement + row * index * scale: the index register holds the distance of rows,
and is no part of the address of the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corecast import _core
from corecast.measure.rejection import Reason, Rejection
from corecast.pattern import lazy_pattern

ROWS, ROW_BYTES = 16, 64
TILE_BYTES = ROWS * ROW_BYTES
CONFIGURATION_BYTES = 64
TILE_MOVES = ("tileload", "tilestore")
"""What mnemonics of loads and stores of tiles begin with."""
_CONFIGURING = lazy_pattern(r"\b(ldtilecfg|tilerelease)\b")
_USING = lazy_pattern(r"\btmm\d?\b|\bsttilecfg\b")
_EXTENSIONS = {
    **dict.fromkeys(("tdpbssd", "tdpbsud", "tdpbusd", "tdpbuud"), "amx_int8"),
    "tdpbf16ps": "amx_bf16",
    "tdpfp16ps": "amx_fp16",
}
"""Of AMX that products need beside tiles; of others the core's own refusal says so."""


def names_tiles(instruction: _core.Instruction) -> bool:
    """Whether the instruction names a tile, or stores how they are configured."""
    return _USING.search(instruction.text) is not None


def moves_tile(instruction: _core.Instruction) -> bool:
    """Whether the instruction loads or stores the rows of a tile."""
    return instruction.mnemonic.startswith(TILE_MOVES)


def accessed_bytes(mnemonic: str) -> int:
    """What an instruction of tiles loads or stores; 0: it is none that does."""
    if mnemonic.startswith(TILE_MOVES):
        return TILE_BYTES
    return CONFIGURATION_BYTES if mnemonic in ("ldtilecfg", "sttilecfg") else 0


def strides(instructions: Iterable[_core.Instruction], numbers: dict[int, int]) -> dict[int, int]:
    """Start values of the registers that say how far apart rows are: rows follow each other densely.

    Args:
        instructions: the code.
        numbers: of general registers, by their locations.
    """
    return {
        numbers[access.index]: ROW_BYTES // access.scale
        for each in instructions
        if moves_tile(each)
        for access in each.memory
        if access.index in numbers
    }


def tile_problem(texts: Sequence[str]) -> Rejection | None:
    """Why code of these instructions cannot be timed on this host; None where tiles are no reason."""
    for index, text in enumerate(texts):
        if _CONFIGURING.search(text):
            return Rejection(Reason.TILE_SETUP, f"'{text}'", index)
    if not any(_USING.search(text) for text in texts):
        return None
    if missing := _core.missing_tiles():
        return Rejection(Reason.NO_AMX, missing)
    features = _core.tile_features()
    for index, text in enumerate(texts):
        for extension in {name for mnemonic, name in _EXTENSIONS.items() if mnemonic in text} - set(features):
            name = extension.upper().replace("_", "-")
            return Rejection(Reason.NO_AMX, f"'{text}': this core has no {name} (CPUID leaf 7)", index)
    refused = _core.refused_tiles()
    return Rejection(Reason.AMX_REFUSED, refused) if refused else None
