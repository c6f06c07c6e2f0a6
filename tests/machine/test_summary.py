"""Models at a glance: forms by confidence, and how much of the pipeline is described."""

from __future__ import annotations

from collections import Counter

import pytest

from corecast.machine import list_machines, load_machine
from corecast.machine.summary import detail_of, summary_of

FULL = {"rename.dispatch_width_uops_per_cycle", "front_end.decoders", "back_end.scheduler_entries",
        "back_end.rob_entries", "memory.load_latency_cycles", "memory.store_forward_latency_cycles"}  # fmt: skip


def test_forms_are_counted_by_the_row_that_counts() -> None:
    info = next(info for info in list_machines() if info.name == "skylake_x")
    machine = load_machine(info.folder)
    rows = Counter(row.confidence for key in machine.keys() if (row := machine.row(key)) is not None)  # noqa: SIM118
    assert {name: count for name, count in summary_of(info).forms.items() if count} == rows


@pytest.mark.parametrize(
    ("keys", "detail"),
    [
        (FULL, "full"),
        (FULL - {"back_end.scheduler_entries"}, "partial"),
        ({"rename.dispatch_width_uops_per_cycle", "back_end.rob_entries"}, "widths"),
        ({"rename.dispatch_width_uops_per_cycle", "memory.load_latency_cycles"}, "partial"),
        ({"ports.names", "rename.dispatch_width_mops_per_cycle", "back_end.retire_width_per_cycle"}, "widths"),
    ],
)
def test_how_much_of_a_pipeline_is_described(keys: set[str], detail: str) -> None:
    assert detail_of(keys) == detail
