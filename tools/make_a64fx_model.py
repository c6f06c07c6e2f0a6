"""Writes the form tables of the A64FX model.

    python tools/make_a64fx_model.py --manual FILE [--report] [--verify N]

FACTS holds misc/a64fx_manual_table16_raw.csv, a transcription of the instruction list of Fujitsu's A64FX
Microarchitecture Manual 1.8.1. Forms that the list does not have come from LLVM's model. Needs llvm-mc of the LLVM that
the extension was built with. The same input gives the same files; pipeline.toml and SOURCES.md are written by hand.
--verify N writes nothing: it compares N random forms with their sources (a64fx_verify.py) and ends with code 1 where
one differs.
"""

from __future__ import annotations

import argparse
import collections
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from a64fx_verify import verify
from arm_models import instruction_sets
from arm_models.examples import Example, examples
from corecast import _core
from corecast.convert.importers import a64fx_rows
from corecast.convert.importers.a64fx_forms import Form
from corecast.convert.importers.a64fx_lookup import PRINTED, PRINTED_SVE, Manual
from corecast.convert.importers.a64fx_manual import read_manual
from corecast.machine.llvm.schedule import row_from_entry, version
from corecast.machine.rows import Latency, Row, write_compact

CONTIGUOUS = re.compile(r"((ld|st)(nt)?1[bhwd]|[ls][dt]r) z")
STREAMED = {("EAG", "LS"): 0.62, ("EAG", "FLA", "LS0", "LS1"): 1.04}
"""Cycles that the first-level cache has a load and a store, by their ports: streams of the PMBS 2020 paper on A64FX.

0.5 and 1 by the manual. They come from half of the streams, drawn by a hash; on the other half the error falls as much.
Why is not known: the arrays are aligned, and the compiled loops do not tell.
"""
MACHINE = Path(__file__).resolve().parent.parent / "src" / "corecast" / "machine" / "data" / "a64fx"
LLVM_PORTS = {
    **{f"A64FXIP{pipe}": pipe for pipe in ("EXA", "EXB", "EAGA", "EAGB", "FLA", "FLB", "PR", "BR")},
    **{f"A64FXGI{n}": pipe for n, pipe in enumerate(("FLA", "PR", "EXA", "FLB", "EXB", "EAGA", "EAGB", "BR"))},
    "A64FXGI01": "FLA|PR", "A64FXGI03": "FL", "A64FXGI24": "EX", "A64FXGI56": "EAG", "A64FXGI056": "FLA|EAGA|EAGB",
    "A64FXGI2456": "ALU", "A64FXAny": "",
}  # fmt: skip
# Instructions of the core that the transcription lost; hints take a slot and no port.
HINTS = re.compile(r"(nop|yield|hint|csdb|sev|sevl|dgh|psb|clrbhb|xpaclri|(pac|aut)i[ab](sp|z|1716)|bti)\b")
NOT_IN_LIST = re.compile(
    r"([su]div [wx]|s(t|w)|[us](ml[as]l|mull)2? |[us]q|uadalp|extr|prfum|f(cvt|rint|mov)|movi? |rdffr|setffr)"
)
INTEGER_DIVIDE = {"w": (26.0, "9 to 26"), "x": (42.0, "9 to 42")}
# Measured throughput of reductions, which sequential decode alone does not explain.
MEASURED = {"faddv d, p, z.d": 11.5, "fadda d, p, d, z.d": 18.5}
# Packed with the instruction behind it, as architecture demands one that destroys its operand there.
PACKED = re.compile(r"movprfx (z, z|z\.\w, p/z, z\.\w)")
SWAP = re.compile(r"^swp(?!p|t)")
STORED = re.compile(r"^st((?:add|clr|eor|set|[su]m(?:ax|in))l?[bh]?) ([wx]), ")
"""Atomics without a result: the list has those with one."""
WIDE_MULTIPLY = re.compile(r"[su](ml[as]l|mull)2? v\.(4s|8h)")


