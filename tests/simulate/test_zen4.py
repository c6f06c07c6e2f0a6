"""Zen 4: loops that were timed on an EPYC 9004, each for one rule (pipeline facts AM-32 to AM-43, AM-51 to AM-58)."""

from __future__ import annotations

import pytest

import corecast
from corecast import _core
from corecast.machine import load_machine, variant

ADDITIONS = "add r8, 8\nadd r9, 8\nadd r10, 8\n"


def cycles(text: str, settings: dict[str, object] | None = None, method: str = "simulate") -> float:
    listing = _core.assemble("x86", text, "intel")
    assert not listing.problems
    code = "".join(bytes(each.bytes).hex() for each in listing.instructions)
    machine = variant(load_machine("zen4"), settings or {})  # type: ignore[arg-type]
    return float(corecast.predict([code], machine, mode="loop", method=method).cycles[0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        (ADDITIONS + "lea rdi, [r10 + rbx]\n", 2.0),
        (ADDITIONS + "lea rdi, [r8 + rbx]\n", 1.25),
        ("add r8, 8\nadd r9, 8\nlea rdi, [r9 + rbx]\nadd r10, 8\n", 1.75),
        ("add r8, 8\nadd r9, 8\nlea rdi, [r9 + rbx]\n", 1.0),
        ("add r8, 8\n" + "lea rdi, [r8 + rbx]\n" * 3, 1.75),
        (ADDITIONS + "add r11, 8\n", 1.25),
        ("lea eax, [rbx + rcx]\n" * 5, 1.5),
    ],
)
def test_operations_are_spread_over_schedulers(text: str, measured: float) -> None:
    """An older use of a sum keeps the next addition of the same scheduler waiting; with the loop's `dec` there are five
    operations for four, so that they change schedulers from turn to turn."""
    assert cycles(text) == pytest.approx(measured, abs=0.02)


def test_a_group_waits_for_room_in_all_of_its_schedulers() -> None:
    """24 multiplications wait for a slow value in the only scheduler that has their ALU; behind one more all waits."""
    slow = "vdivsd xmm5, xmm5, xmm6\n" * 8 + "vmovq rax, xmm5\n"
    chain = "vaddsd xmm0, xmm0, xmm1\n" * 30 + "lfence\n"
    room = cycles(slow + "imul ecx, eax, 1\n" * 23 + chain)
    none = cycles(slow + "imul ecx, eax, 1\n" * 26 + chain)
    assert none > room + 50


def test_an_operation_takes_one_entry_with_the_load_that_it_waits_for() -> None:
    """48 of them wait for a chain, and the next turn of the chain has room beside them: 75.0 cycles were timed."""
    chain = "imul rax, rax\n" * 20 + "mov rdx, rax\nand edx, 0\nadd rdx, rsi\n"
    operations = "".join(f"add r{8 + i % 6}, [rdx]\n" for i in range(48))
    assert cycles(chain + operations) == pytest.approx(75.0, abs=0.5)


def test_without_the_rule_any_scheduler_takes_several() -> None:
    text = ADDITIONS + "lea rdi, [r10 + rbx]\n"
    assert cycles(text, {"rename.spread_ports": []}) != pytest.approx(2.0, abs=0.1)


LOADS = (
    "mov rax, [r8]\n",
    "mov rcx, [r8 + 8]\n",
    "mov rdx, [r8 + 16]\n",
    "mov rbx, [r8 + 24]\n",
    "mov rbp, [r8 + 32]\n",
)


@pytest.mark.parametrize(
    ("loads", "beside", "measured"),
    [
        (4, "", 1.33),
        (4, "lea esi, [r9 + 1]\n", 1.50),
        (4, "test r9, r9\n", 1.50),
        (4, "lea esi, [r9 + 1]\n" * 2, 1.33),
        (4, "vmovaps xmm1, xmm2\n", 1.33),
        (5, "lea esi, [r9 + 1]\n", 1.66),
    ],
)
def test_a_fourth_load_goes_the_way_of_an_operation(loads: int, beside: str, measured: float) -> None:
    assert cycles("".join(LOADS[:loads]) + beside) == pytest.approx(measured, abs=0.02)


def test_loads_that_are_not_spread_may_all_go_anywhere() -> None:
    text = "".join(LOADS[:4]) + "test r9, r9\n"
    assert cycles(text, {"rename.spread_address_ports": []}) == pytest.approx(1.33, abs=0.02)


