"""Executes loops as compiled and as advised, on the same random values: stores and results must agree.

The advised loop takes the place of the loop in the compiler's text, with the neutral values of its accumulators before
it and their combination behind it. Functions are called with such numbers of elements that the iterations of the loop
are a multiple of its copies: an optimizer would add a second loop for the rest.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from advice_loops import SOURCE, Case, Compiler
from corecast import _core
from corecast.analysis.advice.reductions import Line, Reduction, find_reductions
from corecast.analysis.advice.registers import names_of
from corecast.analysis.advice.regrouping import regroup
from corecast.analysis.advice.rewriting import LEAVE, Rewritten
from corecast.analysis.advice.unrolling import Unrolling
from corecast.asm.code import Isa

_DRIVER = SOURCE.with_name("driver.c")
_RUNNERS: dict[Isa, tuple[str, ...]] = {
    "x86": (),
    "aarch64": ("qemu-aarch64", "-cpu", "max"),
    "riscv64": ("qemu-riscv64",),
}
_LINKERS: dict[Isa, str] = {"x86": "gcc", "aarch64": "aarch64-linux-gnu-gcc", "riscv64": "riscv64-linux-gnu-gcc"}


@dataclass(frozen=True)
class Entry:
    """One changed loop."""

    function: str
    number: int
    rewritten: Rewritten
    reductions: tuple[Reduction, ...]
    first_line: int
    last_line: int
    label: str
    exact: bool
    counted: bool
    taken: tuple[int, ...]
    """Registers that the loop did not touch before."""

    @property
    def multiple(self) -> int:
        """What the number of iterations has to be a multiple of."""
        return self.rewritten.iterations if self.counted else 1


def can_execute(isa: Isa) -> bool:
    """Whether this machine runs, or emulates, an instruction set."""
    if isa == "x86" and _core.measurable_isa() != "x86":
        return False
    return all(shutil.which(name) for name in (*_RUNNERS[isa][:1], _LINKERS[isa]))


def entries(cases: Sequence[Case]) -> list[Entry]:
    """The changes that are advised, each once, whatever the core."""
    found: dict[tuple[str, int, int], Entry] = {}
    for case in cases:
        kernel = case.kernel
        branches = any(each.branch != "none" for each in kernel.instructions[:-1])
        if branches or (case.advice.accumulators is None and case.advice.regrouped is None):
            continue
        times = case.advice.accumulators.unroll if case.advice.accumulators else 1
        key = (case.function, kernel.first_line, times)
        if key not in found:
            found[key] = _entry(case, times, len(found))
    return list(found.values())


def _entry(case: Case, times: int, number: int) -> Entry:
    kernel = case.kernel
    line = Line(kernel.instructions, kernel.isa, False, kernel.read_behind)
    reductions: tuple[Reduction, ...] = ()
    exact, counted = False, False
    if case.advice.accumulators is not None:
        links = set(case.advice.accumulators.instructions)
        reductions = tuple(each for each in find_reductions(line) if links.issuperset(each.links))
        unrolling = Unrolling(kernel.instructions, kernel.isa)
        rewritten = unrolling.copies(times, reductions)
        exact = not case.advice.accumulators.reassociates
        counted = LEAVE not in " ".join(rewritten.texts if rewritten else ())
    else:
        from corecast.api import analyze_region
        from corecast.machine import load_machine

        chains = analyze_region(kernel, load_machine(case.core)).dependencies.loop_carried
        found = regroup(line, [chain.instructions for chain in chains if 2 * chain.cycles >= chains[0].cycles])
        rewritten = found.rewritten if found else None
    assert rewritten is not None
    taken = tuple(sorted(_touched(rewritten.instructions) - _touched(kernel.instructions)))
    label, first, last = kernel.instructions[-1].target, kernel.first_line, kernel.last_line
    return Entry(case.function, number, rewritten, reductions, first, last, label, exact, counted, taken)


def _touched(instructions: Sequence[_core.Instruction]) -> set[int]:
    return {use.reg for each in instructions for operand in each.operands for use in operand.registers}


def execute(compiler: Compiler, text: Path, changes: Sequence[Entry]) -> str:
    """What the driver says: a line for each changed loop, "NUMBER FUNCTION runs N" or "... differs ..."."""
    folder = text.parent
    functions = re.findall(r"\nLOOP\((\w+)\)", SOURCE.read_text(encoding="utf-8"))
    original = re.sub(r"\n\s*\.addrsig.*", "", text.read_text(encoding="utf-8"))
    text.write_text(original, encoding="utf-8")
    sources = [text]
    for change in changes:
        for kind, body in (("new", _changed), ("counting", _counting)):
            lines = body(original.split("\n"), change, compiler.isa)
            renamed = re.sub(rf"\b({'|'.join(functions)})\b(?!:?\.)", rf"\1_{kind}{change.number}", "\n".join(lines))
            sources.append(folder / f"{kind}{change.number}.s")
            sources[-1].write_text(renamed, encoding="utf-8")
    table = folder / "table.h"
    table.write_text(
        "".join(f"ENTRY({each.number}, {each.function}, {each.multiple}, {int(each.exact)})\n" for each in changes),
        encoding="utf-8",
    )
    program = folder / "program"
    command = [
        _LINKERS[compiler.isa],
        "-O1",
        "-fomit-frame-pointer",
        "-static",
        "-w",
        f"-I{folder}",
        str(_DRIVER),
        *map(str, sources),
    ]
    subprocess.run([*command, "-o", str(program), "-lm"], check=True)
    done = subprocess.run([*_RUNNERS[compiler.isa], str(program)], capture_output=True, text=True, timeout=120)
    return done.stdout + (f"exit {done.returncode}\n" if done.returncode else "")


def _changed(lines: list[str], change: Entry, isa: Isa) -> list[str]:
    """The text with the changed loop in place of the loop."""
    before, loop, behind = lines[: change.first_line - 1], lines[change.first_line - 1 : change.last_line], []
    behind = lines[change.last_line :]
    labels = [line for line in loop if re.match(rf"{re.escape(change.label)}:", line)]
    assert labels, f"no label in the loop of {change.function}"
    again, leave = f".Lagain{change.number}", f".Lleave{change.number}"
    code = [text.replace(LEAVE, leave) for text in change.rewritten.texts]
    code[-1] = code[-1].replace(change.label, again)
    first, last = (".intel_syntax noprefix", ".att_syntax prefix") if isa == "x86" else ("", "")
    saved, restored = _kept(change, isa)
    start = [*saved, *(text for each in change.reductions for text in _neutral(each, change, isa))]
    end = [*(text for each in change.reductions for text in _combination(each, change, isa)), *restored]
    return [*before, f"{change.label}:", first, *start, f"{again}:", *code, f"{leave}:", *end, last, *behind]


def _counting(lines: list[str], change: Entry, isa: Isa) -> list[str]:
    """The text with a counter of the loop's iterations."""
    place = next(n for n in range(change.first_line - 1, len(lines)) if lines[n].startswith(f"{change.label}:"))
    return [*lines[: place + 1], *_COUNTERS[isa], *lines[place + 1 :]]


