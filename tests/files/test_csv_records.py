"""CSV is cut into records however its bytes arrive, and each keeps what was written."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corecast.errors import InputError
from corecast.files.csv_records import batches, fields_of, open_records, open_rows


def records(data: bytes, size: int = 1 << 18) -> list[bytes]:
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    return [record for batch in batches(parts, "f.csv") for record in batch]


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
        (b"a\rb,1\rc\r", [b"a", b"b,1", b"c"]),
        (b"a\r\nb\rc\r\n", [b"a", b"b\rc"]),
        (b"\xef\xbb\xbfa\nb", [b"a", b"b"]),
        (b"\xef\xbb\xbf", []),
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


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'a,"never closed\nb\nc\n', 1),
        (b'a\n\nb\n"c\nd', 4),
        (b'a\n"b\nc",1,"open\n' + b"x\n" * 500, 3),
        (b'a\nb\n"c\n' + b"x\n" * 500, 3),
    ],
)
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_a_quote_that_nothing_closes_is_told_with_its_line(data: bytes, line: int, size: int) -> None:
    with pytest.raises(InputError, match=rf"^f\.csv:{line}: a cell starts with a quote that is not closed"):
        records(data, size)


def test_lines_are_those_that_records_start_in(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_bytes(b'a,b\n1,"x\ny"\n\n2\n')
    with open_records(path) as found:
        assert list(found) == [(1, ["a", "b"]), (2, ["1", "x\ny"]), (4, [""]), (5, ["2"])]
    with open_rows(path) as (columns, rows):
        assert (columns, list(rows)) == (["a", "b"], [(2, ["1", "x\ny"]), (5, ["2", ""])])


def test_long_cells_and_other_encodings_are_cells_as_others(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_bytes(b"a,b\n" + b"9" * 200_000 + b",\xff\n")
    with open_records(path) as found:
        assert list(found)[1] == (2, ["9" * 200_000, "\udcff"])


def test_a_row_with_too_many_cells_is_told(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_bytes(b"a,b\n1,2\n1,2,3\n")
    with open_rows(path) as (_, rows), pytest.raises(InputError, match=r"f\.csv:3: 3 cells, but there are 2 columns"):
        list(rows)
