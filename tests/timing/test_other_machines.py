"""Blocks of AArch64 and RISC-V are executed under emulators, with a simulated core behind the clock."""

from __future__ import annotations

import csv
import shlex
import sys
from pathlib import Path

import pytest

from corecast import _core, load_machine
from corecast.asm.code import Isa
from corecast.cli.main import main
from corecast.errors import InputError
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.timing.blocks import prepare
from corecast.timing.cores import choose_cores, kind_of
from corecast.timing.runner import LocalRunner, RemoteRunner, SimulatedRunner, Terms, runner_of
from corecast.timing.timer import BlockTimer
from measure.emulator import EMULATORS, obstacle, shared_build

CPUS: dict[Isa, str] = {"aarch64": "neoverse_n1", "riscv64": "sifive_p670"}
BLOCKS: dict[Isa, tuple[str, ...]] = {
    "aarch64": (
        "add x1, x1, x2",
        "ldr x0, [x1]",
        "str x0, [sp, #8]\nldr x2, [sp, #8]",
        "mul x0, x1, x2\nadd x0, x0, x3",
        "fmadd d0, d1, d2, d0",
        "ldp x0, x1, [x2], #16",
        "adrp x0, 4096\nldr x1, [x0, #8]",
        "fmla v0.4s, v1.4s, v2.4s",
    ),
    "riscv64": (
        "add a0, a0, a1",
        "ld a0, 0(a1)",
        "sd a0, 8(sp)\nld a2, 8(sp)",
        "mul a0, a1, a2\nadd a0, a0, a3",
        "fmadd.d fa0, fa1, fa2, fa0",
        "addi a1, a1, 8\nlw a2, 0(a1)",
        "c.addi a0, 1\nc.mv a2, a0",
        "vsetvli t0, zero, e64, m1, ta, ma\nvadd.vv v8, v9, v10",
    ),
}
REJECTED: dict[Isa, dict[str, str]] = {
    "aarch64": {"b 16": "branch", "svc #0": "system", "adr x0, 16": "relative", "movz x0, #1\nldr x1, [x0]": "memory"},
    "riscv64": {
        "j 16": "branch",
        "ecall": "system",
        "auipc a0, 1": "relative",
        "li a0, 1\nld a1, 0(a0)": "memory",
        "sd a0, 0(tp)": "reserved",
    },
}


def code_of(isa: Isa, text: str) -> bytes:
    return b"".join(each.bytes for each in _core.assemble(isa, text).instructions)


def command(isa: Isa, factory: pytest.TempPathFactory) -> tuple[str, ...]:
    if obstacle(isa):
        pytest.skip(obstacle(isa))
    _, emulator, cpu = EMULATORS[isa]
    return emulator, "-cpu", cpu, str(shared_build(isa, factory) / "runner")


def simulated(isa: Isa, text: str, loop: bool) -> float:
    core = load_machine(CPUS[isa]).core
    instructions = list(_core.disassemble(isa, code_of(isa, text), 0).instructions)
    if loop:
        counter = instruction_set(isa).COUNTERS[0]
        instructions += instruction_set(isa).closing(instructions, counter, False)
    return _core.simulate(core, instructions, "loop" if loop else "unroll").cycles_per_iteration


