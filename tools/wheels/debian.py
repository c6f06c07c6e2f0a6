"""Debian's packages, from where this machine's own apt has them: for another architecture, and whole systems."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

_SCRIPTS = Path("/usr/share/debootstrap/scripts")


class MissingToolError(Exception):
    """Something that this needs is not on the machine; the message says how to get it."""


def mirror() -> str:
    """The address that apt has Debian's packages from.

    Raises:
        MissingToolError: this machine has no apt, or none of Debian.
    """
    fields = "$(ORIGIN)\t$(LABEL)\t$(REPO_URI)"
    for line in _output(["apt-get", "indextargets", "--format", fields, "Created-By: Packages"]).splitlines():
        origin, label, address = line.split("\t")
        if origin == label == "Debian":
            return address
    raise MissingToolError("apt has no source of Debian here; name one with --mirror")


def make_root(folder: Path, suite: str, packages: Sequence[str], address: str) -> None:
    """A minimal system with these packages, by debootstrap.

    Raises:
        MissingToolError: there is no debootstrap, or it failed.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    subprocess.run(["rm", "-rf", "--one-file-system", str(unfinished)], check=True)
    newest = [] if (_SCRIPTS / suite).exists() else [str(_SCRIPTS / "sid")]  # a suite newer than debootstrap
    _output(
        [
            "debootstrap",
            "--variant=minbase",
            f"--include={','.join(packages)}",
            suite,
            str(unfinished),
            address,
            *newest,
        ],
        release=True,
    )
    # debootstrap leaves /proc mounted where it can mount; who copies or removes the folder must not find it.
    subprocess.run(["umount", str(unfinished / "proc")], check=False, stderr=subprocess.DEVNULL)
    unfinished.rename(folder)


def unpack(folder: Path, architecture: str, packages: Sequence[str]) -> None:
    """The files of packages for another architecture, in a folder; dpkg's database stays as it is.

    Raises:
        MissingToolError: apt does not have them.
    """
    state = folder / ".apt"
    for part in ("state/lists/partial", "cache/archives/partial", "debs"):
        (state / part).mkdir(parents=True, exist_ok=True)
    (state / "status").touch()
    apt = [
        "apt-get",
        "-qq",
        *("-o", f"APT::Architecture={architecture}", "-o", f"APT::Architectures={architecture}"),
        *("-o", f"Dir::State={state / 'state'}", "-o", f"Dir::State::status={state / 'status'}"),
        *("-o", f"Dir::Cache={state / 'cache'}", "-o", "Acquire::Languages=none", "-o", "APT::Sandbox::User=root"),
    ]
    _output([*apt, "update"])
    _output([*apt, "download", *packages], inside=state / "debs")
    for archive in sorted((state / "debs").glob("*.deb")):
        _output(["dpkg", "-x", str(archive), str(folder)])
        archive.unlink()


def _output(command: Sequence[str], release: bool = False, inside: Path | None = None) -> str:
    try:
        done = subprocess.run(
            command, cwd=inside, check=False, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
        )
    except FileNotFoundError:
        hint = ": scripts/install-system --release brings it" if release else ""
        raise MissingToolError(f"there is no {command[0]} here{hint}") from None
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise MissingToolError(f"{' '.join(command[:2])} failed with exit code {done.returncode}:\n{said}")
    return done.stdout
