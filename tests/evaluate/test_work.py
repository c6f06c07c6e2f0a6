"""Parts, what is kept of them, and clusters: the same answers whatever happens on the way."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corecast.errors import CorecastError, InputError
from corecast.evaluate import Setting, evaluate, predictions_csv, read_blocks
from corecast.evaluate.cases import Answers
from corecast.evaluate.journal import FILE, Journal, key_of
from corecast.evaluate.work import Work
from corecast.machine import load_machine, variant

INSTRUCTIONS = ["4801c3", "480fafc0", "488b06", "488906", "c5fb58c1", "c5fb1006", "4883c001", "06"]


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    """Some thousand blocks, so that there are several parts."""
    chosen = random.Random(7)
    path = tmp_path / "measured.csv"
    rows = ["hex,cycles,app,count"]
    for number in range(2500):
        code = "".join(chosen.choices(INSTRUCTIONS, k=chosen.randint(1, 8)))
        rows.append(f"{code},{chosen.randint(1, 40) / 4},app{number % 3},{number}.5")
    path.write_text("\n".join(rows) + "\n")
    return path


def setting() -> Setting:
    return Setting(load_machine("skylake_x"), "unroll", 2)


def told(path: Path, work: Work | None = None) -> str:
    return "".join(predictions_csv(evaluate(read_blocks(path), setting(), ["bounds", "baseline"], work=work)))


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    answers = Answers()
    for cycles, status in ((1 / 3, "ok"), (None, "error: crash"), (2.0, "unknown")):
        answers.add(cycles, status)
    journal.write("key", answers)
    found = journal.read("key", 3)
    assert found is not None
    assert found.cycles[0] == 1 / 3
    assert found.statuses == answers.statuses
    assert journal.read("key", 2) is None
    assert journal.read("other", 3) is None
    journal.close()
    again = Journal(tmp_path)
    found = again.read("key", 3)
    assert found is not None
    assert (list(map(str, found.cycles)), found.statuses) == (list(map(str, answers.cycles)), answers.statuses)
    again.finish()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "{}", '{"key": 1, "cycles": [], "statuses": []}', '{"key": "a", "cycles": ["x"], "statuses": ["ok"]}'],
)
def test_damage_is_told_with_its_line(line: str, tmp_path: Path) -> None:
    Journal(tmp_path).close()
    (tmp_path / FILE).write_text(f'{{"schema": "corecast-evaluation-journal/1"}}\n{line}\n')
    with pytest.raises(InputError, match=rf"{FILE}:2: not a"):
        Journal(tmp_path)


def test_keys_tell_every_difference_apart() -> None:
    keys = {
        key_of("a", ["b", "c"]),
        key_of("a", ["bc"]),
        key_of("ab", ["c"]),
        key_of("a", ["b"], ["c"]),
    }
    assert len(keys) == 4


KILLED = """
import os, sys
from corecast.evaluate import Setting, evaluate, read_blocks
from corecast.evaluate.journal import Journal
from corecast.evaluate.work import Work
from corecast.machine import load_machine
from pathlib import Path
setting = Setting(load_machine("skylake_x"), "unroll", 1)
print("ready", flush=True)
evaluate(read_blocks(sys.argv[1]), setting, ["bounds", "baseline"], work=Work(setting, Journal(Path(sys.argv[2]))))
"""


def test_a_run_that_is_killed_goes_on_with_the_same_result(
    measured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = random.Random()
    folder = tmp_path / "report"
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", KILLED, measured, folder], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chosen.uniform(0, 0.5))
        process.kill()
        process.wait()
        process.stdout.close()
    expected = told(measured)
    journal = Journal(folder)
    assert told(measured, Work(setting(), journal)) == expected
    journal.close()
    asked = []
    monkeypatch.setattr("corecast.evaluate.predictors.own.Own.blocks", lambda *_: asked.append(1))
    journal = Journal(folder)
    assert told(measured, Work(setting(), journal)) == expected
    assert not asked
    journal.finish()
    assert not (folder / FILE).exists()


def test_another_machine_takes_nothing_over(measured: Path, tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    told(measured, Work(setting(), journal))
    narrow = Setting(variant(load_machine("skylake_x"), {"rename.width": 1}), "unroll", 2)
    cases = read_blocks(measured)
    kept = evaluate(cases, narrow, ["bounds"], work=Work(narrow, journal)).results[0]
    journal.finish()
    fresh = evaluate(cases, narrow, ["bounds"]).results[0]
    assert list(map(str, kept.answers.cycles)) == list(map(str, fresh.answers.cycles))


ENDS_ITS_WORKER_ONCE = """
(lambda os: 7 if os.path.exists({mark!r}) else (open({mark!r}, "w").close(), os.kill(os.getpid(), 9)))(__import__("os"))
"""


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_answers_and_a_lost_worker_loses_nothing(measured: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    from corecast.prediction.cluster import connect

    with connect("local/2") as cluster:
        ended = cluster.submit(eval, ENDS_ITS_WORKER_ONCE.format(mark=str(tmp_path / "mark")).strip())
        assert told(measured, Work(setting(), None, cluster)) == told(measured)
        assert ended() == 7
        with pytest.raises(CorecastError, match="ZeroDivisionError"):
            cluster.submit(eval, "1 / 0")()


@pytest.mark.parametrize(
    ("address", "message"),
    [("host:1", "a cluster is tcp"), ("slurm/", "a cluster is tcp"), ("tcp://127.0.0.1:9", "no cluster with workers")],
)
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_is_not_there_is_told(address: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    from corecast.prediction import cluster

    monkeypatch.setattr(cluster, "_SECONDS_TO_CONNECT", 1)
    with pytest.raises(InputError, match=message):
        cluster.connect(address)
