"""What building for AArch64 on x86-64 needs: Debian's cross compiler, and libraries of Debian's packages for arm64."""

from __future__ import annotations

import shutil
from pathlib import Path

from wheels.build import ROOT, Target, newest_llvm
from wheels.debian import MissingToolError, unpack

ARCHITECTURE = "aarch64"
_COMPILER = "aarch64-linux-gnu-g++"


def target(python: str, version: tuple[int, int]) -> Target:
    """What to build with an interpreter of this machine for one of the same version on AArch64.

    Both have the same headers: what pyconfig.h says of sizes is the same on all 64-bit Linux.

    Raises:
        MissingToolError: the compiler, LLVM or apt is missing.
    """
    llvm = newest_llvm()
    if shutil.which(_COMPILER) is None:
        raise MissingToolError(f"there is no {_COMPILER} here: scripts/install-system --release brings it")
    if shutil.which(f"llvm-config-{llvm}") is None:
        raise MissingToolError(f"there is no llvm-config-{llvm} here: scripts/install-system brings it")
    root = sysroot(ROOT / "build" / "sysroot-aarch64", llvm)
    return Target(
        python,
        ARCHITECTURE,
        settings=(
            f"cmake.define.CMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'aarch64-linux-gnu.cmake'}",
            f"cmake.define.CORECAST_SYSROOT={root}",
            f"cmake.define.LLVM_CONFIG={root / 'llvm-config'}",
        ),
        environment={
            "_PYTHON_HOST_PLATFORM": "linux-aarch64",
            "SETUPTOOLS_EXT_SUFFIX": f".cpython-{version[0]}{version[1]}-aarch64-linux-gnu.so",
        },
    )


def sysroot(folder: Path, llvm: int) -> Path:
    """A folder with LLVM, zlib and zstd for AArch64, and a program that names LLVM's libraries there."""
    done = folder / f"complete-{llvm}"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unpack(folder, "arm64", (f"llvm-{llvm}-dev", "zlib1g-dev", "libzstd-dev"))
        program = folder / "llvm-config"
        place = f"/usr/lib/llvm-{llvm}"
        program.write_text(
            "#!/bin/sh\n# This machine's own, whose answers are right for AArch64 but for the place.\n"
            f'llvm-config-{llvm} "$@" | sed "s#{place}#{folder}{place}#g"\n',
            encoding="utf-8",
        )
        program.chmod(0o755)
        done.touch()
    return folder
