"""Operations that keep apart from their loads, which LLVM's model of schedulers does not tell.

Timed on a virtual Granite Rapids, 2026-11-28, in loops of six to eight slots: vector operations with an immediate and
data of memory take two slots with and without an index, as records say of all that have a VEX form; so do comparisons,
tests and classifications into a mask register, also those without an immediate. A load of a mask register takes three
slots, one of which has no port that the model knows (pipeline facts GC-24).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from corecast.machine.rows import Row
from intel_models.redwood_cove import each_row

_LOADS = re.compile(r"v[a-z0-9]+ (?!m\d)(.*, )?m\d+")
_IMMEDIATE = re.compile(r", i8( @indexed)?$")
_INTO_MASK = re.compile(r"v[a-z0-9]+ k(\{k\})?, ")
_MASK = re.compile(r"kmov[bdqw] k, m\d+")
_MASK_SLOTS = 3.0
_DECODERS = 6
_MOST_SLOTS = 4


def loads_apart(core: str, table: Mapping[str, Row]) -> dict[str, Row]:
    """A core's rows with loads of such operations in slots of their own."""
    return each_row(core, table, _apart)


def _apart(form: str, row: Row) -> Row:
    if row.uops is None or "llvm" not in row.source:
        return row
    if _MASK.match(form):
        return _with_slots(row, _MASK_SLOTS)
    if not _LOADS.match(form) or not (_IMMEDIATE.search(form) or _INTO_MASK.match(form)):
        return row
    return _with_slots(row, row.uops[1]) if row.uops[1] <= _MOST_SLOTS else row


def _with_slots(row: Row, slots: float) -> Row:
    ports = row.uops[1] if row.uops is not None else slots
    source = f"{row.source}+rule:apart(uops)"
    decode = f"{slots:g};0;1;{_DECODERS - slots:g}"
    return row.with_(uops=(slots, ports, slots), decode=decode, source=source, confidence="measured")
