"""What was measured is kept; what another mode or machine measured is not mixed in."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path

import pytest

from corecast.errors import InputError
from corecast.files import lines
from corecast.timing.journal import Journal, Key
from corecast.timing.verdict import Verdict

HEAD = {"mode": "loop", "cpu": "x"}
HEAD_LINE = '{"schema": "corecast-timing/5", "mode": "loop", "cpu": "x"}\n'
DAMAGED = (",,,0.0,0.0,", "nan,nan,,0.0,0.0,", "-5.0,0.01,,0.0,0.0,", "1.0,1e999,,0.0,0.0,", "1.0,0.0,,0.0,")
ONE, TWO = Key(b"\x90", 0), Key(b"\x90", 8)


def test_whoever_comes_back_finds_everything(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.part", HEAD)
    journal.add(ONE, Verdict(1.5, 0.01, witness=1570.5, seconds=7.5, register_step=8))
    journal.add(TWO, Verdict(reason="aliasing"))
    journal.add(ONE, Verdict(1.25, 0.0, witness=1.0, seconds=30.0))
    journal.close()
    again = Journal(tmp_path / "a.part", HEAD)
    assert again.visits == {
        ONE: [
            Verdict(1.5, 0.01, witness=1570.5, seconds=7.5, register_step=8),
            Verdict(1.25, 0.0, witness=1.0, seconds=30.0),
        ],
        TWO: [Verdict(reason="aliasing")],
    }
    again.close()


def test_a_line_that_was_not_finished_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "a.part"
    journal = Journal(path, HEAD)
    journal.add(ONE, Verdict(1.5, 0.01, witness=1570.5))
    journal.add(TWO, Verdict(2.5, 0.01))
    journal.close()
    content = path.read_bytes()
    lines = content.splitlines(keepends=True)
    for cut in range(len('{"schema": "corecast-timing/'), len(content)):
        path.write_bytes(content[:cut])
        again = Journal(path, HEAD)
        whole = content[:cut].count(b"\n")
        assert len(again.visits) == max(0, whole - 1)
        again.close()
        assert path.exists() == (whole > 1)
        assert whole < 2 or path.read_bytes() == b"".join(lines[:whole])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"schema": "corecast-timing/5", "mode": "unroll", "cpu": "x"}\n', "mode unroll, not loop"),
        ('{"schema": "corecast-timing/5", "mode": "loop", "cpu": "y"}\n', "cpu y, not x"),
        ("hex,cycles\n", "is not a journal of timings"),
        ('{"schema": "corecast-timing/5", "mode": "loop", "cpu": "x"}\n90,0,abc,,,0.0,0.0,\n', "2: not a timing"),
        ('{"schema": "corecast-timing/5", "mode": "loop", "cpu": "x"}\n90,0,,,nonsense,0.0,0.0,\n', "2: not a timing"),
        *((HEAD_LINE + f"90,0,{cells}\n", "2: not a timing") for cells in DAMAGED),
        ("my only copy", "is not a journal of timings"),
        ('{"schema": "corecast-record/1"}\nlast', "is not a journal of timings"),
    ],
)
def test_another_file_is_not_mixed_in(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "a.part"
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        Journal(path, HEAD)
    assert path.read_text() == text


def test_a_full_disk_is_told_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path / "a.part", HEAD)
    journal.add(TWO, Verdict(1.5, 0.01, witness=1570.5))
    before = (tmp_path / "a.part").read_bytes()

    class Full(io.FileIO):
        def write(self, data: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert journal._file is not None
    journal._file._stream.close()
    journal._file._stream = Full(tmp_path / "a.part", "a+b")  # type: ignore[assignment]
    with pytest.raises(OSError, match="No space left on device") as told:
        journal.add(ONE, Verdict(1.5, 0.01, witness=1570.5))
    assert told.value.filename == str(tmp_path / "a.part")
    journal.close()
    assert (tmp_path / "a.part").read_bytes() == before


def test_a_journal_has_one_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "_PATIENCE_SECONDS", 0.0)
    journal = Journal(tmp_path / "a.part", HEAD)
    with pytest.raises(InputError, match="another corecast process is writing this journal"):
        Journal(tmp_path / "a.part", HEAD)
    journal.add(ONE, Verdict(1.5, 0.01, witness=1570.5))
    journal.close()
    Journal(tmp_path / "a.part", HEAD).close()


def test_a_journal_without_timings_does_not_stay(tmp_path: Path) -> None:
    Journal(tmp_path / "a.part", HEAD).close()
    assert list(tmp_path.iterdir()) == []


def test_a_journal_is_a_file() -> None:
    with pytest.raises(InputError, match="is not a file"):
        Journal(Path("/dev/null"), HEAD)
