"""Records: one JSON object a line, with everything that is needed to repeat a measurement or to reject it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from corecast import __version__
from corecast.errors import InputError
from corecast.files.lines import LineFile, is_object, read_object
from corecast.files.reading import open_bytes
from corecast.hints import Any
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.record.interval import Interval
from corecast.measure.record.measured import Equation, FormMeasurement
from corecast.measure.record.shape import check_record
from corecast.measure.run.core import Core, Outcome
from corecast.measure.run.entries import kernel_entry, reason_entry, rounded, timing_entry

_SCHEMA_START = "corecast-record/"
SCHEMA = _SCHEMA_START + "1"
"""Names version and kind of a record file."""


def kernel_record(kernel: TimedKernel, timing: Outcome, core: Core) -> dict[str, Any]:
    """One timing of one kernel."""
    return {
        **head("kernel", core),
        "kernel": kernel_entry(kernel),
        "timing": timing_entry(timing),
    }


def form_record(measured: FormMeasurement, core: Core) -> dict[str, Any]:
    """Everything that was measured of one form."""
    record = {
        **head("form", core),
        "form": measured.form,
        "illegal": measured.illegal,
        "stable": measured.stable,
        **_measured(measured),
    }
    return record | {values: _measured(other) for values, other in measured.others.items()}


def _measured(measured: FormMeasurement) -> dict[str, Any]:
    throughput = measured.throughput
    return {
        "throughput": {
            **_interval(throughput.cycles),
            "instances": throughput.instances,
            "broken": list(throughput.broken),
            **reason_entry(throughput.rejection),
            "kernels": _kernels(throughput.kernels),
        },
        "latencies": [
            {
                "source": latency.source,
                "target": latency.target,
                **_interval(latency.cycles),
                "method": latency.method,
                "helpers": {name: [rounded(cost.low), rounded(cost.high)] for name, cost in latency.helpers},
                **reason_entry(latency.rejection),
                "kernels": _kernels(latency.kernels),
            }
            for latency in measured.latencies
        ],
    }


def link_record(equation: Equation, core: Core) -> dict[str, Any]:
    """A chain of helpers: the latencies that add up to its cycles."""
    return {
        **head("link", core),
        "terms": dict(equation.terms),
        "cycles": rounded(equation.cycles),
        "text": equation.what,
    }


def head(kind: str, core: Core) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "version": __version__,
        "kind": kind,
        "cpu": core.name,
        "isa": core.isa,
        "clock": core.clock,
    }


def _interval(cycles: Interval | None) -> dict[str, float | None]:
    return {
        "min_cycles": None if cycles is None else rounded(cycles.low),
        "max_cycles": None if cycles is None else rounded(cycles.high),
    }


def _kernels(tried: Iterable[tuple[TimedKernel, Outcome]]) -> list[dict[str, Any]]:
    return [{"kernel": kernel_entry(kernel), "timing": timing_entry(timing)} for kernel, timing in tried]


def append_records(path: str | Path, records: Sequence[Mapping[str, Any]]) -> None:
    """Adds lines to a record file, which is made where there is none.

    Raises:
        InputError: the file is something else, or another process is writing it.
        OSError: it cannot be written.
    """
    writer = RecordWriter(path)
    try:
        writer.add(*records)
    finally:
        writer.close()


def check_records(path: str | Path) -> None:
    """Raises as append_records() would, before there is anything to add."""
    RecordWriter(path).close()


class RecordWriter:
    """Adds records to a file one by one; each reaches the system whole before the next is measured."""

    def __init__(self, path: str | Path) -> None:
        """
        Raises:
            InputError: the file is something else, or another process is writing it.
            OSError: it cannot be written.
        """
        self._file = LineFile(path, _SCHEMA_START, "record file")

    def add(self, *records: Mapping[str, Any]) -> None:
        self._file.add("".join(map(_line, records)))

    def close(self) -> None:
        self._file.close()


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def read_records(path: str | Path) -> Iterator[Mapping[str, Any]]:
    """The records of a file. A last line without an end is the rest of one whose writing was cut off: it is left out.

    Raises:
        InputError: the file cannot be read, a line is not a record, or one of another version.
    """
    with open_bytes(path) as stream:
        yield from _records(stream, str(path))


def _records(lines: Iterable[bytes], path: str) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip() or not (line.endswith(b"\n") or is_object(line)):
            continue
        record = read_object(line, "record of a measurement", path, number)
        schema = record.get("schema")
        if not isinstance(schema, str) or not schema.startswith(_SCHEMA_START):
            raise InputError("not a record of a measurement", path, number)
        if schema != SCHEMA:
            raise InputError(f"a record of {schema}, this program reads {SCHEMA}", path, number)
        check_record(record, path, number)
        yield record
