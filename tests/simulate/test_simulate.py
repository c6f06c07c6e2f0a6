"""Simulated kernels: known costs, causes that add up, and the way into reports."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import corecast
from corecast import _core
from corecast.analysis import AnalyzeOptions, analyze_kernel
from corecast.asm import Kernel, RegionOptions
from corecast.cli.main import main
from corecast.errors import InputError, UnknownFormError
from corecast.machine import list_machines, load_machine
from corecast.simulate import SimulationResult, simulate_kernel

SKYLAKE_X = "skylake_x"


def simulate(code: str, cpu: str = SKYLAKE_X, mode: str = "loop") -> SimulationResult:
    kernel = Kernel.from_hex(code, "x86", is_loop=mode == "loop")
    return simulate_kernel(kernel, load_machine(cpu))


@pytest.mark.parametrize(
    ("code", "mode", "cycles"),
    [
        ("480fafc0", "unroll", 3.0),  # imul rax, rax
        ("4801c34801c3", "loop", 2.0),  # add rbx, rax twice
        ("488b00", "loop", 4.0),  # mov rax, [rax]: the base was loaded
        ("488b04d04883b8a800000000", "loop", 5.0),  # mov rax, [rax + 8*rdx]; cmp [rax + 168], 0: with an index
        ("8b4738488b3f807f6100", "loop", 6.0),  # mov rdi, [rdi] between two other loads through rdi: its port is taken
        ("90", "unroll", 0.25),  # nop: four a cycle
        ("6681c03412", "unroll", 3.3125),  # add ax, 0x1234: its length-changing prefix stalls the predecoder
        ("31c0", "unroll", 0.25),  # xor eax, eax
        ("480f44d8", "unroll", 1.0),  # cmove needs the complex decoder
        ("c5fb582c24c5fb112c24", "loop", 9.0),  # vaddsd xmm5, xmm0, [rsp]; vmovsd [rsp], xmm5: 5 to forward, 4 to add
    ],
)
def test_known_costs_on_skylake(code: str, mode: str, cycles: float) -> None:
    assert simulate(code, mode=mode).cycles_per_iteration == pytest.approx(cycles, abs=0.02)


def test_the_stack_engines_uop_is_renamed_with_the_instruction_behind_it() -> None:
    # mov eax, 1; push rbp; sub rax, 1; cmp rax, 14; mov rbp, rsp; dec, jnz: seven uops, measured 2.00. The fifth, ahead
    # of what reads the pointer, comes to a group's last slot and leaves it empty.
    found = corecast.predict(["b80100000055482d010000004883f80e4889e5"], SKYLAKE_X, method="simulate")
    assert found.cycles[0] == pytest.approx(2.0, abs=0.02)


TRIAD = "660f28c8f20f590cc1f20f580cc2f20f110cc64883c0014839c775e4"
"""Six fused uops: a move, two operations that load, a store, add and compare with branch."""
CHASE = "488b0048ffc975f8"


@pytest.mark.parametrize(
    ("code", "address", "cycles"),
    [
        (TRIAD, 0, 1.5),
        (TRIAD, 10, 2.0),  # measured there: its third line is one too many for a cycle, and the jump is into the first
        (TRIAD, 32, 1.5),
        (CHASE, 0, 4.0),
        (CHASE, 10, 4.0),
    ],
)
def test_the_code_before_a_loop_takes_room_in_its_first_line_of_the_uop_cache(
    code: str, address: int, cycles: float
) -> None:
    found = corecast.predict([code], SKYLAKE_X, mode="loop", method="simulate", addresses=[address])
    assert found.cycles[0] == pytest.approx(cycles, abs=0.02)


@pytest.mark.parametrize(
    ("code", "address", "cycles"),
    [
        ("4983f90e", 55, 1.0),  # cmp r9, 14; dec; jnz: all ends in one line of 64 bytes
        ("4983f90e", 56, 2.0),  # the branch's last byte is in the next one
        ("4983f90e", 59, 2.0),
        ("4983f90e", 0, 1.0),
        ("830001", 0, 1.0),  # add dword ptr [rax], 1: renamed memory
        ("48015308", 0, 1.0),  # add [rbx + 8], rdx
        ("4883bb6004000000", 51, 1.0),  # cmp qword ptr [rbx + 1120], 0
        ("4883bb6004000000", 57, 2.0),  # begins in one line, all ends in the next one
        ("4c894424084c890c24", 0, 1.0),  # stores to rsp + 8 and rsp: written together
        ("4c894424384c894c2418", 0, 2.0),  # rsp + 56 and rsp + 24: one line, but not 32 bytes of it
        ("48894a2848895120", 0, 2.0),  # rdx + 40 and rcx + 32
        ("4c8948484889703848895040c6405001", 0, 2.0),  # rax + 72, 56, 64, 80: three together, over the end of the loop
    ],
)
def test_zen4_as_measured(code: str, address: int, cycles: float) -> None:
    """Entries of the op cache are those of lines that the loop touches; a chain through memory costs the operation
    alone; stores that follow each other into one aligned block of 32 bytes are written at once."""
    found = corecast.predict([code], "zen4", mode="loop", method="simulate", addresses=[address])
    assert found.cycles[0] == pytest.approx(cycles, abs=0.02)


@pytest.mark.parametrize("method", ["bounds", "simulate"])
def test_zen4_decodes_16_bytes_a_cycle_of_straight_line_code(method: str) -> None:
    found = corecast.predict(["4981fc00400000"], "zen4", mode="unroll", method=method)  # type: ignore[arg-type]
    assert found.cycles[0] == pytest.approx(7 / 16, abs=0.01)


@pytest.mark.parametrize(("code", "cycles"), [("4c894424384c894c2418", 2.0), ("4c894424084c890c24", 1.0)])
def test_bounds_know_the_writes_of_stores(code: str, cycles: float) -> None:
    assert corecast.predict([code], "zen4", mode="unroll", method="bounds").cycles[0] == pytest.approx(cycles)


def test_a_store_that_holds_its_ports_longer_is_one_store(tmp_path: Path) -> None:
    """As models that were inferred from measurements say it."""
    header = "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\tsource\tconfidence\n"
    row = "mov m64, r64\t1.2*AGU+1.2*ST\t\t2->mem:1\t1/2/1\t\t\t0.6\tmine\tderived\n"
    (tmp_path / "forms").mkdir()
    (tmp_path / "forms" / "own.tsv").write_text(header + row, encoding="utf-8")
    pipeline = f'format = 1\nname = "{tmp_path.name}"\ntitle = "Own"\nextends = "zen4"\nforms = ["own.tsv"]\n'
    (tmp_path / "pipeline.toml").write_text(pipeline, encoding="utf-8")
    apart = ["4c894424384c894c2418"]  # rsp + 56, rsp + 24: each is written on its own
    found = corecast.predict(apart, load_machine(tmp_path), mode="loop", method="simulate")
    assert found.cycles[0] == pytest.approx(2.0, abs=0.02)


def test_stalls_add_up_to_the_cycles() -> None:
    for code in ("4801c34801c3", "488383d0010000014c89fe4889ef", "f20f5ec1"):
        found = simulate(code)
        assert sum(found.stalls.values()) == pytest.approx(found.cycles_per_iteration, rel=1e-6)


def test_the_bottleneck_has_a_name() -> None:
    assert simulate("480fafc0").bottleneck == "dependency"
    assert simulate("90909090909090").bottleneck == "frontend"
    assert simulate("0fafc80fafd00fafd8" * 2).bottleneck in ("ports", "dependency")


def test_a_repeating_state_makes_the_figure_exact() -> None:
    found = simulate("90909090")
    assert found.periodic
    assert found.simulated_cycles < 500


def test_the_same_code_has_the_same_result_whatever_came_before() -> None:
    first = simulate("488383d0010000014c89fe4889ef")
    simulate("f20f5ec1c4c14b58f4")
    assert simulate("488383d0010000014c89fe4889ef") == first


@pytest.mark.parametrize("info", list_machines(), ids=lambda info: info.name)
def test_every_core_simulates(info: object) -> None:
    machine = load_machine(info.name)  # type: ignore[attr-defined]
    text = {
        "x86": "1: add rax, [rsi]\nimul rbx, rax\nmov [rdi], rbx\ndec rcx\njnz 1b\n",
        "aarch64": "1: ldr x0, [x1]\nmadd x2, x0, x3, x2\nstr x2, [x4]\nsubs x5, x5, #1\nb.ne 1b\n",
        "riscv64": "1: ld a0, 0(a1)\nmul a2, a2, a0\nsd a2, 0(a3)\naddi a4, a4, -1\nbnez a4, 1b\n",
    }[machine.isa]
    listing = _core.assemble(machine.isa, text, "intel" if machine.isa == "x86" else "")
    assert not listing.problems
    found = _core.simulate(machine.core, listing.instructions, "loop")
    bound = _core.predict(machine.core, listing.instructions, "loop")[0]
    in_order = machine.name in ("spacemit_x60", "sifive_x280")  # waits for each value before it goes on
    assert bound * 0.9 <= found.cycles_per_iteration <= bound * (2.5 if in_order else 1.5)
    assert found.unknown == 0


def test_bad_requests_are_told() -> None:
    kernel = Kernel.from_hex("90", "x86")
    with pytest.raises(InputError, match="core of aarch64"):
        simulate_kernel(kernel, load_machine("neoverse_v2"))
    unknown = Kernel.from_hex("0f01d9", "x86")  # vmmcall: AMD's
    with pytest.raises(UnknownFormError):
        simulate_kernel(unknown, load_machine(SKYLAKE_X), AnalyzeOptions(unknown="error"))


def test_analyze_reports_the_simulation(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["analyze", "--hex", "4801c34801c3", "--cpu", SKYLAKE_X, "--simulate"]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert re.match(r"2\.00 cycles \(.*\), simulated; chain of addresses 0x0, 0x3; remedy: none\n", text)
    assert re.search(r"^Method      simulated, .*: limited by dependencies$", text, re.MULTILINE)
    assert "Why not faster" in text
    assert main([*arguments, "--format", "json"]) == 0
    simulated = json.loads(capsys.readouterr().out)["regions"][0]["simulated"]
    assert simulated["cycles_per_iteration"] == pytest.approx(2.0)
    assert sum(simulated["stalls"].values()) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("cpu", "setting", "text", "cycles"),
    [
        # The row's latency is the whole instruction's, be it one load or 28 one after the other.
        (
            "sifive_p670",
            "vsetvli t0, zero, e8, mf8, ta, ma",
            "vlseg8e8.v v8, (a0); vmv.x.s a1, v8; andi a1, a1, 0; or a0, a1, a2",
            28 + 2 + 1 + 1,
        ),
        (
            "neoverse_v2",
            "",
            "ld4 { v0.16b, v1.16b, v2.16b, v3.16b }, [x0]; fmov x1, d0; and x1, x1, xzr; orr x0, x1, x2",
            9 + 2 + 1 + 1,
        ),
        # What is added to the address behind the access is not waited for by the load.
        ("neoverse_v2", "", "mov x0, x2; ld2r { v0.8h, v1.8h }, [x0], x1; fmov x1, d0", 1.25),
    ],
)
def test_results_of_several_loads_and_of_addresses_that_move_on(
    cpu: str, setting: str, text: str, cycles: float
) -> None:
    machine = load_machine(cpu)
    listing = _core.assemble(machine.isa, f"{setting}\n{text}".replace("; ", "\n"))
    instructions = listing.instructions[1 if setting else 0 :]
    assert _core.simulate(machine.core, instructions, "loop").cycles_per_iteration == pytest.approx(cycles, abs=0.3)


@pytest.mark.parametrize(("jumps", "zen4", "zen5"), [(0, 1.0, 1.0), (1, 2.0, 1.0), (3, 4.0, 2.0), (6, 7.0, 3.5)])
def test_every_taken_branch_of_the_path_takes_its_time(jumps: int, zen4: float, zen5: float) -> None:
    """Zen 4: timed; Zen 5 follows two in a cycle."""
    text = ".L1:\n" + "".join(f" jmp .J{i}\n .p2align 4\n.J{i}:\n" for i in range(jumps)) + " decq %rcx\n jne .L1\n"
    for cpu, expected in (("zen4", zen4), ("zen5", zen5)):
        kernel, machine = Kernel.from_text(text), load_machine(cpu)
        assert simulate_kernel(kernel, machine).cycles_per_iteration == pytest.approx(expected)
        assert analyze_kernel(kernel, machine).prediction.cycles_per_iteration == pytest.approx(expected)


def test_conditional_branches_count_where_the_path_takes_them() -> None:
    text = ".L1:\n testq %rax, %rax\n jne .L3\n{} nop\n.L3:\n decq %rcx\n jne .L1\n"
    skipped = Kernel.from_text(text.format(""), RegionOptions(lines=((2, 3), (6, 7))))
    straight = Kernel.from_text(text.format(""), RegionOptions(lines=((2, 7),)))
    machine = load_machine("zen4")
    assert simulate_kernel(skipped, machine).cycles_per_iteration == pytest.approx(2.0)
    assert simulate_kernel(straight, machine).cycles_per_iteration == pytest.approx(1.0)


def test_what_a_loop_buffer_replays_is_not_fetched() -> None:
    text = ".L1:\n jmp .L2\n.L2:\n jmp .L3\n.L3:\n decq %rcx\n jne .L1\n"
    for cpu in ("alder_lake_p", "granite_rapids"):
        kernel, machine = Kernel.from_text(text), load_machine(cpu)
        bounds = dict(analyze_kernel(kernel, machine).frontend.components)
        assert bounds["taken_branch"] <= 1
        assert simulate_kernel(kernel, machine).cycles_per_iteration < 3