@pytest.mark.parametrize("isa", ["aarch64", "riscv64"])
def test_blocks_run_under_an_emulator_and_take_the_time_of_a_simulated_core(
    isa: Isa, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    words = command(isa, tmp_path_factory)
    blocks, measured = tmp_path / "blocks.csv", tmp_path / "measured.csv"
    texts = [*BLOCKS[isa], *REJECTED[isa]]
    blocks.write_text("hex,isa\n" + "".join(f"{code_of(isa, text).hex()},{isa}\n" for text in texts))
    options = ["--mode", "loop", "--apart", "0", "--cores", "0", "--timeout", "20"]
    asked = ["time", str(blocks), "-o", str(measured), *options, "--runner", shlex.join(words), "--on", CPUS[isa]]
    assert main(asked) == 0
    with measured.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for text, row in zip(texts, rows, strict=True):
        if text in REJECTED[isa]:
            assert row["rejected"] == REJECTED[isa][text], text
        else:
            assert float(row["cycles"]) == pytest.approx(simulated(isa, text, loop=True), rel=0.01, abs=0.01), text


@pytest.mark.parametrize("isa", ["aarch64", "riscv64"])
def test_a_trace_tells_what_registers_hold(isa: Isa, tmp_path_factory: pytest.TempPathFactory) -> None:
    runner = RemoteRunner(command(isa, tmp_path_factory))
    try:
        text = {"aarch64": "add x1, x1, #8\nldr x2, [x1]", "riscv64": "c.addi a1, 8\nld a2, 0(a1)"}[isa]
        number = {"aarch64": 1, "riscv64": 11}[isa]
        block = prepare(code_of(isa, text), 0, "unroll", isa)
        trace = runner.trace(block.timed(block.candidates()[0], "unroll"), 3, 100, Terms(0, 20.0, 1))
    finally:
        runner.close()
    assert (trace.end, trace.complete) == ("done", True)
    steps = [trace.steps[at : at + 33 * 8] for at in range(0, len(trace.steps), 33 * 8)]
    values = [int.from_bytes(step[8 * (1 + number) : 8 * (2 + number)], "little") for step in steps]
    first = values[0]
    assert values == [first, first + 8, first + 8, first + 16, first + 16, first + 24]
    offsets = [int.from_bytes(step[:8], "little") for step in steps]
    assert offsets[:2] == [0, block.starts[1]]


@pytest.mark.parametrize("isa", ["aarch64", "riscv64"])
def test_a_clock_that_is_slower_than_the_core_still_tells_cycles(
    isa: Isa, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """24 million steps a second beside 2.4 billion cycles: one step in a hundred cycles."""
    runner = SimulatedRunner(command(isa, tmp_path_factory), load_machine(CPUS[isa]), 0.01)
    timer = BlockTimer(0, "loop", 20.0, runner=runner)
    try:
        found = [timer.time(code_of(isa, text), 0) for text in BLOCKS[isa][:2]]
    finally:
        runner.close()
    for text, verdict in zip(BLOCKS[isa], found, strict=False):
        assert verdict.cycles == pytest.approx(simulated(isa, text, loop=True), rel=0.01), text


def test_what_is_no_runner_is_told_in_one_message() -> None:
    echo = shlex.join([sys.executable, "-c", "print(input())"])
    for given, wanted in (
        ("/no/such/program", "No such file"),
        (f"{sys.executable} -c pass", "does not answer"),
        (echo, "like another program"),
        ("", "takes a command"),
        ("'", "--runner"),
    ):
        with pytest.raises(InputError, match=wanted):
            _ = runner_of(given, load_machine("neoverse_n1")).isa
    with pytest.raises(InputError, match="--on needs --runner"):
        runner_of(None, load_machine("neoverse_n1"))


def test_answers_that_are_none_are_refused() -> None:
    block = prepare(bytes.fromhex("2100028b"), 0, "loop", "aarch64")
    line = _core.measure_request(block.timed(block.candidates()[0], "loop"))
    for wrong in ("", "measured", line, "measured end=9", "traced steps=1,2"):
        with pytest.raises(ValueError, match="not what is expected"):
            _core.measurement_of(wrong)
        with pytest.raises(ValueError, match="not what is expected"):
            _core.trace_of(wrong)


class TwoKinds(LocalRunner):
    """Four cores, of which the last two are large."""

    @property
    def cores(self) -> tuple[int, ...]:
        return (0, 1, 2, 3)

    def read(self, path: str) -> str:
        core = int(path.split("/cpu")[2].split("/")[0]) if "/cpu/cpu" in path else 0
        if path.endswith("cpu_capacity"):
            return "1024\n" if core >= 2 else "430\n"
        if path.endswith("midr_el1"):
            return "0x00000000413fd0c1\n" if core >= 2 else "0x00000000412fd050\n"
        return ""


def test_only_the_large_cores_of_several_kinds_are_chosen() -> None:
    runner = TwoKinds()
    assert kind_of(3, runner.read) == (1024, "0x4100d0c0")
    assert choose_cores(None, runner) == [2, 3]
    assert choose_cores([0, 1], runner) == [0, 1]
    with pytest.raises(InputError, match="2 kinds"):
        choose_cores([1, 2], runner)
