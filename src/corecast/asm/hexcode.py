"""Encoded code written as hexadecimal digits, and its decoding."""

from __future__ import annotations

from corecast.asm.code import Isa
from corecast.errors import SyntaxProblem
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast import _core

_DIGITS = "0123456789abcdefABCDEF"
_SEPARATORS = lazy_pattern(r"[\s,;:_\"'{}\[\]()]+|\\x|0[xX](?=[0-9a-fA-F])")


def read_hex(text: str) -> bytes:
    r"""Bytes of digits such as `4801d8`, `48 01 d8`, `0x48, 0x01, 0xd8` or `\x48\x01\xd8`.

    Raises:
        SyntaxProblem: another character, half a byte, or nothing; with the position, from 1.
    """
    try:
        code = bytes.fromhex(text)
    except ValueError:
        code = b"".join(_pieces(text))
    if not code:
        raise SyntaxProblem("the hex string holds no code")
    return code


def _pieces(text: str) -> list[bytes]:
    pieces: list[bytes] = []
    position = 0
    while position < len(text):
        separator = _SEPARATORS.match(text, position)
        if separator is not None:
            position = separator.end()
            continue
        end = position
        while end < len(text) and text[end] in _DIGITS and not (text[end] == "0" and text[end + 1 : end + 2] in "xX"
                                                                and end + 1 < len(text)):  # fmt: skip
            end += 1
        if end == position:
            position += text[position] == "0"  # the x behind it is wrong
            raise SyntaxProblem(f"{text[position]!r} at position {position + 1} is not a hexadecimal digit")
        if (end - position) % 2:
            raise SyntaxProblem(f"half a byte ({text[end - 1]!r}) at position {end} of the hex string")
        pieces.append(bytes.fromhex(text[position:end]))
        position = end
    return pieces


def decode(code: bytes, isa: Isa, address: int = 0) -> tuple[tuple[_core.Instruction, ...], tuple[str, ...]]:
    """Instructions, and a warning for each run of bytes that are none.

    Raises:
        SyntaxProblem: no code at all.
    """
    if not code:
        raise SyntaxProblem("there is no code")
    from corecast import _core

    listing = _core.disassemble(isa, code, address)
    return tuple(listing.instructions), tuple(problem.message for problem in listing.problems)