def test_no_cycle_makes_up_for_a_backlog() -> None:
    """Three loads and an addition take their places of a full group, five of six: where they came to lie counts."""
    text = "".join(LOADS[:3]) + "lea esi, [r9 + 1]\n"
    assert cycles(text) == pytest.approx(1.09, abs=0.02)
    assert cycles(text, {"rename.spread_backlog_cycles": 0}) == pytest.approx(1.0, abs=0.02)


SCAN = "mov edx, [rsi]\nadd rsi, 4\nadd eax, edx\nxor ecx, edx\n"


@pytest.mark.parametrize(("moves", "measured"), [(1, 1.01), (2, 1.53), (3, 1.49)])
def test_uses_of_loads_meet_the_step_of_their_address(moves: int, measured: float) -> None:
    """Eliminated moves only shift the groups: where the step of the address shares its scheduler with an older use of
    what was loaded, it waits."""
    text = SCAN + "vmovaps xmm1, xmm2\n" * moves
    assert cycles(text) == pytest.approx(measured, abs=0.06)


@pytest.mark.parametrize("operation", ["add dword ptr [rbx + 64], 1", "or dword ptr [rbx + 64], 8"])
def test_an_update_has_its_two_addresses_anywhere(operation: str) -> None:
    assert cycles(f"{operation}\nadd rbp, 1\ncmp [rsi], ebp\n") == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(
    ("beside", "measured"),
    [("add rbx, 1", 2.0), ("lea ebx, [rsi + 1]", 1.5), ("imul ebx, esi, 3", 1.0), ("nop", 1.0), ("test esi, esi", 1.0)],
)
def test_results_of_vectors_take_the_way_of_one_alu(beside: str, measured: float) -> None:
    text = f"movd eax, xmm0\n{beside}\n"
    assert cycles(text) == pytest.approx(measured, abs=0.03)
    assert cycles(text, {"ports.vector_result_port": "FP0"}) == pytest.approx(1.0, abs=0.03)


PRODUCT = "mulx rax, rbx, rcx\n"


def additions(count: int) -> str:
    return "".join(f"lea r{8 + i % 6}, [rsi + {i + 1}]\n" for i in range(count))


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        (PRODUCT + additions(2), 2.0),
        (PRODUCT + additions(4), 2.5),
        (PRODUCT + additions(8), 3.5),
        (PRODUCT + additions(20), 6.51),
        (PRODUCT + additions(44), 12.51),
        (2 * PRODUCT + additions(44), 13.76),
        (PRODUCT + 10 * "test rsi, rsi\n", 3.07),
        (PRODUCT + "cmovc r8, rsi\n", 2.0),
    ],
)
def test_a_second_product_keeps_results_of_a_cycle_back(text: str, measured: float) -> None:
    """What writes no register starts all the same."""
    assert cycles(text) == pytest.approx(measured, rel=0.025)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("lea rbx, [r12 + 1]\nimul rbx, rcx\nadd rbx, rdi\nand esi, 64\n", 1.60),
        ("mov rdx, rsi\nsub rdx, r8\nsar rdx, 3\nimul rdx, rdi\nmov [r10], dx\ncmp eax, 1\n", 1.50),
    ],
)
def test_what_takes_a_cycle_gives_way_to_a_multiplication(text: str, measured: float) -> None:
    assert cycles(text) == pytest.approx(measured, abs=0.02)
    assert cycles(text, {"ports.long_result": []}) == pytest.approx(1.25, abs=0.02)


@pytest.mark.parametrize("method", ["bounds", "simulate"])
@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("mov [rsi + 28], rax\n", 1.0),
        ("mov [rsi + 28], rax\nmov [rsi + 8], rbx\n", 2.0),
        ("mov [rsi + 28], rax\nmov [rsi + 16], rbx\n", 1.0),
        ("mov [rsi + 28], rax\nmov [rsi + 40], rbx\n", 1.0),
        ("mov [rsi + 28], rax\nmov [rsi + 48], rbx\n", 2.0),
        ("movups [rsi + 24], xmm0\n", 2.0),
        ("movups [rsi + 8], xmm0\nmovups [rsi + 24], xmm0\n", 2.0),
        ("movups [rsi + 24], xmm0\nmov [rsi + 40], rax\n", 2.0),
        ("vmovups [rsi + 16], ymm0\nmov [rsi], rax\n", 2.0),
    ],
)
def test_stores_across_a_border(text: str, measured: float, method: str) -> None:
    assert cycles(text, method=method) == pytest.approx(measured, abs=0.02)


