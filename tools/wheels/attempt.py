"""A wheel installed in an empty system, and the README's examples run there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from wheels.build import ROOT
from wheels.roots import can_enter, enter, own_root

_CHECKOUT = "checkout"
_SHOWN = ("README.md", "examples", "docs", "tests/docs")
"""What the README's examples read, and what runs them."""


def attempt(wheel: Path, root: Path | None) -> int:
    """Install and run; the exit code.

    Args:
        root: a system made before; None: one with this interpreter, made for this and removed.
    """
    with tempfile.TemporaryDirectory(prefix="corecast-root-") as name:
        scratch = Path(name)
        if not can_enter():
            print("no chroot here: a PATH without compilers has to do as an empty system", flush=True)
            folder = scratch / _CHECKOUT
            _fill(folder, wheel, with_pip=True)
            return _behind_a_barrier(folder, scratch / "bin")
        system = own_root(scratch) if root is None else root
        folder = system / _CHECKOUT
        shutil.rmtree(folder, ignore_errors=True)
        _fill(folder, wheel, with_pip=root is None)
        inside = ["/usr/bin/python3", f"/{_CHECKOUT}/inside.py", f"/{_CHECKOUT}"]
        done = subprocess.run(enter(system, inside), check=False, stdin=subprocess.DEVNULL)
        shutil.rmtree(folder)
        return done.returncode


def _fill(folder: Path, wheel: Path, *, with_pip: bool) -> None:
    """The wheel with what it depends on, pip where the system has none, and what the README names."""
    (folder / "wheels").mkdir(parents=True)
    (folder / "src").mkdir()
    shutil.copy2(wheel, folder / "wheels")
    for dependency in _dependencies():
        shutil.copy2(dependency, folder / "wheels")
    for name in _SHOWN:
        source, copy = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
    shutil.copy2(Path(__file__).with_name("inside.py"), folder)
    if with_pip:
        import pip as own_pip

        shutil.copytree(Path(own_pip.__file__).parent, folder / "pip" / "pip")


def _dependencies() -> list[Path]:
    """Wheels of what corecast depends on, for any version of Python; downloaded the first time."""
    lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line.partition(";")[0] for line in lines if line.startswith(("pyelftools==", "tomli=="))]
    place = ROOT / "build" / "wheelhouse"
    found = [wheel for name in wanted for wheel in place.glob(f"{name.replace('==', '-')}-py3-none-any.whl")]
    if len(found) == len(wanted):
        return found
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    options = ["--only-binary=:all:", "--implementation=py", "--abi=none", "--platform=any", "-d", str(place)]
    subprocess.run([*pip, *options, *wanted], check=True)
    return [wheel for name in wanted for wheel in place.glob(f"{name.replace('==', '-')}-*.whl")]


def _behind_a_barrier(folder: Path, programs: Path) -> int:
    """Without a chroot: only some programs in PATH; the libraries of this machine are still there."""
    programs.mkdir()
    for name in ("bash", "sh", "cat", "chmod", "env", "gzip", "head", "ls", "rm", "valgrind"):
        found = shutil.which(name)
        if found:
            (programs / name).symlink_to(found)
    python = Path(os.path.realpath(sys.executable))
    settings = {"HOME": str(folder), "PATH": str(programs), "LC_ALL": "C.UTF-8", "TERM": "dumb"}
    command = [str(python), "-s", str(folder / "inside.py"), str(folder), "--barrier"]
    return subprocess.run(command, env=settings, check=False, stdin=subprocess.DEVNULL).returncode
