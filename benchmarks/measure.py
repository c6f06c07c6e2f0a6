"""What the benchmarks share: timing whole processes, the machine's name, result files.

Figures go to benchmarks/results/<date>-<machine>.json, one entry a benchmark, and the Markdown beside it is made from
that; a benchmark run again the same day replaces its entry.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).resolve().parent / "results"
CORECAST = Path(sys.executable).parent / "corecast"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Of timed commands: they keep what they compile, as installed programs do; the peers' is compiled when installed."""


@dataclass(frozen=True)
class Figure:
    """One measured value beside what it should be."""

    what: str
    value: float
    unit: str
    aim: str = ""
    met: bool = True


def process_seconds(command: Sequence[str | Path]) -> float:
    """Wall time of a process that must succeed.

    Raises:
        RuntimeError: it failed.
    """
    start = time.perf_counter()
    done = subprocess.run(
        [str(word) for word in command],
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} failed: {done.stderr.decode(errors='replace').strip()[-500:]}")
    return seconds


class Use(NamedTuple):
    """What a process took, its start included."""

    wall_seconds: float
    cpu_seconds: float
    megabytes: float


def use_of(command: list[str | Path], allowed: tuple[int, ...] = (0, 1)) -> Use:
    """Runs a command; raises RuntimeError where it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(word) for word in command], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in allowed:
        raise RuntimeError(f"{command[0]} exits with {process.returncode}")
    return Use(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def median_seconds(run: Callable[[], float], times: int) -> float:
    """Median of `times` runs, after one that warms caches."""
    run()
    return statistics.median(run() for _ in range(times))


def machine_name() -> str:
    """The processor in words."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    match = re.search(r"^model name\s*:\s*(.+)$", text, re.M)
    return match[1].strip() if match else platform.processor() or platform.machine()


def report(benchmark: str, title: str, figures: Sequence[Figure], note: str = "") -> int:
    """Print and store the figures; returns the exit code, 1 where an aim is missed."""
    width = max(len(figure.what) for figure in figures)
    print(f"{benchmark}: {title}")
    for figure in figures:
        verdict = f"   aim: {figure.aim}{'' if figure.met else '   MISSED'}" if figure.aim else ""
        print(f"  {figure.what:{width}}  {figure.value:12,.3f} {figure.unit}{verdict}")
    if note:
        print(f"  {note}")
    _store(benchmark, {"title": title, "figures": [asdict(figure) for figure in figures], "note": note})
    return 0 if all(figure.met for figure in figures) else 1


def _store(benchmark: str, entry: dict[str, object]) -> None:
    RESULTS.mkdir(exist_ok=True)
    machine = machine_name()
    date = datetime.date.today().isoformat()
    slug = re.sub(r"[^a-z0-9]+", "-", re.sub(r"\(r\)|\(tm\)|cpu|processor|@.*", "", machine.lower())).strip("-")
    path = RESULTS / f"{date}-{slug}.json"
    stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    stored |= {"machine": machine, "cores": os.cpu_count(), "date": date, "python": platform.python_version()}
    stored.setdefault("benchmarks", {})[benchmark] = entry
    stored["benchmarks"] = dict(sorted(stored["benchmarks"].items()))
    path.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(_markdown(stored), encoding="utf-8")


def _markdown(stored: dict[str, object]) -> str:
    lines = [
        f"# Benchmarks, {stored['date']}",
        "",
        f"Machine: {stored['machine']}, {stored['cores']} cores; Python {stored['python']}.",
    ]
    benchmarks = stored["benchmarks"]
    assert isinstance(benchmarks, dict)
    for entry in benchmarks.values():
        lines += ["", f"## {entry['title']}", "", "| what | value | aim |", "|---|---|---|"]
        for figure in entry["figures"]:
            aim = figure["aim"] + ("" if figure["met"] else " (missed)")
            lines.append(f"| {figure['what']} | {figure['value']:,.3f} {figure['unit']} | {aim} |")
        if entry["note"]:
            lines += ["", entry["note"]]
    return "\n".join(lines) + "\n"