SHIFTS = "shlx eax, ecx, edx\nshlx esi, ecx, edx\nshlx edi, ecx, edx\nshlx r8d, ecx, edx\n"
CONDITIONAL_MOVES = "cmovz eax, edx\ncmovz esi, edx\ncmovz edi, edx\ncmovz r8d, edx\n"


@pytest.mark.parametrize(
    ("beside", "measured"),
    [
        ("", 2.0),
        (SHIFTS, 2.0),
        (CONDITIONAL_MOVES, 4.0),
        ("lea ecx, [rdx + 1]\n" * 6, 3.0),
        ("lea ecx, [rdx + 1]\n" * 10, 4.0),
    ],
)
def test_an_operation_on_rsp_keeps_an_alu_for_the_stack_engine_too(beside: str, measured: float) -> None:
    assert cycles("sub rsp, 8\npop rbx\n" + beside) == pytest.approx(measured, abs=0.02)


@pytest.mark.parametrize(
    "text",
    [
        "push rbx\npop rbx\nsub rsp, 0\n",
        "test rsp, rsp\npop rbx\nlea rsp, [rsp - 8]\n",
        "pop rbx\nlea rsp, [rsp - 8]\nmov [rdi], rsp\n",
    ],
)
def test_the_stack_engine_is_synchronized_behind_any_push_or_pop(text: str) -> None:
    assert cycles(text) == pytest.approx(2.0, abs=0.02)


def test_without_ports_of_its_own_the_stack_engine_uses_any_alu() -> None:
    text = "sub rsp, 8\npop rbx\n" + CONDITIONAL_MOVES
    assert cycles(text, {"stack_engine.synchronization_ports": []}) < 3.0


@pytest.mark.parametrize("method", ["simulate", "bounds"])
def test_an_update_has_its_own_data_early(method: str) -> None:
    """Timed beside a move, a load or a store: 6.0 to 6.6; two of one place: 14.1."""
    update = "or byte ptr [rdi], 1\nmov ebx, 1\n"
    assert cycles(update, method=method) == pytest.approx(6.0, abs=0.02)
    assert cycles(2 * update, method=method) == pytest.approx(14.0, abs=0.1)
    store_and_load = "mov [rdi], al\nmovzx eax, byte ptr [rdi]\n"
    assert cycles(store_and_load, method=method) == pytest.approx(6.0, abs=0.02)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("vmaxsd xmm0, xmm0, xmm1\nvcomisd xmm0, xmm2\n", 3.0),
        ("vaddsd xmm0, xmm0, xmm1\nvcomisd xmm0, xmm2\n", 4.0),
        ("vmulsd xmm0, xmm0, xmm1\nvcomisd xmm0, xmm2\n", 3.0),
        ("vmaxsd xmm0, xmm0, xmm1\nvmaxsd xmm3, xmm0, xmm2\n", 2.0),
        ("vcomisd xmm0, xmm1\n" + "vmaxsd xmm2, xmm3, xmm4\n" * 3, 2.0),
        ("vcomisd xmm0, xmm1\n" + "vmulsd xmm2, xmm3, xmm4\n" * 3, 1.5),
    ],
)
def test_comparisons_meet_the_next_operation_of_the_chain_that_they_read(text: str, measured: float) -> None:
    assert cycles(text) == pytest.approx(measured, abs=0.02)


def test_without_the_queue_vector_operations_go_where_fewest_want_their_ports() -> None:
    chain = "vmaxsd xmm0, xmm0, xmm1\nvcomisd xmm0, xmm2\n"
    assert cycles(chain, {"scheduler_queue.ports": []}) < 2.5


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("vmovd eax, xmm2\nvmovd xmm3, ecx\n", 1.0),
        ("vmovd eax, xmm2\n" * 2 + "vmovd xmm3, ecx\n" * 2, 2.0),
        ("vmovd eax, xmm2\nvmovups [rdi], xmm3\n", 1.0),
        ("vmovd xmm3, ecx\n" * 2 + "vmovups [rdi], xmm3\n", 2.0),
        ("vcomisd xmm0, xmm1\nvmovd eax, xmm2\n", 2.0),
        ("vcomisd xmm0, xmm1\nvptest xmm2, xmm3\n", 2.0),
        ("vpmovmskb eax, xmm0\nvmovups [rdi], xmm1\n", 1.0),
    ],
)
def test_one_result_a_cycle_goes_each_way_between_the_units(text: str, measured: float) -> None:
    assert cycles(text) == pytest.approx(measured, abs=0.03)


