"""Square roots of doubles take longer where the result has as many digits as there can be, which hardly any number in a
program avoids; records and our campaign time those of numbers whose roots are exact.

Timed on a virtual Granite Rapids, 2026-11-27, on arrays of doubles from 1 to 2: 6.0 cycles in place of 4.5 for 128
bits, 12.0 in place of 9.0 for 256, 23.8 in place of 18.0 for 512; results come after 18 cycles in place of 13. Single
roots, and quotients of both precisions, take no longer than records say. Skylake-X does the same (measured.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from corecast.machine.rows import Latency, Row

CORES = ("alder_lake_p", "sapphire_rapids", "emerald_rapids", "meteor_lake_p", "granite_rapids")
"""Golden Cove and Redwood Cove, which have one divider."""
LATER_CYCLES = 5
_DOUBLES = re.compile(r"v?sqrt[ps]d (?P<register>[xyz]mm)")
CYCLES = {"xmm": 6.0, "ymm": 12.0, "zmm": 24.0}
"""That the divider is held for doubles, by register; 4 to 4.5, 9 and 18 where the result is exact."""
_THROUGH_THE_DIVIDER = 10.0
"""Latencies above it are of inputs that the root is taken of."""


def of_generic_numbers(core: str, table: Mapping[str, Row]) -> dict[str, Row]:
    """A core's rows with roots of numbers of many digits."""
    if core not in CORES:
        return dict(table)
    return {
        form: _slower(row, match["register"]) if (match := _DOUBLES.match(form)) else row for form, row in table.items()
    }


def _slower(row: Row, register: str) -> Row:
    cycles = CYCLES[register]
    latency = None if row.latency is None else tuple(_later(each) for each in row.latency)
    return row.with_(
        blocking=(("DIV", cycles),),
        latency=latency,
        reciprocal_throughput_cycles=cycles,
        source=f"{row.source}+corecast:granite_rapids(roots)",
    )


def _later(latency: Latency) -> Latency:
    if latency.cycles < _THROUGH_THE_DIVIDER:
        return latency
    return replace(latency, cycles=latency.cycles + LATER_CYCLES)
