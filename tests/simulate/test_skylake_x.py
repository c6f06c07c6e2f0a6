"""What was timed on a Skylake-SP, and what the shipped model says of it."""

from __future__ import annotations

import pytest

from block_strategies import assembled, simulated
from corecast import _core, predict
from corecast.machine import load_machine, variant
from corecast.prediction.engine import Mode


def cycles(text: str, mode: Mode) -> float:
    return simulated("skylake_x", text, mode)


def hexadecimal(text: str) -> str:
    return "".join(bytes(each.bytes).hex() for each in assembled("x86", text.split("; ")))


@pytest.mark.parametrize(
    ("text", "mode", "measured"),
    [
        ("; ".join(3 * ["lea rsi, [rdi + 0x30]; lea rdi, [rdi + 0x90]"]), "loop", 3.0),
        ("lea rdi, [rdi + 8]; cmp rdi, rdx", "loop", 1.153),
        ("add rbx, 8; mov rbp, [rbx]; test rbp, rbp", "loop", 1.226),
        ("add r8, 1; add rax, rcx; add r12, 4; cmp r8, rdx", "unroll", 1.0),
    ],
)
def test_slots_see_some_of_what_others_took_in_their_cycle(text: str, mode: Mode, measured: float) -> None:
    """Loops without a period end within some two percent of where they lead."""
    assert cycles(text.replace("; ", "\n"), mode) == pytest.approx(measured, rel=0.03)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        # One group of rename a copy: `cmp` is the fourth of what is decoded at once.
        ("xor ecx, ecx; add rax, 4; mov [rax - 4], cx; cmp rax, 0x617718", 1.002),
        # Of groups of `add, cmp, add, cmp` some additions meet a comparison at their port.
        ("add rbx, 4; cmp rbx, 24", 1.072),
    ],
)
def test_the_last_decoder_does_not_wait_for_what_might_fuse(text: str, measured: float) -> None:
    assert cycles(text.replace("; ", "\n"), "unroll") == pytest.approx(measured, rel=0.06)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("sub qword ptr [rax], 1", 5.427),  # the scheduler holds 29
        ("mov rax, [rbx]; lea r13, [rax - 1]; test r13, r13; mov [rbx], r13", 5.058),  # and 19 of these
        ("or byte ptr [rbx + 0x1f], 8; cmp r13d, 1; mov [rbx + 0x10], rbx; mov [rbx + 0x20], rax", 4.429),
        ("mov rax, [rsp + 0x38]; add [rsp - 0x30], rax; mov rax, [rsp + 0x30]; cmp [rsp + 8], rax", 5.0),  # queue full
    ],
)
def test_data_come_through_memory_sooner_the_fewer_loads_wait(text: str, measured: float) -> None:
    assert cycles(text.replace("; ", "\n"), "loop") == pytest.approx(measured, rel=0.02)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("mov eax, [rbx + 0x30]; lea edx, [rax + 1]; test eax, eax; mov [rbx + 0x30], edx", 5.03),
        ("add qword ptr [r14 + 0x38], 1; mov rdx, [rsp + 0x60]; cmp rdx, [r14 + 0x30]", 5.23),
    ],
)
def test_two_links_of_a_chain_through_memory_are_as_fast_as_one(text: str, measured: float) -> None:
    twice = "; ".join(2 * [text])
    assert cycles(twice.replace("; ", "\n"), "loop") / 2 == pytest.approx(measured, rel=0.02)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("add dword ptr [rax + 0x14], 1; test byte ptr [rax + 0x10], 1", 8.01),
        ("add qword ptr [r14 + 0x38], 1; cmp rbx, [r14 + 0x30]", 8.0),
        ("add r14, 12; add qword ptr [rsp + 8], 12; cmp r14, [rsp + 0x18]", 5.455),  # no longer one group
        ("add qword ptr [rbp + 0x10], 1; mov rdi, rbx", 5.441),  # no other load
    ],
)
def test_an_update_and_a_load_that_are_one_group_of_rename_take_longer(text: str, measured: float) -> None:
    assert cycles(text.replace("; ", "\n"), "loop") == pytest.approx(measured, rel=0.01)


