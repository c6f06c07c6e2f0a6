"""LLVM's costs of scalar RISC-V instructions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from corecast import _core
from corecast.machine.llvm.schedule import row_from_entry
from corecast.machine.rows import Row

SPELLINGS = (
    "nop", "li t0, 5", "li t0, -1", "lui t0, 5", "mv t0, t1", "not t0, t1", "neg t0, t1", "negw t0, t1",
    "sext.w t0, t1", "zext.b t0, t1", "zext.h t0, t1", "zext.w t0, t1", "seqz t0, t1", "snez t0, t1",
    "sltz t0, t1", "sgtz t0, t1", "rorw t0, t1, t2", "rolw t0, t1, t2", "bgt t0, t1, .", "ble t0, t1, .",
    "beqz t0, .", "bnez t0, .", "bltz t0, .", "bgez t0, .", "blez t0, .", "bgtz t0, .", "j .", "jr t0", "ret",
    "jalr t0", "csrr t0, vlenb", "csrr t0, vl", "csrr t0, vtype", "fabs.d ft0, ft1", "fneg.d ft0, ft1",
    "fmv.d ft0, ft1", "fcvt.w.d t0, ft0, rtz", "vsetvli t0, t1, e64, m1, ta, ma",
    "vsetivli t0, 4, e64, m1, ta, ma", "vsetvl t0, t1, t2", "vsetvli zero, t1, e64, m1, ta, ma",
    "vsetvli t0, zero, e64, m1, ta, ma",
)  # fmt: skip
WHOLE_REGISTERS = tuple(
    f"{name} v8, (t0)"
    for n in (1, 2, 4, 8)
    for name in (f"vs{n}r.v", *(f"vl{n}re{bits}.v" for bits in (8, 16, 32, 64)))
)
NO_PORTS = ("nop", "c.nop")


@dataclass(frozen=True)
class Spelled:
    """A form that the enumeration has no encoding of (the fields are those of the enumeration)."""

    form: str
    opcode: str
    code: bytes


def without_zero_register(enumerated: _core.EnumeratedForm) -> _core.EnumeratedForm:
    """The same form with ordinary registers: a result that goes to the zero register has no latency."""
    instruction = _core.disassemble("riscv64", enumerated.code).instructions[0]
    changed = re.sub(r"\bzero\b", "a5", instruction.text)
    read = _core.assemble("riscv64", changed + "\n").instructions if changed != instruction.text else []
    if read and read[0].form == instruction.form and read[0].bytes:
        return Spelled(enumerated.form, enumerated.opcode, bytes(read[0].bytes))  # type: ignore[return-value]
    return enumerated


def with_spellings(forms: Iterable[_core.EnumeratedForm], vector: Iterable[str]) -> list[_core.EnumeratedForm]:
    """The enumeration and, behind it, forms that only the spellings above and those of `vector` have."""
    found = [without_zero_register(enumerated) for enumerated in forms]
    known = {enumerated.form for enumerated in found}
    for read in _core.assemble("riscv64", "\n".join((*SPELLINGS, *WHOLE_REGISTERS, *vector)) + "\n").instructions:
        form = read.form.partition(" @")[0]
        if read.unknown or form in known:
            continue
        known.add(form)
        found.append(Spelled(form, "", bytes(read.bytes)))  # type: ignore[arg-type]
    return found


def pairs(rows: Mapping[str, Row]) -> list[Row]:
    """Calls and tail calls as assembly writes them: an address and a jump in one line."""
    address, jump = rows.get("auipc x, i"), rows.get("jalr x, i(x)")
    if address is None or jump is None or address.ports is None or jump.ports is None:
        return []
    return [
        jump.with_(
            form=f"{name} rel", ports=address.ports + jump.ports, latency=(), uops=(2.0, 2.0, 2.0),
            source=f"{jump.source}(auipc and jalr)", confidence="derived",
        )
        for name in ("call", "tail")
    ]  # fmt: skip


def llvm_row(
    schedule: _core.Schedule, enumerated: _core.EnumeratedForm, ports: Mapping[str, str], source: str
) -> Row | None:
    """The row of a form; None where LLVM's model does not cover it, or gives it no resource (which is not a cost)."""
    row = row_from_entry("riscv64", enumerated.form, schedule.entry(enumerated.code), ports, source)
    if row is None:
        return None
    if not (row.ports or row.blocking) and enumerated.form.split(" ")[0] not in NO_PORTS:
        return None
    return row
