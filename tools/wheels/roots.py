"""Empty systems to try wheels in: Python and a shell, no compiler, no LLVM, none of this machine's packages."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

from wheels.debian import make_root

PROGRAMS = ("bash", "sh", "cat", "chmod", "env", "gzip", "head", "ls", "rm")
EMULATORS = ("valgrind", "valgrind.bin")
"""`corecast collect` runs programs under it."""
_SHARED_FILES = ("/usr/lib/locale/C.utf8", "/usr/libexec/valgrind")
_SKIPPED = shutil.ignore_patterns(
    "__pycache__", "site-packages", "dist-packages", "test", "tests", "idlelib", "config-*"
)
_DEBIAN = ("python3", "python3-venv", "valgrind")


def debian_root(folder: Path, suite: str, address: str) -> Path:
    """A minimal Debian with Python; made where it is not there yet. Returns the folder."""
    if not folder.exists():
        make_root(folder, suite, _DEBIAN, address)
    return folder


def own_root(folder: Path) -> Path:
    """This interpreter with its standard library, a shell, an emulator, the libraries that those load: nothing else.

    Takes two seconds and no network. Returns the folder.
    """
    for part in ("bin", "usr/bin", "tmp", "root", "etc", "proc", "sys", "dev"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    python = Path(os.path.realpath(sys.executable))
    _program(python, folder)
    library = Path(sysconfig.get_path("stdlib", vars={"base": sys.base_prefix}))
    shutil.copytree(library, _inside(folder, library), ignore=_SKIPPED, symlinks=True)
    for module in (library / "lib-dynload").glob("*.so"):
        _libraries(module, folder)
    _copy(_mapped("libgcc_s.so.1"), folder)  # which every system with glibc has
    for name in (*PROGRAMS, *EMULATORS):
        found = shutil.which(name)
        if found is None:
            continue  # a README's example that wants it will say so
        real = Path(os.path.realpath(found))
        _program(real, folder)
        for link in (folder / "bin" / name, folder / "usr" / "bin" / name):
            if not link.exists():
                link.symlink_to(real)
    for place in map(Path, _SHARED_FILES):
        if place.exists():
            shutil.copytree(place, _inside(folder, place))
    link = folder / "usr" / "bin" / "python3"
    if not link.exists():
        link.symlink_to(python)
    return folder


def enter(folder: Path, command: Sequence[str]) -> list[str]:
    """The command that runs another one in such a system, which sees /proc, /sys and /dev beside it."""
    mounts = "".join(f"mount --rbind /{part} {folder}/{part} && " for part in ("proc", "sys", "dev"))
    inner = f'{mounts}exec chroot {folder} /usr/bin/env -i "$@"'
    settings = ["HOME=/root", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TERM=dumb"]
    return [*_unshare(), "sh", "-c", inner, "sh", *settings, *command]


def can_enter() -> bool:
    """Whether this machine lets us into such a system."""
    try:
        return subprocess.run([*_unshare(), "true"], check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def _unshare() -> list[str]:
    own_users = [] if os.geteuid() == 0 else ["--map-root-user"]
    return ["unshare", "--mount", "--propagation", "private", *own_users]


def _inside(folder: Path, path: Path) -> Path:
    return folder / path.relative_to("/")


def _program(path: Path, folder: Path) -> None:
    _copy([path], folder)
    _libraries(path, folder)


def _libraries(path: Path, folder: Path) -> None:
    """Those that the dynamic linker loads for it, and the linker."""
    told = subprocess.run(["ldd", str(path)], check=False, capture_output=True, text=True).stdout
    _copy((Path(found) for found in re.findall(r"(?:=> |^\s*)(/\S+) \(0x", told, re.MULTILINE)), folder)


def _mapped(library: str) -> list[Path]:
    """Where the dynamic linker finds a library."""
    ctypes.CDLL(library)
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return [Path(path) for path in {line.split()[-1] for line in lines} if path.endswith(f"/{library}")]


def _copy(paths: Iterable[Path], folder: Path) -> None:
    for path in paths:
        copy = _inside(folder, path)
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
