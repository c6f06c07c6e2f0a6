"""Who builds from the sources without a compiler or LLVM reads one message that says what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BACKEND = ROOT / "tools" / "build_backend"
ASK = "import corecast_build, sys; corecast_build.get_requires_for_build_wheel(eval(sys.argv[1]))"


def ask(path: Path, settings: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in ("CXX", "CMAKE_ARGS")}
    environment |= {"PATH": str(path), "PYTHONPATH": str(BACKEND)}
    command = [sys.executable, "-c", ASK, repr(settings)]
    return subprocess.run(command, env=environment, check=False, capture_output=True, text=True)


def program(path: Path, script: str = "exit 0") -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_everything_that_is_missing_is_told_at_once(tmp_path: Path) -> None:
    done = ask(tmp_path)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0] == "corecast cannot be built from its sources here. What is missing:"
    assert lines[1] == "  - a C++20 compiler (GCC 12 or later, or Clang)"
    assert lines[2].startswith("  - LLVM 19 to 22 with headers and static libraries")
    assert "Traceback" not in done.stderr
    assert len(lines) == 6


def test_llvm_without_its_libraries(tmp_path: Path) -> None:
    program(tmp_path / "c++")
    program(tmp_path / "llvm-config-20", f"echo {tmp_path}/libLLVMMC.a")
    done = ask(tmp_path)
    assert done.returncode == 1
    assert f"LLVM's static libraries, which {tmp_path}/llvm-config-20 names" in done.stderr


@pytest.mark.parametrize("name", ["llvm-config-19", "llvm-config"])
def test_a_build_goes_on_where_all_is_there(tmp_path: Path, name: str) -> None:
    program(tmp_path / "g++")
    (tmp_path / "libLLVMMC.a").touch()
    program(tmp_path / name, f"echo {tmp_path}/libLLVMMC.a")
    done = ask(tmp_path)
    assert done.returncode == 0, done.stderr


def test_an_llvm_of_ones_own(tmp_path: Path) -> None:
    program(tmp_path / "c++")
    own = program(tmp_path / "own-config")
    done = ask(tmp_path, {"cmake.define.LLVM_CONFIG": str(own)})
    assert done.returncode == 0, done.stderr
