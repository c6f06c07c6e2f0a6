"""Rules of Granite Rapids are found by kernels alone, from Emerald Rapids without what that assumes from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.calibrate.bench import SimulatedBench
from corecast.calibrate.draft import Draft
from corecast.calibrate.experiments import Decision, decisions, run_experiments
from corecast.calibrate.journal import Journal
from corecast.calibrate.start import Start, load_start
from corecast.hints import Any
from corecast.machine import load_machine
from corecast.machine.types import Machine


def redwood_cove(folder: Path) -> Machine:
    """With a forwarding that is among those that experiments try."""
    return Draft(load_machine("granite_rapids"), {"store_forwarding.latency_cycles": 6}).machine(folder)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Decision]:
    folder = tmp_path_factory.mktemp("experiments")
    journal = Journal(folder / "calibration", {"cpu": "granite_rapids"})
    run_experiments(SimulatedBench(redwood_cove(folder)), journal, lambda: 1.0, lambda text: None)
    start = load_start(Start("emerald_rapids", ""), ("granite_rapids",))
    every = decisions(journal, start, {}, folder)
    journal.close()
    return {each.name: each for each in every}


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        (
            "predecoder",
            {"predecode.width": 8, "instruction_queue.entries": 50, "decode.complex_decoders": 1},
        ),
        ("addresses relative to the instruction", {"decode.relative_is_complex": True}),
        ("pops that look like others", {"decode.pop5c_is_complex": True}),
        ("banks of loads", {"loads.bank_bytes": 4, "loads.banks": 16, "loads.bank_reads": 2}),
        ("ports of loads", {"port_choice.alternating": [["2", "3", "A"], ["2", "3"], ["4", "9"], ["7", "8"]]}),
        (
            "pairs of stores",
            {
                "stores.joined_block_bytes": 0, "stores.paired_line_bytes": 64, "stores.paired_bases_aligned": True
            },
        ),
        ("store forwarding", {"store_forwarding.latency_cycles": 6}),
    ],
)  # fmt: skip
def test_a_rule_is_recovered(found: dict[str, Decision], name: str, settings: dict[str, Any]) -> None:
    assert {key: found[name].settings.get(key) for key in settings} == settings
    assert found[name].after < 0.05


def test_loops_come_from_a_loop_buffer_with_copies(found: dict[str, Decision]) -> None:
    settings = found["loop buffer"].settings
    assert settings["loop_buffer.enabled"] is True
    assert max(copies for _, _, copies in settings["loop_buffer.copies"]) == 6
    assert found["loop buffer"].is_sure


def test_moves_share_slots_with_what_changes_the_copy(found: dict[str, Decision]) -> None:
    rules = found["fused moves"].settings["rules:moves"]
    producers = {name for rule in rules for name in rule["producer"]["mnemonics"]}
    assert {"mov r64, r64", "mov r32, m32", "movaps xmm, xmm"} <= producers
    assert found["fused moves"].is_sure


def test_additions_hand_on_late(found: dict[str, Decision]) -> None:
    (rule,) = found["results of additions"].settings["rules:sums"]
    assert (rule["effect"], rule["cycles"]) == ("delay", 1)
    assert found["results of additions"].is_sure


def test_memory_is_renamed_where_it_is_predicted_alone(found: dict[str, Decision]) -> None:
    assert found["memory renaming"].after < 0.05
    straight = found["memory renaming in straight-line code"]
    assert straight.settings["memory_renaming.only_predicted"] is True
    assert straight.after < 0.2 * straight.before  # the rest is forwarding's latency
