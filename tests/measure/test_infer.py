"""A model inferred from records says what was measured, and stands on another model's pipeline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corecast import load_machine
from corecast.errors import InputError
from corecast.machine import Machine, variant
from corecast.measure import SimulatedCore
from corecast.measure.campaign import Campaign
from corecast.measure.export.model import infer, learn, port_bound, row_of
from corecast.measure.judge.forms.results import FormResult, PairResult, PortResult, Results, read_results
from corecast.measure.record.interval import Interval
from measure.hidden import FORMS, hidden


def result(
    form: str, throughput: Interval | None, *pairs: tuple[str, str, float, float], stable: bool = True
) -> FormResult:
    latencies = tuple(PairResult(a, b, Interval(low, high), "direct", True) for a, b, low, high in pairs)
    return FormResult(form, throughput, stable, latencies)


@pytest.fixture(scope="module")
def skylake() -> Machine:
    return load_machine("skylake_x")


def test_a_hidden_core_comes_back_from_its_records(tmp_path: Path) -> None:
    core = hidden(tmp_path / "core", 5)
    records = tmp_path / "records"
    Campaign(SimulatedCore(core.machine), records, list(FORMS)).run()
    inferred = infer(read_results(records), tmp_path / "model", "skylake_x")
    assert inferred.rows == len(FORMS)
    model = load_machine(tmp_path / "model")
    for (form, source, target), cycles in core.latencies.items():
        entry = model.core.find(form)
        assert entry is not None
        assert {pair[:2]: pair[2] for pair in entry["latency"]}[source, target] == cycles  # type: ignore[attr-defined]
    for form, cycles in core.throughputs.items():
        entry = model.core.find(form)
        assert entry is not None
        assert entry["rthroughput"] == pytest.approx(cycles, rel=0.03)
        ports = [(count, "|".join(names)) for count, names in entry["ports"]]  # type: ignore[attr-defined]
        assert port_bound(model, ports) == pytest.approx(cycles, rel=0.1)
    assert model.core.find("mov r64, r64") == load_machine("skylake_x").core.find("mov r64, r64")


def test_ports_that_imply_the_throughput_stay(skylake: Machine) -> None:
    row = row_of(result("imul r64, r64", Interval(1.02, 1.02), ("1", "1", 3.0, 3.0)), skylake)
    assert row is not None
    assert row.ports == ((1.0, "p1"),)
    assert row.confidence == "measured"


def test_of_an_interval_the_whole_micro_op_counts() -> None:
    """What breaks a dependence may take a part of the longer time; four micro-ops would take a cycle."""
    row = row_of(result("adc r64, i8", Interval(0.25, 0.31), ("1", "1", 1.0, 1.0)), load_machine("zen3"))
    assert row is not None
    assert row.ports == ((1.0, "ALU"),)
    assert row.uops == (1.0, 1.0, 1.0)


def test_a_form_of_an_unknown_extension_has_the_ports_of_a_narrower_one() -> None:
    """Zen 3 has no AVX-512: half the vector says where, its own time for how long."""
    zen3 = load_machine("zen3")
    row = row_of(result("vaddpd zmm, zmm, zmm", Interval(1.0, 1.0), ("2", "1", 3.0, 3.0)), zen3)
    assert row is not None
    assert row.ports == ((2.0, "FP23"),)
    assert "rule:narrower,rule:occupancy" in row.source
    division = row_of(result("vdivpd zmm, zmm, zmm", Interval(9.0, 9.0), ("2", "1", 13.0, 13.0)), zen3)
    assert division is not None
    assert division.blocking == (("FDIV", 9.0),)


def test_a_form_that_nobody_knows_has_the_ports_of_its_class() -> None:
    zen3 = load_machine("zen3")
    row = row_of(result("vpermt2d ymm, ymm, ymm", Interval(1.0, 1.0), ("2", "1", 3.0, 3.0)), zen3)
    assert row is not None
    assert row.ports == ((4.0, "FP0123"),)
    assert row.confidence == "derived"
    assert "rule:class" in row.source
    load = row_of(result("vpermt2d ymm, ymm, m256", Interval(1.0, 1.0), ("2", "1", 3.0, 3.0)), zen3)
    assert load is not None
    assert [group for _, group in load.ports or ()] == ["FP0123", "LDV"]


def test_microcode_of_unknown_ports_blocks_nothing_else() -> None:
    row = row_of(result("vcompresspd m256, ymm", Interval(46.0, 46.0)), load_machine("zen3"))
    assert row is not None
    assert row.ports is None
    assert row.reciprocal_throughput_cycles == 46.0


def test_what_takes_a_cycle_is_no_move_that_renaming_does() -> None:
    """A masked move is derived from the plain one, which needs no port."""
    zen3 = load_machine("zen3")
    made = result("vmovdqa32 ymm{k}{z}, ymm", Interval(0.5, 0.5), ("2", "1", 1.0, 1.0), ("mask", "1", 1.0, 1.0))
    row = row_of(made, zen3)
    assert row is not None
    assert row.ports == ((2.0, "FP0123"),)


def test_a_move_that_takes_a_cycle_to_its_own_register_is_renamed_all_the_same() -> None:
    """movaps xmm15, xmm15 takes a cycle where all other moves take none: what repeats six times a cycle is no cycle."""
    made = result("movaps xmm, xmm", Interval(0.16, 0.16), ("2", "1", 1.0, 1.0))
    row = row_of(made, load_machine("emerald_rapids"))
    assert row is not None
    assert (row.ports, row.flags) == ((), ("eliminated",))
    assert [each.cycles for each in row.latency or ()] == [0.0]


def test_ports_that_do_not_are_held_longer_and_marked(skylake: Machine) -> None:
    row = row_of(result("imul r64, r64", Interval(2.0, 2.0), ("1", "1", 3.0, 3.0)), skylake)
    assert row is not None
    assert row.ports == ((2.0, "p1"),)
    assert "rule:occupancy" in row.source
    assert row.confidence == "derived"


def test_ports_that_were_measured_win(skylake: Machine) -> None:
    own = PortResult("skylake_x", ((1.0, ("5",)),))
    row = row_of(result("imul r64, r64", Interval(1.0, 1.0)), skylake, own)
    assert row is not None
    assert row.ports == ((1.0, "5"),)
    assert row.source == "corecast:measured(latency,throughput,ports)+skylake_x(uops)"
    foreign = row_of(result("imul r64, r64", Interval(1.0, 1.0)), skylake, PortResult("zen4", own.usage))
    assert foreign is not None
    assert foreign.ports == ((1.0, "p1"),)


def test_measured_ports_that_leave_time_unexplained_do_not(skylake: Machine) -> None:
    """What a mixture does not keep waiting may still be busy: of `vzeroupper` on a Zen 4 nothing is seen."""
    row = row_of(result("imul r64, r64", Interval(1.0, 1.0)), skylake, PortResult("skylake_x", ()))
    assert row is not None
    assert row.ports == ((1.0, "p1"),)


def test_ports_that_stand_for_others_count_as_those() -> None:
    """Rows name three address units, of which the core has two."""
    full = load_machine("zen4")
    narrow = variant(full, {"ports.spread.AGU2": ["AGU0", "AGU1"]})
    assert port_bound(full, [(1.0, "AGU")]) == pytest.approx(1 / 3)
    assert port_bound(narrow, [(1.0, "AGU")]) == 0.5


def test_a_throughput_that_was_not_stable_is_an_upper_limit_only(skylake: Machine) -> None:
    slow = row_of(result("imul r64, r64", Interval(2.0, 2.0), stable=False), skylake)
    fast = row_of(result("imul r64, r64", Interval(0.5, 0.5), stable=False), skylake)
    assert slow is not None
    assert fast is not None
    assert slow.ports == ((1.0, "p1"),)
    assert fast.ports == ((0.5, "p1"),)


def test_an_interval_limits_what_the_other_core_says(skylake: Machine) -> None:
    inside = row_of(result("vmovq xmm, r64", None, ("2", "1", 1.0, 5.0)), skylake)
    above = row_of(result("vmovq xmm, r64", None, ("2", "1", 3.0, 5.0)), skylake)
    assert inside is not None
    assert above is not None
    assert [each.cycles for each in inside.latency or ()] == [2.0]
    assert [each.cycles for each in above.latency or ()] == [3.0]


def test_what_is_faster_than_its_class_needs_no_port_of_it() -> None:
    """A NOP of twelve a cycle has no quarter of an adder."""
    zen4 = load_machine("zen4")
    row = row_of(result("cldemote m8", Interval(0.083, 0.083)), zen4)
    assert row is not None
    assert row.ports is None
    assert row.confidence == "derived"


def test_what_serializes_still_does_where_its_ports_are_assumed() -> None:
    row = row_of(result("lfence", Interval(17.0, 17.0)), load_machine("zen4"))
    assert row is not None
    assert "serializing" in row.flags


def test_micro_ops_that_hold_their_ports_shorter_are_as_many() -> None:
    """Three quarters of four uses of three groups are not three micro-ops."""
    row = row_of(result("rol m32, 1", Interval(0.5, 0.5)), load_machine("zen3"))
    assert row is not None
    assert row.ports == ((0.75, "ALU12"), (1.5, "AGU"), (0.75, "ST"))
    assert row.uops == (2, 4, 2)


def test_a_form_without_any_value_has_no_row(skylake: Machine) -> None:
    assert row_of(result("imul r64, r64", None), skylake) is None


def test_records_of_another_instruction_set_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="of aarch64"):
        infer(Results("some core", "aarch64", {}), tmp_path / "model", "skylake_x")


def test_a_model_of_another_origin_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "pipeline.toml").write_text('name = "mine"\n')
    some = Results("some core", "x86", {"imul r64, r64": result("imul r64, r64", Interval(1, 1))})
    with pytest.raises(InputError, match="not inferred"):
        infer(some, tmp_path, "skylake_x")


def test_the_users_own_model_grows_and_hides_the_packaged_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORECAST_MACHINES", str(tmp_path))
    core = SimulatedCore(load_machine("zen4"))
    records = tmp_path / "zen4" / "records"
    records.parent.mkdir()
    for form in ("imul r64, r64", "popcnt r64, r64"):
        Campaign(core, records, [form]).run()
        learn(records, "zen4")
    model = load_machine("zen4")
    for form in ("imul r64, r64", "popcnt r64, r64"):
        entry = model.core.find(form)
        assert entry is not None
        assert str(entry["source"]).startswith("corecast:measured")
    assert model.core.find("andn r64, r64, r64") is not None


def test_what_helpers_cost_is_solved_anew_from_all_their_chains(tmp_path: Path) -> None:
    """A second run on a busy machine found its helpers slow: the first run's chains correct what it subtracted."""
    pytest.importorskip("scipy")
    path = tmp_path / "records"
    Campaign(SimulatedCore(load_machine("skylake_x")), path, ["vmovq xmm, r64"]).run()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        if line["kind"] == "form":
            line["latencies"][0]["min_cycles"] = line["latencies"][0]["max_cycles"] = 0.3
    slow = [
        {**line, "cycles": line["cycles"] * 1.5}
        for line in lines
        if line["kind"] == "link" and "lfence" in line["text"]
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in [*slow, *lines]))
    (pair,) = read_results(path).forms["vmovq xmm, r64"].latencies
    assert pair.cycles.exact
    assert pair.cycles.high == pytest.approx(2.0, abs=0.05)


