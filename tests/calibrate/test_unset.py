"""What the start model has and the core lacks is taken away, with its evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.calibrate.choices import options
from corecast.calibrate.draft import Draft
from corecast.calibrate.experiment import limits, one_of, unset
from corecast.calibrate.model import Origin, write_model
from corecast.machine import load_machine
from corecast.machine.evidence import evidence_of
from tried_experiments import tried, without


@pytest.mark.parametrize(
    ("name", "cpu", "keys"),
    [
        ("banks of loads", "granite_rapids", ("loads.bank_bytes", "loads.banks", "loads.bank_reads")),
        ("constants of a group", "zen4", ("rename.constants_per_cycle",)),
        ("stores that loads read, without a loop", "zen4", ("stores.joined_forwards_per_store",)),
        ("ports of the stack pointer's micro-op", "zen4", ("stack_engine.synchronization_ports",)),
        ("updates", "zen4", ("store_forwarding.update_latency_cycles",)),
    ],
)
def test_what_the_core_lacks_is_taken_away(name: str, cpu: str, keys: tuple[str, ...], tmp_path: Path) -> None:
    start = load_machine(cpu)
    core = without(start, *keys)
    decision = tried([name], core, start, tmp_path)[name]
    assert decision.is_sure
    assert decision.after == pytest.approx(0, abs=1e-6)
    assert dict(decision.settings) == dict.fromkeys(keys, "unknown")
    found = Draft(start, decision.settings).machine(tmp_path)
    assert [found.parameter(key) for key in keys] == [None for _ in keys]


def test_a_limit_that_the_core_lacks_is_taken_away_beside_another_value(tmp_path: Path) -> None:
    start = Draft(load_machine("zen4"), {"decode.first_decoder_bytes": 7}).machine(tmp_path)
    core = Draft(start, {"fetch.bytes_per_cycle": 64, "decode.first_decoder_bytes": "unknown"}).machine(tmp_path)
    decision = tried(["decoders"], core, start, tmp_path)["decoders"]
    assert dict(decision.settings) == {"fetch.bytes_per_cycle": 64, "decode.first_decoder_bytes": "unknown"}
    assert decision.is_sure


def test_the_written_model_lacks_it_and_says_why(tmp_path: Path) -> None:
    key = "rename.constants_per_cycle"
    draft = Draft(load_machine("zen4"), {key: "unknown"})
    write_model(tmp_path / "model", draft, Origin("a core", "zen4", "2026-11-28", frozenset({key}), (), {}))
    found = load_machine(tmp_path / "model")
    assert found.parameter(key) is None
    assert found.parameter("rename.width") == load_machine("zen4").parameter("rename.width")
    assert key not in {each.key for each in evidence_of(found)}
    line = 'source = "measured by corecast calibrate on a core, 2026-11-28", confidence = "measured"'
    text = (tmp_path / "model" / "pipeline.toml").read_text(encoding="utf-8")
    assert f'constants_per_cycle = {{ value = "unknown", {line} }}' in text
    assert f"`{key}`" in (tmp_path / "model" / "SOURCES.md").read_text(encoding="utf-8")


def test_a_draft_without_a_key_has_it_taken_away() -> None:
    assert Draft(load_machine("skylake_x")).has({"rename.constants_per_cycle": "unknown"})
    assert not Draft(load_machine("zen4")).has({"rename.constants_per_cycle": "unknown"})


def test_only_what_the_start_model_has_is_taken_away() -> None:
    zen4, skylake = load_machine("zen4"), load_machine("skylake_x")
    key = "rename.constants_per_cycle"
    assert list(unset(zen4, key, "loads.no_such_key")) == [{key: "unknown"}]
    assert list(unset(skylake, key)) == []
    assert list(unset(zen4, "rename.width")) == []
    assert next(one_of(key, 4, 6)(zen4)) == {key: "unknown"}
    assert list(one_of(key, 4)(skylake)) == [{key: 4}]
    assert limits(zen4, key, 4) == ({}, {key: "unknown"}, {key: 4})


def test_what_counts_without_a_key_is_tried_once() -> None:
    key = "uop_cache.crossed_half_cycles"
    assert {key: "unknown"} not in one_of(key, 0, 0.5)(load_machine("skylake_x"))


def test_by_error_a_key_of_branches_may_go_too() -> None:
    key = "fusion.blocked_branch_offset_mod_64"
    names = {each.name for each in options(load_machine("granite_rapids"))}
    assert (f"{key} unknown" in names) == (load_machine("granite_rapids").parameter(key) is not None)
