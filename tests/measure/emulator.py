"""Running kernels of other instruction sets under qemu, by the timing harness built for them."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from corecast import _core
from corecast.asm.code import Isa
from corecast.measure import TimedKernel

ROOT = Path(__file__).parents[2]
RISCV_CPU = "rv64,v=true,vext_spec=v1.0,zba=true,zbb=true,zbc=true,zbs=true"
EMULATORS: dict[Isa, tuple[str, str, str]] = {
    "aarch64": ("aarch64-linux-gnu-g++", "qemu-aarch64", "max"),
    "riscv64": ("riscv64-linux-gnu-g++", "qemu-riscv64", RISCV_CPU),
}
"""Compiler, emulator, and its CPU with everything that it knows."""


@dataclass(frozen=True)
class Ending:
    """How a kernel ended."""

    end: str
    signal: str
    offset: int
    """Of the instruction that a signal ended, -1: elsewhere."""


def obstacle(isa: Isa) -> str:
    """ "" where kernels can be run, else why not."""
    missing = [tool for tool in EMULATORS[isa][:2] if shutil.which(tool) is None]
    return f"not installed: {', '.join(missing)}" if missing else ""


def shared_build(isa: Isa, factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs `run_kernels` and `runner`, built once for all workers of a test run."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    folder = folder / f"programs-{isa}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            subprocess.run([ROOT / "scripts/build-runner", isa, folder, "run_kernels", "runner"], check=True)
            (folder / "done").touch()
    return folder


def run(isa: Isa, program: Path, kernels: list[TimedKernel]) -> list[Ending]:
    _, emulator, cpu = EMULATORS[isa]
    lines = "".join(f"{_line(kernel)}\n" for kernel in kernels)
    done = subprocess.run(
        [emulator, "-cpu", cpu, str(program)], input=lines, capture_output=True, text=True, check=True
    )
    endings = [line.split() for line in done.stdout.splitlines()]
    assert len(endings) == len(kernels), done.stderr
    return [Ending(words[0], words[1], int(words[2])) for words in endings]


def _line(kernel: TimedKernel) -> str:
    values = kernel.values
    memory = _core.measuring_data_address if values.pointers else _core.measuring_number
    changed = [f"g{number}={value}" for number, value in values.general.items()]
    changed += [f"v{number}={value}" for number, value in values.vector.items()]
    words = [kernel.code.hex(), kernel.setting.hex() or "-", kernel.counter, int(kernel.is_loop), memory, *changed]
    return " ".join(map(str, words))
