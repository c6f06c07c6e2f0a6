"""Builds what a release consists of, checks it, and tries it where nothing else is installed.

    python tools/release.py build [--python PYTHON]... [--architecture aarch64]  wheels in dist/
    python tools/release.py build --this                                        a wheel for this interpreter
    python tools/release.py sdist                                               the sources in dist/
    python tools/release.py check WHEEL...                                      size, licences, libraries
    python tools/release.py try WHEEL [--debian SUITE]                          the README's examples in an empty system

docs/releasing.md says what a release needs. Exit codes: 0 fine, 1 a wheel is not as it must be, 2 something is missing.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from wheels import attempt, build, check, cross, roots
from wheels.debian import MissingToolError, mirror

PYTHONS = ("python3.10", "python3.11", "python3.14", "python3.13", "python3.12")
"""A wheel each for the first two; the first there is of the others makes the one for all of them."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("build", help="wheels in dist/")
    one.add_argument("--python", action="append", metavar="PYTHON", help="an interpreter with headers; repeatable")
    one.add_argument("--architecture", choices=("x86_64", "aarch64"), default="x86_64", help="default: x86_64")
    one.add_argument("--this", action="store_true", help="for this interpreter, from what scripts/setup built")
    one.add_argument("-o", "--output", type=Path, default=build.ROOT / "dist", help="folder (default: dist)")
    one = verbs.add_parser("sdist", help="the sources in dist/")
    one.add_argument("-o", "--output", type=Path, default=build.ROOT / "dist", help="folder (default: dist)")
    one = verbs.add_parser("check", help="size, licences, libraries")
    one.add_argument("wheels", nargs="+", type=Path, metavar="WHEEL")
    one = verbs.add_parser("try", help="the README's examples in an empty system")
    one.add_argument("wheel", type=Path, metavar="WHEEL")
    one.add_argument("--debian", metavar="SUITE", help="in a minimal Debian: bookworm, trixie")
    one.add_argument("--mirror", metavar="ADDRESS", help="of Debian's packages (default: as apt has it)")
    options = parser.parse_args(arguments)
    try:
        return _VERBS[options.verb](options)
    except MissingToolError as error:
        print(f"release: {error}", file=sys.stderr)
        return 2


def _build(options: argparse.Namespace) -> int:
    made = []
    for target, own_tools in _targets(options):
        made.append(build.build(target, options.output, own_tools=own_tools))
        print(f"{made[-1].name}: {check.size_of(made[-1])}", flush=True)
    return _report(made)


def _targets(options: argparse.Namespace) -> list[tuple[build.Target, bool]]:
    if options.this:
        # The settings of scripts/setup: in its folder, where everything is built already.
        return [(build.Target(sys.executable, sysconfig.get_platform().split("-")[-1]), False)]
    pythons = options.python or _found()
    if options.architecture == cross.ARCHITECTURE:
        return [(cross.target(python, build.version_of(python)), True) for python in pythons]
    llvm = build.newest_llvm()
    if shutil.which(f"llvm-config-{llvm}") is None:
        raise MissingToolError(f"there is no llvm-config-{llvm} here: scripts/install-system brings it")
    setting = f"cmake.define.LLVM_CONFIG={shutil.which(f'llvm-config-{llvm}')}"
    return [(build.Target(python, settings=(setting,)), True) for python in pythons]


def _found() -> list[str]:
    """The interpreters on PATH that a release is built with."""
    found: list[str] = []
    for python in PYTHONS:
        try:
            version = build.version_of(python)
        except MissingToolError as missing:
            print(f"release: {missing}", file=sys.stderr)
            continue
        if version < build.STABLE or not any(build.version_of(other) >= build.STABLE for other in found):
            found.append(python)
    return found


def _sdist(options: argparse.Namespace) -> int:
    made = build.source_distribution(options.output)
    print(f"{made.name}: {made.stat().st_size / 1e6:.2f} MB")
    return 0


def _check(options: argparse.Namespace) -> int:
    return _report(options.wheels)


def _report(wheels: Sequence[Path]) -> int:
    wrong = 0
    for wheel in wheels:
        for fault in check.faults(wheel):
            print(f"{wheel.name}: {fault}", file=sys.stderr)
            wrong = 1
    return wrong


def _try(options: argparse.Namespace) -> int:
    root = None
    if f"_{cross.ARCHITECTURE}." in options.wheel.name and platform.machine() != cross.ARCHITECTURE:
        return 1 if attempt.emulated(options.wheel) else 0
    if options.debian:
        address = options.mirror or mirror()
        root = roots.debian_root(build.ROOT / "build" / "roots" / options.debian, options.debian, address)
    return 1 if attempt.attempt(options.wheel, root) else 0


_VERBS = {"build": _build, "sdist": _sdist, "check": _check, "try": _try}

if __name__ == "__main__":
    sys.exit(main())
