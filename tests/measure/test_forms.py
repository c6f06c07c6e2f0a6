"""Instructions are made of form keys, and are of that form."""

from __future__ import annotations

import pytest

from corecast import load_machine
from corecast.errors import InputError
from corecast.measure.forms import distinct, parse_form


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("imul r64, r64", "imul rbx, rbp"),
        ("add r32, i8", "add ebx, 7"),
        ("add r16, i16", "add bx, 4660"),
        ("mov m32, r32", "mov dword ptr [rbx], ebp"),
        ("vaddpd zmm{k}{z}, zmm, m512bcst", "vaddpd zmm2 {k1} {z}, zmm3, qword ptr [rbx]{1to8}"),
        ("vaddps zmm, zmm, m512bcst", "vaddps zmm2, zmm3, dword ptr [rbx]{1to16}"),
        ("vaddpd zmm, zmm, zmm, {rn-sae}", "vaddpd zmm2, zmm3, zmm4, {rn-sae}"),
        ("vcmppd k{k}, zmm, zmm, i8", None),
        ("shl r64, cl", "shl rbx, cl"),
        ("movzx r32, r8h", "movzx ecx, bh"),
        ("lea r64, m3", "lea rbx, [rbp + rsi + 16]"),
        ("lock add m64, r64", "lock add qword ptr [rbx], rbp"),
        ("kandq k, k, k", "kandq k1, k2, k3"),
        ("paddb mm, mm", "paddb mm0, mm1"),
        ("mul r64", "mul rbx"),
    ],
)
def test_a_key_makes_an_instruction(key: str, text: str | None) -> None:
    made = parse_form(key).example
    assert key in (made.form, *made.alternative_forms)
    if text is not None:
        assert made.text == text


def test_registers_can_be_chosen() -> None:
    form = parse_form("vaddpd ymm, ymm, m256")
    assert [slot.name for slot in form.slots] == ["1", "2", "addr"]
    assert form.instruction({"1": 7, "2": 9, "addr": 12}, 64).text == "vaddpd ymm7, ymm9, ymmword ptr [r12 + 64]"


def test_the_example_has_different_registers() -> None:
    form = parse_form("vfmadd231pd zmm{k}, zmm, zmm")
    numbers = distinct(form.slots)
    assert len({(slot.kind, numbers[slot.name]) for slot in form.slots}) == len(form.slots)


@pytest.mark.parametrize("key", ["imul", "frobnicate r64", "imul r64, xmm", "jne rel", "mov cr, r64", ""])
def test_what_is_no_form_is_refused(key: str) -> None:
    with pytest.raises(InputError):
        parse_form(key)


def test_almost_every_form_of_a_model_can_be_made() -> None:
    """Gathers, branches, string instructions and segment registers are left out so far."""
    keys = [key for key in load_machine("skylake_x").keys() if "@" not in key][::10]  # noqa: SIM118
    made = 0
    for key in keys:
        try:
            parse_form(key)
        except InputError:
            continue
        made += 1
    assert made / len(keys) > 0.97
