"""LLVM's costs of RVV instructions for every element width and register group, and their packing into few rows.

LLVM keeps these costs on pseudo instructions, one per register group and, where it matters, element width; the
schedule finds them by the vector type. What is left to say here is at which types an instruction is legal where the
pseudos do not tell, because they do not name the element width.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from corecast import _core
from corecast.convert.importers.rvv_bench import Shape
from corecast.machine.llvm.schedule import ELEMENT_BITS, LMULS, row_from_entry
from corecast.machine.rows import Row

GROUPS = {name: (1 / int(name[2:]) if name.startswith("mf") else int(name[1:])) for name in LMULS}
NAMES = {size: name for name, size in GROUPS.items()}
SHAPES: tuple[Shape, ...] = tuple((lmul, bits) for lmul in LMULS for bits in ELEMENT_BITS if GROUPS[lmul] * 64 >= bits)

UNIT_OR_STRIDED = re.compile(r"v[ls]s?(?:seg(\d))?e(\d+)(?:ff)?\.v")
INDEXED = re.compile(r"v[ls][uo]x(?:seg(\d))?ei(\d+)\.v")
WHOLE_OR_MASK = re.compile(r"v(l\dr|s\dr|lm\.v|sm\.v|mv\dr)")
WIDE_RESULT = re.compile(r"vf?w(add|sub|mul|n?macc|n?msac|cvt)")
WIDE_SOURCE = re.compile(r"v(n(sr[la]|clipu?)|fncvt)")
EXTENSION = re.compile(r"v[sz]ext\.vf(\d)")
FLOATING = re.compile(r"vf(?!irst)|vmf")
SIXTEEN_BIT_FLOATS = 16


def legal(form: str, shape: Shape) -> bool:
    """Whether an instruction exists at an element width and register group, as far as LLVM's pseudos do not tell."""
    lmul, bits = shape
    mnemonic = form.partition(" ")[0]
    if WHOLE_OR_MASK.match(mnemonic):
        return True
    if match := UNIT_OR_STRIDED.fullmatch(mnemonic):
        # Their key has the type of their data, whatever the configuration (cpp/llvm/riscv.cpp, effective_type).
        return int(match[2]) == bits and GROUPS[lmul] * int(match[1] or 1) <= 8
    if match := INDEXED.fullmatch(mnemonic):
        fields, index_bits = match.groups()
        return GROUPS[lmul] * int(index_bits) / bits in NAMES and GROUPS[lmul] * int(fields or 1) <= 8
    if FLOATING.match(mnemonic) and bits < SIXTEEN_BIT_FLOATS and not mnemonic.startswith(("vfwcvt.f.x", "vfncvt")):
        return False
    if (WIDE_RESULT.match(mnemonic) or WIDE_SOURCE.match(mnemonic)) and (bits == 64 or lmul == "m8"):
        return False
    if match := EXTENSION.match(mnemonic):
        factor = int(match[1])
        return bits // factor >= 8 and GROUPS[lmul] / factor in NAMES
    return True


def llvm_rows(
    schedule: _core.Schedule, enumerated: _core.EnumeratedForm, ports: Mapping[str, str], source: str
) -> dict[Shape, Row]:
    """The rows of a form at every shape that it has."""
    found: dict[Shape, Row] = {}
    for shape in SHAPES:
        if not legal(enumerated.form, shape):
            continue
        entry = schedule.entry(enumerated.code, *shape)
        row = row_from_entry("riscv64", enumerated.form, entry, ports, source)
        if row is not None and (row.ports or row.blocking):
            found[shape] = row
    return found


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
