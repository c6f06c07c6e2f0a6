"""A model as gem5's out-of-order CPU in Python: functional units, latencies, widths and buffers.

gem5 has classes of operations, not forms: a form stands for each class (`_CLASSES`), and its ports and latency become
those of the class (an access to memory takes one cycle: gem5's caches add theirs). Ports that do the same are one unit
of several. What the model does not know stays gem5's default; a class that no form of the core stands for has no unit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from corecast.convert.exporters.operands import LOADS, STORES, VECTOR_LOADS, VECTOR_STORES
from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.hints import Any
from corecast.machine.types import Isa, Machine

_CLASSES: dict[str, Mapping[Isa, tuple[str, ...]]] = {
    "IntAlu": {"x86": ("add r64, r64",), "aarch64": ("add x, x, x",), "riscv64": ("add x, x, x",)},
    "IntMult": {"x86": ("imul r64, r64",), "aarch64": ("mul x, x, x",), "riscv64": ("mul x, x, x",)},
    "IntDiv": {"x86": ("idiv r64", "div r64"), "aarch64": ("sdiv x, x, x",), "riscv64": ("div x, x, x",)},
    "FloatAdd": {
        "x86": ("vaddsd xmm, xmm, xmm", "addsd xmm, xmm"), "aarch64": ("fadd d, d, d",), "riscv64": ("fadd.d f, f, f",),
    },
    "FloatCmp": {
        "x86": ("vucomisd xmm, xmm", "ucomisd xmm, xmm"), "aarch64": ("fcmp d, d",), "riscv64": ("feq.d x, f, f",),
    },
    "FloatCvt": {
        "x86": ("vcvtsi2sd xmm, xmm, r64", "cvtsi2sd xmm, r64"), "aarch64": ("scvtf d, x",),
        "riscv64": ("fcvt.d.l f, x",),
    },
    "FloatMult": {
        "x86": ("vmulsd xmm, xmm, xmm", "mulsd xmm, xmm"), "aarch64": ("fmul d, d, d",), "riscv64": ("fmul.d f, f, f",),
    },
    "FloatMultAcc": {
        "x86": ("vfmadd231sd xmm, xmm, xmm",), "aarch64": ("fmadd d, d, d, d",), "riscv64": ("fmadd.d f, f, f, f",),
    },
    "FloatDiv": {
        "x86": ("vdivsd xmm, xmm, xmm", "divsd xmm, xmm"), "aarch64": ("fdiv d, d, d",), "riscv64": ("fdiv.d f, f, f",),
    },
    "FloatSqrt": {
        "x86": ("vsqrtsd xmm, xmm, xmm", "sqrtsd xmm, xmm"), "aarch64": ("fsqrt d, d",), "riscv64": ("fsqrt.d f, f",),
    },
    "SimdAdd": {
        "x86": ("vpaddd ymm, ymm, ymm", "paddd xmm, xmm"), "aarch64": ("add v.4s, v.4s, v.4s",),
        "riscv64": ("vadd.vv v, v, v @m1,e32", "vadd.vv v, v, v @m1"),
    },
    "SimdAlu": {
        "x86": ("vpand ymm, ymm, ymm", "pand xmm, xmm"), "aarch64": ("and v.16b, v.16b, v.16b",),
        "riscv64": ("vand.vv v, v, v @m1,e32", "vand.vv v, v, v @m1"),
    },
    "SimdMult": {
        "x86": ("vpmulld ymm, ymm, ymm", "pmulld xmm, xmm"), "aarch64": ("mul v.4s, v.4s, v.4s",),
        "riscv64": ("vmul.vv v, v, v @m1,e32", "vmul.vv v, v, v @m1"),
    },
    "SimdMultAcc": {
        "x86": ("vpmaddwd ymm, ymm, ymm", "pmaddwd xmm, xmm"), "aarch64": ("mla v.4s, v.4s, v.4s",),
        "riscv64": ("vmacc.vv v, v, v @m1,e32", "vmacc.vv v, v, v @m1"),
    },
    "SimdShift": {
        "x86": ("vpslld ymm, ymm, i8", "pslld xmm, i8"), "aarch64": ("shl v.4s, v.4s, #i",),
        "riscv64": ("vsll.vv v, v, v @m1,e32", "vsll.vv v, v, v @m1"),
    },
    "SimdCmp": {
        "x86": ("vpcmpeqd ymm, ymm, ymm", "pcmpeqd xmm, xmm"), "aarch64": ("cmeq v.4s, v.4s, v.4s",),
        "riscv64": ("vmseq.vv v, v, v @m1,e32", "vmseq.vv v, v, v @m1"),
    },
    "SimdCvt": {
        "x86": ("vpmovzxwd ymm, xmm", "pmovzxwd xmm, xmm"), "aarch64": ("xtn v.4h, v.4s",),
        "riscv64": ("vzext.vf2 v, v @m1,e32", "vzext.vf2 v, v @m1"),
    },
    "SimdMisc": {
        "x86": ("vpshufb ymm, ymm, ymm", "pshufb xmm, xmm"), "aarch64": ("zip1 v.4s, v.4s, v.4s",),
        "riscv64": ("vrgather.vv v, v, v @m1,e32", "vrgather.vv v, v, v @m1"),
    },
    "SimdFloatAdd": {
        "x86": ("vaddpd ymm, ymm, ymm", "addpd xmm, xmm"), "aarch64": ("fadd v.2d, v.2d, v.2d",),
        "riscv64": ("vfadd.vv v, v, v @m1,e64", "vfadd.vv v, v, v @m1"),
    },
    "SimdFloatMult": {
        "x86": ("vmulpd ymm, ymm, ymm", "mulpd xmm, xmm"), "aarch64": ("fmul v.2d, v.2d, v.2d",),
        "riscv64": ("vfmul.vv v, v, v @m1,e64", "vfmul.vv v, v, v @m1"),
    },
    "SimdFloatMultAcc": {
        "x86": ("vfmadd231pd ymm, ymm, ymm",), "aarch64": ("fmla v.2d, v.2d, v.2d",),
        "riscv64": ("vfmacc.vv v, v, v @m1,e64", "vfmacc.vv v, v, v @m1"),
    },
    "SimdFloatAlu": {
        "x86": ("vandpd ymm, ymm, ymm", "andpd xmm, xmm"), "aarch64": ("fabs v.2d, v.2d",),
        "riscv64": ("vfsgnj.vv v, v, v @m1,e64", "vfsgnj.vv v, v, v @m1"),
    },
    "SimdFloatCmp": {
        "x86": ("vcmppd ymm, ymm, ymm, i8", "cmppd xmm, xmm, i8"), "aarch64": ("fcmeq v.2d, v.2d, v.2d",),
        "riscv64": ("vmfeq.vv v, v, v @m1,e64", "vmfeq.vv v, v, v @m1"),
    },
    "SimdFloatCvt": {
        "x86": ("vcvtdq2ps ymm, ymm", "cvtdq2ps xmm, xmm"), "aarch64": ("scvtf v.2d, v.2d",),
        "riscv64": ("vfcvt.f.x.v v, v @m1,e64", "vfcvt.f.x.v v, v @m1"),
    },
    "SimdFloatMisc": {
        "x86": ("vroundpd ymm, ymm, i8", "roundpd xmm, xmm, i8"), "aarch64": ("frintn v.2d, v.2d",),
        "riscv64": ("vfclass.v v, v @m1,e64", "vfclass.v v, v @m1"),
    },
    "SimdFloatSqrt": {
        "x86": ("vsqrtpd ymm, ymm", "sqrtpd xmm, xmm"), "aarch64": ("fsqrt v.2d, v.2d",),
        "riscv64": ("vfsqrt.v v, v @m1,e64", "vfsqrt.v v, v @m1"),
    },
    "SimdReduceAdd": {
        "x86": (), "aarch64": ("addv s, v.4s",), "riscv64": ("vredsum.vs v, v, v @m1,e32", "vredsum.vs v, v, v @m1"),
    },
    "SimdFloatReduceAdd": {
        "x86": (), "aarch64": ("faddv d, p, z.d",),
        "riscv64": ("vfredusum.vs v, v, v @m1,e64", "vfredusum.vs v, v, v @m1"),
    },
    "SimdPredAlu": {
        "x86": ("kandq k, k, k",), "aarch64": ("and p.b, p/z, p.b, p.b",),
        "riscv64": ("vmand.mm v, v, v @m1", "vmand.mm v, v, v"),
    },
    "SimdFloatDiv": {
        "x86": ("vdivpd ymm, ymm, ymm", "divpd xmm, xmm"), "aarch64": ("fdiv v.2d, v.2d, v.2d",),
        "riscv64": ("vfdiv.vv v, v, v @m1,e64", "vfdiv.vv v, v, v @m1"),
    },
    "MemRead": LOADS,
    "FloatMemRead": VECTOR_LOADS,
    "MemWrite": STORES,
    "FloatMemWrite": VECTOR_STORES,
}  # fmt: skip
_WIDTHS = ("fetchWidth", "decodeWidth", "renameWidth", "dispatchWidth")


@dataclass(frozen=True)
class _Operation:
    """One class of operations on this core."""

    name: str
    form: str
    latency: int
    pipelined: bool
    ports: frozenset[str]
    source: str


def gem5_python(machine: Machine) -> str:
    """The text of the file.

    Raises:
        InputError: the model has none of the forms that stand for gem5's classes.
    """
    operations = [each for name, forms in _CLASSES.items() if (each := _operation(machine, name, forms)) is not None]
    if not operations:
        raise InputError(f"{machine.name} has none of the forms that stand for gem5's classes of operations")
    title = "".join(part.capitalize() for part in re.split(r"\W|_", machine.name) if part)
    units = _units(operations)
    lines = [
        f'"""{machine.title} for gem5\'s O3 model, made by corecast from its machine model {machine.name}."""',
        "",
        "from m5.objects import BaseO3CPU, FUDesc, FUPool, OpDesc",
        "",
    ]
    for number, (ports, members) in enumerate(units.items()):
        lines += [
            "",
            f"class {title}Unit{number}(FUDesc):",
            f'    """Ports {", ".join(ports)}."""',
            "",
            "    opList = [",
            *(
                f'        OpDesc(opClass="{each.name}", opLat={each.latency}'
                f"{'' if each.pipelined else ', pipelined=False'}),  # {each.form}: {each.source}"
                for each in members
            ),
            "    ]",
            f"    count = {len(ports)}",
            "",
        ]
    lines += [
        "",
        f"class {title}FUPool(FUPool):",
        f"    FUList = [{', '.join(f'{title}Unit{number}()' for number in range(len(units)))}]",
        "",
        "",
        f"class {title}(BaseO3CPU):",
        f"    fuPool = {title}FUPool()",
        *(f"    {name} = {value}" for name, value in _parameters(machine).items()),
    ]
    return "\n".join(lines) + "\n"


