#!/usr/bin/env python3
"""Latencies beyond the first-level cache: `memory.levels` of every model whose caches someone measured or documented.

    tools/cache_levels.py        writes the line into each model's pipeline.toml (the generators write the same)

Load-to-use cycles of a pointer chase. From InstLatx64's runs (working sets from 2 kB to 1 GB, one access a line):
l2: the slowest working set from 1.3 times the first level to three quarters of what the first TLB reaches, in random
order within pages; l3: the median from twice the second level to half the third, likewise; memory: the first working
set of at least four times the last level in fully random order, so with the misses of the TLBs. What a source gives
in nanoseconds is multiplied with the clock named in the entry, and `derived`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "src/corecast/machine/data"
Levels = dict[str, object]

_CHASES = "InstLatx64, pointer chases on "
_2_MB = "as measured on Raptor Cove, whose second level has 2 MB, too (InstLatx64); the third is another"


def _levels(l2: int, l3: int | None, memory: int | None, source: str, confidence: str) -> Levels:
    found = {"l2": l2, "l3": l3, "memory": memory}
    return {**{name: cycles for name, cycles in found.items() if cycles}, "source": source, "confidence": confidence}


def _chased(part: str, l2: int, l3: int, memory: int) -> Levels:
    return _levels(l2, l3, memory, _CHASES + part, "measured")


_SKYLAKE_SP = _levels(
    14,
    55,
    189,
    "AnandTech, LMbench on a Xeon Platinum 8176; memory: 90 ns at the 2.1 GHz that its 55 cycles imply",
    "derived",
)

LEVELS: dict[str, Levels] = {
    "nehalem": _levels(10, 40, None, "Intel's performance analysis guide for Core i7 and Xeon 5500", "documented"),
    "sandy_bridge": _levels(12, 28, None, "Intel's optimization manual, recalled; l3: 26 to 31", "documented"),
    "ivy_bridge": _levels(12, 28, None, "as Sandy Bridge", "assumed"),
    "haswell": _levels(12, 36, 230, "7-cpu.com, Core i7-4770; memory: 36 cycles and 57 ns at 3.4 GHz", "derived"),
    "broadwell": _levels(12, 59, 243, "7-cpu.com, Core i7-6900K; memory: 59 cycles and 46 ns at 4.0 GHz", "derived"),
    "skylake": _levels(12, 42, 246, "7-cpu.com, Core i7-6700; memory: 42 cycles and 51 ns at 4.0 GHz", "derived"),
    "skylake_x": _SKYLAKE_SP,
    "cascade_lake": {**_SKYLAKE_SP, "source": f"as Skylake-X: {_SKYLAKE_SP['source']}", "confidence": "assumed"},
    "ice_lake": _levels(13, None, None, "as its relative Cypress Cove with the same 512 kB (InstLatx64)", "assumed"),
    "ice_lake_x": _levels(14, None, None, "as its relative Willow Cove with the same 1.25 MB (InstLatx64)", "assumed"),
    "tiger_lake": _chased("a Willow Cove", 14, 70, 302),
    "rocket_lake": _chased("a Cypress Cove", 13, 57, 279),
    "alder_lake_p": _chased("a Golden Cove of Alder Lake", 15, 63, 317),
    "sapphire_rapids": _levels(16, None, None, _2_MB, "assumed"),
    "emerald_rapids": _levels(16, None, None, _2_MB, "assumed"),
    "meteor_lake_p": _chased("a Redwood Cove of Meteor Lake", 16, 70, 376),
    "granite_rapids": _levels(16, None, None, "as Meteor Lake's Redwood Cove with the same 2 MB", "assumed"),
    "arrow_lake_p": {"l1_5": 9, **_chased("a Lion Cove; l1_5: its 192 kB", 17, 69, 440)},
    "alder_lake_e": _chased("a Gracemont of Alder Lake", 20, 58, 261),
    "meteor_lake_e": _chased("a Crestmont of Meteor Lake", 18, 58, 285),
    "arrow_lake_e": _chased("a Skymont of Arrow Lake", 20, 56, 375),
    "zen1": _levels(12, 40, 310, "AnandTech, LMbench on an EPYC 7601; memory: 97 ns at 3.2 GHz", "derived"),
    "zen2": _chased("a Zen 2", 12, 43, 294),
    "zen3": _chased("a Zen 3", 12, 50, 307),
    "zen4": _chased("a Zen 4", 14, 52, 350),
    "zen5": _levels(14, None, None, "AMD's optimization guide for family 1Ah, recalled", "documented"),
    "neoverse_n1": _levels(
        11, 72, 238, "Graviton2: AnandTech; l3, memory: Arm's ASCT, 28.8 ns and 95 ns at 2.5 GHz", "derived"
    ),
    "neoverse_v2": _levels(
        11, 59, 308, "Graviton4: Arm's ASCT, 4.0 ns, 21.2 ns and 110 ns at 2.8 GHz", "derived"
    ),
    "a64fx": _levels(42, None, None, "Fujitsu's microarchitecture manual, recalled: 37 to 47", "documented"),
}  # fmt: skip
"""By model; a level that nobody documents is absent, and so are cores without any."""


def levels_line(name: str) -> str:
    """The line of pipeline.toml; "" where nothing is known."""
    if name not in LEVELS:
        return ""
    values = (
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}" for key, value in LEVELS[name].items()
    )
    return f"levels = {{ {', '.join(values)} }}"


def main() -> int:
    """Write the line at the end of each model's memory section, in place of the one there."""
    for name in LEVELS:
        file = DATA / name / "pipeline.toml"
        text = re.sub(r"^levels = .*\n", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        section = re.search(r"^\[memory\][^\n]*\n(?:(?!\[).*\n)*", text, re.MULTILINE)
        if section is None:
            raise SystemExit(f"{file} has no [memory]")
        end = section.start() + len(section[0].rstrip("\n")) + 1
        file.write_text(f"{text[:end]}{levels_line(name)}\n{text[end:]}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
