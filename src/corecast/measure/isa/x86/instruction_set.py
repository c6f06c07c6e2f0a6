"""The instruction set x86-64, as measuring needs it (corecast.measure.isa.instruction_sets)."""

from __future__ import annotations

from corecast.measure.isa.forms import Form
from corecast.measure.isa.x86.forms import distinct, pools, register_text, spellings
from corecast.measure.isa.x86.helpers import FENCE, LINKS, breaker, general_name
from corecast.measure.isa.x86.registers import (
    COUNTERS,
    GENERAL,
    closing,
    counts_down,
    locations,
    vector_base,
    vector_bytes,
    writes_flags_only,
)
from corecast.measure.isa.x86.values import keeps_values, numbers, other_values, special_values, value_dependent
from corecast.measure.rejection import CannotMeasureError, Reason

__all__ = [
    "COUNTERS",
    "DISPLACED_STORES",
    "FENCE",
    "GENERAL",
    "INDEX_ALONE",
    "LENGTHENER",
    "LINKS",
    "address",
    "breaker",
    "closing",
    "counts_down",
    "distinct",
    "elements",
    "general_name",
    "keeps_values",
    "locations",
    "may_overlap",
    "numbers",
    "other_values",
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
INDEX_ALONE = "1*{}"
LENGTHENER = "ds"
"""Segments start at 0, whichever it is."""


def address(_form: Form, target: int, base: int, _index: int) -> str:
    return breaker("general", target, base)


def elements(_form: object) -> str:
    raise CannotMeasureError(Reason.NO_HELPER_ADDRESS)


def may_overlap(_form: object) -> bool:
    return True
