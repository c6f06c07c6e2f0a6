"""Files are written atomically."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from corecast.cli.output import write_result
from corecast.errors import InputError


def test_a_file_is_written_as_utf8_with_the_usual_permissions(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    write_result("größe\n", str(target))
    assert target.read_bytes() == "größe\n".encode()
    mask = os.umask(0)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~mask


def test_permissions_of_a_replaced_file_stay(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    target.chmod(0o640)
    write_result("new", str(target))
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_the_input_is_never_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "loop.s"
    source.write_text("nop")
    link = tmp_path / "link.s"
    link.symlink_to(source)
    for target in (source, link):
        with pytest.raises(InputError, match="overwrite the input"):
            write_result("x", str(target), [str(source)])
    assert source.read_text() == "nop"


def test_a_failure_leaves_the_old_file_and_no_remains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fchmod", full)
    with pytest.raises(OSError, match="No space left") as raised:
        write_result("new", str(target))
    assert raised.value.filename == str(target)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    real = tmp_path / "real.txt"
    link = tmp_path / "link.txt"
    link.symlink_to(real)
    write_result("text", str(link))
    assert link.is_symlink()
    assert real.read_text() == "text"


def test_a_device_stays_a_device() -> None:
    write_result("text", os.devnull)
    assert not os.path.isfile(os.devnull)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        write_result("text", str(tmp_path))


def test_an_output_without_a_name_is_refused() -> None:
    with pytest.raises(InputError, match="the name of the output is empty"):
        write_result("text", "")


def test_a_missing_folder_is_told_by_the_name_given(tmp_path: Path) -> None:
    target = str(tmp_path / "none" / "out.txt")
    with pytest.raises(FileNotFoundError) as raised:
        write_result("text", target)
    assert raised.value.filename == target


def test_characters_that_cannot_be_encoded_do_not_stop_the_output(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    write_result("a\udcffb", str(target))
    assert target.read_text() == "a?b"
