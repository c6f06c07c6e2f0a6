"""Files that grow by lines lose a line that was not written whole, and nothing else; others do not change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corecast.errors import InputError
from corecast.files import lines
from corecast.files.lines import LineFile, drop_torn_line, read_object

HEAD = b'{"schema":"corecast-test/1"}\n'


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
    monkeypatch.setattr(lines, "_TAIL_BYTES", tail_bytes)
    path = tmp_path / "lines"
    path.write_bytes(content)
    with path.open("a+b") as stream:
        drop_torn_line(stream)
        assert stream.tell() == len(kept)
        stream.write(b"new\n")
    assert path.read_bytes() == kept + b"new\n"


@pytest.mark.parametrize(
    "content",
    [b"my only copy", b"one\nlast line", b'{"one":"line"}', b'{"schema":"other/1"}\n', b"{", b"\n", b"\0" * 300],
)
def test_a_file_of_somebody_else_is_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"notes:1: is not a test file"):
        LineFile(path, "corecast-test/", "test file")
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b""),
        (HEAD, HEAD),
        (HEAD + b"torn", HEAD),
        (HEAD[:-3], b""),
        (HEAD[:-1], HEAD),
        (HEAD + b'{"a":1}', HEAD + b'{"a":1}\n'),
        (HEAD + b'{"a":[1', HEAD),
    ],
)
def test_a_file_of_ours_ends_in_a_whole_line(before: bytes, after: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ours"
    path.write_bytes(before)
    file = LineFile(path, "corecast-test/", "test file")
    file.add("next\n")
    file.close()
    assert path.read_bytes() == after + b"next\n"


def test_what_was_made_for_nothing_is_removed(tmp_path: Path) -> None:
    LineFile(tmp_path / "new", "corecast-test/", "test file").close()
    (tmp_path / "old").touch()
    LineFile(tmp_path / "old", "corecast-test/", "test file").close()
    assert os.listdir(tmp_path) == ["old"]


def test_only_our_own_file_is_removed(tmp_path: Path) -> None:
    file = LineFile(tmp_path / "a", "corecast-test/", "test file")
    os.unlink(tmp_path / "a")
    (tmp_path / "a").write_text("somebody else's")
    file.remove()
    assert (tmp_path / "a").exists()


def test_what_is_nested_too_deeply_is_no_object() -> None:
    with pytest.raises(InputError, match=r"f:7: not a thing"):
        read_object(b"[" * 200_000, "thing", "f", 7)
