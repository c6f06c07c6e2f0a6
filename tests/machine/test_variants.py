"""Variants of a machine: other values of some keys."""

from __future__ import annotations

from itertools import pairwise

import pytest

import corecast
from corecast.analysis import analyze_kernel
from corecast.asm import Kernel
from corecast.errors import InputError, MachineModelError
from corecast.machine import list_machines, load_machine, parse_settings, sharing_ports, variant
from toy_machines import toy


def cycles(code: str, mode: str, **settings: object) -> float:
    """Simulated on Skylake-X with keys set, `rename__width` for `rename.width`."""
    machine = variant(load_machine("skylake_x"), {key.replace("__", "."): value for key, value in settings.items()})
    found = corecast.predict([code], machine, mode=mode, method="simulate")[0].cycles  # type: ignore[arg-type]
    assert found is not None
    return found


def test_settings_are_written_as_in_toml() -> None:
    settings = parse_settings(["a.b=3", " c = true ", 'd=["0", "1"]', "e=in_turn", "f=-1.5"])
    assert settings == {"a.b": 3, "c": True, "d": ["0", "1"], "e": "in_turn", "f": -1.5}


@pytest.mark.parametrize("text", ["", "a", "=3", "a="])
def test_what_is_no_setting_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="KEY=VALUE"):
        parse_settings([text])


def test_an_unknown_key_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"no key back_end\.rob_entrys; did you mean back_end\.rob_entries"):
        variant(toy("toy_x86"), {"back_end.rob_entrys": 3})


def test_a_value_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(MachineModelError, match=r"^port_choice\.policy must be"):
        variant(load_machine("skylake_x"), {"port_choice.policy": "by_chance"})


def test_the_machine_itself_stays_as_it_is() -> None:
    machine = load_machine("skylake_x")
    changed = variant(machine, {"loads.latency_cycles": 9})
    assert changed.parameter("loads.latency_cycles") == 9
    assert machine.parameter("loads.latency_cycles") == 5
    assert variant(machine, {}) is machine


def test_a_key_has_the_name_of_format_1_too() -> None:
    nops = "90" * 8
    assert cycles(nops, "unroll") == pytest.approx(2)
    assert cycles(nops, "unroll", rename__width=2) == pytest.approx(4)
    assert cycles(nops, "unroll", rename__dispatch_width_uops_per_cycle=2) == pytest.approx(4)


def test_a_name_of_format_1_that_said_the_opposite() -> None:
    machine = load_machine("skylake_x")
    older = "front_end.dsb_branch_may_cross_or_end_at_32_byte_boundary"
    assert machine.parameter("uop_cache.excludes_branch_at_block_end") is True
    assert variant(machine, {older: True}).parameter("uop_cache.excludes_branch_at_block_end") is False


def test_an_ideal_front_end_leaves_the_width_of_rename() -> None:
    long_nops = "662e0f1f840000000000" * 4  # 40 bytes: 2.5 blocks of the predecoder
    assert cycles(long_nops, "unroll") > 2
    assert cycles(long_nops, "unroll", rename__ideal_supply=True) == pytest.approx(1)


def test_without_macro_fusion_a_pair_takes_two_slots() -> None:
    body = "90" * 7 + "48ffc9" + "75f4"  # seven nops; dec, jnz
    assert cycles(body, "loop") == pytest.approx(2)
    assert cycles(body, "loop", fusion__enabled=False) > 2.2


def test_without_micro_fusion_a_load_and_its_operation_take_two_slots() -> None:
    body = "480306" + "48035e08" + "90" * 2  # add rax, [rsi]; add rbx, [rsi+8]; nop; nop
    assert cycles(body, "unroll", rename__ideal_supply=True) == pytest.approx(1)
    assert cycles(body, "unroll", rename__ideal_supply=True, rename__one_uop_per_slot=True) == pytest.approx(1.5)


def test_ports_in_turn_load_every_port_of_a_set_alike() -> None:
    body = "480fafc0" + "4801cb" + "4801ce"  # imul on p1, two adds on p0156
    assert cycles(body * 4, "unroll", port_choice__policy="in_turn") >= cycles(body * 4, "unroll")


def test_a_load_may_ignore_stores() -> None:
    body = "48ff06"  # inc qword ptr [rsi]
    assert cycles(body, "unroll") > 3
    assert cycles(body, "unroll", store_forwarding__enforced=False) <= 2


