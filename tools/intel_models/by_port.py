"""Latencies that depend on the port: rows have the shorter one, rules of the pipeline say where it is longer.

Timed on a virtual Granite Rapids, 2026-11-28: a chain of `vaddps zmm` takes 2.0 cycles a link beside two moves a link
that keep port 0, 3.3 alone and 4.0 beside four shuffles that keep port 5; of `vmulps zmm` 3.0 beside three shuffles,
3.5 alone and 4.0 beside four moves. Additions take two cycles on port 5 and four on port 0, multiplications three on
port 0 and four on port 5; fused ones, maxima and conversions four on both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from corecast.machine.rows import Row

CORES = ("granite_rapids",)
_SHORTER_CYCLES = ((re.compile(r"v(add|sub)p[sd] zmm"), 2.0), (re.compile(r"vmulp[sd] zmm"), 3.0))
_ADDRESSES = ("addr", "index", "mem")


def with_shorter_latency(core: str, table: Mapping[str, Row]) -> dict[str, Row]:
    """A core's rows with what the faster port takes."""
    if core not in CORES:
        return dict(table)
    return {form: _shorter(form, row) for form, row in table.items()}


def _shorter(form: str, row: Row) -> Row:
    cycles = next((cycles for pattern, cycles in _SHORTER_CYCLES if pattern.match(form)), None)
    if cycles is None or row.latency is None:
        return row
    latency = tuple(each if each.source in _ADDRESSES else replace(each, cycles=cycles) for each in row.latency)
    return row.with_(latency=latency, source=f"{row.source}+corecast:granite_rapids(latency)", confidence="measured")
