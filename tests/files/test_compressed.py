"""Text files that may be compressed."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from corecast.files.compressed import BROKEN, open_text

TEXT = "form\tcycles\nadd\t1\n"


def plain(data: bytes) -> bytes:
    return data


@pytest.mark.parametrize(("name", "pack"), [("a.csv", plain), ("a.csv.gz", gzip.compress), ("a.csv.xz", lzma.compress)])
def test_the_end_of_the_name_tells_how_a_file_is_compressed(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / name).write_bytes(pack(TEXT.encode()))
    with open_text(tmp_path / name) as file:
        assert file.read() == TEXT


@pytest.mark.parametrize("name", ["a.csv.gz", "a.csv.xz"])
@pytest.mark.parametrize("cut", [None, 20])
def test_damage_is_one_of_the_named_errors(tmp_path: Path, name: str, cut: int | None) -> None:
    pack = gzip.compress if name.endswith(".gz") else lzma.compress
    (tmp_path / name).write_bytes(TEXT.encode() if cut is None else pack(TEXT.encode())[:cut])
    with open_text(tmp_path / name) as file, pytest.raises(BROKEN):
        file.read()