def test_keys_have_short_names() -> None:
    machine = load_machine("skylake_x")
    for name in ("reorder_buffer", "rob_entries", "reorder_buffer.entries"):
        assert variant(machine, {name: 77}).parameter("reorder_buffer.entries") == 77


def test_a_place_in_a_list_can_be_set() -> None:
    machine = load_machine("gem5_sve")
    changed = variant(machine, {"schedulers.0.entries": 7})
    assert changed.pipeline["schedulers"][0]["entries"] == 7
    assert machine.pipeline["schedulers"][0]["entries"] == 120
    with pytest.raises(InputError, match="places 0 to 0"):
        variant(machine, {"schedulers.3.entries": 7})


def test_units_are_copied_or_merged() -> None:
    machine = load_machine("neoverse_n1")  # V0 and V1 differ: only V0 divides
    four = variant(machine, {"vector_units": "4x128"})
    assert [port for port in four.ports if port.startswith("V")] == ["V0", "V1", "V0_1", "V1_1"]
    fdiv, fadd = (four.core.find(form) for form in ("fdiv d, d, d", "fadd d, d, d"))
    assert fdiv is not None
    assert fadd is not None
    assert fdiv["ports"] == ((1.0, ("V0", "V0_1")),)
    assert fadd["ports"] == ((1.0, ("V0", "V1", "V0_1", "V1_1")),)
    one = variant(machine, {"vector_units": "1x512"})
    assert [port for port in one.ports if port.startswith("V")] == ["V0"]
    assert one.core.vector_bits == 512
    for form in ("fdiv d, d, d", "fadd d, d, d"):
        found = one.core.find(form)
        assert found is not None
        assert found["ports"] == ((1.0, ("V0",)),)


@pytest.mark.parametrize("setting", ["2", "x256", "2x", "0x128", "2x100"])
def test_units_that_cannot_be_are_refused(setting: str) -> None:
    with pytest.raises((InputError, MachineModelError)):
        variant(load_machine("neoverse_n1"), {"vector_units": setting})


def test_units_need_a_model_that_names_them() -> None:
    with pytest.raises(InputError, match=r"vectors\.ports"):
        variant(load_machine("skylake_x"), {"vector_units": "2x256"})


def test_vector_lengths_are_for_code_that_leaves_them_open() -> None:
    with pytest.raises(InputError, match="x86"):
        variant(load_machine("skylake_x"), {"vector_length_bits": 256})
    with pytest.raises(MachineModelError, match="power of two"):
        variant(load_machine("a64fx"), {"vector_length_bits": 384})


def test_a_changed_latency_is_marked_as_assumed() -> None:
    changed = variant(load_machine("skylake_x"), {"latency:vaddp*": 9, "uops:vmulpd": 2})
    found = changed.core.find("vaddpd ymm, ymm, ymm")
    assert found is not None
    assert {rule[2] for rule in found["latency"]} == {9}  # type: ignore[attr-defined]
    assert found["confidence"] == "assumed"
    multiplied = changed.core.find("vmulpd ymm, ymm, ymm")
    assert multiplied is not None
    assert multiplied["uops"] == (2, 2, 2)
    assert [count for count, _ in multiplied["ports"]] == [2]  # type: ignore[attr-defined]


def test_loads_can_come_from_farther_away() -> None:
    changed = variant(load_machine("skylake_x"), {"loads.extra_latency_cycles": 10})
    near, far = (machine.core.find("mov r64, m64") for machine in (load_machine("skylake_x"), changed))
    assert near is not None
    assert far is not None
    assert [b[2] - a[2] for a, b in zip(near["latency"], far["latency"], strict=True)] == [10, 10]  # type: ignore[call-overload]


def test_ports_of_instructions_change_by_pattern() -> None:
    kernel = Kernel.from_text("mla v0.4s, v2.4s, v1.4s\nfadd v3.4s, v4.4s, v5.4s", isa="aarch64")
    changed = variant(load_machine("tsv110"), {"ports:ml*": "3*FSU1"})
    rows = analyze_kernel(kernel, changed).instructions
    assert rows[0].port_pressure == {"FSU1": 3}
    assert rows[0].uops == 3
    assert "FSU2" in rows[1].port_pressure
    with pytest.raises(MachineModelError, match="FSU9"):
        analyze_kernel(kernel, variant(load_machine("tsv110"), {"ports:mla": "1*FSU9"}))