_COUNTERS: dict[Isa, list[str]] = {
    "x86": ["leaq -128(%rsp), %rsp", "pushfq", "incq iterations(%rip)", "popfq", "leaq 128(%rsp), %rsp"],
    "aarch64": [
        *("stp x16, x17, [sp, -32]!", "mrs x16, nzcv", "str x16, [sp, 16]", "adrp x16, iterations"),
        *("ldr x17, [x16, :lo12:iterations]", "add x17, x17, 1", "str x17, [x16, :lo12:iterations]"),
        *("ldr x16, [sp, 16]", "msr nzcv, x16", "ldp x16, x17, [sp], 32"),
    ],
    "riscv64": [
        *("addi sp, sp, -16", "sd t5, 0(sp)", "sd t6, 8(sp)", "la t5, iterations", "ld t6, 0(t5)", "addi t6, t6, 1"),
        *("sd t6, 0(t5)", "ld t5, 0(sp)", "ld t6, 8(sp)", "addi sp, sp, 16"),
    ],
}


def _kept(change: Entry, isa: Isa) -> tuple[list[str], list[str]]:
    """Texts that save the registers that the changed loop takes, and that restore them."""
    saved, restored = [], []
    names = [_core.register_name(isa, register) for register in change.taken]
    for place, name in enumerate(names):
        if isa == "x86":
            vex = any(re.search(r"\b[yz]mm", text) for text in change.rewritten.texts)
            move, name = (
                (("vmovups", f"y{name[1:]}") if vex else ("movups", f"x{name[1:]}"))
                if name[0] == "z"
                else ("mov", name)
            )
            saved.append(f"{move} [rip + saved + {64 * place}], {name}")
            restored.append(f"{move} {name}, [rip + saved + {64 * place}]")
            continue
        name = f"q{name[1:]}" if name[0] == "z" else name
        store, load = ("str", "ldr") if isa == "aarch64" else ("fsd", "fld") if name[0] == "f" else ("sd", "ld")
        where = f"[sp, {16 * place}]" if isa == "aarch64" else f"{16 * place}(sp)"
        saved.append(f"{store} {name}, {where}")
        restored.append(f"{load} {name}, {where}")
    if isa == "x86" or not names:
        return saved, restored
    room = 16 * len(names)
    down, up = ("sub", "add") if isa == "aarch64" else ("addi", "addi")
    return [f"{down} sp, sp, {'-' if down == 'addi' else ''}{room}", *saved], [*restored, f"{up} sp, sp, {room}"]


def _copies(reduction: Reduction, change: Entry) -> list[int]:
    return [names[reduction.register] for names in change.rewritten.accumulators[1:]]


def _neutral(reduction: Reduction, change: Entry, isa: Isa) -> list[str]:
    """Texts that set the other accumulators before the loop."""
    return [_start(reduction, copy, isa) for copy in _copies(reduction, change)]


