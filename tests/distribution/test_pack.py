"""The archive of a wheel is the same bytes for the same content, with form tables compressed."""

from __future__ import annotations

import csv
import gzip
import hashlib
import sys
import zipfile
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest

import toy_wheels as toy

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from wheels import pack


def test_order_and_times_leave_no_trace(tmp_path: Path) -> None:
    files = toy.contents()
    first = toy.write(tmp_path / "first.whl", files, 2020)
    second = toy.write(tmp_path / "second.whl", dict(reversed(files.items())), 2024)
    pack.pack(first, tmp_path / "a.whl", 1_700_000_000)
    pack.pack(second, tmp_path / "b.whl", 1_700_000_000)
    assert (tmp_path / "a.whl").read_bytes() == (tmp_path / "b.whl").read_bytes()


def test_form_tables_are_compressed(tmp_path: Path) -> None:
    pack.pack(toy.write(tmp_path / "raw.whl", toy.contents()), tmp_path / "packed.whl", 0)
    with zipfile.ZipFile(tmp_path / "packed.whl") as archive:
        assert toy.TABLE not in archive.namelist()
        assert gzip.decompress(archive.read(f"{toy.TABLE}.gz")) == toy.contents()[toy.TABLE]


def test_the_record_names_every_file(tmp_path: Path) -> None:
    pack.pack(toy.write(tmp_path / "raw.whl", toy.contents()), tmp_path / "packed.whl", 0)
    with zipfile.ZipFile(tmp_path / "packed.whl") as archive:
        rows = list(csv.reader(archive.read(f"{toy.INFO}/RECORD").decode().splitlines()))
        assert [name for name, _, _ in rows] == archive.namelist()
        for name, digest, size in rows[:-1]:
            content = archive.read(name)
            expected = urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert (digest, int(size)) == (f"sha256={expected}", len(content))
    assert rows[-1] == [f"{toy.INFO}/RECORD", "", ""]


def test_an_archive_without_record_is_refused(tmp_path: Path) -> None:
    raw = toy.write(tmp_path / "raw.whl", {"a.txt": b""})
    with pytest.raises(ValueError, match="has no RECORD"):
        pack.pack(raw, tmp_path / "packed.whl", 0)
