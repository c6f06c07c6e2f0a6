"""The packed figures of InstLatx64: facts/instlatx64."""

from __future__ import annotations

from dataclasses import dataclass

import facts
from corecast.files.compressed import open_text
from corecast.machine.rows import figure

HEADER = "form\tlatency\trthroughput"
CORES = (
    "cascade_lake", "crestmont", "cypress_cove", "golden_cove", "gracemont", "lion_cove", "raptor_cove", "redwood_cove",
    "skymont", "sunny_cove", "willow_cove", "zen2", "zen3", "zen4", "zen5",
)  # fmt: skip
SAME = " @same"


@dataclass(frozen=True)
class Measured:
    """One form as InstLatx64 measured it, in cycles; None where it has no such figure."""

    form: str
    """A key; it ends in " @same" where all registers were the same one."""
    latency_cycles: float | None
    """Of a chain through the destination and the sources that are the same register."""
    reciprocal_throughput_cycles: float | None
    """Of a long run of instances with different destinations."""


def measured(core: str) -> dict[str, Measured]:
    """All figures of a core (one of `CORES`) by form."""
    found = {}
    with open_text(facts.FOLDER / f"instlatx64/{core}.tsv.xz") as file:
        for line in file:
            if line.startswith("#") or line.rstrip("\n") == HEADER:
                continue
            form, latency, throughput = line.rstrip("\n").split("\t")
            found[form] = Measured(
                form, figure(latency) if latency else None, figure(throughput) if throughput else None
            )
    return found
