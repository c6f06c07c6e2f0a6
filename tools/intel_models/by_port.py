"""Latencies that depend on the port: rows have the shorter one, rules of the pipeline say where it is longer.

Timed on a virtual Granite Rapids, 2026-11-27: a chain of `vaddps zmm` takes 3.0 cycles a link beside moves that keep
port 0, 3.3 alone and 3.5 beside shuffles that keep port 5; of `vmulps zmm` 3.0 beside the shuffles, 3.5 alone and 3.6
beside the moves. Additions take three cycles on port 5 and four on port 0, multiplications the other way round; fused
ones and maxima four on both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from corecast.machine.rows import Row

CORES = ("granite_rapids",)
_SUMS_AND_PRODUCTS = re.compile(r"v(add|sub|mul)p[sd] zmm")
_SHORTER_CYCLES = 3.0
_ADDRESSES = ("addr", "index", "mem")


def with_shorter_latency(core: str, table: Mapping[str, Row]) -> dict[str, Row]:
    """A core's rows with what the faster port takes."""
    if core not in CORES:
        return dict(table)
    return {form: _shorter(row) if _SUMS_AND_PRODUCTS.match(form) else row for form, row in table.items()}


def _shorter(row: Row) -> Row:
    if row.latency is None:
        return row
    latency = tuple(
        each if each.source in _ADDRESSES else replace(each, cycles=_SHORTER_CYCLES) for each in row.latency
    )
    return row.with_(latency=latency, source=f"{row.source}+corecast:granite_rapids(latency)", confidence="measured")