def _operation(machine: Machine, name: str, forms: Mapping[Isa, tuple[str, ...]]) -> _Operation | None:
    for form in forms[machine.isa]:
        entry: Any = machine.core.find(form)
        if entry is not None and entry["ports"] and entry["latency"] is not None:
            in_memory = "Mem" in name  # gem5's caches add the rest
            busy = max((float(cycles) for cycles, _ in entry["blocking"]), default=0.0)
            return _Operation(
                name=name,
                form=form,
                latency=1 if in_memory else max(1, round(_latency(entry))),
                pipelined=busy <= 1,
                ports=_main_ports(entry),
                source=f"{entry['source']} ({entry['confidence']})",
            )
    return None


def _latency(entry: Mapping[str, Any]) -> float:
    return max((float(cycles) for _, to, cycles in entry["latency"] if to not in ("flags", "mem")), default=1.0)


def _main_ports(entry: dict[str, Any]) -> frozenset[str]:
    """gem5 gives an operation one unit: that of its scarcest uop."""
    uses = [(float(count) / len(ports), frozenset(map(str, ports))) for count, ports in entry["ports"]]
    return max(uses, key=lambda use: use[0])[1]


def _units(operations: list[_Operation]) -> dict[tuple[str, ...], list[_Operation]]:
    """Ports that do the same operations -> these operations."""
    by_port: dict[str, list[_Operation]] = {}
    for each in operations:
        for port in sorted(each.ports):
            by_port.setdefault(port, []).append(each)
    units: dict[tuple[str, ...], list[_Operation]] = {}
    for members in {tuple(members): members for members in by_port.values()}.values():
        units[tuple(port for port, done in by_port.items() if done == members)] = members
    return units


def _parameters(machine: Machine) -> dict[str, int]:
    """Widths and buffers that the model knows, in gem5's names."""
    found: dict[str, int] = {}

    def take(key: str, *names: str) -> None:
        value = machine.parameter(key)
        if isinstance(value, int | float) and value > 0:
            found.update(dict.fromkeys(names, int(value)))

    take("rename.width", *_WIDTHS)
    take("retire.width", "commitWidth", "squashWidth")
    take("reorder_buffer.entries", "numROBEntries")
    take("scheduler.entries", "numIQEntries")
    schedulers = machine.parameter("schedulers")
    if schedulers:
        found["numIQEntries"] = sum(int(each["entries"]) for each in schedulers)
    take("integer_registers.entries", "numPhysIntRegs")
    take("vector_registers.entries", "numPhysFloatRegs", "numPhysVecRegs")
    take("load_queue.entries", "LQEntries")
    take("store_queue.entries", "SQEntries")
    found["issueWidth"] = len(machine.ports)
    found["wbWidth"] = len(machine.ports)
    return found
