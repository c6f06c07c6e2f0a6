"""What kind of file content is: the quick look at its first bytes passes over no binary file."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corecast.asm import detect
from corecast.asm.archive import ARCHIVE
from corecast.asm.binaries import is_object
from corecast.asm.coff import _MACHINES, _OTHER_MACHINES
from corecast.asm.macho import FAT, FAT_64, OTHERS, THIN

MAGIC = (
    *(b"\x7fELF", THIN, FAT, FAT_64, *OTHERS, ARCHIVE, *detect._FOREIGN, b"\0\0\xff\xff"),
    *(machine.to_bytes(2, "little") for machine in (*_MACHINES, *_OTHER_MACHINES)),
)


@given(st.sampled_from((*MAGIC, b"")), st.binary(max_size=80))
@example(b"MZ", b"a" * 20 + b"\0")
def test_text_at_first_sight_is_text(start: bytes, rest: bytes) -> None:
    content = start + rest
    if detect._is_plain(content):
        assert not start
        assert not is_object(content)


@pytest.mark.parametrize("content", [b"\t.text\nf:\n", b"# a comment \r\n", b"x"])
def test_assembly_text_is_text_at_first_sight(content: bytes) -> None:
    assert detect._is_plain(content)
