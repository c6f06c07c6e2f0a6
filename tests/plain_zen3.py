"""Zen 3 with what documents say alone, before anybody timed one: a start from which experiments have rules to find."""

from __future__ import annotations

from typing import Any

from corecast.machine import load_machine
from corecast.machine.loader import build
from corecast.machine.trees import put, taken_out
from corecast.machine.types import Machine

_FOUND = (
    "decode.first_decoder_bytes", "fusion.register_pair_ports", "stack_engine.offset_in_addresses",
    "stack_engine.synchronization_ports", "rename.constants_per_cycle", "rename.spread_ports",
    "rename.spread_address_ports", "rename.spread_addresses_per_cycle", "rename.spread_lag_cycles",
    "rename.spread_release_cycles", "rename.spread_backlog_cycles", "scheduler_queue", "stores.joined_block_bytes",
    "stores.write_unit", "units.L1W", "units.F2I", "units.I2F", "store_forwarding.update_latency_cycles",
    "memory_renaming",
)  # fmt: skip


def plain_zen3() -> Machine:
    """The model without the rules that were timed or taken over from Zen 4."""
    machine = load_machine("zen3")
    pipeline: dict[str, Any] = dict(machine.pipeline)
    for key in _FOUND:
        pipeline = taken_out(pipeline, key)
    pipeline = put(pipeline, "fetch.bytes_per_cycle", 32)
    pipeline["rules"] = [rule for rule in pipeline["rules"] if rule["effect"] == "fuse"]
    pipeline["schedulers"] = [
        {**each, "entries": 64} if each["ports"][0].startswith("FP") else each for each in pipeline["schedulers"]
    ]
    return build(machine.info, pipeline, list(machine.table_files))
