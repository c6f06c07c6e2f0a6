"""Random forms of a model compared with the records they come from.

The comparison goes another way than the importer: the example of a record is assembled, the machine finds the row that
an analysis would use, and its port usage, uops and largest latency between registers are compared with the record's. A
difference counts unless a rule that SOURCES.md tells explains it (see `explanation`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corecast.convert.importers.uops_info import read_records, records_file
from corecast.convert.importers.uops_info_examples import render
from corecast.convert.importers.x86_text import assemble_each
from corecast.machine import load_machine
from facts import UOPS_INFO

from .cores import Core
from .port_sets import LION, TEN

if TYPE_CHECKING:
    from .tables import Origins

SEED = 22
GROUPS = {
    "LD": "LOAD", "STA": "STORE_ADDRESS", "STD": "STORE_DATA", "ALU": "ALU", "JMP": "JUMP", "SHIFT": "SHIFT",
    "SLOW": "SHIFT", "V01": "V01", "V23": "V23",
}  # fmt: skip
UNTOLD = ("UNKNOWN", "INT_OTHER")
Difference = tuple[str, object, object]


def verify(core: Core, origins: Origins, folder: Path, count: int) -> int:
    """Compares and reports; the number of differences without a reason."""
    machine = load_machine(folder)
    static = {record["string"]: record for record in read_records(records_file(UOPS_INFO, "forms"))}
    chosen = list(read_records(records_file(UOPS_INFO, core.uops_info)))
    random.Random(f"{SEED}{core.name}").shuffle(chosen)
    examples = []
    for record in chosen[: 2 * count]:
        try:
            examples.append(render(record, static.get(record["string"], {})))
        except ValueError:  # listed by --report: it has no form
            continue
    losers = {(form, loser) for form, _, loser in origins.imported(core).conflicts}
    compared = explained = unexplained = 0
    for example, instruction in zip(examples, assemble_each([each.text for each in examples]), strict=True):
        if instruction is None or compared == count:
            continue
        compared += 1
        _, row, _ = machine.core.lookup(instruction)
        record = dict(example.record)
        found: list[Difference] = [("row", "none", "known")]
        if row is not None:
            same = dict(record["variants"].get("same_reg", {})) if instruction.same_register else {}
            found = list(differences(core, row, record | same, instruction.same_register))
        for what, ours, theirs in found:
            shared = (instruction.form, record["string"]) in losers
            reason = "several records have this form" if shared else explanation(core, row, record, what)
            explained += reason != ""
            unexplained += reason == ""
            if not reason:
                print(f"{core.name}: {record['string']} ({instruction.form}): {what}: {ours}, the record {theirs}")
    print(f"{core.name}: {compared} forms compared, {explained} figures differ with a reason, {unexplained} without")
    return unexplained


def differences(core: Core, row: Mapping[str, Any], record: Mapping[str, Any], same: bool) -> Iterator[Difference]:
    """What the row says otherwise than the record; latencies of registers only."""
    named = {name: "".join(sorted(core.ports.groups[group])) for name, group in GROUPS.items() if core.ports is LION}
    ours = sorted((count, "".join(sorted(names))) for count, names in row["ports"] or ())
    merged: dict[str, float] = {}
    for names, count in record["ports"].items():
        key = named.get(names, "".join(sorted(names)))
        merged[key] = merged.get(key, 0.0) + count
    theirs = sorted((count, names) for names, count in merged.items())
    if ours != theirs:
        yield "ports", ours, theirs
    if row["uops"] is not None:
        fused, unfused, _ = row["uops"]
        if (fused, unfused) != (record["retire_slots"], record["uops"]):
            yield "uops", (fused, unfused), (record["retire_slots"], record["uops"])
    if any(operand["type"] in ("mem", "agen", "seg") for operand in record["operands"]):
        return
    cycles = [pair[2] for pair in row["latency"] or ()]
    measured = [pair.get("same_reg", pair["cycles"]) if same else pair["cycles"] for pair in record["latencies"]]
    if max(cycles, default=0) != max(measured, default=0):
        yield "latency", max(cycles, default=0), max(measured, default=0)


def explanation(core: Core, row: Mapping[str, Any] | None, record: Mapping[str, Any], what: str) -> str:
    """Why a figure is another one than the record's; "" where nothing that SOURCES.md tells says so."""
    if row is None:
        return ""
    source, form = str(row["source"]), str(row["form"])
    if f"({what})" in source or f"({what}," in source or (what == "uops" and "(ports)" in source):
        return "another source has this column"
    if what in ("ports", "uops") and "rule:occupancy" in source:
        return "held as long as our own campaign measured"
    if "facts:IN-" in source or source.startswith("llvm:ret"):
        return "documented rule"
    if "skylake_x_measured" in source:
        return "measured on Skylake-X"
    if core.ports is TEN and re.match(r"i?div ", form):
        return "the divider of the successor"
    if core.relative and what == "ports":
        return relative_ports(row, record)
    if "rule:class" in source and what != "latency":
        return "assumed ports"
    if what == "ports" and any(name in record["ports"] for name in UNTOLD):
        return "the record does not name the ports"
    if what == "latency" and crosses(form):
        return "the move back is taken off"
    if what == "latency" and re.match(r"(rd|wr)[fg]sbase", form):
        return "from or to a segment's base, which no operand of ours stands for"
    if what == "latency" and core.renames_additions and re.match(r"(add|sub|inc|dec|lea) ", form):
        return "documented rule"
    return ""


def relative_ports(row: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    """A relative's ports under the core's names: the same numbers of uops in each role."""
    roles = {name: role for role, names in ROLES.items() for name in names}
    ours: dict[str, float] = {}
    for count, names in row["ports"] or ():
        key = roles.get("".join(sorted(names)), "".join(sorted(names)))
        ours[key] = ours.get(key, 0) + count
    theirs: dict[str, float] = {}
    for names, count in record["ports"].items():
        key = roles.get(names, names)
        theirs[key] = theirs.get(key, 0) + count
    for usage in (ours, theirs):  # an indexed store address runs on the load ports of the relative
        usage["load or store address"] = usage.pop("load", 0) + usage.pop("store address", 0)
    return "the core's names" if {k: v for k, v in ours.items() if v} == {k: v for k, v in theirs.items() if v} else ""


ROLES = {"load": ("23", "23A"), "store address": ("237", "78"), "store data": ("4", "49"), "ALU": ("0156", "0156B")}


def crosses(form: str) -> bool:
    """Whether the operands, flags among them, lie in several register files."""
    plain = form.partition(" @")[0]
    vector = bool(re.search(r"\b[xyz]?mm\b", plain))
    general = bool(re.search(r"\b(r(8|16|32|64)|e?ax|[re][a-d]x|al|cl)\b", plain))
    return vector and (general or bool(re.match(r"v?(u?comis|ptest|testp|pcmp[ei]str)", plain)))
