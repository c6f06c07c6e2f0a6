"""No simulation is faster than what the static analysis proves: ports, chains, widths of rename and retirement."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corecast import _core
from corecast.machine import Machine, list_machines, load_machine

X86 = (
    *("add {r}, {r}", "add {r}, 5", "imul {r}, {r}", "mov {r}, {r}", "xor {r}, {r}", "cmp {r}, {r}", "shl {r}, 3"),
    *("lea {r}, [{r} + {r}]", "cmove {r}, {r}", "adc {r}, {r}", "movsx {r}, {b}", "inc {r}", "nop", "popcnt {r}, {r}"),
    *("mov {r}, [{a}]", "add {r}, [{a} + 8]", "mov [{a} + 16], {r}", "add [{a} + 24], {r}", "push {r}", "pop {r}"),
    *("addsd {x}, {x}", "mulps {x}, {x}", "movaps {x}, {x}", "pxor {x}, {x}", "pshufd {x}, {x}, 27", "divsd {x}, {x}"),
    *("movsd {x}, [{a}]", "movaps [{a}], {x}", "addps {x}, [{a} + 32]", "movd {d}, {x}", "cvtsi2sd {x}, {r}"),
)
AARCH64 = (
    *("add {r}, {r}, {r}", "add {r}, {r}, #5", "mul {r}, {r}, {r}", "madd {r}, {r}, {r}, {r}", "mov {r}, {r}", "nop"),
    *("subs {r}, {r}, #1", "adds {r}, {r}, {r}", "csel {r}, {r}, {r}, eq", "lsl {r}, {r}, #3", "udiv {r}, {r}, {r}"),
    *(
        "add {r}, {r}, {r}, lsl #7",
        "ldr {r}, [{a}]",
        "ldr {r}, [{a}, #8]!",
        "str {r}, [{a}, #16]",
        "stp {r}, {r}, [{a}]",
    ),
    *("ldr {r}, [{a}], #8", "fadd {v}.2d, {v}.2d, {v}.2d", "fmla {v}.4s, {v}.4s, {v}.4s", "mul {v}.4s, {v}.4s, {v}.4s"),
    *("ldr {q}, [{a}]", "str {q}, [{a}, #32]", "fdiv {v}.2d, {v}.2d, {v}.2d", "eor {v}.16b, {v}.16b, {v}.16b"),
)
RISCV = (
    *("add {r}, {r}, {r}", "addi {r}, {r}, 5", "mul {r}, {r}, {r}", "mv {r}, {r}", "slli {r}, {r}, 3", "nop"),
    *("ld {r}, 0({a})", "sd {r}, 8({a})", "lw {r}, 16({a})", "divu {r}, {r}, {r}", "sltu {r}, {r}, {r}"),
    *(
        "fadd.d {f}, {f}, {f}",
        "fmadd.d {f}, {f}, {f}, {f}",
        "fld {f}, 24({a})",
        "fsd {f}, 32({a})",
        "fdiv.d {f}, {f}, {f}",
    ),
)
TEMPLATES = {"x86": X86, "aarch64": AARCH64, "riscv64": RISCV}
END = {
    "x86": "dec r15\njnz 1b\n",
    "aarch64": "subs x20, x20, #1\nb.ne 1b\n",
    "riscv64": "addi s3, s3, -1\nbnez s3, 1b\n",
}
NAMES = {
    "x86": {"r": ["rax", "rcx", "r8", "r9"], "d": ["eax", "r8d"], "b": ["al", "cl"], "a": ["rdi", "rsi"]}
    | {"x": ["xmm0", "xmm1", "xmm2", "xmm3"]},
    "aarch64": {"r": ["x0", "x1", "x2", "x3"], "a": ["x8", "x9"], "v": ["v0", "v1", "v2"], "q": ["q0", "q1", "q2"]},
    "riscv64": {"r": ["a0", "a1", "a2", "a3"], "a": ["s0", "s1"], "f": ["fa0", "fa1", "fa2"]},
}
MOST_INSTRUCTIONS = 12
WINDOW = 0.005  # cycles, or as a share: a window's ends are whole cycles


@st.composite
def bodies(draw: st.DrawFn, isa: str) -> str:
    """A straight-line body: templates with registers drawn for each place."""
    lines = []
    for template in draw(st.lists(st.sampled_from(TEMPLATES[isa]), min_size=1, max_size=MOST_INSTRUCTIONS)):
        text = template
        for kind, names in NAMES[isa].items():
            while "{" + kind + "}" in text:
                text = text.replace("{" + kind + "}", draw(st.sampled_from(names)), 1)
        lines.append(text)
    return "\n".join(lines) + "\n"


def provable(analysis: _core.Analysis, estimates: bool) -> float:
    """The largest bound that no order of events undercuts; `estimates`: the front end is known on average only."""
    bounds = dict(analysis.bounds)
    frontend = analysis.frontend.components
    if estimates:
        bounds["frontend"] = max(frontend.get(name, 0.0) for name in ("rename", "retire"))
    return float(max(bounds.values()))


def check(machine: Machine, text: str, mode: str) -> None:
    listing = _core.assemble(machine.isa, text, "intel" if machine.isa == "x86" else "")
    assert not listing.problems
    analysis = _core.analyze(machine.core, listing.instructions, mode)
    bound = provable(analysis, machine.pipeline.get("vendor") == "intel")
    found = _core.simulate(machine.core, listing.instructions, mode)
    slack = 1e-6 if found.periodic else max(WINDOW, WINDOW * bound)
    assert found.cycles_per_iteration >= bound - slack, text


@pytest.mark.parametrize("info", list_machines(), ids=lambda info: info.name)
def test_no_loop_and_no_copies_are_faster_than_their_bounds(info: object) -> None:
    machine = load_machine(info.name)  # type: ignore[attr-defined]

    @settings(max_examples=30, deadline=None, derandomize=True)
    @given(bodies(machine.isa))
    def never_below(body: str) -> None:
        check(machine, "1:\n" + body + END[machine.isa], "loop")
        check(machine, body, "unroll")

    never_below()