def spellings() -> Iterator[str]:
    """SVE forms that the enumeration has no encoding of."""
    for e in "bhsd":
        sources = ("x2" if e == "d" else "w2", "#1", f"{e}2", f"z2.{e}[1]", f"p1/m, z2.{e}")
        yield from (f"mov z1.{e}, {source}" for source in sources)
        yield from (f"mov z1.{e}, p1/{m}, #1" for m in "mz")
        yield f"mov z1.{e}, p1/m, {'x' if e == 'd' else 'w'}2"
        yield f"ptrue p1.{e}"
        for name in ("inc", "dec", "cnt"):
            yield f"{name}{'w' if e == 's' else e} x1"
    yield from ("mov z1.d, z2.d", "mov p1.b, p2.b", "not p1.b, p2/z, p3.b")
    yield from (f"mov p1.b, p2/{m}, p3.b" for m in "mz")
    sizes = {"h": "b", "s": "h", "d": "s"}
    for wide, narrow in sizes.items():
        yield from (f"{sign}unpk{half} z1.{wide}, z2.{narrow}" for sign in "su" for half in ("lo", "hi"))
    yield from (f"ptrue{s} p1.{e}, {pattern}" for e in "bhsd" for s in ("", "s") for pattern in ("all", "vl8", "pow2"))
    yield from (f"{name}p {e}1, v2.2{e}" for name in ("fadd", "fmax", "fmin", "fmaxnm", "fminnm") for e in "sd")
    yield "addp d1, v2.2d"
    for name, value in (("fadd", 1), ("fsub", 1), ("fsubr", 1), ("fmax", 1), ("fmin", 1), ("fmul", 2)):
        yield from (f"{name} z1.{e}, p2/m, z1.{e}, #{value}.0" for e in "hsd")
    yield from (f"fmov z1.{e}, {s}" for e in "hsd" for s in ("#1.0", "p1/m, #1.0", "#0.0"))


def without_zero_registers(example: Example) -> Example:
    """The same form with ordinary registers: a result that goes to xzr has no latency."""
    text = _core.disassemble("aarch64", example.code).instructions[0].text
    changed = re.sub(r"\b([xw])zr\b", r"\g<1>9", text)
    read = _core.assemble("aarch64", changed + "\n").instructions if changed != text else []
    if read and read[0].form == example.form and read[0].bytes:
        return Example(example.form, example.opcode, bytes(read[0].bytes))
    return example


def all_examples() -> dict[str, Example]:
    found = {example.form: without_zero_registers(example) for example in examples()}
    for read in _core.assemble("aarch64", "\n".join(spellings()) + "\n").instructions:
        if not read.unknown:
            found.setdefault(read.form, Example(read.form, "", bytes(read.bytes)))
    return found


def manual_row(manual: Manual, key: str, instruction: _core.Instruction) -> Row | None:
    """The row of a form, by its own spelling or by the one without aliases."""
    swap = SWAP.sub("ldadd", key)  # swaps: the list gives no time although they have a result
    listed = (key, *instruction.alternative_forms, STORED.sub(r"ld\1 \2, \2, ", key))
    for spelling in listed if swap == key else (swap,):
        form = Form(spelling)
        if entry := manual.find(form):
            row = a64fx_rows.row_from_entry(form, entry, instruction)
            if swap != key:
                row = row.with_(source=f"{row.source}(like ldadd)", confidence="derived")
            if measured := MEASURED.get(key):
                source = f"{row.source}+osaca0.7.1:a64fx(rthroughput)"
                row = row.with_(reciprocal_throughput_cycles=measured, source=source)
            return row.with_(form=key)
    return None


def streamed(row: Row) -> Row:
    """A contiguous access of a whole SVE register, with the time that streams from the first-level cache take."""
    usage = {port: count for count, port in row.ports or ()}
    cycles = STREAMED.get(tuple(sorted(usage)))
    if cycles is None or not CONTIGUOUS.match(row.form) or sum(usage.values()) > len(usage):
        return row
    return row.with_(blocking=(("L1", cycles),), source=f"{row.source}+pmbs2020_streams(blocking)")


def packed_row(key: str) -> Row:
    source = "a64fx_manual_1.8.1:movprfx packing"
    return Row(key, (), (), (Latency("*", "1", 0.0),), (1.0, 0.0, 1.0), source=source, confidence="documented")


