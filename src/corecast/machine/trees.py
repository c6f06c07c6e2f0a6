"""Nested tables, as TOML has them, by keys that are written with dots. None of these functions changes its argument."""

from __future__ import annotations

from corecast.hints import Any, Mapping, cast

EVIDENCE = ("source", "confidence")
"""Keys that every table of a model may have: where its values come from, and how sure they are."""


UNKNOWN = "unknown"
"""In place of a value: nobody knows it of this core, whatever another one has that it builds on."""


def value_of(table: Mapping[str, Any], key: str) -> Any:
    """The value of a key, None where there is none."""
    value: Any = table
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def put(table: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """`table` with a value at a key; what stands in the way is replaced."""
    head, _, rest = key.partition(".")
    inner = table.get(head)
    return {**table, head: put(inner if isinstance(inner, Mapping) else {}, rest, value) if rest else value}


def taken_out(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    """`table` without a key; a table that is left empty goes, too."""
    head, _, rest = key.partition(".")
    if not rest:
        return {name: value for name, value in table.items() if name != head}
    inner = taken_out(table[head], rest) if isinstance(table.get(head), Mapping) else table.get(head)
    return {name: inner if name == head else value for name, value in table.items() if name != head or inner != {}}


def overridden(base: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with `keys` put in, tables key by key; what `keys` call "unknown" is taken away."""
    merged = dict(base)
    for name, value in keys.items():
        if value == UNKNOWN:
            merged.pop(name, None)
            continue
        known = merged.get(name)
        nested = isinstance(known, Mapping) and isinstance(value, Mapping)
        merged[name] = overridden(cast("Mapping[str, Any]", known), value) if nested else value
    own = {name: merged[name] for name in keys if name in merged}  # their order counts in reports: levels of caches
    return own | merged
