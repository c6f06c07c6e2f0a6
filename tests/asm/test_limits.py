"""Foreign programs end in time, with all that they started, and write no more than allowed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corecast.asm.limits import Limits, run_limited

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits are POSIX")


def shell(folder: Path, script: str, **limits: float) -> subprocess.CompletedProcess[bytes]:
    return run_limited(["sh", "-c", script], folder, Limits(**limits))  # type: ignore[arg-type]


def test_output_and_messages_come_together(tmp_path: Path) -> None:
    done = shell(tmp_path, "echo out; echo err >&2; exit 3")
    assert done.returncode == 3
    assert done.stdout == b"out\nerr\n"


def test_children_end_with_the_program(tmp_path: Path) -> None:
    done = shell(tmp_path, "sleep 60 & echo $!")
    child = int(done.stdout)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and _runs(child):
        time.sleep(0.02)
    assert not _runs(child)


def test_time_is_limited(tmp_path: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        shell(tmp_path, "sleep 60", seconds=0.3)


def test_files_and_messages_are_limited(tmp_path: Path) -> None:
    done = shell(
        tmp_path, "head -c 100000 /dev/zero > big; head -c 5000 /dev/zero", file_bytes=10_000, output_bytes=100
    )
    assert (tmp_path / "big").stat().st_size <= 10_000
    assert len(done.stdout) <= 100


def test_memory_is_limited(tmp_path: Path) -> None:
    done = run_limited([sys.executable, "-c", "x = bytearray(1 << 30)"], tmp_path, Limits(memory_bytes=512 << 20))
    assert b"MemoryError" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="name spaces are Linux")
def test_there_is_no_network_where_the_kernel_allows_that(tmp_path: Path) -> None:
    if subprocess.run(["unshare", "-rn", "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("the kernel allows no network name spaces")
    done = shell(tmp_path, "cat /proc/net/dev")
    names = {line.partition(b":")[0].strip() for line in done.stdout.splitlines() if b":" in line}
    assert names == {b"lo"}


def _runs(process: int) -> bool:
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in "ZX"
