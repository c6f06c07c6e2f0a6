"""Levels beyond the first-level cache, as models state them."""

from __future__ import annotations

import pytest

from corecast.analysis.work.memory import levels_of, load_latencies
from corecast.errors import InputError
from corecast.machine import list_machines, load_machine

CORES = sorted(info.name for info in list_machines())


@pytest.mark.parametrize("cpu", CORES)
def test_levels_have_a_source_and_lie_behind_each_other(cpu: str) -> None:
    machine = load_machine(cpu)
    levels = machine.parameter("memory.levels")
    if levels is None:
        return
    cycles = [machine.parameter("loads.latency_cycles"), *levels_of(machine).values()]
    assert cycles == sorted(set(cycles))
    if cpu != "gem5_sve":  # its own comment says so
        assert levels["source"]
        assert levels["confidence"] in ("measured", "documented", "derived", "assumed")


def test_cores_of_every_vendor_have_levels() -> None:
    for cpu in ("skylake_x", "haswell", "alder_lake_p", "zen2", "zen4", "neoverse_n1", "neoverse_v2", "gem5_sve"):
        assert list(levels_of(load_machine(cpu))) == ["l2", "l3", "memory"]


# As docs/exploring.md lists them, with the cores that have no third level.
NO_LEVELS = {"apple_m1_e", "neoverse_v3", "sifive_p670", "sifive_x280", "thunderx2"}
LACKING = {
    "l2": NO_LEVELS,
    "l3": NO_LEVELS | {"a64fx", "apple_m1", "cortex_a72", "spacemit_x60", "xuantie_c910"},
    "memory": NO_LEVELS | {"ice_lake", "ivy_bridge", "sandy_bridge"},
}


@pytest.mark.parametrize("level", LACKING)
def test_other_models_have_every_level(level: str) -> None:
    assert {cpu for cpu in CORES if level not in levels_of(load_machine(cpu))} == LACKING[level]


@pytest.mark.parametrize(("cpu", "known"), [("spacemit_x60", "l1 4, l2 39, memory 343"), ("sifive_x280", "l1 3")])
def test_unknown_levels_are_refused_with_those_known(cpu: str, known: str) -> None:
    with pytest.raises(InputError, match=rf"{cpu} has no latency of 'l3' \(it has {known}\); give a number of cycles"):
        load_latencies(["l3"], load_machine(cpu))
