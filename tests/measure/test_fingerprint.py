"""Fingerprints: kernels whose time tells cores apart, on simulated cores in place of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast import _core
from corecast.machine import load_machine
from corecast.machine.recognize.decide import recognize
from corecast.machine.recognize.seen import Host
from corecast.machine.recognize.table import cores, features
from corecast.measure import SimulatedCore
from corecast.measure.judge.fingerprint import Distance, Fingerprint, compare, probes, take
from corecast.measure.judge.identify import identify, models_in_question
from recorded_hosts import recorded


def features_of(core: str) -> frozenset[str]:
    return cores()[core].features


def test_every_kernel_can_be_timed() -> None:
    names = [(probe.isa, probe.name) for probe in probes()]
    assert len(names) == len(set(names))
    for probe in probes():
        assert probe.kernel().isa == probe.isa
        assert not probe.needs or probe.needs in features()


def test_kernels_that_a_core_cannot_execute_are_left_out() -> None:
    readings = take(SimulatedCore(load_machine("nehalem")), features_of("nehalem"))
    assert {each.probe.needs for each in readings} <= features_of("nehalem") | {""}
    assert len(readings) > 10


def test_no_kernel_is_started_after_the_limit() -> None:
    assert take(SimulatedCore(load_machine("zen4")), features_of("zen4"), limit_seconds=0.0) == ()


@pytest.mark.parametrize(
    ("core", "others"),
    [
        ("granite_rapids", ["skylake_x", "rocket_lake", "sapphire_rapids"]),
        ("zen4", ["zen2", "zen3", "zen5"]),
        ("haswell", ["nehalem", "broadwell", "skylake"]),
        ("neoverse_v2", ["neoverse_n1", "cortex_a72"]),
    ],
)
def test_a_core_is_nearest_to_its_own_model(core: str, others: list[str]) -> None:
    readings = take(SimulatedCore(load_machine(core)), features_of(core))
    found = compare(readings, [load_machine(name) for name in [*others, core]])
    assert found.distances[0].machine == core
    assert found.distances[0].distance < 0.001
    assert found.is_decisive
    assert found.verdict == f"{core} is nearest, off by 0.0 % on average"


def test_models_that_predict_the_same_are_not_told_apart() -> None:
    readings = take(SimulatedCore(load_machine("emerald_rapids")), features_of("emerald_rapids"))
    found = compare(readings, [load_machine("emerald_rapids"), load_machine("sapphire_rapids")])
    assert not found.is_decisive
    assert "not by enough to decide" in found.verdict


def test_a_core_that_no_model_is_near_to_is_none_of_them() -> None:
    found = Fingerprint((), (Distance("a", 0.4, ()), Distance("b", 0.9, ())))
    assert found.nearest is None
    assert not found.is_decisive
    assert found.verdict == "no model is near: a is off by 49 % on average"


def test_too_few_kernels_are_not_compared() -> None:
    readings = take(SimulatedCore(load_machine("zen4")), features_of("zen4"))[:3]
    found = compare(readings, [load_machine("zen4")])
    assert found.distances == ()
    assert not found.is_decisive
    assert "too few" in found.verdict


def test_nothing_is_timed_without_a_doubt(tmp_path: Path) -> None:
    found = identify(recognize(recorded("zen4_masked_name", tmp_path)))
    assert found.fingerprint is None
    assert (found.machine, found.not_timed, found.certainty) == ("zen4", "no doubt", "sure")


def test_time_confirms_what_caches_alone_say(tmp_path: Path) -> None:
    recognition = recognize(recorded("granite_rapids_as_167_without_amx", tmp_path))
    assert set(models_in_question(recognition)) == {"rocket_lake", "granite_rapids"}
    found = identify(recognition, core=SimulatedCore(load_machine("granite_rapids")))
    assert (found.machine, found.basis, found.certainty) == ("granite_rapids", "caches", "sure")


def test_time_overrules_caches(tmp_path: Path) -> None:
    recognition = recognize(recorded("granite_rapids_as_167_without_amx", tmp_path))
    found = identify(recognition, core=SimulatedCore(load_machine("rocket_lake")))
    assert (found.machine, found.basis, found.certainty) == ("rocket_lake", "time", "likely")


def test_time_does_not_overrule_number_and_features(tmp_path: Path) -> None:
    recognition = recognize(recorded("zen4_masked_name", tmp_path))
    found = identify(recognition, "always", SimulatedCore(load_machine("zen5")))
    assert (found.machine, found.certainty) == ("zen4", "unsure")
    assert found.remark == "number and features say zen4, but zen5 predicts its times"


def test_time_tells_what_a_machine_without_a_known_number_is(tmp_path: Path) -> None:
    recognition = recognize(recorded("arm_masked", tmp_path))
    assert "neoverse_v2" in models_in_question(recognition)
    found = identify(recognition, core=SimulatedCore(load_machine("neoverse_v2")))
    assert found.fingerprint is not None
    assert found.fingerprint.distances[0].distance < 0.001
    assert found.machine in (None, "neoverse_v2")


def test_a_host_of_no_known_vendor_is_not_timed() -> None:
    found = identify(recognize(Host(vendor="Elsewhere")), core=SimulatedCore(load_machine("zen4")))
    assert (found.machine, found.not_timed) == (None, "no core is left to compare with")


@pytest.mark.skipif(bool(_core.measuring_obstacle()), reason="this host cannot be measured")
def test_this_machine_can_be_asked_not_to_time(tmp_path: Path) -> None:
    found = identify(recognize(recorded("granite_rapids_as_207", tmp_path)), "never")
    assert found.fingerprint is None
    assert found.not_timed == "not asked for"