def test_ports_can_be_shared() -> None:
    kernel = Kernel.from_text("fdiv v0.4s, v2.4s, v1.4s\nmul v3.4s, v4.4s, v5.4s", isa="aarch64")
    machine = load_machine("tsv110")
    assert analyze_kernel(kernel, machine).instructions[1].port_pressure.keys() == {"FSU1"}
    shared = sharing_ports(machine, ["FSU1"], ["FSU2"])
    assert "FSU2" in analyze_kernel(kernel, shared).instructions[1].port_pressure
    assert shared.pipeline["ports"]["spread"]["FSU1"] == ["FSU1", "FSU2"]
    assert "spread" not in machine.pipeline["ports"]


@pytest.mark.parametrize("cpu", [each.name for each in list_machines()])
def test_any_port_can_be_shared(cpu: str) -> None:
    """Advice asks what that would bring; rules of a core that name the port by itself still do."""
    machine = load_machine(cpu)
    names = machine.pipeline["ports"]["names"]
    for port, other in pairwise(names):
        shared = sharing_ports(machine, [port], [other])
        assert other in shared.pipeline["ports"]["spread"][port]


def test_what_shares_ports_waits_in_one_scheduler() -> None:
    machine = load_machine("zen4")
    shared = sharing_ports(machine, ["ALU1"], ["ALU0", "ALU3"])
    first = shared.pipeline["schedulers"][0]
    assert first["ports"] == ["ALU0", "AGU0", "ALU1", "AGU1", "ALU3", "BRU1"]
    assert first["entries"] == 72
    assert "spread_ports" in machine.pipeline["rename"]
    kernel = Kernel.from_text("imul eax, ebx, 3\nimul ecx, ebx, 5\nimul edx, ebx, 7", isa="x86")
    assert analyze_kernel(kernel, shared).core.cycles_per_iteration < 2


@pytest.mark.parametrize("value", [float("inf"), float("nan"), -float("inf")])
def test_what_is_no_finite_number_is_refused(value: float) -> None:
    with pytest.raises(MachineModelError, match=r"reorder_buffer\.entries must be an integer"):
        variant(toy("toy_x86"), {"reorder_buffer.entries": value})


@pytest.mark.parametrize("key", ["rename.width", "retire.width"])
def test_a_width_of_nothing_is_refused(key: str) -> None:
    with pytest.raises(MachineModelError, match=f"{key} must be a number above 0"):
        variant(load_machine("zen4"), {key: 0})


@pytest.mark.parametrize("width", [64, 1000, 10_000, 1e6])
@pytest.mark.parametrize("cpu", ["skylake_x", "zen4"])
def test_a_rename_as_wide_as_you_like_is_never_slower(cpu: str, width: float) -> None:
    machine = load_machine(cpu)
    wide = variant(machine, {"rename.width": width})
    code = ["c5fd5804c7c5fd1104c64883c02048ffc975ed"]
    usual = corecast.predict(code, machine, method="simulate").cycles[0]
    assert corecast.predict(code, wide, method="simulate").cycles[0] <= usual + 0.02


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True])
def test_a_scheduler_of_no_number_is_one_message(value: object) -> None:
    for cpu in ("skylake_x", "zen4"):
        with pytest.raises(MachineModelError, match=r"scheduler\.entries"):
            variant(load_machine(cpu), {"scheduler": value})


@pytest.mark.parametrize("parts", [[1], [{"ports": ["0"]}], [{"ports": ["0"], "entries": 0}], 7])
def test_faulty_schedulers_are_one_message_whatever_else_is_set(parts: object) -> None:
    with pytest.raises(MachineModelError, match="schedulers"):
        variant(load_machine("skylake_x"), {"schedulers": parts, "scheduler": 40})


def test_the_scheduler_is_shared_among_several() -> None:
    """Each keeps its part; "unlimited" means any number, and ports are chosen as before."""
    changed = variant(load_machine("zen4"), {"scheduler": 60}).pipeline["schedulers"]
    usual = load_machine("zen4").pipeline["schedulers"]
    total = sum(each["entries"] for each in usual)
    assert [each["entries"] for each in changed] == [round(each["entries"] * 60 / total) for each in usual]
    unlimited = variant(load_machine("zen4"), {"scheduler": "unlimited"}).pipeline
    assert "schedulers" not in unlimited
    assert unlimited["port_choice"]["policy"] == "at_issue"


@pytest.mark.parametrize("key", ["isa", "name"])
def test_a_variant_is_of_the_same_model(key: str) -> None:
    with pytest.raises(InputError, match=f"{key} says which model this is"):
        variant(load_machine("skylake_x"), {key: "aarch64"})
