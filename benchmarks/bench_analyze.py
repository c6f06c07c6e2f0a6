"""`corecast analyze` on a loop of 30 instructions, whole process, beside OSACA 0.7.1 in the same run."""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path

from measure import CORECAST, ROOT, Figure, process_seconds, report

RUNS = 20
PEER_RUNS = 7
MOST_SECONDS = 0.1
LEAST_RATIO = 25.0
PEER = "osaca==0.7.1"
KERNEL = Path(__file__).resolve().parent / "kernels" / "stencil30.s"


def peer() -> Path | None:
    """The peer's command in a virtual environment of the benchmarks; None where it cannot be installed."""
    folder = ROOT / "build" / "benchmark-venv"
    command = folder / "bin" / "osaca"
    if not command.exists():
        try:
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, capture_output=True)
            subprocess.run([folder / "bin" / "pip", "install", "-q", PEER], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            reason = getattr(error, "stderr", b"") or str(error).encode()
            print(
                f"analyze: {PEER} could not be installed, so no ratio: {reason.decode(errors='replace').strip()[-200:]}"
            )
            return None
    return command if command.exists() else None


def main() -> int:
    ours = [CORECAST, "analyze", KERNEL, "--cpu", "skylake_x"]
    start = [sys.executable, "-S", "-c", "pass"]
    other = peer()
    theirs = [other, "--arch", "SKX", KERNEL] if other else None
    process_seconds(ours)
    if theirs:
        process_seconds(theirs)  # reads its tables for the first time and keeps them
    mine: list[float] = []
    peers: list[float] = []
    bare: list[float] = []
    for run in range(RUNS):  # in turns, so that both meet the same disturbances
        mine.append(process_seconds(ours))
        bare.append(process_seconds(start))
        if theirs and run < PEER_RUNS:
            peers.append(process_seconds(theirs))
    seconds = statistics.median(mine)
    figures = [
        Figure("corecast analyze, median of 20", seconds, "s", f"< {MOST_SECONDS} s", seconds < MOST_SECONDS),
        Figure("of which Python's own start", statistics.median(bare), "s"),
    ]
    if peers:
        ratio = statistics.median(peers) / seconds
        figures += [
            Figure(f"{PEER}, median of {PEER_RUNS}", statistics.median(peers), "s"),
            Figure("ratio", ratio, "times", f"at least {LEAST_RATIO:g}", ratio >= LEAST_RATIO),
        ]
    return report("analyze", "One loop of 30 instructions, whole process", figures)


if __name__ == "__main__":
    sys.exit(main())
