"""Changes of rows that were timed on a virtual Granite Rapids, and what marks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from corecast.machine.rows import Row

CORES = ("granite_rapids",)


def each_row(core: str, table: Mapping[str, Row], change: Callable[[str, Row], Row]) -> dict[str, Row]:
    """A core's rows by form, changed where it is one of these cores."""
    return {form: change(form, row) for form, row in table.items()} if core in CORES else dict(table)


def held(row: Row, cycles: float) -> Row:
    """One that starts only so many cycles after another one of its kind."""
    changed = row.with_(blocking=(("SERIAL", cycles),), reciprocal_throughput_cycles=cycles)
    return marked(changed, "throughput")


def marked(row: Row, what: str) -> Row:
    return row.with_(source=f"{row.source}+corecast:granite_rapids({what})", confidence="measured")
