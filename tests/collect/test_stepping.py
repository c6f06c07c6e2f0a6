"""Programs that are run instruction by instruction, as those that need AVX-512."""

from __future__ import annotations

import csv
import shutil
import subprocess
from array import array
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from corecast import _core
from corecast.cli.main import main
from corecast.collect.avx512 import needs_avx512
from corecast.collect.blocks import NO_FILE, Reasons
from corecast.collect.stepping import executed

OBJECT = Path(__file__).resolve().parents[2] / "examples" / "three_loops.o"
ASSEMBLER, LINKER = shutil.which("as"), shutil.which("ld")

needs_stepping = pytest.mark.skipif(not _core.can_step_programs(), reason="needs x86-64 Linux")
needs_binutils = pytest.mark.skipif(ASSEMBLER is None or LINKER is None, reason="needs as and ld")

LOOP = """\
.globl _start
_start: mov $40, %ecx
1: add $3, %rax
   lea 1(%rax), %rbx
   dec %ecx
   jnz 1b
   {wide}
   mov $64, %ecx
   lea buffer(%rip), %rdi
   rep stosb
   mov $60, %eax
   xor %edi, %edi
   syscall
.bss
buffer: .space 64
"""


def build(folder: Path, text: str) -> Path:
    source, made, program = folder / "p.s", folder / "p.o", folder / "p"
    source.write_text(text)
    subprocess.run([cast("str", ASSEMBLER), "--64", "-o", str(made), str(source)], check=True)
    subprocess.run([cast("str", LINKER), "-o", str(program), str(made)], check=True)
    return program


def images(*found: tuple[str, dict[int, int]]) -> _core.Stepped:
    made = [
        SimpleNamespace(
            maps=maps.encode(),
            addresses=array("Q", sorted(counts)).tobytes(),
            counts=array("Q", (counts[at] for at in sorted(counts))).tobytes(),
        )
        for maps, counts in found
    ]
    return cast("_core.Stepped", SimpleNamespace(images=made))


def test_counts_are_summed_over_processes_and_addresses_are_the_files() -> None:
    first = f"7f0000000000-7f0000001000 r-xp 00000000 08:01 5      {OBJECT}\n7ffd0000-7ffd1000 r-xp 0 00:00 0 [vdso]\n"
    second = f"550000000000-550000001000 r-xp 00000000 08:01 5      {OBJECT}\n"
    reasons = Reasons()
    (module,) = executed(
        images((first, {0x7F0000000040: 3, 0x7FFD0010: 2}), (second, {0x550000000040: 4, 0x550000000044: 1})), reasons
    )
    assert module.module == str(OBJECT)
    assert list(module.counts) == [7, 1]
    assert module.addresses[1] - module.addresses[0] == 4
    assert reasons.executions == {NO_FILE: 2}


@needs_stepping
@needs_binutils
def test_every_instruction_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, out = build(tmp_path, LOOP.format(wide="nop")), tmp_path / "blocks.csv"
    assert main(["collect", "-o", str(out), "--backend", "step", "--", str(program)]) == 0
    with open(out, newline="") as stream:
        weights = {row["hex"]: int(row["weight"]) for row in csv.DictReader(stream)}
    assert weights["4883c003488d5801ffc9"] in (39, 40)
    assert sum(weights.values()) in (41, 42), "an instruction that repeats itself counts once"
    assert "AVX-512" not in capsys.readouterr().err


@needs_binutils
def test_programs_with_avx512_of_their_own_need_it(tmp_path: Path) -> None:
    wide = "vpaddd %zmm1, %zmm2, %zmm3"
    assert needs_avx512(str(build(tmp_path, LOOP.format(wide=wide))))
    assert not needs_avx512(str(build(tmp_path, LOOP.format(wide="nop"))))
    assert not needs_avx512(str(build(tmp_path, LOOP.format(wide=f"cpuid\n{wide}")))), "it asks before"
    assert not needs_avx512(str(tmp_path / "missing"))


@needs_stepping
@needs_binutils
@pytest.mark.skipif("avx512f" not in Path("/proc/cpuinfo").read_text(), reason="needs AVX-512")
def test_such_programs_are_stepped_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, out = build(tmp_path, LOOP.format(wide="vpaddd %zmm1, %zmm2, %zmm3")), tmp_path / "blocks.csv"
    assert main(["collect", "-o", str(out), "--", str(program)]) == 0
    assert "has AVX-512 code" in capsys.readouterr().err
    assert "62f16d48fed9" in out.read_text()


@needs_stepping
@needs_binutils
def test_a_program_that_ends_badly_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, out = build(tmp_path, LOOP.format(wide="ud2")), tmp_path / "blocks.csv"
    assert main(["collect", "-o", str(out), "--backend", "step", "--", str(program)]) == 1
    assert "p was ended by SIGILL" in capsys.readouterr().err
    assert "4883c003488d5801ffc9" in out.read_text(), "what it executed is written all the same"


@needs_stepping
@needs_binutils
def test_a_program_that_does_not_end_is_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, out = build(tmp_path, LOOP.format(wide="2: jmp 2b")), tmp_path / "blocks.csv"
    assert main(["collect", "-o", str(out), "--backend", "step", "--seconds", "1", "--", str(program)]) == 0
    assert "p was ended when its time was over" in capsys.readouterr().err
