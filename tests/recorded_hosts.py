"""Hosts as files: what their Linux and their CPUID say."""

from __future__ import annotations

from pathlib import Path

from corecast.machine.recognize.cpuid_text import parse_leaves
from corecast.machine.recognize.seen import Host, caches_of_sysfs, host_of

FOLDER = Path(__file__).parent / "data" / "hosts"
NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))


def recorded(name: str, scratch: Path) -> Host:
    """The host of that file; its caches go through a tree such as Linux has."""
    parts = sections(name)
    for index, line in enumerate(parts.get("caches", "").splitlines()):
        level, kind, size, ways = line.split()
        place = scratch / f"index{index}"
        place.mkdir()
        values = {"level": level[1:], "type": kind, "size": size, "ways_of_associativity": ways}
        for key, value in values.items():
            (place / key).write_text(f"{value}\n")
    return host_of(parts["cpuinfo"], parse_leaves(parts.get("cpuid", "")), caches_of_sysfs(scratch))


def sections(name: str) -> dict[str, str]:
    """The parts of a file by their names."""
    found: dict[str, list[str]] = {}
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            found[line[3:]] = []
        elif found:
            found[list(found)[-1]].append(line)
    return {key: "\n".join(lines) for key, lines in found.items()}
