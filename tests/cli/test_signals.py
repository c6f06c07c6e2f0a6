"""Whoever interrupts or ends a command is heard soon, even in the middle of native work, and nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import interruptible

HEARD_SECONDS = 60
"""Far less than the work takes, far more than it takes to hear a signal on a busy machine."""
LOOP = ".L1:\n" + "addq %rax, %rbx\nimulq %rbx, %rcx\nmovq 8(%rsi), %rdx\nmovq %rdx, 16(%rdi)\n" * 4000 + "jne .L1\n"


def starts_work(running: subprocess.Popen[bytes]) -> None:
    """Waits until the process has computed for a while."""
    end = time.monotonic() + 300
    while time.monotonic() < end and running.poll() is None:
        fields = Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()
        if (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") > 1.5:
            return
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_predict_ends_and_leaves_nothing_behind(number: int, jobs: str, tmp_path: Path) -> None:
    rows = "".join(f"{'4801d8' * (1 + row % 50)}{'480fafc3' * (row % 37)}\n" for row in range(300_000))
    (tmp_path / "b.csv").write_text("hex\n" + rows)
    (tmp_path / "out.csv").write_text("old")
    command = ["predict", "b.csv", "--cpu", "zen4", "--method", "simulate", "-o", "out.csv", "--jobs", jobs]
    running = interruptible.start([sys.executable, "-m", "corecast", *command], cwd=tmp_path, stderr=subprocess.PIPE)
    starts_work(running)
    running.send_signal(number)
    error = running.communicate(timeout=HEARD_SECONDS)[1]
    assert (running.returncode, error) == (128 + number, b"")
    assert sorted(os.listdir(tmp_path)) == ["b.csv", "out.csv"]
    assert (tmp_path / "out.csv").read_text() == "old"


@pytest.mark.parametrize("method", ["simulate", "bounds"])
def test_analyze_hears_in_native_code(method: str, tmp_path: Path) -> None:
    (tmp_path / "long.s").write_text(LOOP)
    command = [sys.executable, "-c", PROGRAM, method]
    running = interruptible.start(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stdout.readline() == b"ready\n"
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    out, error = running.communicate(timeout=HEARD_SECONDS)
    assert (running.returncode, out) == (0, b"heard\n"), error


PROGRAM = """
import sys, traceback
import corecast
from corecast.asm import read_regions
(kernel,) = read_regions("long.s")
machine = corecast.load_machine("zen4")
from corecast.analysis.kernels import prepare_kernel
from corecast.analysis.options import AnalyzeOptions
mode, instructions, _ = prepare_kernel(kernel, machine, AnalyzeOptions())
from corecast import _core
call = {"simulate": lambda: _core.observe(machine.core, instructions, mode, 0, "nearest", 0, None),
        "bounds": lambda: _core.analyze(machine.core, instructions * 4, mode)}[sys.argv[1]]
print("ready", flush=True)
try:
    for _ in range(1000):
        call()
        done = True
except KeyboardInterrupt:
    print("heard")
"""
