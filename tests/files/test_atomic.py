"""Files are replaced atomically."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from corecast.files.atomic import replacing, write_whole


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


def test_a_full_disk_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fchmod", full)
    with pytest.raises(OSError, match="No space left on device") as raised:
        write_whole(tmp_path / "zen9" / "forms" / "own.tsv", "text")
    assert raised.value.filename == str(tmp_path / "zen9" / "forms" / "own.tsv")
    assert list(tmp_path.iterdir()) == []


def test_a_trial_leaves_nothing_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    for name in ("old", "new"):
        with replacing(tmp_path / name, dry=True):
            pass
    assert os.listdir(tmp_path) == ["old"]
    assert (tmp_path / "old").read_text() == "old"
