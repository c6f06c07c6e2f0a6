"""Models that are kept in a cache: what is damaged there is made anew, without a word."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corecast.machine import load_machine
from corecast.machine.llvm.kept import model_of_cpu


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(place))
        assert model_of_cpu("btver2") is not None
    return place


@pytest.fixture
def kept(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(cache, tmp_path / "cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (folder,) = (path.parent for path in tmp_path.rglob("pipeline.toml"))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("file", "share"),
    [("pipeline.toml", 0.97), ("forms/llvm.tsv", 0.97), ("forms/llvm.tsv", 0.0), ("checksums.json", 0.5)],
)
def test_what_is_cut_is_made_anew(file: str, share: float, kept: Path) -> None:
    whole = contents(kept)
    path = kept / file
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    made = model_of_cpu("btver2")
    assert made is not None
    assert made.folder == kept
    assert contents(kept) == whole
    load_machine(kept)
    assert [entry.name for entry in kept.parent.iterdir()] == [kept.name]


def test_what_is_missing_is_made_anew(kept: Path) -> None:
    whole = contents(kept)
    (kept / "forms" / "llvm.tsv").unlink()
    model_of_cpu("btver2")
    assert contents(kept) == whole


def test_what_is_whole_is_not_made_again(kept: Path) -> None:
    before = (kept / "pipeline.toml").stat()
    model_of_cpu("btver2")
    assert (kept / "pipeline.toml").stat().st_ino == before.st_ino