def test_nops_take_decoders_though_no_slots() -> None:
    """Unrolled code of the measured set: 0.50 and 1.00 cycles."""
    for text, measured in (
        ("test bh, 8\nnop\n", 0.5),
        ("xor ebx, ebx\nnop\nmov rdi, [r13 + 8 * rbx]\ntest rdi, rdi\n", 1.0),
    ):
        listing = _core.assemble("x86", text, "intel")
        code = "".join(bytes(each.bytes).hex() for each in listing.instructions)
        unrolled = corecast.predict([code], load_machine("zen4"), mode="unroll", method="simulate")
        assert float(unrolled.cycles[0]) == pytest.approx(measured, abs=0.02)


def stores_and_loads(stores: int, loads: int) -> str:
    """Stores into one block of 32 bytes, and loads of what they wrote."""
    written = "".join(f"mov [r8 + {8 * (place % 4)}], rdx\n" for place in range(stores))
    return written + "".join(
        f"mov {register}, [r8]\n" for register in ("rax", "rsi", "rdi", "r9", "r10", "r11")[:loads]
    )


@pytest.mark.parametrize("method", ["simulate", "bounds"])
@pytest.mark.parametrize(
    ("stores", "loads", "measured"),
    [(2, 0, 1.0), (2, 1, 2.0), (3, 1, 3.0), (4, 2, 4.0), (8, 2, 4.0), (8, 3, 8.0), (16, 4, 8.0), (16, 6, 16.0)],
)
def test_stores_that_loads_read_are_written_alone(stores: int, loads: int, measured: float, method: str) -> None:
    """More than one load that takes its data from a store for some three stores."""
    assert cycles(stores_and_loads(stores, loads), method=method) == pytest.approx(measured, rel=0.01)


def test_the_store_that_a_load_reads_may_be_too_far_back_to_count() -> None:
    text = stores_and_loads(2, 1)
    assert cycles(text, {"stores.joined_forwards_farthest": 1}) == pytest.approx(1.0, abs=0.1)


def test_loads_of_other_places_leave_stores_together() -> None:
    text = "mov [r8], rdx\nmov [r8 + 8], rdx\nmov rax, [r8 + 16]\n"
    assert cycles(text) == pytest.approx(1.0, abs=0.1)


def test_updates_are_written_together() -> None:
    """1.03 were timed, though the update reads what it wrote a turn before."""
    assert cycles("add qword ptr [r8], 1\nmov [r8 + 8], rdx\n") < 1.2


def test_without_the_limit_stores_are_written_together_whatever_loads_read() -> None:
    assert cycles(stores_and_loads(2, 1), {"stores.joined_forwards_in_loops": 2}) == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("mov dword ptr [rdi + 8], 5\nmov rax, [rsi + 8]\nadd rsp, 8\n", 1.33),
        ("mov dword ptr [rdi + 8], 5\nmov rax, [rsi + 8]\nadd rbx, 8\n", 1.0),
        ("mov dword ptr [rdi + 8], 5\nmov rax, [rsi + 8]\ncmp rsp, 5\n", 1.0),
        ("mov dword ptr [rdi + 8], 5\nmov rax, [rsi]\nadd rsp, 8\n", 1.0),
        ("mov dword ptr [rdi + 8], 5\nmov dword ptr [rdi + 16], 6\ntest rsp, 5\n", 1.33),
        ("mov dword ptr [rdi + 628], 0\nmov edi, 1\nadd rsp, 8\n", 1.33),
        ("sub rsp, 8\nlea rax, [rsi + 8]\ntest byte ptr [rdi + 171], 4\n", 1.33),
    ],
)
def test_the_offset_of_the_stack_engine_is_a_constant(text: str, measured: float) -> None:
    assert cycles(text) == pytest.approx(measured, abs=0.02)


def test_without_constants_of_the_offset_a_group_takes_more() -> None:
    text = "mov dword ptr [rdi + 8], 5\nmov rax, [rsi + 8]\nadd rsp, 8\n"
    assert cycles(text, {"stack_engine.synchronization_constants": 0}) == pytest.approx(1.0, abs=0.02)


