"""From kernels to results, on made-up machines with round numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corecast.analysis import AnalyzeOptions, analyze_kernel
from corecast.analysis.results import RegionResult
from corecast.asm import Kernel, RegionOptions
from corecast.errors import InputError, SyntaxProblem, UnknownFormError
from toy_machines import toy

TRIAD = """
.L4:
    movq (%rsi,%rax,8), %rdx
    addq (%rdi,%rax,8), %rdx
    movq %rdx, (%rcx,%rax,8)
    addq $1, %rax
    cmpq %r8, %rax
    jne .L4
"""


def analyzed(text: str, machine: str = "toy_x86", options: AnalyzeOptions | None = None) -> RegionResult:
    model = toy(machine)
    return analyze_kernel(Kernel.from_text(text, RegionOptions(isa=model.isa)), model, options)


def test_a_loop_of_three_memory_operations() -> None:
    result = analyzed(TRIAD)
    assert result.prediction.cycles_per_iteration == 1.5
    assert result.prediction.bottleneck == "ports"
    assert result.ports.limiting_ports == ("2", "3")
    assert result.frontend.fused_uops == 5.0
    assert result.frontend.macro_fused_pairs == ((4, 5),)
    assert result.frontend.source == "uop_cache"
    assert result.dependencies.bound == 1.0
    assert result.dependencies.critical_path.cycles == 10.0
    assert result.coverage.known == 5
    assert result.coverage.derived == 1
    assert [row.line for row in result.instructions] == [3, 4, 5, 6, 7, 8]


def test_columns_sum_to_their_totals() -> None:
    result = analyzed(TRIAD)
    for pressure in (result.ports, result.uniform_ports):
        assert pressure.ports[-1] == "DIV"
        sums = [sum(column) for column in zip(*pressure.per_instruction, strict=True)]
        assert sums == pytest.approx(list(pressure.totals))
    path = result.dependencies.critical_path
    assert sum(row.on_critical_path for row in result.instructions) == pytest.approx(path.cycles)
    assert sum(row.on_loop_carried for row in result.instructions) == pytest.approx(result.dependencies.bound)


def test_equal_shares_on_request() -> None:
    uniform = analyzed("addq %rax, %rbx\nimulq %rcx, %rdx\n", options=AnalyzeOptions(ports="uniform"))
    assert uniform.ports.mode == "uniform"
    assert uniform.prediction.bounds["ports"] == 1.25
    balanced = analyzed("addq %rax, %rbx\nimulq %rcx, %rdx\n")
    assert balanced.prediction.bounds["ports"] == 1.0


def test_late_forwarding_of_an_accumulator() -> None:
    result = analyzed("fmadd d1, d0, d2, d1\n", "toy_aarch64")
    assert result.dependencies.bound == 2.0


def test_write_back_carries_one_cycle_not_the_load() -> None:
    result = analyzed("ldr q0, [x1, #0x10]!\n", "toy_aarch64")
    assert result.dependencies.bound == 1.0


def test_a_write_only_operand_carries_nothing() -> None:
    result = analyzed("orr w1, wzr, w2\n", "toy_aarch64")
    assert result.dependencies.loop_carried == ()


def test_a_chain_through_the_store_buffer() -> None:
    result = analyzed("ldr x1, [x2]\nadd x1, x1, #1\nstr x1, [x2]\n", "toy_aarch64")
    assert result.dependencies.bound == 6.0  # forwarding 5, addition 1
    edge = next(edge for edge in result.dependencies.edges if edge.kind == "memory")
    assert (edge.producer, edge.consumer, edge.distance, edge.location) == (2, 0, 1, "[x2]")


def test_the_bracket_is_ordered() -> None:
    bracket = analyzed(TRIAD).prediction.bracket
    assert (bracket.lower, bracket.expected, bracket.upper) == (1.5, 1.5, 10.0)


def test_unknown_instructions_are_named_with_what_was_done() -> None:
    text = "imulq $77, %rbx, %rax\n"
    for unknown in ("bound", "skip"):
        found = analyzed(text, options=AnalyzeOptions(unknown=unknown))
        assert found.instructions[0].status == "unknown"
        assert found.instructions[0].matched_form == ""
        assert found.instructions[0].latency_cycles is None
        assert found.coverage.unknown_forms == ("imul r64, r64, i8",)
        assert found.uncounted == (0,)
        assert found.withheld == (unknown == "bound")
        assert (found.cycles_per_iteration is None) == (unknown == "bound")
    nearest = analyzed(text, options=AnalyzeOptions(unknown="nearest"))
    assert nearest.instructions[0].status == "unknown"
    assert nearest.instructions[0].matched_form == "imul r64, r64"
    assert nearest.uncounted == ()
    assert not nearest.withheld
    assert nearest.assumptions == ("imul r64, r64, i8 (line 1) costs what imul r64, r64 costs, its nearest known form",)
    with pytest.raises(UnknownFormError, match=r":1: no data for imul r64, r64, i8"):
        analyzed(text, options=AnalyzeOptions(unknown="error"))


def test_a_line_that_is_no_instruction_is_an_error_unless_it_is_skipped() -> None:
    text = "frobnicate %rax\nimulq %rbx, %rax\naddq $1, %rax\n"
    with pytest.raises(SyntaxProblem, match="'frobnicate' is not an x86 instruction"):
        analyzed(text)
    result = analyzed(text, options=AnalyzeOptions(unknown="skip"))
    assert result.coverage.unknown == 1
    assert result.dependencies.loop_carried == ()  # it may write rax
    assert result.frontend.fused_uops == 3


def test_encoded_blocks_get_the_loop_they_are_measured_in() -> None:
    kernel = Kernel.from_hex("4801d8", "x86")  # add rax, rbx
    result = analyze_kernel(kernel, toy("toy_x86"))
    assert [row.text for row in result.instructions[1:]] == ["dec r15", "jne -8"]
    assert all("assumed" in row.note for row in result.instructions[1:])
    assert result.frontend.macro_fused_pairs == ((1, 2),)
    unrolled = analyze_kernel(kernel, toy("toy_x86"), AnalyzeOptions(mode="unroll"))
    assert len(unrolled.instructions) == 1


def test_the_loop_register_is_one_that_the_block_leaves_alone() -> None:
    kernel = Kernel.from_hex("4d01f7", "x86")  # add r15, r14
    assert analyze_kernel(kernel, toy("toy_x86")).instructions[1].text == "dec r13"


def test_alignment_counts_for_decoded_code() -> None:
    # 27 bytes of nops, then add rax, 1 and a jump back: the jump ends at byte 33.
    code = "660f1f840000000000" * 3 + "4883c001" + "75df"
    text = Kernel.from_hex(code, "x86")
    machine = toy("toy_x86")
    assert analyze_kernel(text, machine).frontend.source == "decoders"  # JCC erratum
    assert analyze_kernel(text, machine, AnalyzeOptions(alignment=False)).frontend.source == "uop_cache"
    moved = Kernel.from_hex(code, "x86", address=0x1000 + 8)
    assert analyze_kernel(moved, machine).frontend.source == "uop_cache"
    dense = Kernel.from_hex("90" * 27 + "4883c001" + "75df", "x86", address=0x1000 + 8)
    assert analyze_kernel(dense, machine).frontend.source == "decoders"  # more than the lines of a block hold


def test_the_wrong_instruction_set_and_empty_kernels_are_refused() -> None:
    kernel = Kernel.from_text("add x0, x0, x1\n", RegionOptions(isa="aarch64"))
    with pytest.raises(InputError, match="the code is aarch64, but toy_x86 is a core of x86"):
        analyze_kernel(kernel, toy("toy_x86"))
    with pytest.raises(InputError, match="holds no instructions"):
        analyze_kernel(replace(kernel, instructions=()), toy("toy_aarch64"))


def test_warnings_name_the_place_of_code_that_is_no_text_by_its_address() -> None:
    code = "8807488b07"  # mov [rdi], al; mov rax, [rdi]
    result = analyze_kernel(Kernel.from_hex(code), toy("toy_x86"))
    assert [text for text in result.warnings if text.startswith("0x2: mov rax, qword ptr [rdi] reads more than")]


def test_strings_that_repeat_are_told() -> None:
    def told(before: str, behind: str = "", string: str = "rep movsb") -> str:
        result = analyzed(f".L1: {before}\n{string}\n{behind}\n decq %rdx\n jne .L1\n")
        (text,) = [text for text in result.warnings if text.startswith(f"line 2: {string}")]
        return text

    assert "repeats as often as a register says" in told("movq %rax, %rcx")
    assert "repeats 16 times:" in told("movl $16, %ecx")
    assert "repeats 1 time:" in told("movl $1, %ecx")
    assert "repeats 16 times:" in told("nop", "movq $16, %rcx")
    assert "repeats as often as" in told("movl $16, %ecx; movb $3, %cl")
    assert "repeats as often as" in told("movl $16, %ecx; call f")
    assert "repeats 0 times in every iteration but the first" in told("nop")
    assert "repeats 0 times" in told("movl $16, %ecx; rep stosb")
