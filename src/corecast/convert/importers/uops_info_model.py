"""`corecast import uops-info`: uops.info's figures of one core as rows, from its XML file or its JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from corecast.convert.importers.uops_info import Options, read_records, records_file, rows_from_records
from corecast.convert.importers.uops_info_xml import Record, read_xml
from corecast.errors import InputError
from corecast.files.compressed import BROKEN
from corecast.hints import Any
from corecast.machine.making.imported import Imported, Pipeline
from corecast.machine.rows import Row
from corecast.pattern import lazy_pattern

_INTEL = lazy_pattern(r"[0-9A-Z]+")


def import_uops_info(path: Path, architecture: str) -> Imported:
    """uops.info's figures of one core.

    Args:
        path: instructions.xml, or `<ARCH>.jsonl.gz` with `forms.jsonl.gz` beside it.
        architecture: as uops.info names it, "SKL", "ZEN4"; "" for a JSON file: that of its name.

    Raises:
        InputError: the file is not what it should be, or holds nothing of that core.
        OSError: it cannot be read.
    """
    is_json = path.name.endswith((".jsonl", ".jsonl.gz", ".jsonl.xz"))
    if not is_json and not architecture:
        raise InputError("--arch says which core's figures are meant (SKL, ICL, ZEN4, ...)", str(path))
    name = architecture or path.name.partition(".")[0]
    records = _read_json_lines(path) if is_json else read_xml(path, name)
    try:
        result = rows_from_records(records, Options(f"uops.info:{name}", port_usage))
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise InputError(f"a record is not as uops.info's are: {error!r}", str(path)) from None
    if not result.rows:
        raise InputError("no entry that is an instruction form of x86", str(path))
    ports = sorted({port for row in result.rows.values() for port in _ports_of(row)})
    return Imported(
        origin=f"uops.info's measurements of {name}",
        file="uops_info.tsv",
        isa="x86",
        rows=result.rows,
        pipeline=Pipeline(
            ports=tuple(ports), groups=_groups(result.rows), units={"DIV": ""}, title=f"{name} (uops.info)"
        ),
        entries=result.records,
        unmapped=result.unmapped,
    )


def port_usage(usage: Mapping[str, int] | None) -> tuple[tuple[float, str], ...] | None:
    """uops.info's {"01": 1} and {"FP01": 1} as our files write them."""
    if usage is None:
        return None
    return tuple((float(count), names if names.startswith("FP") else f"p{names}") for names, count in usage.items())


def _ports_of(row: Row) -> Iterator[str]:
    for _, place in row.ports or ():
        if place.startswith("FP"):
            yield from (f"FP{number}" for number in place[2:])
        else:
            yield from place[1:]


def _groups(rows: Mapping[str, Row]) -> dict[str, tuple[str, ...]]:
    """AMD's pipes: "FP01" -> FP0 and FP1. Intel's need no names."""
    places = {place for row in rows.values() for _, place in row.ports or () if place.startswith("FP")}
    return {place: tuple(f"FP{number}" for number in place[2:]) for place in sorted(places) if len(place) > 3}


def _read_json_lines(path: Path) -> Iterator[Record]:
    forms = records_file(path.parent, "forms")
    static: dict[str, dict[str, Any]] = {}
    if forms.exists():
        static = {record["string"]: record for record in _lines(forms)}
    for record in _lines(path):
        yield record, static.get(record["string"], {})


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        yield from read_records(path)
    except (*BROKEN, UnicodeDecodeError) as error:
        raise InputError(f"is not compressed text: {error}", str(path)) from None
    except json.JSONDecodeError as error:
        raise InputError(f"a line is not JSON: {error.msg}", str(path)) from None
    except (KeyError, TypeError, AttributeError):
        raise InputError("a line is not a record of uops.info", str(path)) from None