def sibling_row(form: Form, instruction: _core.Instruction) -> Row | None:
    """Forms that the transcription lost, from what the manual says elsewhere or from their siblings."""
    if form.mnemonic in ("sdiv", "udiv") and form.first in INTEGER_DIVIDE:
        cycles, _ = INTEGER_DIVIDE[form.first]
        return Row(
            form.key, ((1.0, "EXB"),), (("EXE", cycles),), (Latency("*", "1", cycles),), (1.0, 1.0, 1.0),
            source="a64fx_manual_1.8.1:instruction attributes, longest", confidence="documented",
        )  # fmt: skip
    source = f"{a64fx_rows.SOURCE}(like its other stores)"
    write_back = bool(form.write_back)
    if form.mnemonic in ("stp", "stnp") and form.first in ("s", "d", "q"):
        return a64fx_rows.store_row(form, 2, "FLA", write_back, source)
    if re.match(r"st[1-4]$", form.mnemonic) and form.has("v"):
        registers = len(form.registers) - (form.operands[-1] == "x")
        return a64fx_rows.store_row(form, registers, "FLA", write_back, source)
    if WIDE_MULTIPLY.match(form.key):
        pairs = (Latency("*", "1", 18.0),) + ((Latency("1", "1", 9.0),) if "mull" not in form.mnemonic else ())
        return Row(form.key, ((8.0, "FLB"),), (), pairs, (32.0, 8.0, 32.0),
                   source="osaca0.7.1:a64fx(like smlal)", confidence="derived")  # fmt: skip
    if re.match(r"st1[bhwd]", form.mnemonic) and "z." in form.memory:  # scatter: a store a lane
        lanes = 8.0 if ".d" in form.registers[0] else 16.0
        count = lanes / 2
        ports = ((count, "EXA"), (count + lanes, "FLA"), (lanes, "EAG"), (lanes, "LS0"), (lanes, "LS1"))
        return Row(form.key, ports, (), (), (4.0, count, 4.0),
                   source="a64fx_manual_1.8.1:scatter, 512 bits", confidence="derived")  # fmt: skip
    return None


def llvm_row(schedule: _core.Schedule, manual: Manual, example: Example, instruction: _core.Instruction) -> Row | None:
    source = f"llvm{version()}:a64fx"
    form = Form(example.form)
    mnemonic = form.mnemonic
    spelled = {mnemonic, PRINTED.get(mnemonic, "").lower(), PRINTED_SVE.get(mnemonic, "").lower()}
    known = any(manual.has(name, form.table) for name in spelled)
    if not known and not (form.table != "sve" and (HINTS.match(mnemonic) or NOT_IN_LIST.match(example.form))):
        return None
    row = row_from_entry("aarch64", example.form, schedule.entry(example.code), LLVM_PORTS, source)
    if row is None or not (row.ports or HINTS.match(mnemonic)):
        return None
    if not row.ports:
        return row.with_(latency=())
    return a64fx_rows.with_accesses(row, instruction, source, "documented")


def tables(table: Path) -> tuple[list[Row], list[Row], collections.Counter[str]]:
    """Rows of the manual, all others, and the forms left out by mnemonic."""
    manual = Manual(read_manual(table))
    schedule = _core.Schedule("aarch64", "a64fx")
    documented: list[Row] = []
    others: list[Row] = []
    missing: collections.Counter[str] = collections.Counter()
    listed = all_examples()
    later = instruction_sets.missing("a64fx", "a64fx", ((key, example.code) for key, example in listed.items()))
    for key, example in listed.items():
        instruction = _core.disassemble("aarch64", example.code).instructions[0]
        if "//" in key or key in later or not schedule.entry(example.code).known:
            continue
        if PACKED.fullmatch(key):
            documented.append(packed_row(key))
        elif row := manual_row(manual, key, instruction):
            documented.append(streamed(row))
        elif row := sibling_row(Form(key), instruction) or llvm_row(schedule, manual, example, instruction):
            others.append(row)
        else:
            missing[key.split(" ")[0]] += 1
    return documented, others, missing


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the form tables of the A64FX model.")
    parser.add_argument("--manual", type=Path, required=True, metavar="FILE", help="the list of section 16 as CSV")
    parser.add_argument("--report", action="store_true", help="name the instructions that have no row")
    parser.add_argument("--verify", type=int, metavar="N", help="compare N random forms with their sources")
    options = parser.parse_args()
    if options.verify is not None:
        sys.exit(1 if verify(options.manual, MACHINE, all_examples(), options.verify) else 0)
    documented, others, missing = tables(options.manual)
    made_by = "Made by tools/make_a64fx_model.py; do not edit."
    manual = "A64FX Microarchitecture Manual 1.8.1, section 16: vector length 512 bits."
    print("manual.tsv", write_compact(MACHINE / "forms" / "manual.tsv", (manual, made_by), documented))
    rest = "Forms that the transcription of the manual lacks: its siblings, else LLVM's scheduling model."
    print("llvm.tsv", write_compact(MACHINE / "forms" / "llvm.tsv", (rest, made_by), others))
    if options.report:
        print("left out:", sum(missing.values()), dict(missing.most_common(60)))


if __name__ == "__main__":
    main()
