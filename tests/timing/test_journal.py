"""What was measured is kept; what another mode or machine measured is not mixed in."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.errors import InputError
from corecast.timing.journal import Journal, Key
from corecast.timing.verdict import Verdict

HEAD = {"mode": "loop", "cpu": "x"}
HEAD_LINE = '{"schema": "corecast-timing/3", "mode": "loop", "cpu": "x"}\n'
DAMAGED = (",,,0.0,0.0", "nan,nan,,0.0,0.0", "-5.0,0.01,,0.0,0.0", "1.0,1e999,,0.0,0.0", "1.0,0.0,,0.0")
ONE, TWO = Key(b"\x90", 0), Key(b"\x90", 8)


def test_whoever_comes_back_finds_everything(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.part", HEAD)
    journal.add(ONE, Verdict(1.5, 0.01, witness=1570.5, seconds=7.5))
    journal.add(TWO, Verdict(reason="aliasing"))
    journal.add(ONE, Verdict(1.25, 0.0, witness=1.0, seconds=30.0))
    journal.close()
    again = Journal(tmp_path / "a.part", HEAD)
    assert again.visits == {
        ONE: [Verdict(1.5, 0.01, witness=1570.5, seconds=7.5), Verdict(1.25, 0.0, witness=1.0, seconds=30.0)],
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
    for cut in range(len(content)):
        path.write_bytes(content[:cut])
        again = Journal(path, HEAD)
        whole = content[:cut].count(b"\n")
        assert len(again.visits) == max(0, whole - 1)
        again.close()
        assert path.read_bytes() == b"".join(lines[: max(1, whole)])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"schema": "corecast-timing/3", "mode": "unroll", "cpu": "x"}\n', "mode unroll, not loop"),
        ('{"schema": "corecast-timing/3", "mode": "loop", "cpu": "y"}\n', "cpu y, not x"),
        ("hex,cycles\n", "no record of timings"),
        ('{"schema": "corecast-timing/3", "mode": "loop", "cpu": "x"}\n90,0,abc,,,0.0,0.0\n', "2: not a timing"),
        ('{"schema": "corecast-timing/3", "mode": "loop", "cpu": "x"}\n90,0,,,nonsense,0.0,0.0\n', "2: not a timing"),
        *((HEAD_LINE + f"90,0,{cells}\n", "2: not a timing") for cells in DAMAGED),
    ],
)
def test_another_file_is_not_mixed_in(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "a.part"
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        Journal(path, HEAD)
    assert path.read_text() == text


def test_a_full_disk_is_told_with_the_file(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.part", HEAD)
    journal.close()
    journal._stream = open("/dev/full", "wb", buffering=0)  # noqa: SIM115
    with pytest.raises(OSError, match="No space left on device") as told:
        journal.add(ONE, Verdict(1.5, 0.01, witness=1570.5))
    assert told.value.filename == str(tmp_path / "a.part")
    journal.close()


def test_a_journal_is_a_file() -> None:
    with pytest.raises(InputError, match="is no file"):
        Journal(Path("/dev/null"), HEAD)
