"""A wheel installed in an empty system, and the README's examples run there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from wheels.build import ROOT
from wheels.cross import ARCHITECTURE
from wheels.debian import MissingToolError, unpack
from wheels.inside import EXAMPLES
from wheels.roots import EMULATORS, PROGRAMS, can_enter, enter, own_root

_CHECKOUT = "checkout"
_PYTHON_PACKAGES = (
    "python{}-minimal",
    "libpython{}-minimal",
    "libpython{}-stdlib",
    *("libc6", "libgcc-s1", "zlib1g", "libexpat1", "libssl3", "libffi8", "libbz2-1.0", "liblzma5", "libuuid1"),
)
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


def emulated(wheel: Path) -> int:
    """An AArch64 wheel under QEMU's user mode, with Debian's Python for AArch64; the exit code.

    The README's examples that collect blocks and time them are left out: they run code of this machine.

    Raises:
        MissingToolError: there is no emulator, or apt does not have this machine's version of Python.
    """
    if shutil.which(f"qemu-{ARCHITECTURE}") is None:
        raise MissingToolError(f"there is no qemu-{ARCHITECTURE} here: scripts/install-system brings it")
    version = "{}.{}".format(*sys.version_info)
    root = ROOT / "build" / "roots" / ARCHITECTURE
    if not (root / "complete").exists():
        root.mkdir(parents=True, exist_ok=True)
        unpack(root, "arm64", [name.format(version) for name in _PYTHON_PACKAGES])
        (root / "complete").touch()
    with tempfile.TemporaryDirectory(prefix="corecast-emulated-") as name:
        folder = Path(name)
        site, checkout, python = folder / "site", folder / _CHECKOUT, folder / "python"
        _fill(checkout, wheel, with_pip=False)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index"]
        options = [f"--platform=manylinux2014_{ARCHITECTURE}", "--only-binary=:all:", f"--python-version={version}"]
        places = ["--find-links", str(checkout / "wheels"), "--target", str(site)]
        subprocess.run([*pip, "--no-compile", *options, *places, "corecast"], check=True)
        python.write_text(
            "#!/bin/sh\n"
            f"exec qemu-{ARCHITECTURE} -L {root} -E PYTHONPATH={site} -E PYTHONDONTWRITEBYTECODE=1 "
            f'{root}/usr/bin/python{version} "$@"\n',
            encoding="utf-8",
        )
        python.chmod(0o755)
        page = checkout / "README.md"
        page.write_text(_without_measuring(page.read_text(encoding="utf-8")), encoding="utf-8")
        command = [str(python), "-c", EXAMPLES, str(checkout / "tests"), str(python)]
        return subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode


def _without_measuring(page: str) -> str:
    blocks = re.split(r"(?ms)(^```console\n.*?^```\n)", page)
    return "".join(block for block in blocks if not block.startswith("```console\n$ corecast collect"))


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
    for name in (*PROGRAMS, *EMULATORS):
        found = shutil.which(name)
        if found:
            (programs / name).symlink_to(found)
    python = Path(os.path.realpath(sys.executable))
    settings = {"HOME": str(folder), "PATH": str(programs), "LC_ALL": "C.UTF-8", "TERM": "dumb"}
    command = [str(python), "-s", str(folder / "inside.py"), str(folder), "--barrier"]
    return subprocess.run(command, env=settings, check=False, stdin=subprocess.DEVNULL).returncode
