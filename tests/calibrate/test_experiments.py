"""Rules of a pipeline are found by kernels alone: those of a simulated Zen 4, started from a Zen 3."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.calibrate import experiments
from corecast.calibrate.bench import SimulatedBench
from corecast.calibrate.experiment import Experiment
from corecast.calibrate.experiments import Decision, decisions, finding_of, run_experiments
from corecast.calibrate.journal import Journal
from corecast.calibrate.rules import EXPERIMENTS
from corecast.hints import Any
from corecast.machine import load_machine
from plain_zen3 import plain_zen3


def timed(cpu: str, folder: Path) -> Journal:
    journal = Journal(folder / "calibration", {"cpu": cpu})
    run_experiments(SimulatedBench(load_machine(cpu)), journal, lambda: 1.0, lambda text: None)
    return journal


@pytest.fixture(scope="module")
def zen4(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Decision]:
    folder = tmp_path_factory.mktemp("experiments")
    journal = timed("zen4", folder)
    found = decisions(journal, plain_zen3(), {}, folder)
    journal.close()
    return {each.name: each for each in found}


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        (
            "entries of the op cache",
            {"uop_cache.entry_uops": 9, "uop_cache.width": 9, "uop_cache.entry_crosses_lines": True},
        ),
        ("decoders", {"fetch.bytes_per_cycle": 16, "decode.first_decoder_bytes": 10}),
        ("ports of fused pairs", {"fusion.register_pair_ports": ["ALU0", "ALU3"]}),
        ("addresses on the stack", {"stack_engine.offset_in_addresses": True}),
        ("complex addresses", {}),
        ("updates", {"store_forwarding.update_latency_cycles": 5}),
        ("writes of stores", {"units.WRITE": {}, "stores.write_unit": "WRITE", "stores.joined_block_bytes": 32}),
    ],
)
def test_a_rule_is_recovered(zen4: dict[str, Decision], name: str, settings: dict[str, Any]) -> None:
    assert dict(zen4[name].settings) == settings
    assert zen4[name].is_sure


def test_memory_renaming_is_recovered_with_what_its_predictor_holds(zen4: dict[str, Decision]) -> None:
    settings = zen4["memory renaming"].settings
    assert {rule["effect"] for rule in settings["rules"]} == {"rename_memory"}
    assert settings["memory_renaming.latency_cycles"] == 0
    assert settings["memory_renaming.predicted_loads"] == 24


def test_integer_schedulers_are_spread(zen4: dict[str, Decision]) -> None:
    settings = zen4["integer schedulers"].settings
    assert settings["rename.spread_ports"] == ["ALU0", "ALU1", "ALU2", "ALU3"]
    assert settings["rename.spread_address_ports"] == ["AGU0", "AGU1", "AGU2"]
    assert zen4["integer schedulers"].is_sure


def test_what_a_zen5_does_otherwise_is_found_from_a_zen4(tmp_path: Path) -> None:
    journal = timed("zen5", tmp_path)
    found = {each.name: each for each in decisions(journal, load_machine("zen4"), {"rename.width": 8}, tmp_path)}
    journal.close()
    reads = found["entries of the op cache"].settings
    assert reads["uop_cache.width"] == 12
    assert reads["uop_cache.short_read_uops"] == 6
    renaming = found["memory renaming"].settings
    assert renaming["without_rules"] == ["rename_memory"]
    assert [rule["consumer"] for rule in renaming["rules"]] == [{"except": ["movzx *"], "vector": False}]
    assert found["writes of stores"].settings == {"stores.joined_block_bytes": 0}


@pytest.mark.parametrize("cpu", ["zen3", "zen4", "skylake_x"])
def test_what_the_start_model_explains_stays(cpu: str, tmp_path: Path) -> None:
    journal = timed(cpu, tmp_path)
    found = decisions(journal, load_machine(cpu), {}, tmp_path)
    journal.close()
    wide = cpu != "zen3"
    assert [each.name for each in found] == [each.name for each in EXPERIMENTS if wide or "512" not in each.name]
    for each in found:
        assert each.settings == {}
        assert each.is_sure, each.name


@pytest.mark.parametrize(
    ("cpu", "start"), [("skylake_x", "emerald_rapids"), ("zen4", "zen3"), ("ice_lake_x", "skylake_x")]
)
def test_no_result_is_late_where_none_is(cpu: str, start: str, tmp_path: Path) -> None:
    journal = timed(cpu, tmp_path)
    settings = {each.name: each.settings for each in decisions(journal, load_machine(start), {}, tmp_path)}
    journal.close()
    late = [name for name in settings if name.startswith("results of")]
    assert len(late) >= 4
    assert {name: settings[name] for name in late} == {name: {} for name in late}


def test_sums_of_512_bits_take_what_they_take_elsewhere(tmp_path: Path) -> None:
    journal = timed("skylake_x", tmp_path)
    found = {each.name: each for each in decisions(journal, load_machine("emerald_rapids"), {}, tmp_path)}
    journal.close()
    assert found["sums of 512 bits"].settings == {f"changes.latency.{name} zmm*": 4 for name in ("vaddp*", "vsubp*")}
    assert found["sums of 512 bits"].is_sure


def test_references_are_taken_off_and_do_not_count() -> None:
    experiment = Experiment("x", (("a",), ("b",)), ("90",), references=(("c",), ("d",)), beyond=((0,), (0, 1)))
    assert experiment.kernels == ("a", "b", "c", "d", "90")
    assert experiment.beyond_references([10.0, 20.0, 1.0, 2.0, 5.0]) == [9.0, 17.0, 5.0]
    assert experiment.compared([10.0, 20.0, 1.0, 2.0, 5.0]) == [10.0, 20.0, 5.0]
    assert experiment.beyond_references([10.0, 20.0, 1.0, None, None]) == [9.0, None, None]


@pytest.mark.parametrize(("count", "is_sure"), [(3, True), (2, True), (1, False)])
def test_what_was_hardly_timed_is_not_sure(
    count: int, is_sure: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment("no-operations", tuple(("nop",) * nops for nops in (3, 7, 11)))
    monkeypatch.setattr(experiments, "EXPERIMENTS", [experiment])
    journal = Journal(tmp_path / "calibration", {"cpu": "skylake_x"})
    cycles = [1.0, 2.0, 3.0][:count] + [None] * (3 - count)
    journal.add("experiment", name=experiment.name, kernels=list(experiment.kernels), cycles=cycles)
    (found,) = decisions(journal, load_machine("skylake_x"), {}, tmp_path)
    journal.close()
    assert found.after < 0.001
    assert found.is_sure == is_sure


def test_what_was_timed_is_not_timed_again(tmp_path: Path) -> None:
    journal = timed("zen3", tmp_path)
    count = len(journal.entries)
    run_experiments(SimulatedBench(load_machine("zen3")), journal, lambda: 1.0, lambda text: None)
    assert len(journal.entries) == count == len(EXPERIMENTS)
    journal.close()


def test_the_report_tells_error_and_settings() -> None:
    found = finding_of(
        Decision("writes of stores", {"stores.joined_block_bytes": 32, "units.W": {}}, 0.25, 0.012, True)
    )
    assert (found.value, found.expected, found.confidence) == (1.2, 25.0, "high")
    assert (found.unit, found.how) == ("% off", "stores.joined_block_bytes 32, units.W (0)")
