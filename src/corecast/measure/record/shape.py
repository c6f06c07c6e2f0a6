"""What records must hold for those who read them: every name with its kind of value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite

from corecast.asm.code import Isa
from corecast.errors import InputError
from corecast.hints import Any, get_args
from corecast.measure.isa.forms import VALUE_WORDS

Check = Callable[[Any, str], None]
"""Raises _Wrong for a value, which has this name."""


class _Wrong(Exception):
    pass


def check_record(record: Mapping[str, Any], path: str, line: int) -> None:
    """Raises InputError where a record lacks something, or something in it is of another kind."""
    try:
        _text(record.get("kind"), "kind")
        _SHAPES.get(record["kind"], _anything)(record, "")
    except _Wrong as wrong:
        raise InputError(f"not a record of a measurement: {wrong}; remove this line", path, line) from None


def _anything(value: Any, name: str) -> None:
    """Kinds that nobody reads back."""


def _of(kind: type | tuple[type, ...], called: str) -> Check:
    def check(value: Any, name: str) -> None:
        if not isinstance(value, kind):
            raise _Wrong(f"`{name}` is not {called}")

    return check


_text = _of(str, "text")
_truth = _of(bool, "a truth value")
_map = _of(dict, "an object")


def _number(value: Any, name: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise _Wrong(f"`{name}` is not a number")


def _encoded(value: Any, name: str) -> None:
    _text(value, name)
    try:
        bytes.fromhex(value)
    except ValueError:
        raise _Wrong(f"`{name}` is not hexadecimal") from None


def _isa(value: Any, name: str) -> None:
    if value not in get_args(Isa):
        raise _Wrong(f"`{name}` is not an instruction set")


def _optional(check: Check) -> Check:
    def checked(value: Any, name: str) -> None:
        if value is not None:
            check(value, name)

    return checked


def _list(check: Check, count: int | None = None) -> Check:
    def checked(value: Any, name: str) -> None:
        _of(list, "a list")(value, name)
        if count is not None and len(value) != count:
            raise _Wrong(f"`{name}` has {len(value)} values, not {count}")
        for each in value:
            check(each, name)

    return checked


def _values(check: Check) -> Check:
    def checked(value: Any, name: str) -> None:
        _map(value, name)
        for key, each in value.items():
            check(each, f"{name}.{key}" if name else key)

    return checked


def _object(members: Mapping[str, Check], rarely: Mapping[str, Check] | None = None) -> Check:
    """`rarely`: members that need not be there."""

    def checked(value: Any, name: str) -> None:
        _map(value, name)
        for key, check in members.items():
            full = f"{name}.{key}" if name else key
            if key not in value:
                raise _Wrong(f"`{full}` is missing")
            check(value[key], full)
        for key, check in (rarely or {}).items():
            if key in value:
                check(value[key], f"{name}.{key}" if name else key)

    return checked


_KERNEL = _object({"hex": _encoded, "loop": _truth, "values": _map}, {"setting": _encoded, "text": _list(_text)})
_TIMING = _object(
    {
        "cycles": _optional(_number),
        "low_cycles": _optional(_number),
        "high_cycles": _optional(_number),
        "samples": _number,
        "lost": _values(_number),
        "batches": _number,
        "stable": _truth,
        "ticks_per_cycle": _number,
        "copies": _list(_number, 2),
        "iterations": _number,
        "conditions": _map,
        "error": _optional(_object({"kind": _text, "message": _text}, {"signal": _text})),
    },
    {"reason": _optional(_text)},
)
_INTERVAL: dict[str, Check] = {"min_cycles": _optional(_number), "max_cycles": _optional(_number)}
_KERNELS = _list(_object({"kernel": _KERNEL, "timing": _TIMING}))
_TRIED: dict[str, Check] = {**_INTERVAL, "error": _optional(_text), "kernels": _KERNELS}
_REASON: dict[str, Check] = {"reason": _optional(_text)}
"""Records of earlier versions have none."""
_THROUGHPUT = _object(_TRIED, _REASON)
_PAIR = _object(
    {**_TRIED, "source": _text, "target": _text, "method": _text, "helpers": _values(_list(_number, 2))},
    _REASON,
)


def _latency(value: Any, name: str) -> None:
    _PAIR(value, name)
    _whole_interval(value, name)
    if value["max_cycles"] is not None and value["method"] == "linked":
        if not value["kernels"]:
            raise _Wrong(f"`{name}.kernels` is empty")
        _number(value["kernels"][0]["timing"]["cycles"], f"{name}.kernels.timing.cycles")


def _throughput(value: Any, name: str) -> None:
    _THROUGHPUT(value, name)
    _whole_interval(value, name)


def _whole_interval(value: Mapping[str, Any], name: str) -> None:
    if (value["min_cycles"] is None) != (value["max_cycles"] is None):
        raise _Wrong(f"`{name}` has one end of an interval only")


_MEASURED: dict[str, Check] = {"throughput": _throughput, "latencies": _list(_latency)}
_CORE: dict[str, Check] = {"cpu": _text, "isa": _isa}
_SHAPES: dict[str, Check] = {
    "form": _object(
        {**_CORE, "form": _text, "illegal": _truth, "stable": _truth, **_MEASURED},
        dict.fromkeys(VALUE_WORDS, _object(_MEASURED)),
    ),
    "link": _object({"terms": _values(_number), "cycles": _number, "text": _text}),
    "ports": _object(
        {
            **_CORE,
            "form": _text,
            "names": _optional(_text),
            "usage": _optional(_list(_object({"cycles": _number, "ports": _list(_text)}))),
        }
    ),
}
