"""The instruction set x86-64, as measuring needs it (corecast.measure.instruction_sets)."""

from __future__ import annotations

from corecast.measure.x86_forms import distinct, pools, register_text, special_values, spellings
from corecast.measure.x86_helpers import FENCE, breaker, general_name, memory_links, path, step, way_back, zero
from corecast.measure.x86_registers import (
    COUNTERS,
    GENERAL,
    closing,
    counts_down,
    locations,
    vector_base,
    vector_bytes,
    writes_flags_only,
)

__all__ = [
    "COUNTERS",
    "DISPLACED_STORES",
    "FENCE",
    "GENERAL",
    "breaker",
    "closing",
    "counts_down",
    "distinct",
    "general_name",
    "locations",
    "may_overlap",
    "memory_links",
    "path",
    "pools",
    "register_text",
    "special_values",
    "spellings",
    "step",
    "vector_base",
    "vector_bytes",
    "way_back",
    "writes_flags_only",
    "zero",
]

DISPLACED_STORES = True


def may_overlap(_form: object) -> bool:
    return True
