"""Files that grow by lines lose a line that was not written whole, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.files import whole
from corecast.files.whole import drop_torn_line, replacing, write_whole


@pytest.mark.parametrize("tail_bytes", [1, 3, 1 << 20])
@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (b"", b""),
        (b"torn", b""),
        (b"one\n", b"one\n"),
        (b"one\ntwo\nto", b"one\ntwo\n"),
        (b"one\n\n\xff\n" + 10 * b"x", b"one\n\n\xff\n"),
    ],
)
def test_a_torn_last_line_is_cut_off(
    content: bytes, kept: bytes, tail_bytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole, "_TAIL_BYTES", tail_bytes)
    path = tmp_path / "lines"
    path.write_bytes(content)
    with path.open("a+b") as stream:
        drop_torn_line(stream)
        assert stream.tell() == len(kept)
        stream.write(b"new\n")
    assert path.read_bytes() == kept + b"new\n"


def test_a_file_is_not_there_before_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    with replacing(path) as stream:
        stream.write(b"half")
        stream.flush()
        assert not path.exists()
        stream.write(b" and half")
    assert path.read_bytes() == b"half and half"


def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    write_whole(tmp_path / "zen9" / "forms" / "own.tsv", "größe\n")
    assert (tmp_path / "zen9" / "forms" / "own.tsv").read_bytes() == "größe\n".encode()


def test_an_error_names_the_file_and_not_the_one_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "no folder" / "out"
    with pytest.raises(FileNotFoundError) as raised, replacing(path):
        pass
    assert raised.value.filename == str(path)
