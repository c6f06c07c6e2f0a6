"""Form tables may be compressed, as wheels have them: `own.tsv.gz` is read where there is no `own.tsv`."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from corecast.errors import MachineModelError
from corecast.machine import load_machine
from corecast.machine.rows import read_rows
from corecast.machine.search import model_folders
from corecast.prediction.recipe import fingerprint_of


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    (source,) = [folder for folder in map(Path, model_folders()) if folder.name == "zen2"]
    return Path(shutil.copytree(source, tmp_path / "plain" / "zen2"))


@pytest.fixture
def packed(plain: Path, tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(plain, tmp_path / "packed" / "zen2"))
    for table in list((folder / "forms").iterdir()):
        table.with_name(f"{table.name}.gz").write_bytes(gzip.compress(table.read_bytes()))
        table.unlink()
    return folder


def test_a_compressed_model_is_the_same(plain: Path, packed: Path) -> None:
    one, other = load_machine(plain), load_machine(packed)
    assert one.keys() == other.keys()
    assert fingerprint_of(one) == fingerprint_of(other)
    for first, second in zip(one.tables, other.tables, strict=True):
        assert list(read_rows(Path(first))) == list(read_rows(Path(second)))


def test_the_plain_table_is_read_where_there_are_both(plain: Path) -> None:
    table = sorted((plain / "forms").iterdir())[0]
    table.with_name(f"{table.name}.gz").write_bytes(b"no table")
    assert load_machine(plain).keys()


@pytest.mark.parametrize("damage", ["cut", "none", "empty", "more", "wrong size"])
def test_damage_is_told(packed: Path, damage: str) -> None:
    table = sorted((packed / "forms").iterdir())[0]
    content = table.read_bytes()
    damaged = {
        "cut": content[: len(content) // 2],
        "none": b"form\tports" * 10,
        "empty": b"",
        "more": content + b"more",
        "wrong size": content[:-4] + (1 << 29).to_bytes(4, "little"),
    }
    table.write_bytes(damaged[damage])
    with pytest.raises(MachineModelError, match="is damaged") as raised:
        load_machine(packed)
    assert raised.value.file == str(table)
