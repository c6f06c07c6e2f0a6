"""Records: one JSON object a line, with everything that is needed to repeat a measurement or to reject it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from corecast import __version__
from corecast.errors import InputError
from corecast.measure.core import Core, Timing
from corecast.measure.form_measurement import FormMeasurement
from corecast.measure.helpers import Interval
from corecast.measure.kernels import TimedKernel

SCHEMA = "corecast-record/1"
_DIGITS = 5


def kernel_record(kernel: TimedKernel, timing: Timing, core: Core) -> dict[str, Any]:
    """One timing of one kernel."""
    return {
        **_head("kernel", core),
        "kernel": kernel_entry(kernel),
        "timing": timing_entry(timing),
    }


def form_record(measured: FormMeasurement, core: Core) -> dict[str, Any]:
    """Everything that was measured of one form."""
    throughput = measured.throughput
    return {
        **_head("form", core),
        "form": measured.form,
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
                "helpers": {name: [_rounded(cost.low), _rounded(cost.high)] for name, cost in latency.helpers},
                "error": latency.error or None,
                "kernels": _kernels(latency.kernels),
            }
            for latency in measured.latencies
        ],
    }


def _head(kind: str, core: Core) -> dict[str, Any]:
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
        "min_cycles": None if cycles is None else _rounded(cycles.low),
        "max_cycles": None if cycles is None else _rounded(cycles.high),
    }


def _kernels(tried: Iterable[tuple[TimedKernel, Timing]]) -> list[dict[str, Any]]:
    return [{"kernel": kernel_entry(kernel), "timing": timing_entry(timing)} for kernel, timing in tried]


def _rounded(value: float) -> float:
    return round(value, _DIGITS)


def kernel_entry(kernel: TimedKernel) -> dict[str, Any]:
    values = kernel.values
    return {
        "text": list(kernel.texts),
        "hex": kernel.code.hex(),
        "setting": kernel.setting.hex(),
        "loop": kernel.is_loop,
        "counter": kernel.counter,
        "values": {
            "general": {str(number): value for number, value in values.general.items()},
            "vector": {str(number): value for number, value in values.vector.items()},
            "mask": {str(number): value for number, value in values.mask.items()},
            "pointers": values.pointers,
            "vector_bytes": values.vector_bytes,
        },
    }


def timing_entry(timing: Timing) -> dict[str, Any]:
    failure = timing.failure
    return {
        "cycles": _rounded(timing.cycles) if timing.ok else None,
        "low_cycles": _rounded(timing.low_cycles) if timing.ok else None,
        "high_cycles": _rounded(timing.high_cycles) if timing.ok else None,
        "samples": timing.samples,
        "lost": dict(timing.lost),
        "batches": timing.batches,
        "stable": timing.stable,
        "ticks_per_cycle": _rounded(timing.ticks_per_cycle),
        "copies": list(timing.copies),
        "iterations": timing.iterations,
        "conditions": dict(timing.conditions),
        "error": None if failure is None else {"kind": failure.kind, "message": failure.message},
    }


def append_records(path: str | Path, records: list[dict[str, Any]]) -> None:
    """Adds lines to a file of records, which is made where it is not there.

    Raises:
        OSError: it cannot be written.
    """
    text = "".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in records)
    with open(path, "a+b") as stream:
        _drop_rest(stream)
        stream.write(text.encode())


def _drop_rest(stream: BinaryIO) -> None:
    """Cuts off what a writer that was killed left behind the last whole line."""
    stream.seek(0)
    content = stream.read()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        stream.truncate(whole)


def read_records(path: str | Path) -> Iterator[Mapping[str, Any]]:
    """The records of a file. A last line without an end is the rest of one whose writing was cut off: it is left out.

    Raises:
        InputError: the file cannot be read, a line is no record, or one of another version.
    """
    try:
        lines = Path(path).read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", str(path)) from None
    for number, line in enumerate(lines[:-1], start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise InputError(f"not a record: {error}", str(path), number) from None
        if not isinstance(record, dict) or not str(record.get("schema", "")).startswith("corecast-record/"):
            raise InputError("not a record of measurements", str(path), number)
        if record["schema"] != SCHEMA:
            raise InputError(f"a record of {record['schema']}, this program reads {SCHEMA}", str(path), number)
        yield record
