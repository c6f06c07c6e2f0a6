"""Which program is to run, and what runs it so that its instructions are counted."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Sequence
from pathlib import Path

from corecast.asm.code import Isa
from corecast.collect.avx512 import needs_avx512
from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.files.reading import open_bytes
from corecast.hints import Literal
from corecast.isa.spelling import isa_called, linux_triple

Backend = Literal["callgrind", "qemu", "step"]

_EMULATORS: dict[Isa, str] = {"x86": "qemu-x86_64", "aarch64": "qemu-aarch64", "riscv64": "qemu-riscv64"}
_MACHINES: dict[int, Isa] = {62: "x86", 183: "aarch64", 243: "riscv64"}
"""By e_machine of ELF."""


@dataclass(frozen=True)
class RunOptions:
    """How the program runs."""

    backend: Backend | None = None
    """None: QEMU for programs of other machines, single steps for those that need AVX-512, callgrind for the rest."""
    vector_bits: int | None = None
    """Length of SVE's or RVV's registers under QEMU; None: its own."""
    sysroot: str | None = None
    """Sysroot for cross-architecture programs; None: that of the system's cross compilers."""
    seconds: float | None = None
    """After which the program is ended; None: it ends by itself."""


@dataclass(frozen=True)
class Program:
    """What runs, and under what."""

    arguments: Sequence[str]
    """The first one is the program's file."""
    isa: Isa
    backend: Backend
    runner: str
    """Path of valgrind or of the emulator; "" where the program runs by itself."""
    cpu: str = ""
    """What the emulator emulates, "" its default."""
    sysroot: str = ""


def find_program(arguments: Sequence[str], options: RunOptions) -> Program:
    """Looks the program up, as a shell would, and what can run it.

    Raises:
        InputError: there is no such program, it is of no instruction set that is known, or what should run it is
            missing.
    """
    path = shutil.which(arguments[0])
    if path is None:
        raise InputError("no such program" if not os.path.exists(arguments[0]) else "is not executable", arguments[0])
    host = isa_called(platform.machine())
    isa, loader = _kind(path)
    isa = isa or host  # a script runs in an interpreter of this machine
    if isa is None:
        raise InputError(f"programs cannot be collected on {platform.machine()}", arguments[0])
    backend = options.backend or _backend(isa, host, path)
    command = (path, *arguments[1:])
    if backend == "step":
        if isa != host or isa != "x86":
            raise InputError("is not a program for x86-64 on this machine: only those can be stepped through", path)
        return Program(command, isa, backend, "")
    if backend == "callgrind":
        if isa != host:
            raise InputError(f"is a program for {isa}: callgrind runs only those of this machine", path)
        if options.vector_bits is not None:
            raise InputError("the length of vectors can be chosen under QEMU only: --backend qemu")
        return Program(command, isa, backend, _tool("valgrind", "valgrind"))
    emulator = _tool(_EMULATORS[isa], "qemu-user")
    return Program(command, isa, backend, emulator, _cpu(isa, options.vector_bits), _sysroot(isa, loader, options))


def _backend(isa: Isa, host: Isa | None, path: str) -> Backend:
    if isa != host:
        return "qemu"
    return "step" if isa == "x86" and needs_avx512(path) else "callgrind"


def _tool(name: str, package: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise InputError(
            f"{name} is needed to count what the program executes, and is not installed (package {package})"
        )
    return path


def _kind(path: str) -> tuple[Isa | None, str]:
    """Instruction set and dynamic loader of a program; (None, "") for a script."""
    with open_bytes(path) as stream:
        head = stream.read(1 << 16)
    if head.startswith(b"#!"):
        return None, ""
    if not head.startswith(b"\x7fELF"):
        raise InputError("is neither an ELF program nor a script", path)
    isa = _MACHINES.get(int.from_bytes(head[18:20], "little")) if head[4:6] == b"\2\1" else None
    if isa is None:
        raise InputError("is a program of another instruction set than x86-64, AArch64 and RV64", path)
    start = head.find(b"/lib")
    return isa, head[start : head.find(b"\0", start)].decode("utf-8", "replace") if start >= 0 else ""


def _cpu(isa: Isa, vector_bits: int | None) -> str:
    if vector_bits is None:
        return "rv64,v=true,vext_spec=v1.0" if isa == "riscv64" else ""
    if isa == "aarch64":
        if vector_bits % 128 or not 128 <= vector_bits <= 2048:
            raise InputError("the length of SVE's vectors is a multiple of 128, from 128 to 2048 bits")
        return f"max,sve-max-vq={vector_bits // 128},sve-default-vector-length={vector_bits // 8}"
    if isa == "riscv64":
        if vector_bits & (vector_bits - 1) or not 128 <= vector_bits <= 1024:
            raise InputError("the emulator's vectors of RVV have 128, 256, 512 or 1024 bits")
        return f"rv64,v=true,vext_spec=v1.0,vlen={vector_bits}"
    raise InputError("the length of vectors can be chosen for SVE and RVV only")


def _sysroot(isa: Isa, loader: str, options: RunOptions) -> str:
    if options.sysroot is not None:
        if not Path(options.sysroot).is_dir():
            raise InputError("no such folder", options.sysroot)
        return options.sysroot
    usual = Path("/usr") / linux_triple(isa)
    return str(usual) if loader and not Path(loader).exists() and usual.is_dir() else ""
