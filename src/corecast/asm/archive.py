"""Static libraries: the object files in an `ar` archive (GNU, BSD, and Microsoft's .lib)."""

from __future__ import annotations

import re

from corecast.dataclass import dataclass
from corecast.errors import ObjectFileError
from corecast.pattern import lazy_pattern

ARCHIVE = b"!<arch>\n"
_HEADER_BYTES = 60
_MEMBER_OF = lazy_pattern(r"(.+)\(([^()]+)\)")


@dataclass(frozen=True)
class Member:
    name: str
    content: bytes


def read_members(content: bytes, file: str) -> list[Member]:
    """The files in an archive, without its tables of symbols and names.

    Raises:
        ObjectFileError: damaged.
    """
    members = []
    names = b""
    position = len(ARCHIVE)
    while position + _HEADER_BYTES <= len(content):
        header = content[position : position + _HEADER_BYTES]
        raw, digits = header[:16].rstrip(), header[48:58].strip()
        start = position + _HEADER_BYTES
        if header[58:] != b"`\n" or not digits.isdigit():
            raise ObjectFileError(f"damaged static library: no member begins at offset {position}", file)
        end = start + int(digits)
        if end > len(content):
            raise ObjectFileError("damaged static library: its last member is cut off (truncated?)", file)
        data = content[start:end]
        position = end + end % 2
        if raw == b"//":
            names = data
        elif raw[:1] == b"/" and raw[1:].isdigit():
            tail = names[int(raw[1:]) :]
            members.append(Member(re.split(rb"/?[\n\0]", tail, maxsplit=1)[0].decode("utf-8", "replace"), data))
        elif raw.startswith(b"#1/") and raw[3:].isdigit():
            length = int(raw[3:])
            name = data[:length].rstrip(b"\0")
            if not name.startswith(b"__.SYMDEF"):
                members.append(Member(name.decode("utf-8", "replace"), data[length:]))
        elif raw not in (b"/", b"/SYM64/") and not raw.startswith((b"__.SYMDEF", b"/<")):
            members.append(Member(raw.removesuffix(b"/").decode("utf-8", "replace"), data))
    if content[position:].strip(b"\n\0"):
        raise ObjectFileError("damaged static library: it ends within a member's header (truncated?)", file)
    return members


def split_member(path: str) -> tuple[str, str] | None:
    """`lib.a` and `x.o` of `lib.a(x.o)`; None for any other name."""
    match = _MEMBER_OF.fullmatch(path)
    return None if match is None else (match[1], match[2])
