"""Hypothesis strategies of the tests that run code: bodies of loops, for every core of an instruction set."""

from __future__ import annotations

from hypothesis import strategies as st

from corecast import _core
from corecast.prediction import predict
from corecast.prediction.engine import Mode

X86 = (
    *("add {r}, {r}", "add {r}, 5", "imul {r}, {r}", "mov {r}, {r}", "xor {r}, {r}", "cmp {r}, {r}", "shl {r}, 3"),
    *("lea {r}, [{r} + {r}]", "cmove {r}, {r}", "adc {r}, {r}", "movsx {r}, {b}", "inc {r}", "nop", "popcnt {r}, {r}"),
    *("mov {r}, [{a}]", "add {r}, [{a} + 8]", "mov [{a} + 16], {r}", "add [{a} + 24], {r}", "push {r}", "pop {r}"),
    *("addsd {x}, {x}", "mulps {x}, {x}", "movaps {x}, {x}", "pxor {x}, {x}", "pshufd {x}, {x}, 27", "divsd {x}, {x}"),
    *("movsd {x}, [{a}]", "movaps [{a}], {x}", "addps {x}, [{a} + 32]", "movd {d}, {x}", "cvtsi2sd {x}, {r}"),
    *("div {r}", "idiv {d}", "lock add [{a}], {r}", "xchg {r}, [{a}]", "add cx, 0x1234", "bsr {r}, {r}"),
    *("mov rax, {r}\nadd rax, {r}", "mov r9, {r}\nshl r9, 3", "mov rcx, [{a}]\nadd rcx, {r}"),  # some cores join them
    *("movaps xmm0, {x}\nmulps xmm0, {x}", "movaps xmm3, {x}\ndivsd xmm3, {x}"),
)
AARCH64 = (
    *("add {r}, {r}, {r}", "add {r}, {r}, #5", "mul {r}, {r}, {r}", "madd {r}, {r}, {r}, {r}", "mov {r}, {r}", "nop"),
    *("subs {r}, {r}, #1", "adds {r}, {r}, {r}", "csel {r}, {r}, {r}, eq", "lsl {r}, {r}, #3", "udiv {r}, {r}, {r}"),
    *("add {r}, {r}, {r}, lsl #7", "ldr {r}, [{a}]", "ldr {r}, [{a}, #8]!", "str {r}, [{a}, #16]"),
    "stp {r}, {r}, [{a}]",
    *("ldr {r}, [{a}], #8", "fadd {v}.2d, {v}.2d, {v}.2d", "fmla {v}.4s, {v}.4s, {v}.4s", "mul {v}.4s, {v}.4s, {v}.4s"),
    *("ldr {q}, [{a}]", "str {q}, [{a}, #32]", "fdiv {v}.2d, {v}.2d, {v}.2d", "eor {v}.16b, {v}.16b, {v}.16b"),
)
RISCV = (
    *("add {r}, {r}, {r}", "addi {r}, {r}, 5", "mul {r}, {r}, {r}", "mv {r}, {r}", "slli {r}, {r}, 3", "nop"),
    *("ld {r}, 0({a})", "sd {r}, 8({a})", "lw {r}, 16({a})", "divu {r}, {r}, {r}", "sltu {r}, {r}, {r}"),
    *("fadd.d {f}, {f}, {f}", "fmadd.d {f}, {f}, {f}, {f}", "fld {f}, 24({a})", "fsd {f}, 32({a})"),
    "fdiv.d {f}, {f}, {f}",
)
TEMPLATES = {"x86": X86, "aarch64": AARCH64, "riscv64": RISCV}
END = {
    "x86": ("dec r15", "jnz 1b"),
    "aarch64": ("subs x20, x20, #1", "b.ne 1b"),
    "riscv64": ("addi s3, s3, -1", "bnez s3, 1b"),
}
NAMES = {
    "x86": {"r": ["rax", "rcx", "r8", "r9"], "d": ["eax", "r8d"], "b": ["al", "cl"], "a": ["rdi", "rsi"]}
    | {"x": ["xmm0", "xmm1", "xmm2", "xmm3"]},
    "aarch64": {"r": ["x0", "x1", "x2", "x3"], "a": ["x8", "x9"], "v": ["v0", "v1", "v2"], "q": ["q0", "q1", "q2"]},
    "riscv64": {"r": ["a0", "a1", "a2", "a3"], "a": ["s0", "s1"], "f": ["fa0", "fa1", "fa2"]},
}
MOST_INSTRUCTIONS = 12


@st.composite
def bodies(draw: st.DrawFn, isa: str) -> list[str]:
    """A straight-line body: templates with registers drawn for each place."""
    lines = []
    for template in draw(st.lists(st.sampled_from(TEMPLATES[isa]), min_size=1, max_size=MOST_INSTRUCTIONS)):
        text = template
        for kind, names in NAMES[isa].items():
            while "{" + kind + "}" in text:
                text = text.replace("{" + kind + "}", draw(st.sampled_from(names)), 1)
        lines.append(text)
    return lines


def assembled(isa: str, lines: list[str]) -> list[_core.Instruction]:
    listing = _core.assemble(isa, "\n".join(lines) + "\n", "intel" if isa == "x86" else "")
    assert not listing.problems, lines
    return listing.instructions


def simulated(core: str, text: str, mode: Mode, address: int = 0) -> float:
    """Cycles of x86 code in Intel syntax, a line an instruction, on a shipped core."""
    code = "".join(bytes(each.bytes).hex() for each in assembled("x86", text.splitlines()))
    return float(predict([code], core, mode, "simulate", addresses=[address]).cycles[0])


def looped(isa: str, lines: list[str]) -> list[str]:
    """The body as a counted loop."""
    return ["1:", *lines, *END[isa]]
