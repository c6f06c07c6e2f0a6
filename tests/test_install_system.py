"""scripts/install-system waits while another package manager holds a lock, and tells any other failure."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "install-system"
FAKES = {
    "dpkg-query": "#!/bin/sh\nexit 1\n",
    "apt-cache": "#!/bin/sh\necho '  Candidate: 1:19'\n",
    "id": "#!/bin/sh\necho 0\n",
    "apt-get": """#!/bin/sh
echo "$@" >> calls
[ "$(grep -c " $3 " calls)" -gt "$LOCKED" ] && exit 0
echo "$MESSAGE" >&2
exit 100
""",
}
LISTS = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"
DATABASE = "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?"


def install(folder: Path, locked: int, message: str, seconds: str = "900") -> subprocess.CompletedProcess[str]:
    for name, text in FAKES.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    settings = {"LOCKED": str(locked), "MESSAGE": message, "CORECAST_APT_PAUSE": "0", "CORECAST_APT_SECONDS": seconds}
    places = {"PATH": f"{folder}:{os.environ['PATH']}", "LLVM_CONFIG": "/bin/true"}
    return subprocess.run(
        [str(SCRIPT)], cwd=folder, env={**os.environ, **places, **settings}, check=False, capture_output=True, text=True
    )


@pytest.mark.parametrize("message", [LISTS, DATABASE])
def test_locks_are_waited_for(tmp_path: Path, message: str) -> None:
    done = install(tmp_path, 3, message)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("another package manager is running") == 6, "three times each to update and to install"


def test_another_failure_is_told_at_once(tmp_path: Path) -> None:
    done = install(tmp_path, 99, "E: Unable to locate package ninja-build")
    assert done.returncode == 100
    assert "Unable to locate package" in done.stderr
    assert (tmp_path / "calls").read_text().count("\n") == 1


def test_nobody_waits_for_ever(tmp_path: Path) -> None:
    done = install(tmp_path, 10**9, LISTS, seconds="0")
    assert done.returncode == 100
    assert "Could not get lock" in done.stderr
