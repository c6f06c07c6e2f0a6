"""CSV is cut into records however its bytes arrive, and each keeps what was written."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corecast.bulk.records import Header, batches, fields_of, split
from corecast.errors import InputError


def records(data: bytes, size: int = 1 << 18) -> list[bytes]:
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    return [record for batch in batches(parts) for record in batch]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", []),
        (b"a\nb\n", [b"a", b"b"]),
        (b"a\r\nb", [b"a", b"b"]),
        (b"a\n\nb\n\n\n", [b"a", b"", b"b"]),
        (b'a,"x\ny"\nb\n', [b'a,"x\ny"', b"b"]),
        (b'a,"x""\n""y",1\nb', [b'a,"x""\n""y",1', b"b"]),
        (b'a,5" disk\nb\n', [b'a,5" disk', b"b"]),
        (b'a,"never closed\nb\nc\n', [b'a,"never closed', b"b", b"c"]),
        (b'a,"never closed\n' + b"b\n" * 500, [b'a,"never closed', *[b"b"] * 500]),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_records(data: bytes, found: list[bytes], size: int) -> None:
    assert records(data, size) == found


cells = st.text(st.sampled_from('ab,"\n '), max_size=6)


@given(st.lists(st.lists(cells, min_size=2, max_size=4), min_size=1, max_size=8), st.integers(1, 20))
def test_what_the_csv_module_writes_is_read(rows: list[list[str]], size: int) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    found = records(out.getvalue().encode(), size)
    assert [[cell.decode() for cell in fields_of(record)] for record in found] == rows


def test_header() -> None:
    header = Header.read(b'\xef\xbb\xbfname,"hex", Address', "f.csv")
    assert (header.columns, header.code, header.address) == (3, 1, 2)


@pytest.mark.parametrize("line", [b"a,b", b"hex,hex", b"4801c3"])
def test_a_header_without_one_hex_column_is_told(line: bytes) -> None:
    with pytest.raises(InputError, match=r"^f\.csv:1: one column must be called hex"):
        Header.read(line, "f.csv")


@pytest.mark.parametrize("line", [b"", b"\xef\xbb\xbf"])
def test_a_header_that_names_nothing_is_told(line: bytes) -> None:
    with pytest.raises(InputError, match=r"^f\.csv: the file is empty, or its first line"):
        Header.read(line, "f.csv")


def test_short_rows_are_filled_and_long_ones_kept_in_the_last_cell() -> None:
    header = Header.read(b"hex,name", "f")
    rows = split([b"90", b"", b"90,a", b"90,a,b", b'90,"a,""b",c'], header)
    assert rows.kept == [b"90,", b",", b"90,a", b'90,"a,b"', b'90,"""a,""""b"",c"']
    assert rows.blocks == [b"90", b"", b"90", None, None]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b'hex,n\n90,"x\n90,y\n', [["hex", "n"], ["90", '"x'], ["90", "y"]]),
        (
            b'hex,n,m\n90,"a,b",c\n"90,b\n90,y\n',
            [["hex", "n", "m"], ["90", "a,b", "c"], ['"90', "b", ""], ["90", "y", ""]],
        ),
        (b'hex,n,"m\n90,1,2\n', [["hex", "n", '"m'], ["90", "1", "2"]]),
    ],
)
def test_a_quote_that_nothing_closes_does_not_swallow_what_follows(data: bytes, found: list[list[str]]) -> None:
    """Its cell is quoted whole, so that other readers find the cells and rows that are found here."""
    head, *rows = records(data)
    header = Header.read(head, "t.csv")
    written = b"\n".join([header.line, *split(rows, header).kept]).decode()
    assert list(csv.reader(io.StringIO(written), strict=True)) == found
