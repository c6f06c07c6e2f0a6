"""`corecast analyze` on a loop of 30 instructions, whole process, beside OSACA 0.7.1 in the same run.

Both are installed from wheels in one virtual environment, as users have them; the import hook of an editable checkout
would take a twelfth of our time.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from measure import ROOT, Figure, process_seconds, report

RUNS = 20
PEER_RUNS = 7
MOST_SECONDS = 0.1
LEAST_RATIO = 25.0
PEER = "osaca==0.7.1"
KERNEL = Path(__file__).resolve().parent / "kernels" / "stencil30.s"


def installed(requirement: str | Path, command: str, *options: str) -> Path | None:
    """A command of a wheel in the benchmarks' virtual environment; None, and why, where it cannot be installed."""
    folder = ROOT / "build" / "benchmark-venv"
    try:
        pip = [folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "-q"]
        if not folder.exists():
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
            # Python brings an old one, whose commands import `re` before they start.
            subprocess.run([*pip, "--upgrade", "pip"], check=True, capture_output=True)
        subprocess.run([*pip, *options, requirement], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        reason = (getattr(error, "stderr", b"") or str(error).encode()).decode(errors="replace").strip()
        print(f"analyze: {requirement} could not be installed: {reason[-200:]}")
        return None
    return folder / "bin" / command


def own_wheel() -> Path:
    """The wheel of this tree, built with what `scripts/setup` has compiled."""
    folder = ROOT / "build" / "benchmark-wheel"
    shutil.rmtree(folder, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "-q", "--no-deps"]
    subprocess.run([*pip, "--no-build-isolation", "--wheel-dir", folder, ROOT], check=True)
    return next(folder.glob("*.whl"))


def main() -> int:
    own = installed(own_wheel(), "corecast", "--force-reinstall", "--no-deps")
    if own is None:
        return 1
    other = installed(PEER, "osaca")
    ours = [own, "analyze", KERNEL, "--cpu", "skylake_x"]
    start = [sys.executable, "-S", "-c", "pass"]
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
