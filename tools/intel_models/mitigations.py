"""Gathers under the microcode mitigation of Gather Data Sampling (Downfall, August 2023): one table on every core that
Intel lists as affected, Skylake to Ice Lake, Tiger Lake and Rocket Lake.

Reciprocal throughputs by the number of elements: measured on one Skylake-SP. Latencies: uops.info's records of Kaby
Lake were taken with the mitigation, those of Skylake, with which it shares its pipeline, without; the difference is 14
cycles for 128-bit results and 15 for 256-bit ones. Other affected cores are assumed to lose as much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from corecast.machine.rows import Confidence, Latency, Row

from .measured import SOURCE

TABLE = "gather_data_sampling.tsv"
NOTE = "Gathers with the microcode mitigation of Gather Data Sampling: these rows count while it is on."
CONFIDENCE: Mapping[str, Confidence] = {
    "skylake": "derived",
    "skylake_x": "measured",
    "cascade_lake": "derived",
    "ice_lake": "assumed",
    "ice_lake_x": "assumed",
    "tiger_lake": "assumed",
    "rocket_lake": "assumed",
}
"""Of the affected cores."""
GATHER_CYCLES = {2: 25.0, 4: 28.0, 8: 29.0, 16: 60.0}
"""By elements: VEX gathers take 25 to 28; eight elements at 512 bits in a compiled loop 29.1; sixteen are assumed."""
_LATER = {"xmm": 14, "ymm": 15, "zmm": 15}
_FROM_OLD_VALUE = {"xmm": 19, "ymm": 21, "zmm": 21}


def gather_rows(core: str, rows: Mapping[str, Row]) -> Iterator[Row]:
    """The mitigated rows of a core, from those without.

    Args:
        core: name of an affected core.
        rows: by form; what counts without the mitigation.
    """
    for form, row in rows.items():
        if re.match(r"v(p)?gather[dq]", form):
            cycles = GATHER_CYCLES[gathered_elements(form)]
            yield row.with_(
                blocking=(("SERIAL", cycles),),
                latency=_latency(row),
                reciprocal_throughput_cycles=cycles,
                source=f"{row.source}+{SOURCE}(blocking,throughput)+uops.info:KBL(latency)",
                confidence=CONFIDENCE[core],
            )


def gathered_elements(form: str) -> int:
    """Elements that a gather loads: as many as both its destination and its index register hold."""
    mnemonic, _, operands = form.partition(" ")
    data = 8 if mnemonic.endswith(("pd", "q")) else 4
    index = 4 if mnemonic.partition("gather")[2].startswith("d") else 8
    widths = {"xmm": 16, "ymm": 32, "zmm": 64}
    destination = widths[operands[:3]]
    vector = re.search(r"vm(xmm|ymm|zmm)", operands)
    return min(destination // data, widths[vector.group(1)] // index) if vector else destination // data


def _latency(row: Row) -> tuple[Latency, ...] | None:
    """Later by what the mitigation adds; masks are cleared no sooner than without."""
    if row.latency is None:
        return None
    width = row.form.partition(" ")[2][:3]
    return tuple(
        pair
        if pair.destination != "1"
        else Latency(pair.source, "1", max(pair.cycles, _FROM_OLD_VALUE[width]))
        if pair.source == "1"
        else Latency(pair.source, "1", pair.cycles + _LATER[width])
        for pair in row.latency
    )
