"""What kind of file is this? Told from the content first, then from the suffix."""

from __future__ import annotations

import os

from corecast.errors import InputError, ObjectFileError
from corecast.hints import Literal
from corecast.pattern import lazy_pattern

InputKind = Literal["text", "object", "archive", "source"]

SOURCE_SUFFIXES = (
    *(".c", ".i", ".cc", ".cpp", ".cxx", ".c++", ".cp", ".ii", ".m", ".mm"),
    *(".rs", ".swift", ".zig", ".d", ".go", ".hs", ".cu", ".adb", ".pas", ".nim"),
    *(".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08", ".f18"),
)
MAX_TEXT_BYTES = 512 * 1024 * 1024

_COMMENT = lazy_pattern(r"(?:#|//|[ \t][@;])[^\r\n]*")
LISTING_HEAD = 80_000
"""Characters in which a listing is recognized."""
_LISTING_WORDS = ("percent", "dump of ", "file format ")
_BITCODE = "an LTO object (LLVM bitcode): it holds no machine code; compile without -flto, or to assembly (-S)"
_FOREIGN = {
    b"!<thin>\n": "a thin archive, which holds no code: give the object files that it names",
    b"BC\xc0\xde": _BITCODE,
    b"\xde\xc0\x17\x0b": _BITCODE,
    b"\0asm": "WebAssembly: it holds no machine code",
    b"\x1f\x8b": "compressed: unpack it first",
    b"BZh": "compressed: unpack it first",
    b"\xfd7zXZ\x00": "compressed: unpack it first",
    b"PK\x03\x04": "compressed: unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed: unpack it first",
}
_START_BYTES = 64
_TEXT = bytes((*b"\t\n\f\r", *range(0x20, 0x7F)))
"""Characters of text; every binary format has others in its header."""
_TEXTUAL = (b"!<", b"BZh")
"""Beginnings of binary formats that are text."""


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Content of a file.

    Raises:
        InputError: it cannot be opened, is not a file, or is too large.
    """
    try:
        with open(path, "rb") as stream:
            content = stream.read(MAX_TEXT_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", str(path)) from None
    except ValueError as error:
        raise InputError(f"not a file name: {error}") from None
    if len(content) > MAX_TEXT_BYTES:
        raise InputError(f"larger than {MAX_TEXT_BYTES // 1024 // 1024} MiB", str(path))
    return content


def input_kind(path: str | os.PathLike[str], content: bytes | None) -> InputKind:
    """Kind of a file; `content` None or empty leaves the suffix only.

    Raises:
        ObjectFileError: a binary format that is not read.
    """
    if content and not _is_plain(content):
        from corecast.asm.archive import ARCHIVE
        from corecast.asm.binaries import is_object

        if is_object(content):
            return "object"
        if content.startswith(ARCHIVE):
            return "archive"
        for magic, what in _FOREIGN.items():
            if content.startswith(magic):
                raise ObjectFileError(f"this is {what}", str(path))
    return "source" if os.path.splitext(path)[1].lower() in SOURCE_SUFFIXES else "text"


def _is_plain(content: bytes) -> bool:
    """Whether content begins as text does, and not as a binary file: a letter, a dot, a blank, a sign of a comment."""
    start = content[:_START_BYTES]
    return start.isascii() and not start.translate(None, _TEXT) and not start.startswith(_TEXTUAL)


def text_of(content: bytes, file: str) -> str:
    """Decode text: UTF-8, UTF-16 with its mark, else Latin-1.

    Raises:
        InputError: empty or binary content.
    """
    if not content.strip():
        raise InputError("the file is empty", file)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            text = content.decode("utf-16")
        except UnicodeDecodeError:
            raise InputError("this is neither assembly text nor an object file", file) from None
    else:
        try:
            text = content.decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
    return _without_nul(text, file) if "\0" in text else text


def may_be_listing(text: str) -> bool:
    """Whether a text may be a disassembler's output: False for most others, before all that listings need is imported.

    `listing_kind` knows for sure.
    """
    head = text[:LISTING_HEAD]
    lower = head.lower()
    if any(word in lower for word in _LISTING_WORDS):
        return True
    return any(":" in line and _is_address(line.partition(":")[0]) for line in head.replace("\r", "\n").split("\n"))


def _is_address(text: str) -> bool:
    """Whether a text begins with a hexadecimal number, behind gdb's arrow or without."""
    words = text.lstrip().removeprefix("=>").split(None, 1)
    return bool(words) and not words[0].removeprefix("0x").strip("0123456789abcdefABCDEF")


def _without_nul(text: str, file: str) -> str:
    """The text with spaces for the NUL characters in comments, where clang writes the characters of `.byte` directives.

    Raises:
        InputError: a NUL character elsewhere, with its line.
    """
    code = _COMMENT.sub(lambda match: match[0].replace("\0", " "), text)
    position = code.find("\0")
    if position >= 0:
        line = code.count("\n", 0, position) + 1
        raise InputError("this is neither assembly text nor an object file (NUL character)", file, line)
    return code
