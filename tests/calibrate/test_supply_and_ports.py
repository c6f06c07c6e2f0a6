"""Rules that few cores have are found where they hold, with their figures, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.hints import Any
from corecast.machine import load_machine
from tried_experiments import changed, tried, without

DECODERS, HALVES = "decoders behind the uop cache", "instructions across halves of a block"
SLOTS, RUNS = "slots of data relative to the instruction", "memory renaming of earlier runs"
GROUP, FULL = "store forwarding in one group", "ports that are full"
PRODUCTS, WORK = "what gives way to multiplications", "vectors at work, up to 512 bits"
UPDATES = "memory renaming of relative updates"
EVERY = (DECODERS, HALVES, SLOTS, RUNS, GROUP, FULL, PRODUCTS, WORK, UPDATES)


@pytest.mark.parametrize(
    ("name", "cpu", "settings"),
    [
        (DECODERS, "skylake_x", {"uop_cache.to_decoders_cycles": 0}),
        (DECODERS, "skylake_x", {"uop_cache.to_decoders_cycles": 3}),
        (HALVES, "skylake_x", {"uop_cache.crossed_half_cycles": 0}),
        (HALVES, "skylake_x", {"uop_cache.crossed_half_cycles": 0.6}),
        (SLOTS, "granite_rapids", {"rename.relative_unlaminated": False}),
        (SLOTS, "ice_lake", {"rename.relative_unlaminated": True}),
        (RUNS, "granite_rapids", {"memory_renaming.last_run_only": False}),
        (GROUP, "skylake_x", {"store_forwarding.one_group_latency_cycles": 5.5}),
        (FULL, "granite_rapids", {"port_choice.avoided_where_full": []}),
        (FULL, "emerald_rapids", {"port_choice.avoided_where_full": ["0"]}),
        (PRODUCTS, "zen4", {"ports.long_result": [], "ports.second_result": []}),
        (PRODUCTS, "zen4", {"ports.long_result": ["ALU1"], "ports.second_result": []}),
        (PRODUCTS, "zen4", {"ports.long_result": ["ALU1"], "ports.second_result": ["ALU1", "ALU2"]}),
        (WORK, "granite_rapids", {"vectors.activity": []}),
        (UPDATES, "zen5", {"memory_renaming.own_relative": False}),
        (UPDATES, "zen4", {"memory_renaming.own_relative": True}),
    ],
)
def test_another_value_than_the_start_models_is_found(
    name: str, cpu: str, settings: dict[str, Any], tmp_path: Path
) -> None:
    found = tried([name], changed(cpu, settings, tmp_path), load_machine(cpu), tmp_path)[name]
    assert found.settings == settings
    assert found.is_sure


@pytest.mark.parametrize(
    ("name", "cpu", "keys"),
    [
        (DECODERS, "skylake_x", ["uop_cache.to_decoders_cycles"]),
        (HALVES, "skylake_x", ["uop_cache.crossed_half_cycles"]),
        (SLOTS, "granite_rapids", ["rename.relative_unlaminated"]),
        (RUNS, "granite_rapids", ["memory_renaming.last_run_only"]),
        (GROUP, "skylake_x", ["store_forwarding.one_group_latency_cycles"]),
        (FULL, "granite_rapids", ["port_choice.avoided_where_full"]),
        (PRODUCTS, "zen4", ["ports.long_result", "ports.second_result"]),
        (UPDATES, "zen5", ["memory_renaming.own_relative"]),
    ],
)
def test_a_rule_is_found_that_the_start_model_does_not_have(
    name: str, cpu: str, keys: list[str], tmp_path: Path
) -> None:
    core = load_machine(cpu)
    found = tried([name], core, without(core, *keys), tmp_path)[name]
    assert found.settings == {key: core.parameter(key) for key in keys}
    assert found.is_sure


@pytest.mark.parametrize(
    "cpu", ["haswell", "skylake_x", "ice_lake_x", "emerald_rapids", "granite_rapids", "zen3", "zen5"]
)
def test_what_the_start_model_explains_is_sure(cpu: str, tmp_path: Path) -> None:
    core = load_machine(cpu)
    found = tried(EVERY, core, core, tmp_path)
    assert {name: each.settings for name, each in found.items()} == {name: {} for name in found}
    assert all(each.is_sure for each in found.values())


@pytest.mark.parametrize(
    ("cpu", "start"), [("ice_lake_x", "skylake_x"), ("skylake_x", "ice_lake_x"), ("emerald_rapids", "ice_lake_x")]
)
def test_other_differences_are_not_taken_for_these_rules(cpu: str, start: str, tmp_path: Path) -> None:
    """Decoders, slots and ports differ otherwise: nothing is sure that is not so."""
    found = tried(EVERY, load_machine(cpu), load_machine(start), tmp_path)
    core = load_machine(cpu)
    for each in found.values():
        for key, value in each.settings.items():
            assert core.parameter(key) == value or not each.is_sure, key


def test_shares_of_what_the_core_can_do_are_found(tmp_path: Path) -> None:
    core = load_machine("granite_rapids")
    found = tried([WORK], core, without(core, "vectors.activity"), tmp_path)[WORK]
    assert found.is_sure
    truth = core.parameter("vectors.activity")
    tables = found.settings["vectors.activity"]
    assert [each["bits"] for each in tables] == [each["bits"] for each in truth]
    for table, expected in zip(tables, truth, strict=True):
        # What operations on general registers take hardly shows: they fill rename and ports before the core.
        hidden = 0.07 if table["bits"] == 64 else 0.0
        assert table["operation_cycles"] == pytest.approx(expected["operation_cycles"], abs=0.021 + hidden)
        for share in ("load_cycles", "store_cycles"):
            assert table[share] == pytest.approx(expected[share], abs=0.021)
