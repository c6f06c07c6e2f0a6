"""Records: one JSON object a line, with everything that is needed to repeat a measurement or to reject it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from corecast import __version__
from corecast.errors import InputError
from corecast.measure.core import Core, Timing
from corecast.measure.kernels import TimedKernel

SCHEMA = "corecast-record/1"
_DIGITS = 5


def kernel_record(kernel: TimedKernel, timing: Timing, core: Core) -> dict[str, Any]:
    """One timing of one kernel."""
    return {
        "schema": SCHEMA,
        "version": __version__,
        "kind": "kernel",
        "cpu": core.name,
        "isa": kernel.isa,
        "clock": core.clock,
        "kernel": kernel_entry(kernel),
        "timing": timing_entry(timing),
    }


def kernel_entry(kernel: TimedKernel) -> dict[str, Any]:
    values = kernel.values
    return {
        "text": list(kernel.texts),
        "hex": kernel.code.hex(),
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
        "cycles": round(timing.cycles, _DIGITS) if timing.ok else None,
        "low_cycles": round(timing.low_cycles, _DIGITS) if timing.ok else None,
        "high_cycles": round(timing.high_cycles, _DIGITS) if timing.ok else None,
        "samples": timing.samples,
        "lost": dict(timing.lost),
        "batches": timing.batches,
        "stable": timing.stable,
        "ticks_per_cycle": round(timing.ticks_per_cycle, _DIGITS),
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
