"""Runs in an empty system: installs the wheel beside it, then does what the README shows.

    python3 inside.py FOLDER    `wheels`, README.md, `examples`, `docs` and `tests` are in FOLDER

The standard library of Python 3.10 has to do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

OUT_OF_REACH = ("cc", "gcc", "g++", "c++", "clang", "clang++", "ld", "as", "cmake", "ninja", "llvm-config", "llvm-mca")
_LIBRARIES = ("libLLVM*", "llvm-*", "libclang*")
EXAMPLES = """
import sys
sys.path.insert(0, sys.argv[1])
sys.executable = sys.argv[2] if sys.argv[2:] else sys.executable
from docs import pages
import corecast._core
import platform
print(platform.machine(), "Python", platform.python_version(), *platform.libc_ver())
print("corecast is", corecast._core.__file__)
wrong = shown = 0
for each in pages.check("README.md"):
    shown += 1
    if not each.holds():
        wrong += 1
        print("README.md:%d: %s" % (each.line, each.command.strip()))
        print("expected:", each.expected, "now:", each.now, sep="\\n")
print("README.md: %d examples, %d wrong" % (shown, wrong))
sys.exit(wrong > 0 or shown == 0)
"""


def main(folder: Path) -> int:
    """The exit code."""
    reached = [name for name in OUT_OF_REACH if shutil.which(name)]
    reached += [str(found) for pattern in _LIBRARIES for found in _system_libraries(pattern)]
    if reached:
        print(f"this is not an empty system: {', '.join(reached)}")
        if "--barrier" not in sys.argv:
            return 1
    with tempfile.TemporaryDirectory(prefix="corecast-empty-") as name:
        venv = Path(name) / "venv"
        python = venv / "bin" / "python"
        pip_alone = folder / "pip"
        environment = dict(os.environ)
        if pip_alone.exists():
            environment["PYTHONPATH"] = str(pip_alone)
        _run([sys.executable, "-m", "venv", *(["--without-pip"] if pip_alone.exists() else []), str(venv)])
        install = ["install", "--quiet", "--disable-pip-version-check", "--no-index", "--find-links"]
        _run([str(python), "-m", "pip", *install, str(folder / "wheels"), "corecast"], environment)
        _run([str(venv / "bin" / "corecast"), "--version"])
        (site,) = (venv / "lib").glob("python3*/site-packages")
        for package in ("corecast", "elftools"):
            size = sum(file.lstat().st_size for file in (site / package).rglob("*") if file.is_file())
            print(f"{package}: {size / 1e6:.1f} MB installed", flush=True)
        _run([str(python), "-c", EXAMPLES, str(folder / "tests")])
    return 0


def _system_libraries(pattern: str) -> list[Path]:
    places = [
        Path(place)
        for place in ("/usr/lib", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu")
    ]
    return [found for place in places for found in place.glob(pattern)]


def _run(command: Sequence[str], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, env=environment, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        print(f"failed with exit code {done.returncode}: {' '.join(command[:6])}", flush=True)
        sys.exit(1)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
