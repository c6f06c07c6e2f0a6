"""LLVM's scheduling models by vector type: every form's pseudo instruction is found, or there is no such form."""

from __future__ import annotations

import pytest

from corecast import _core
from corecast.machine.llvm.schedule import _vector_rows, latencies
from corecast.machine.spelling import instructions_of


@pytest.fixture(scope="module")
def schedule() -> _core.Schedule:
    return _core.Schedule("riscv64", "sifive-p670")


def entry(schedule: _core.Schedule, text: str, lmul: str, bits: int) -> _core.ScheduleEntry:
    (instruction,) = _core.assemble("riscv64", text + "\n").instructions
    assert not instruction.unknown
    return schedule.entry(bytes(instruction.bytes), lmul, bits)


def cycles(schedule: _core.Schedule, text: str, lmul: str, bits: int) -> float:
    found = entry(schedule, text, lmul, bits)
    assert found.known, (text, lmul, bits)
    return sum(use.cycles for use in found.uses)


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("vfadd.vf v8, v16, ft1", "vfadd.vv v8, v16, v24"),
        ("vfrsub.vf v8, v16, ft1", "vfsub.vv v8, v16, v24"),
        ("vfmacc.vf v8, ft1, v16", "vfmacc.vv v8, v24, v16"),
        ("vmfgt.vf v8, v16, ft1", "vmflt.vv v8, v16, v24"),
    ],
)
def test_scalars_of_floating_point_registers_cost_by_group(schedule: _core.Schedule, text: str, like: str) -> None:
    """LLVM's own opcode has the cost of m8, whatever the group."""
    for lmul in ("m1", "m2", "m4", "m8"):
        assert cycles(schedule, text, lmul, 32) == cycles(schedule, like, lmul, 32)
    assert cycles(schedule, text, "m1", 32) * 8 == cycles(schedule, text, "m8", 32)


@pytest.mark.parametrize("text", ["vfmerge.vfm v8, v16, ft1, v0", "vfmv.v.f v8, ft1"])
def test_moves_of_scalars_cost_by_group(schedule: _core.Schedule, text: str) -> None:
    assert cycles(schedule, text, "m2", 64) * 4 == cycles(schedule, text, "m8", 64)


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_indexed_loads_cost_by_elements(schedule: _core.Schedule, bits: int) -> None:
    assert cycles(schedule, "vluxei16.v v8, (t0), v16", "m1", bits) == 128 / bits


def test_indexed_segments_have_the_groups_of_data_and_indices(schedule: _core.Schedule) -> None:
    narrow = cycles(schedule, "vluxseg2ei64.v v8, (t0), v16", "m1", 64)
    assert cycles(schedule, "vluxseg2ei64.v v8, (t0), v16", "m1", 32) > narrow


def test_loads_have_the_group_of_their_own_width(schedule: _core.Schedule) -> None:
    for lmul, bits in (("m8", 64), ("m4", 32), ("m1", 8)):
        assert cycles(schedule, "vle8.v v8, (t0)", lmul, bits) == 1
    assert cycles(schedule, "vlseg2e32.v v8, (t0)", "m1", 64) < cycles(schedule, "vlseg2e32.v v8, (t0)", "m1", 32)


def test_gathers_with_narrow_indices(schedule: _core.Schedule) -> None:
    for lmul in ("m1", "m2", "m4", "m8"):
        wide = cycles(schedule, "vrgather.vv v8, v16, v24", lmul, 32)
        assert cycles(schedule, "vrgatherei16.vv v8, v16, v24", lmul, 32) == wide


@pytest.mark.parametrize(
    ("text", "lmul", "bits"),
    [
        ("vfadd.vf v8, v16, ft1", "m1", 8),
        ("vwadd.vv v8, v16, v20", "m8", 16),
        ("vluxei64.v v8, (t0), v16", "m8", 8),
        ("vle64.v v8, (t0)", "m4", 8),
        ("vrgatherei16.vv v8, v16, v24", "m8", 8),
    ],
)
def test_types_at_which_an_instruction_does_not_exist(
    schedule: _core.Schedule, text: str, lmul: str, bits: int
) -> None:
    assert not entry(schedule, text, lmul, bits).known


def test_an_unknown_group_is_told(schedule: _core.Schedule) -> None:
    with pytest.raises(ValueError, match="register group"):
        entry(schedule, "vadd.vv v8, v16, v24", "m3", 32)


def test_a_locked_instruction_costs_what_the_plain_one_does() -> None:
    """LLVM decodes the prefix as an instruction of its own, with a class of its own."""
    zen3 = _core.Schedule("x86", "znver3")
    for locked, plain in (("f00107", "0107"), ("f0480107", "480107"), ("f0ff07", "ff07")):
        one, other = zen3.entry(bytes.fromhex(locked)), zen3.entry(bytes.fromhex(plain))
        assert one.instruction.form == f"lock {other.instruction.form}"
        assert (one.opcode, one.micro_ops) == (other.opcode, other.micro_ops)
        assert [(use.resource, use.cycles) for use in one.uses] == [(use.resource, use.cycles) for use in other.uses]
    assert not zen3.entry(b"\xff").known


@pytest.mark.parametrize(
    ("cpu", "text", "pairs"),
    [
        ("a64fx", "ld2 {v0.s, v1.s}[1], [x9], #8", {("addr", "1"): 8, ("1", "1"): 8, ("addr", "addr"): 1}),
        ("cortex-a72", "aesmc v0.16b, v1.16b", {("2", "1"): 3}),
    ],
)
def test_latencies_where_llvms_models_are_odd(cpu: str, text: str, pairs: dict[tuple[str, str], float]) -> None:
    """Writes of a post-indexed access in another order; an advance that is meant for a fused producer only."""
    (instruction,) = _core.assemble("aarch64", text + "\n").instructions
    found = latencies("aarch64", _core.Schedule("aarch64", cpu).entry(bytes(instruction.bytes)))
    assert {(pair.source, pair.destination): pair.cycles for pair in found} == pairs


def test_imported_loads_have_keys_of_their_own_width_only(schedule: _core.Schedule) -> None:
    """A load of 64-bit elements works on them whatever vsetvli says: no instruction has a key of another width."""
    found = [each for each in _core.enumerate_forms("riscv64") if each.form in ("vse64.v v, (x)", "vadd.vv v, v, v")]
    keys = [row.form for each in found for row in _vector_rows(schedule, each, DefaultPorts(), "llvm")]
    assert "vse64.v v, (x) @m2" in keys
    assert instructions_of("riscv64", keys).keys() == set(keys)


class DefaultPorts(dict[str, str]):
    """Every resource is a port of its name."""

    def __missing__(self, name: str) -> str:
        return name
