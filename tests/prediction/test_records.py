"""Records of blocks: each keeps what was written."""

from __future__ import annotations

import pytest

from corecast.errors import InputError
from corecast.prediction.records import Header, split


def test_header() -> None:
    header = Header.read(b'name,"hex", Address', "f.csv")
    assert (header.columns, header.code, header.address) == (3, 1, 2)


@pytest.mark.parametrize("line", [b"a,b", b"hex,hex", b"4801c3"])
def test_a_header_without_one_hex_column_is_told(line: bytes) -> None:
    with pytest.raises(InputError, match=r"^f\.csv:1: one column must be called hex"):
        Header.read(line, "f.csv")


@pytest.mark.parametrize("line", [b"", b","])
def test_a_header_that_names_nothing_is_told(line: bytes) -> None:
    with pytest.raises(InputError, match=r"^f\.csv: the file is empty, or its first line"):
        Header.read(line, "f.csv")


def test_short_rows_are_filled_and_long_ones_kept_in_the_last_cell() -> None:
    header = Header.read(b"hex,name", "f")
    rows = split([b"90", b"", b"90,a", b"90,a,b", b'90,"a,""b",c'], header, "x86")
    assert rows.kept == [b"90,", b",", b"90,a", b'90,"a,b"', b'90,"""a,""""b"",c"']
    assert rows.blocks == [b"90", b"", b"90", None, None]


def test_code_of_another_instruction_set_is_an_error() -> None:
    header = Header.read(b"hex,isa", "f")
    rows = split([b"90,x86", b"90, X86_64 ", b"90,", b"90", b"90,aarch64", b"90,vax"], header, "x86")
    assert rows.blocks == [b"90", b"90", b"90", b"90", None, None]
    assert rows.foreign == 2


def test_what_lies_in_front_is_read() -> None:
    header = Header.read(b"code_before,hex", "f")
    assert split([b"4801c3,90", b",90", b"90"], header, "x86").codes_before == [b"4801c3", b"", b"90"]


def test_where_registers_pointed_is_read() -> None:
    header = Header.read(b"hex,register_step", "f")
    rows = split([b"90,8", b"90, 63 ", b"90,", b"90", b"90,64", b"90,x"], header, "x86")
    assert rows.register_steps == [8, 63, 0, 0, 0, 0]
    assert rows.blocks == [b"90", b"90", b"90", b"90", None, None]
    assert rows.faults == {
        4: "register_step must be a whole number from 0 to 63, not '64'",
        5: "register_step must be a whole number from 0 to 63, not 'x'",
    }
