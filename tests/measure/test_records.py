"""Records hold what is needed to repeat a measurement, and survive a writer that was killed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corecast import Kernel, load_machine
from corecast.errors import InputError
from corecast.measure import SCHEMA, SimulatedCore, kernel_record, timed_kernel
from corecast.measure.record.file import append_records, read_records


def record(code: str = "480fafc3") -> dict[str, object]:
    core = SimulatedCore(load_machine("skylake_x"))
    kernel = timed_kernel(Kernel.from_hex(code))
    return kernel_record(kernel, core.time(kernel), core)


def test_a_record_holds_kernel_and_result() -> None:
    made = record()
    assert made["schema"] == SCHEMA
    assert made["cpu"] == "simulated skylake_x"
    assert made["kernel"]["hex"] == "480fafc3"  # type: ignore[index]
    assert made["timing"]["cycles"] == pytest.approx(3, abs=0.002)  # type: ignore[index]
    assert made["timing"]["error"] is None  # type: ignore[index]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    append_records(path, [record()])
    append_records(path, [record("4801f0"), record("4801f3")])
    assert [each["kernel"]["hex"] for each in read_records(path)] == ["480fafc3", "4801f0", "4801f3"]


def test_half_a_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    append_records(path, [record()])
    with open(path, "ab") as stream:
        stream.write(b'{"schema": "corecast-rec')
    assert len(list(read_records(path))) == 1
    append_records(path, [record("4801f0")])
    assert [each["kernel"]["hex"] for each in read_records(path)] == ["480fafc3", "4801f0"]


@pytest.mark.parametrize(
    ("line", "told"),
    [("{", "not a record"), ("[]", "not a record"), ('{"schema": "corecast-record/9"}', "this program reads")],
)
def test_what_is_no_record_is_told_with_its_line(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(record()) + "\n" + line + "\n")
    with pytest.raises(InputError, match=told) as caught:
        list(read_records(path))
    assert caught.value.line == 2


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        list(read_records(tmp_path / "none"))