def _start(reduction: Reduction, copy: int, isa: Isa) -> str:
    first, other = (_core.register_name(isa, each) for each in (reduction.register, copy))
    zero, same = reduction.kind in ("add", "xor", "or"), reduction.kind in ("min", "max", "and", "or")
    token = reduction.element.split()[-1]
    if isa == "x86":
        if not first.startswith("zmm"):
            return f"mov {other}, {first if same else 0 if zero else 1}"
        vex = token in ("ymm", "zmm")
        if zero:
            return f"vpxor y{other[1:]}, y{other[1:]}, y{other[1:]}" if vex else f"pxor x{other[1:]}, x{other[1:]}"
        if same:
            return (
                f"vmovaps {token[0]}{other[1:]}, {token[0]}{first[1:]}" if vex else f"movaps x{other[1:]}, x{first[1:]}"
            )
        return f"vmovups {token[0]}{other[1:]}, [rip + ones]" if vex else f"movups x{other[1:]}, [rip + ones]"
    if isa == "aarch64":
        if first.startswith("x"):
            return f"mov {other}, {first if same else 'xzr' if zero else '1'}"
        other, first = (f"v{each[1:]}" for each in (other, first))
        return f"movi {other}.2d, #0" if zero else f"mov {other}.16b, {first}.16b" if same else f"fmov {other}.2d, 1.0"
    if first.startswith("f"):
        return f"fmv.d.x {other}, zero" if zero else f"fmv.d {other}, {first}" if same else f"fld {other}, ones, t6"
    return f"mv {other}, {first}" if same else f"li {other}, {0 if zero else 1}"


def _combination(reduction: Reduction, change: Entry, isa: Isa) -> list[str]:
    """Texts that combine the accumulators behind the loop."""
    combined = [text for copy in _copies(reduction, change) for text in _combine(reduction, copy, isa)]
    return combined + [_same(reduction.register, copy, isa) for copy in reduction.copies]


def _same(register: int, copy: int, isa: Isa) -> str:
    """A text that copies a register as a whole."""
    first, other = (_core.register_name(isa, each) for each in (register, copy))
    if isa == "x86":
        return f"mov {other}, {first}" if first[0] == "r" else f"movaps x{other[1:]}, x{first[1:]}"
    if isa == "aarch64":
        return f"mov {other}, {first}" if first[0] == "x" else f"mov v{other[1:]}.16b, v{first[1:]}.16b"
    return f"fmv.d {other}, {first}" if first[0] == "f" else f"mv {other}, {first}"


def _combine(reduction: Reduction, copy: int, isa: Isa) -> list[str]:
    first, other = (_core.register_name(isa, each) for each in (reduction.register, copy))
    kind, words = reduction.kind, reduction.element.split()
    token, prefix = words[-1], words[0] if len(words) > 1 else ""
    if isa == "x86":
        if not first.startswith("zmm"):
            if kind in ("min", "max"):
                width = ("r64", "r32").index(token)
                one, two = (names_of(isa, each)[width] for each in (reduction.register, copy))
                return [f"cmp {one}, {two}", f"cmov{'l' if kind == 'max' else 'g'} {one}, {two}"]
            return [f"{'imul' if kind == 'multiply' else kind} {first}, {other}"]
        first, other = f"{token[0]}{first[1:]}", f"{token[0]}{other[1:]}"
        vex = token in ("ymm", "zmm")
        if kind in ("and", "or", "xor"):
            name = f"p{kind}"
        elif kind in ("min", "max"):
            name = prefix if prefix.startswith(("m", "p")) else f"p{kind}{prefix}"
        elif reduction.is_float:
            name = f"{'mul' if kind == 'multiply' else kind}{prefix}"
        else:
            name = f"{'pmull' if kind == 'multiply' else 'padd'}{prefix}"
        return [f"v{name} {first}, {first}, {other}" if vex else f"{name} {first}, {other}"]
    if isa == "aarch64":
        if first.startswith("x"):
            if kind in ("min", "max"):
                one, two = (f"{token}{each[1:]}" for each in (first, other))
                return [f"cmp {one}, {two}", f"csel {one}, {one}, {two}, {'gt' if kind == 'max' else 'lt'}"]
            return [f"{ {'multiply': 'mul', 'xor': 'eor', 'or': 'orr'}.get(kind, kind) } {first}, {first}, {other}"]
        scalar = "." not in token
        end = "" if scalar else "." + token.partition(".")[2]
        one, two = (f"{token if scalar else 'v'}{each[1:]}{end}" for each in (first, other))
        if kind in ("and", "or", "xor"):
            one, two = (f"v{each[1:]}.16b" for each in (first, other))
            return [f"{ {'xor': 'eor', 'or': 'orr'}.get(kind, kind) } {one}, {one}, {two}"]
        name = prefix if kind in ("min", "max") and prefix in ("smax", "umax", "smin", "umin") else kind
        name = "mul" if kind == "multiply" else name
        return [f"{'f' if reduction.is_float else ''}{name} {one}, {one}, {two}"]
    if first.startswith("f"):
        return [f"f{'mul' if kind == 'multiply' else kind}.d {first}, {first}, {other}"]
    return [f"{'mul' if kind == 'multiply' else kind} {first}, {first}, {other}"]
