"""Temporary folders: gone with their owner, whenever it was killed."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from corecast.collect.workspace import workspace


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_nothing_stays_behind(place: Path) -> None:
    with workspace() as folder:
        (folder / "deep").mkdir()
        (folder / "deep" / "file").write_text("data")
        assert folder.parent == place
    assert not list(place.iterdir())


def test_folders_of_those_who_live_are_left_alone(place: Path) -> None:
    with workspace() as first, workspace() as second:
        assert first != second
        assert first.is_dir()
        assert second.is_dir()


@pytest.mark.parametrize("state", ["lock", "folder", "content"])
def test_who_was_killed_is_cleaned_up_after(place: Path, state: str) -> None:
    """What is there when the owner dies before the folder is made, after, and later."""
    (place / "corecast-collect-old.lock").touch()
    if state != "lock":
        (place / "corecast-collect-old").mkdir()
    if state == "content":
        (place / "corecast-collect-old" / "out.1").write_text("data")
    with workspace() as folder:
        assert {path.name for path in place.iterdir()} == {folder.name, f"{folder.name}.lock"}
    assert not list(place.iterdir())


def test_a_lock_that_another_process_took_away_is_made_anew(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tempfile.mkstemp
    names: list[str] = []

    def taken_at_first(**options: str) -> tuple[int, str]:
        lock, name = made(**options)
        names.append(name)
        if len(names) == 1:
            Path(name).unlink()
        return lock, name

    monkeypatch.setattr(tempfile, "mkstemp", taken_at_first)
    with workspace() as folder:
        assert len(names) == 2
        assert str(folder) + ".lock" == names[1]
