"""LLVM's costs of RVV instructions for every element width and register group, and their packing into few rows.

LLVM keeps these costs on pseudo instructions, one per register group and, where it matters, element width. Some of them
are named otherwise than the instruction: those with a scalar from a floating-point register, and indexed accesses,
which name two groups. They are asked for by a sibling that costs the same: `vfadd.vf` by `vfadd.vv`, `vluxei32.v` by
`vlse64.v` at the data's width, `vrgatherei16.vv` by `vrgather.vv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from corecast import _core
from corecast.machine.importers.llvm import ELEMENT_BITS, LMULS, row_from_entry
from corecast.machine.importers.rows import Latency, Row, endpoint_name
from corecast.machine.importers.rvv_bench import Shape

GROUPS = {name: (1 / int(name[2:]) if name.startswith("mf") else int(name[1:])) for name in LMULS}
NAMES = {size: name for name, size in GROUPS.items()}
SHAPES: tuple[Shape, ...] = tuple((lmul, bits) for lmul in LMULS for bits in ELEMENT_BITS if GROUPS[lmul] * 64 >= bits)

UNIT_OR_STRIDED = re.compile(r"v[ls]s?(?:seg(\d))?e(\d+)(?:ff)?\.v")
INDEXED = re.compile(r"v([ls])[uo]x(?:seg(\d))?ei(\d+)\.v")
WHOLE_OR_MASK = re.compile(r"v(l\dr|s\dr|lm\.v|sm\.v|mv\dr)")
WIDE_RESULT = re.compile(r"vf?w(add|sub|mul|n?macc|n?msac|cvt)")
WIDE_SOURCE = re.compile(r"v(n(sr[la]|clipu?)|fncvt)")
EXTENSION = re.compile(r"v[sz]ext\.vf(\d)")
FLOATING = re.compile(r"vf(?!irst)|vmf")
SIXTEEN_BIT_FLOATS = 16

# Instructions that take a scalar from a floating-point register -> what costs the same.
FLOAT_SIBLINGS = {
    "vfrsub.vf": "vfsub.vv", "vfrdiv.vf": "vfdiv.vv", "vfslide1up.vf": "vslide1up.vx",
    "vfslide1down.vf": "vslide1down.vx",
    "vfmv.v.f": "vmv.v.x", "vfmv.s.f": "vmv.s.x", "vfmv.f.s": "vmv.x.s", "vfmerge.vfm": "vmerge.vxm",
    "vmfgt.vf": "vmflt.vv", "vmfge.vf": "vmfle.vv",
}  # fmt: skip


@dataclass(frozen=True)
class Question:
    """What to ask LLVM's model for one form at one shape."""

    code: bytes
    lmul: str
    bits: int


@cache
def _code(text: str) -> bytes:
    """Encoding of an instruction; empty where there is none such."""
    read = _core.assemble("riscv64", text + "\n").instructions
    return b"" if not read or read[0].unknown else bytes(read[0].bytes)


def _text(mnemonic: str, operands: Iterable[str]) -> str:
    registers = {"v": iter(("v8", "v16", "v24", "v0")), "x": iter(("t1", "t2")), "f": iter(("ft1",)), "i": iter("3")}
    written = []
    for operand in operands:
        written.append("(t0)" if operand == "(x)" else next(registers[operand]) if operand in registers else operand)
    return f"{mnemonic} {', '.join(written)}"


