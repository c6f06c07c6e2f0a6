"""The build backend: scikit-build-core, asked only where what a build needs is there.

CMake says what is missing too, one thing after the other and between its own lines; who installs corecast from its
sources without a compiler or LLVM reads one message, at once.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scikit_build_core import build as backend
from scikit_build_core.build import (
    build_sdist,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = Mapping[str, Any] | None
_ROOT = Path(__file__).resolve().parents[2]
_PLACES = ("/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin")  # as in cmake/LLVMMC.cmake


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    _require(config_settings)
    return list(backend.get_requires_for_build_wheel(_dictionary(config_settings)))


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    _require(config_settings)
    return list(backend.get_requires_for_build_editable(_dictionary(config_settings)))


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    _require(config_settings)
    return str(backend.build_wheel(wheel_directory, _dictionary(config_settings), metadata_directory))


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    _require(config_settings)
    return str(backend.build_editable(wheel_directory, _dictionary(config_settings), metadata_directory))


def missing(settings: Mapping[str, Any]) -> list[str]:
    """What a build needs and is not here, a phrase each."""
    oldest, newest = llvm_versions()
    found = []
    compilers = (os.environ.get("CXX", "c++").split()[0], "g++", "clang++")
    if "cmake.define.CMAKE_TOOLCHAIN_FILE" not in settings and not any(map(shutil.which, compilers)):
        found.append("a C++20 compiler (GCC 12 or later, or Clang)")
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not header.exists():
        found.append(f"the headers of Python {sys.version_info[0]}.{sys.version_info[1]} ({header})")
    config = _llvm_config(settings, oldest, newest)
    if config is None:
        found.append(
            f"LLVM {oldest} to {newest} with headers and static libraries (llvm-config-{newest} is not on PATH)"
        )
    elif not _has_libraries(config):
        found.append(f"LLVM's static libraries, which {config} names, but which are not there")
    return found


def llvm_versions() -> tuple[int, int]:
    """The oldest and the newest LLVM that cmake/LLVMMC.cmake accepts."""
    text = (_ROOT / "cmake" / "LLVMMC.cmake").read_text(encoding="utf-8")
    oldest, newest = (re.search(rf"set\(CORECAST_LLVM_{which} (\d+)\)", text) for which in ("OLDEST", "NEWEST"))
    assert oldest is not None
    assert newest is not None
    return int(oldest[1]), int(newest[1])


def _llvm_config(settings: Mapping[str, Any], oldest: int, newest: int) -> str | None:
    told = settings.get("cmake.define.LLVM_CONFIG")
    arguments = f"{settings.get('cmake.args', '')} {os.environ.get('CMAKE_ARGS', '')}"
    if told is None and (match := re.search(r"-DLLVM_CONFIG(?::\w+)?=([^\s;'\"\]]+)", arguments)):
        told = match[1]
    if told is not None:
        return shutil.which(str(told))
    names = [*(f"llvm-config-{version}" for version in range(newest, oldest - 1, -1)), "llvm-config"]
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *_PLACES])
    return next((found for found in (shutil.which(name, path=path) for name in names) if found), None)


def _has_libraries(config: str) -> bool:
    done = subprocess.run([config, "--link-static", "--libfiles", "mc"], check=False, capture_output=True, text=True)
    return done.returncode == 0 and all(os.path.exists(name) for name in done.stdout.split())


def _require(settings: Settings) -> None:
    absent = missing(settings or {})
    if not absent:
        return
    _, newest = llvm_versions()
    lines = [
        "corecast cannot be built from its sources here. What is missing:",
        *(f"  - {what}" for what in absent),
        f"Debian and Ubuntu: apt-get install g++ python3-dev llvm-{newest}-dev zlib1g-dev libzstd-dev",
        "An LLVM of your own: pip install -C cmake.define.LLVM_CONFIG=/path/to/llvm-config ...",
        "Wheels need none of this: pip install --only-binary corecast corecast",
    ]
    print("\n".join(lines), file=sys.stderr)
    sys.exit(1)


def _dictionary(settings: Settings) -> dict[str, Any] | None:
    return None if settings is None else dict(settings)
