"""Ports of measured forms that the base model does not know: a narrower form's, else those of its class.

A core with extensions that its nearest model lacks has forms whose ports nobody told. Their time is known, and that
they are busy somewhere: ports are those of the same operation on shorter vectors, or all that vector operations
have, and are held so long that they imply the time (`model`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from corecast import _core
from corecast.errors import InputError
from corecast.machine.making.folder import known_rows
from corecast.machine.rows import Row
from corecast.machine.types import Machine
from corecast.measure.judge.forms.results import FormResult
from corecast.measure.questions.keys import parse_form
from corecast.measure.thresholds import MODEL_LEAST_LATENCY, MODEL_WHOLE_WITHIN, MODEL_WITHIN

_ANYWHERE = ("vpor ymm, ymm, ymm", "vpor xmm, xmm, xmm", "por xmm, xmm")
"""What every unit for vectors does, whichever of them a model knows first."""
_VECTOR = re.compile(r"\b([xyz]mm|k)\b")
_TERM = re.compile(r"(?P<count>[\d.]+)\*(?P<group>.+)")

_KEPT_FLAGS = ("serializing",)
"""What a row says of a form wherever it is executed."""

NARROWER, CLASS = "rule:narrower", "rule:class"
"""What says the ports, for a row's source."""

Ports = tuple[tuple[float, str], ...]


def with_ports_of_kin(
    result: FormResult, base: Machine, known: Row | None, look_up: Callable[[str, Machine], Row | None]
) -> tuple[Row | None, str]:
    """The base model's row with ports where it has none, and what they follow from; "" where they are its own.

    Args:
        result: what was measured of a form.
        base: the model.
        known: its row of the form, or the one that it derives.
        look_up: finds either.
    """
    if known is not None and _is_refuted(known, result, base):
        known = known.with_(ports=None, blocking=(), uops=None, decode="", flags=())
    if known is not None and known.ports is not None and not _is_executed(known, result, base):
        return known, ""
    narrow = _narrower(result.form, base, look_up)
    if narrow is not None:
        whole = narrow if known is None else known.with_(blocking=narrow.blocking)
        return whole.with_(form=result.form, ports=narrow.ports, uops=narrow.uops, flags=()), NARROWER
    ports = _of_class(result.form, base)
    if ports is None:
        return known, ""
    row = Row(result.form) if known is None else known
    return row.with_(ports=ports, flags=tuple(flag for flag in row.flags if flag in _KEPT_FLAGS)), CLASS


def _is_executed(known: Row, result: FormResult, base: Machine) -> bool:
    """Whether a form takes a cycle though its row needs no port, as one of a relative that renaming does. What repeats
    as fast as it is renamed does not: a move of a register to itself takes a cycle where all others take none."""
    if known.ports or is_renamed_only(known, result, base):
        return False
    least = MODEL_LEAST_LATENCY - MODEL_WHOLE_WITHIN
    return any(
        pair.cycles.low >= least and pair.target.isdigit() and pair.source not in ("mem", "addr", "index")
        for pair in result.latencies
    )


def is_renamed_only(known: Row, result: FormResult, base: Machine) -> bool:
    """Whether a form needs no port by its row, and repeats as fast as rename takes it."""
    if known.ports != () or known.uops is None or result.throughput is None:
        return False
    return result.throughput.high <= known.uops[0] / base.core.rename_width * (1 + MODEL_WITHIN)


def _is_refuted(known: Row, result: FormResult, base: Machine) -> bool:
    """Whether a form repeats faster than the slots that its row counts would let it: it has other micro-ops here."""
    if known.uops is None or result.throughput is None:
        return False
    return result.throughput.high * (1 + MODEL_WITHIN) < known.uops[0] / base.core.rename_width


def _narrower(form: str, base: Machine, look_up: Callable[[str, Machine], Row | None]) -> Row | None:
    """The row of the same operation on vectors of half the length."""
    if "zmm" not in form and "m512" not in form:
        return None
    found = look_up(form.replace("zmm", "ymm").replace("m512", "m256"), base)
    return found if found is not None and found.ports else None


def _of_class(form: str, base: Machine) -> Ports | None:
    """Ports of an operation that any unit for its kind of registers may do, with those of its loads and stores."""
    vector = _VECTOR.search(form) is not None
    group = _vector_ports(base) if vector else "|".join(base.parameter("ports.integer_alu") or ())
    example = _example(form, base)
    if not group or example is None:
        return None
    loads, stores = (any(getattr(access, way) for access in example.memory) for way in ("read", "write"))
    found: Ports = ((1.0, group),)
    if loads:
        found += _usage(base, *(["loads.vector_ports"] if vector else []), "loads.ports")
    if stores:
        data = ["stores.vector_data_ports"] if vector else []
        found += _usage(base, "stores.address_ports") + _usage(base, *data, "stores.data_ports")
    return found


def _vector_ports(base: Machine) -> str:
    rows = known_rows(base, _ANYWHERE)
    found = next((rows[each].ports for each in _ANYWHERE if each in rows), None)
    return found[0][1] if found else ""


def _example(form: str, base: Machine) -> _core.Instruction | None:
    try:
        return parse_form(form, base.isa).example
    except InputError:
        return None


def _usage(base: Machine, *keys: str) -> Ports:
    """Of the first of the keys that the model has."""
    text = next((text for key in keys if isinstance(text := base.parameter(key), str)), "")
    terms = (_TERM.fullmatch(term.strip()) for term in text.split("+"))
    return tuple((float(term["count"]), term["group"]) for term in terms if term is not None)