def test_of_several_timings_of_a_helper_none_that_lies_far_off_counts(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    path = tmp_path / "records"
    Campaign(SimulatedCore(load_machine("skylake_x")), path, ["vmovq xmm, r64"]).run()
    before = read_results(path).forms["vmovq xmm, r64"].latencies
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    far_off = [
        {**each, "cycles": each["cycles"] * factor}
        for each in lines
        if each["kind"] == "link"
        for factor in (0.8, 1.0, 3.0)
    ]
    assert far_off
    path.write_text("".join(json.dumps(line) + "\n" for line in [*far_off, *lines]))
    assert read_results(path).forms["vmovq xmm, r64"].latencies == before


def test_a_range_that_helpers_are_not_to_blame_for_stays_one(tmp_path: Path) -> None:
    """Results that are there now sooner, now later: what the chain took at the front end's pace is its first kernel."""
    path = tmp_path / "records"
    Campaign(SimulatedCore(load_machine("skylake_x")), path, ["seto r8"]).run()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        for each in line.get("latencies", ()):
            each["min_cycles"] -= 0.7 if each["helpers"] else 0.0
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    linked = [each for each in read_results(path).forms["seto r8"].latencies if each.method == "linked"]
    assert linked
    for each in linked:
        assert (each.cycles.low, each.cycles.high) == pytest.approx((0.3, 1.0), abs=0.02)
