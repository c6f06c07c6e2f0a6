"""The instruction set x86-64, as measuring needs it (corecast.measure.instruction_sets)."""

from __future__ import annotations

from corecast.measure.x86_dividers import numbers, special_values, value_dependent
from corecast.measure.x86_forms import distinct, pools, register_text, spellings
from corecast.measure.x86_helpers import FENCE, LINKS, breaker, general_name
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
    "LINKS",
    "breaker",
    "closing",
    "counts_down",
    "distinct",
    "general_name",
    "locations",
    "may_overlap",
    "numbers",
    "pools",
    "register_text",
    "special_values",
    "spellings",
    "value_dependent",
    "vector_base",
    "vector_bytes",
    "writes_flags_only",
]

DISPLACED_STORES = True


def may_overlap(_form: object) -> bool:
    return True