def test_what_such_a_loop_takes_is_the_cores_figure() -> None:
    machine = variant(load_machine("skylake_x"), {"store_forwarding.one_group_latency_cycles": 5})
    code = hexadecimal("add dword ptr [rax + 0x14], 1; test byte ptr [rax + 0x10], 1")
    [found] = predict([code], machine, mode="loop", method="simulate")
    assert found.cycles == pytest.approx(6, abs=0.01)


def test_two_loads_that_wait_have_their_data_as_usual() -> None:
    text = "add dword ptr [rbx + 0x1c], 16\nadd dword ptr [rbx + 0x18], 1"
    assert cycles(text, "loop") == pytest.approx(5.4375, abs=0.01)


def test_without_the_list_all_loads_have_their_data_after_the_same_time() -> None:
    machine = variant(load_machine("skylake_x"), {"store_forwarding.latency_by_waiting": []})
    text = ["mov rax, [rbx]", "lea r13, [rax - 1]", "test r13, r13", "mov [rbx], r13"]
    found = _core.simulate(machine.core, assembled("x86", text), "unroll").cycles_per_iteration
    assert found == pytest.approx(5.4375, abs=0.01)


FIVE_UOPS = "mov rax, [rbp - 0x490]; mov rdi, [rbp - 0x300]; add rax, 0x10; cmp rdi, rax"  # 21 bytes, third at 14 to 18


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        (FIVE_UOPS, 1.596),
        ("lea rbx, [rsp + 0x120]; mov esi, [rsp + 0x1c]; mov edx, 1; mov rdi, rbx", 1.599),
        # The fourth lies in both halves of the block.
        ("mov rdi, [rbp - 0x248]; mov rdx, r14; mov rsi, r15; mov [rbp - 0x98], rax", 1.25),
        # Two bytes longer.
        ("lea rdi, [rsp + 0x4f0]; mov ecx, 128; mov edx, 0x485160; mov esi, 16", 1.25),
        # Six slots of the uop cache.
        ("add rsi, 1; movabs rax, 0x20000000000000; test rsi, rax; mov [r12], rsi", 1.25),
    ],
)
def test_five_uops_whose_third_lies_in_both_halves_of_a_block(text: str, measured: float) -> None:
    assert cycles(text.replace("; ", "\n"), "loop") == pytest.approx(measured, rel=0.01)


def test_bounds_know_what_such_a_loop_pays() -> None:
    [found] = predict([hexadecimal(FIVE_UOPS)], "skylake_x", mode="loop", method="bounds")
    assert found.cycles == pytest.approx(1.6, abs=0.01)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("cmpxchg dword ptr [rbp], esi", 5.0),
        ("cmpxchg qword ptr [rsi + 8], rdi; cmp rcx, rax; mov r12, rax", 5.001),
        ("mov eax, edi; cdq; idiv esi; test edx, edx", 8.0),  # six micro-ops of microcode
    ],
)
def test_a_single_micro_op_of_microcode_follows_the_uop_cache_sooner(text: str, measured: float) -> None:
    assert cycles(text.replace("; ", "\n"), "loop") == pytest.approx(measured, rel=0.01)