def test_loads_of_what_was_stored_long_ago_leave_stores_together() -> None:
    """3.50 were timed: seven pushes, and loads of those of earlier turns."""
    pushes = "push r14\npush r15\npush rax\npush rbx\npush r13\npush rdx\n"
    text = "sub rsp, 8\nmov rdx, [rsp + 104]\n" + pushes + "push qword ptr [rsp + 344]\n"
    assert cycles(text) == pytest.approx(3.5, abs=0.1)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("setne byte ptr [rdi]\nlea rax, [rbx + 1]\nlea rcx, [rbx + 1]\n", 1.0),
        ("setne byte ptr [rdi]\nlea rax, [rbx + 1]\nlea rcx, [rbx + 1]\nlea rdx, [rbx + 1]\n", 1.25),
        ("setb byte ptr [rdi]\nsetb byte ptr [rdi + 1]\n", 2.0),
        ("setne byte ptr [rdi]\nmov byte ptr [rdi + 1], al\n", 1.0),
    ],
)
def test_a_stored_condition_is_one_operation(text: str, measured: float) -> None:
    assert cycles(text) == pytest.approx(measured, abs=0.03)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("mov qword ptr [rsi], 0\ntest r12, r12\ntest r12, r12\n", 1.0),
        ("mov qword ptr [rsi], 0\ntest r12, r12\ntest r12, r12\ntest r12, r12\n", 1.25),
        ("mov dword ptr [rsi + 8], 5\ntest r12, r12\ntest r12, r12\ntest r12, r12\n", 1.25),
        ("push 0\ntest r12, r12\ntest r12, r12\ntest r12, r12\n", 1.25),
        ("mov word ptr [rsi], 0\ntest r12, r12\ntest r12, r12\ntest r12, r12\n", 1.0),
        ("mov dword ptr [rsi], eax\ntest r12, r12\ntest r12, r12\ntest r12, r12\n", 1.0),
        # The operation is none of the group's: with a constant of 16 bits it takes as long.
        ("mov qword ptr [r14], 0\ntest eax, eax\nmov r10, [r8]\nmov r9, [r8]\nmov r11, [r8]\n", 1.5),
    ],
)
def test_a_stored_constant_of_32_bits_takes_an_alu(text: str, measured: float) -> None:
    assert cycles(text) == pytest.approx(measured, abs=0.03)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("cqo\nlea r8, [r9 + 32]\ncmp r10, 0\nlea r11, [r9 + 16]\n", 1.25),
        ("cqo\nrorx r8, r9, 3\nrorx r11, r9, 3\n", 1.5),
        ("cdq\ncdq\ncdq\n", 1.5),
        ("vmovd xmm6, r8d\ntest r12, r12\ntest r12, r12\n", 1.0),
        ("vmovd xmm6, r8d\ntest r12, r12\ntest r12, r12\ntest r12, r12\n", 1.25),
    ],
)
def test_signs_and_moves_to_vectors_take_one_alu(text: str, measured: float) -> None:
    assert cycles(text) == pytest.approx(measured, abs=0.03)


def test_a_stored_constant_keeps_an_address_unit_no_longer_than_a_register() -> None:
    text = "mov qword ptr [r14], 0\nmov r10, [r8]\nmov r9, [r8]\nmov r11, [r8]\n"
    assert cycles(text) == pytest.approx(1.33, abs=0.01)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("vmovd xmm0, eax\n" + "vaddps xmm4, xmm5, xmm6\n" * 2, 1.57),
        ("vmovd xmm0, eax\n" + "vpsllw xmm4, xmm5, 3\n" * 3, 2.0),
        ("vmovd xmm0, eax\n" + "vmulps xmm4, xmm5, xmm6\n" * 2, 1.0),
        ("vpinsrw xmm0, xmm7, eax, 1\ntest rbx, rbx\ntest rbx, rbx\ntest rbx, rbx\n", 1.26),
        ("movq xmm0, rax\nmovq xmm1, rsi\npunpcklqdq xmm0, xmm1\n", 2.51),
        ("movq xmm1, r15\npinsrq xmm1, rax, 1\nmovups [r12], xmm1\n", 2.37),
    ],
)
def test_what_general_registers_give_arrives_through_the_third_pipe(text: str, measured: float) -> None:
    assert cycles(text) == pytest.approx(measured, abs=0.08)


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("vmovups ymm2, [rdx]\nvmovups ymm3, [rdx + 32]\n", 1.0),
        ("movsd xmm0, [rsi]\nandps xmm0, [r9]\n", 1.0),
        ("vmovups ymm2, [rdx]\nvmovups ymm3, [rdx + 32]\nvmovups ymm4, [rdx + 64]\n", 1.5),
    ],
)
def test_a_third_vector_load_of_a_group_goes_to_the_emptier_unit(text: str, measured: float) -> None:
    assert cycles(text) == pytest.approx(measured, abs=0.02)
