"""LLVM's scheduling models by vector type: every form's pseudo instruction is found, or there is no such form."""

from __future__ import annotations

import pytest

from corecast import _core


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
