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
from corecast.measure.core import Core, Failure, Timing
from corecast.measure.form_measurement import FormMeasurement
from corecast.measure.interval import Interval
from corecast.measure.kernels import TimedKernel
from corecast.measure.record_shape import check_record
from corecast.measure.system import Equation

_SCHEMA_START = "corecast-record/"
SCHEMA = _SCHEMA_START + "1"
_DIGITS = 5


def kernel_record(kernel: TimedKernel, timing: Timing, core: Core) -> dict[str, Any]:
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
            "error": throughput.error or None,
            "kernels": _kernels(throughput.kernels),
        },
        "latencies": [
            {
                "source": latency.source,
                "target": latency.target,
                **_interval(latency.cycles),
                "method": latency.method,
                "helpers": {name: [rounded(cost.low), rounded(cost.high)] for name, cost in latency.helpers},
                "error": latency.error or None,
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


def _kernels(tried: Iterable[tuple[TimedKernel, Timing]]) -> list[dict[str, Any]]:
    return [{"kernel": kernel_entry(kernel), "timing": timing_entry(timing)} for kernel, timing in tried]


def rounded(value: float) -> float:
    return round(value, _DIGITS)


def kernel_entry(kernel: TimedKernel) -> dict[str, Any]:
    values = kernel.values
    return {
        "text": list(kernel.texts),
        "hex": kernel.code.hex(),
        "setting": kernel.setting.hex(),
        "loop": kernel.is_loop,
        "counter": kernel.counter,
        "keeps_flags": kernel.keeps_flags,
        **({"most_iterations": kernel.most_iterations} if kernel.most_iterations else {}),
        **({"data_pages": kernel.data_pages} if kernel.data_pages > 1 else {}),
        "values": {
            "general": {str(number): value for number, value in values.general.items()},
            "vector": {str(number): value for number, value in values.vector.items()},
            "mask": {str(number): value for number, value in values.mask.items()},
            "pointers": values.pointers,
            "vector_bytes": values.vector_bytes,
            **({"mmx": True} if values.mmx else {}),
            **({"x87_depth": values.x87_depth} if values.x87_depth else {}),
            **({"tiles": True} if values.tiles else {}),
            **({} if values.memory is None else {"memory": values.memory}),
        },
    }


def timing_entry(timing: Timing) -> dict[str, Any]:
    failure = timing.failure
    return {
        "cycles": rounded(timing.cycles) if timing.ok else None,
        "low_cycles": rounded(timing.low_cycles) if timing.ok else None,
        "high_cycles": rounded(timing.high_cycles) if timing.ok else None,
        "samples": timing.samples,
        "lost": dict(timing.lost),
        "batches": timing.batches,
        "stable": timing.stable,
        "ticks_per_cycle": rounded(timing.ticks_per_cycle),
        "copies": list(timing.copies),
        "iterations": timing.iterations,
        "conditions": dict(timing.conditions),
        "error": None if failure is None else _failure_entry(failure),
    }


def _failure_entry(failure: Failure) -> dict[str, str]:
    return {
        "kind": failure.kind,
        "message": failure.message,
        **({"signal": failure.signal} if failure.signal else {}),
    }


def timing_of_entry(entry: Mapping[str, Any]) -> Timing:
    """What `timing_entry` wrote."""
    error = entry["error"]
    failure = None
    if error is not None:
        failure = Failure(error["kind"], error["message"], error.get("signal", ""))
    return Timing(
        cycles=entry["cycles"] or 0.0,
        low_cycles=entry["low_cycles"] or 0.0,
        high_cycles=entry["high_cycles"] or 0.0,
        samples=entry["samples"],
        lost=entry["lost"],
        batches=entry["batches"],
        stable=entry["stable"],
        ticks_per_cycle=entry["ticks_per_cycle"],
        copies=(entry["copies"][0], entry["copies"][1]),
        iterations=entry["iterations"],
        conditions=entry["conditions"],
        failure=failure,
    )


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
        InputError: the file cannot be read, a line is no record, or one of another version.
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
