"""Shipped cores with other form tables: what a property supposes of a machine, as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from corecast.machine import Machine, load_machine, variant
from corecast.machine.loader import build
from corecast.machine.rows import HEADER, whole_lines

Row = dict[str, str]


def rewritten(name: str, folder: Path, change: Callable[[Row], None], settings: Mapping[str, Any]) -> Machine:
    """The core with `change` done to each row of its tables, which go to `folder`, and with other pipeline values."""
    machine = variant(load_machine(name), settings)
    tables = []
    for number, table in enumerate(machine.tables):
        columns = HEADER.split("\t")
        lines = [HEADER]
        for _, line in whole_lines(table):
            row = dict(zip(columns, line.split("\t"), strict=False))
            change(row)
            lines.append("\t".join(row.get(column, "") for column in columns).rstrip("\t"))
        tables.append(folder / f"{name}_{number}_{table.name}")
        tables[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return build(machine.info, dict(machine.pipeline), tables)


def without_ports(row: Row) -> None:
    """As many units as anybody wants: nothing waits but for its operands."""
    row["ports"] = row["blocking"] = ""
    row["rthroughput"] = ""


@cache
def with_latencies_times(factor: int) -> Callable[[Row], None]:
    def change(row: Row) -> None:
        row["latency"] = re.sub(
            r":(\d+(?:\.\d+)?)", lambda found: f":{float(found[1]) * factor:g}", row.get("latency", "")
        )

    return change