def question(form: str, code: bytes, shape: Shape) -> Question | None:
    """How to ask for a form at a shape; None where the shape is illegal for it."""
    lmul, bits = shape
    mnemonic, _, rest = form.partition(" ")
    operands = rest.split(", ")
    mask = ", v0.t" if operands[-1] == "v0.t" else ""
    if WHOLE_OR_MASK.match(mnemonic):
        return Question(code, lmul, bits)
    if match := UNIT_OR_STRIDED.fullmatch(mnemonic):
        group = GROUPS[lmul] * int(match[2]) / bits
        legal = group in NAMES and group * int(match[1] or 1) <= 8
        return Question(code, NAMES[group], int(match[2])) if legal else None
    if match := INDEXED.fullmatch(mnemonic):
        direction, fields, index_bits = match.groups()
        if GROUPS[lmul] * int(index_bits) / bits not in NAMES or GROUPS[lmul] * int(fields or 1) > 8:
            return None
        strided = f"v{direction}s{f'seg{fields}' if fields else ''}e{bits}.v v8, (t0), t1{mask}"
        return Question(_code(strided), lmul, bits)
    if FLOATING.match(mnemonic) and bits < SIXTEEN_BIT_FLOATS and not mnemonic.startswith(("vfwcvt.f.x", "vfncvt")):
        return None
    if (WIDE_RESULT.match(mnemonic) or WIDE_SOURCE.match(mnemonic)) and (bits == 64 or lmul == "m8"):
        return None
    if match := EXTENSION.match(mnemonic):
        factor = int(match[1])
        if bits // factor < 8 or GROUPS[lmul] / factor not in NAMES:
            return None
    return Question(_sibling(mnemonic, operands) or code, lmul, bits)


def _sibling(mnemonic: str, operands: list[str]) -> bytes:
    if mnemonic == "vrgatherei16.vv":
        return _code(_text("vrgather.vv", operands))
    if mnemonic in FLOAT_SIBLINGS:
        other = FLOAT_SIBLINGS[mnemonic]
        scalar = "v" if other.endswith(".vv") else "x"
        return _code(_text(other, (scalar if operand == "f" else operand for operand in operands)))
    if mnemonic.endswith((".vf", ".wf")):
        return _code(_text(mnemonic[:-1] + "v", ("v" if operand == "f" else operand for operand in operands)))
    return b""


def llvm_rows(
    schedule: _core.Schedule, enumerated: _core.EnumeratedForm, ports: Mapping[str, str], source: str
) -> dict[Shape, Row]:
    """The rows of a form at every shape that it has. Latencies are those of the form's own operands."""
    found: dict[Shape, Row] = {}
    for shape in SHAPES:
        asked = question(enumerated.form, enumerated.code, shape)
        if asked is None:
            continue
        row = row_from_entry(
            "riscv64", enumerated.form, schedule.entry(asked.code, asked.lmul, asked.bits), ports, source
        )
        if row is None or not (row.ports or row.blocking):
            continue
        if asked.code != enumerated.code:
            row = row.with_(
                latency=own_latency(enumerated.code, row), source=f"{source}(sibling)", confidence="derived"
            )
        found[shape] = row
    return found


def own_latency(code: bytes, row: Row) -> tuple[Latency, ...]:
    """The largest latency of a sibling's row, for every result of this instruction."""
    cycles = max((pair.cycles for pair in row.latency or ()), default=None)
    if cycles is None:
        return ()
    instruction = _core.disassemble("riscv64", code).instructions[0]
    written = [operand.id for operand in instruction.operands if operand.write]
    return tuple(Latency("*", endpoint_name("riscv64", operand), cycles) for operand in written)


def packed(form: str, rows: Mapping[Shape, Row]) -> list[Row]:
    """As few rows as tell the same: one per group where its element widths agree, one in all where the groups do."""
    by_group: dict[str, list[Row]] = {}
    for (lmul, _), row in rows.items():
        by_group.setdefault(lmul, []).append(row)
    result: list[Row] = []
    agreed: list[Row] = []
    for lmul, members in by_group.items():
        if len(set(members)) == 1:
            agreed.append(members[0])
            result.append(members[0].with_(form=f"{form} @{lmul}"))
        else:
            shapes = [shape for shape in rows if shape[0] == lmul]
            result.extend(rows[shape].with_(form=f"{form} @{lmul},e{shape[1]}") for shape in shapes)
    if len(agreed) == len(by_group) and len(set(agreed)) == 1:
        return [agreed[0].with_(form=form)]
    return result
