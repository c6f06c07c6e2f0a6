"""Imported figures as a user wants them: other names of ports, no ports, another core of the family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from corecast.dataclass import replace
from corecast.errors import InputError
from corecast.machine.making.imported import Imported, Pipeline
from corecast.machine.making.merge import of_other_core
from corecast.machine.rows import Row


def port_names(options: Iterable[str]) -> dict[str, str]:
    """ "FPFAdd01=FP23" -> {"FPFAdd01": "FP23"}.

    Raises:
        InputError: an option has no "=".
    """
    names = {}
    for option in options:
        name, sign, place = option.partition("=")
        if not sign or not name.strip():
            raise InputError(f"--port is NAME=PORTS, not '{option}'")
        names[name.strip()] = place.strip()
    return names


def adapted(
    imported: Imported,
    ports: Mapping[str, str],
    *,
    without_ports: bool = False,
    other_core: bool = False,
    dispatch_width: float | None = None,
) -> Imported:
    """The figures with other names of ports (or none), and marked where they are of another core.

    Raises:
        InputError: a port is renamed that no row has, or the width is not a positive number.
    """
    rows: Iterable[Row] = imported.rows.values()
    pipeline = imported.pipeline
    if without_ports:
        rows = [row.with_(ports=None, blocking=()) for row in rows]
        pipeline = Pipeline(dispatch_width=pipeline.dispatch_width)
    elif ports:
        rows = renamed(rows, ports)
        pipeline = Pipeline(dispatch_width=pipeline.dispatch_width)  # the ports are those of the model that is added to
    if dispatch_width is not None:
        if not 0 < dispatch_width <= 64:
            raise InputError(f"--dispatch-width is a number of micro-ops, not {dispatch_width:g}")
        pipeline = replace(pipeline, dispatch_width=dispatch_width)
    found = of_other_core(rows) if other_core else {row.form: row for row in rows}
    return replace(imported, rows=found, pipeline=pipeline)


def renamed(rows: Iterable[Row], ports: Mapping[str, str]) -> list[Row]:
    """The rows with their port sets and units under other names; "" leaves one out."""
    known = list(rows)
    places = {
        place for row in known for place in (*(name for _, name in row.ports or ()), *(n for n, _ in row.blocking))
    }
    if strange := [name for name in ports if name not in places]:
        raise InputError(f"--port {strange[0]}: no row of the source has such a port set")
    return [row.with_(ports=_usage(row, ports), blocking=_blocking(row, ports)) for row in known]


def _usage(row: Row, ports: Mapping[str, str]) -> tuple[tuple[float, str], ...] | None:
    if row.ports is None:
        return None
    total: dict[str, float] = {}
    for count, name in row.ports:
        if place := ports.get(name, name):
            total[place] = total.get(place, 0) + count
    return tuple((count, place) for place, count in total.items())


def _blocking(row: Row, ports: Mapping[str, str]) -> tuple[tuple[str, float], ...]:
    return tuple((place, cycles) for unit, cycles in row.blocking if (place := ports.get(unit, unit)))