@pytest.mark.parametrize(
    ("block", "measured"),
    [
        (
            "488b842470020000488bbc24880200004c8b4424704c89f14c895c24604863108b450048897c2408c7442410010000004889"
            "1c2429d083c001898424700100004889d0490fafd748035424684801d0488d9424700100004d8d4cc50031c0",
            6.001,
        ),
        (
            "488d842410010000488dac2488020000488d9c24d804000031c931d231ff4889442440488d8424a00200004531e44c8d8424"
            "9000000048894424384989c7488d8424300400004889442430498d450f4883e0f04c8d5010c5e157db",
            6.003,
        ),
        (
            "66410f6fc966410f6feb660fdfc8660f72d10466410fdbc1660f3800e866410f6fda660fefc1660f3800d966410f6fe2660f"
            "efdd660f3800e066410f6fd2660fefe5660f3800d366410f6fda660fefd0660f3800dcf3410f6f29660fefd9",
            7.001,
        ),
        (
            "0fb66c24030fb64424020fb61424440fb6642407c1e50809c50fb644240141c1e4084863ed48c1e510c1e00809d00fb65424"
            "0448984809c50fb64424064109c40fb64424054d63e449c1e410c1e00809d048984909c431f6bf408a640031db",
            8.999,
        ),
        (
            "488b7c24184d89f7488d5701488b0048c1e706480faf9424b800000048897c247048c1e204480354245048899424f8000000"
            "488b4c2420488b9424000100004829ca4889ce4839c2480f4fd04801d648895424604889f74889742430488bb42408010000"
            "4839f7480f4ef74883bc24d0000000004889b424c0000000",
            8.001,
        ),
    ],
)
def test_loops_of_which_only_the_first_64_bytes_are_cached(block: str, measured: float) -> None:
    [found] = predict([block], "skylake_x", mode="loop", method="simulate")
    assert found.cycles == pytest.approx(measured, rel=0.005)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        # An immediate that takes a second place ends a cycle. Behind the branch of the next one five places are needed.
        ("movzx r8d, cl; xor eax, eax; lea rdx, [rdi + 1]; test byte ptr [r8 + 0x4fe3a0], 4", 2.0),
        ("mov rax, [rdi]; lea rdx, [rax + 4*rax]; lea rax, [rax + 2*rdx]; test byte ptr [8*rax + 0x476f80], 64", 2.001),
        # Three.
        ("mov eax, [r14 + 96]; mov dword ptr [rbx + 0x90e0], 0; test eax, eax", 1.002),
        ("movzx ecx, al; test byte ptr [4*rcx + 0x5d0720], 7", 1.001),
        # Four.
        ("mov rsi, [rdi + 0x48]; mov [rdi + 0x90], r12; movabs rdx, 0xf4240f4240f41; mov rdi, r12", 1.25),
    ],
)
def test_a_loop_goes_on_in_the_cycle_of_its_branch_with_four_places(text: str, measured: float) -> None:
    assert cycles(text.replace("; ", "\n"), "loop") == pytest.approx(measured, rel=0.005)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        # `and`, the merge for `test`, and a cycle more to read a high byte of what was merged.
        ("and ah, -3; test eax, 0x800000; mov [rbx + 0xa0], eax", 3.0),
        ("; ".join(2 * ["and ah, -3; test eax, 0x800000; mov [rbx + 0xa0], eax"]), 6.001),
        ("; ".join(2 * ["mov eax, ecx; and ah, -33; cmp eax, 5"]), 4.001),
    ],
)
def test_all_readers_behind_a_merge_of_high_bytes_wait_for_it(text: str, measured: float) -> None:
    assert cycles(text.replace("; ", "\n"), "loop") == pytest.approx(measured, rel=0.005)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("mov rax, [rdi + 0x20]; mov rax, [rax]; mov eax, [rax + 0x40]", 1.561),
        ("mov r8, [rbx + 8*r14]; mov rdi, [r8 + 0x30]; mov rdx, [rdi - 24]; cmp rdx, rbp", 1.562),
        ("mov rcx, [rsp + 8]; mov esi, [rcx + 0x1c]; mov eax, [rcx + 0x20]; lea edx, [rsi - 1]; test edx, eax", 1.626),
        ("mov rax, [r12 + 0x18]; mov r9, [rax + 8*rbp]; mov rdi, [r9 + 0x10]; cmp qword ptr [rdi], 0", 2.217),
        # Of three one waits for another, of four two do.
        ("mov rax, [rsp + 0x28]; mov rsi, [rsp + 0x20]; mov rdi, [rax + 0x20]", 1.501),
        ("mov rdi, [rsp + 0x28]; mov rdx, [rbp]; mov rcx, [rdi]; cmp [rdx], rcx", 2.001),
    ],
)
def test_loads_that_wait_for_others_fill_the_scheduler_of_addresses(text: str, measured: float) -> None:
    assert cycles(text.replace("; ", "\n"), "loop") == pytest.approx(measured, rel=0.016)
