"""PMTestBench's port mapping as rows (reads the mapping's JSON file).

One entry an instruction scheme ("add RW:GPR:64, qword ptr R:MEM(64)") with its port usage, inferred from measured
throughputs of mixes on the core, its reciprocal throughput and its macro-ops. No latencies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from corecast.convert.importers.x86_text import ExampleRegisters, assemble_each, immediate_text, memory_text
from corecast.errors import MachineModelError
from corecast.files.compressed import open_text
from corecast.machine.rows import Row

PortSets = Sequence[tuple[tuple[int, ...], float]]
"""(ports, uops that may go to any of them)."""


def rows_from_pmtestbench(
    path: Path, source: str, ports: Callable[[PortSets], tuple[tuple[float, str], ...]]
) -> dict[str, Row]:
    """Rows by form key. Entries without a port usage have unknown ports, but their reciprocal throughput.

    Args:
        ports: the mapping's port sets -> ours.

    Raises:
        MachineModelError: the file is not a mapping.
    """
    try:
        with open_text(path) as file:
            entries: dict[str, dict[str, object]] = json.load(file)["data"]
    except (ValueError, KeyError, TypeError) as error:
        raise MachineModelError("not a port mapping: no table named data", str(path)) from error
    texts = {scheme: example_of(scheme) for scheme in entries}
    readable = [scheme for scheme, text in texts.items() if text]
    instructions = assemble_each([texts[scheme] for scheme in readable])
    rows: dict[str, Row] = {}
    for scheme, instruction in zip(readable, instructions, strict=True):
        if instruction is None:
            continue
        entry = entries[scheme]
        usage = [(tuple(group), float(count)) for group, count in entry["portusage"]]  # type: ignore[attr-defined]
        slots = float(entry["numuops_unadjusted"])  # type: ignore[arg-type]
        row = Row(
            form=instruction.form,
            ports=ports(usage) if usage else None,
            uops=(slots, sum(count for _, count in usage) or slots, slots),
            flags=("microcoded",) if slots > 2 else (),
            reciprocal_throughput_cycles=round(float(entry["itp"]), 2),  # type: ignore[arg-type]
            source=source,
            confidence="measured",
        )
        if instruction.form not in rows or "0x0" not in scheme:  # an immediate of zero may be an idiom
            rows[instruction.form] = row
    return rows


def example_of(scheme: str) -> str:
    """An example of an instruction scheme, in Intel syntax; "" for an operand class without one."""
    mnemonic, _, rest = scheme.partition(" ")
    # Lists of registers hold commas without blanks, operands are separated by ", ".
    operands = rest.split(", ") if rest else []
    taken = [text for operand in operands if (text := _plain(operand)) in ("cl", "rax", "eax", "ax", "al")]
    registers = ExampleRegisters(frozenset({"rcx"} if "cl" in taken else {"rax"} if taken else set()))
    texts: list[str] = []
    for operand in operands:
        try:
            texts.append(_operand(_plain(operand), operand, registers))
        except ValueError:
            return ""
    return f"{mnemonic} {', '.join(texts)}".strip()


def _plain(operand: str) -> str:
    return operand.rpartition(":")[2] if not operand.endswith(")") else operand


def _operand(plain: str, operand: str, registers: ExampleRegisters) -> str:
    if match := re.search(r"GPR:(\d+)$", operand):
        return registers.take(f"r{match[1]}")
    if match := re.search(r"([XY]MM)0\.\.15$", operand):
        return registers.take(match[1].lower())
    if match := re.search(r"MEM\((\d+)\)$", operand):
        return memory_text(int(match[1]))
    if match := re.fullmatch(r"IMM\((\d+)\)", operand):
        return immediate_text(int(match[1]))
    if operand == "0x0":
        return immediate_text(8)
    if re.search(r"\bal,bl,", operand):
        return registers.take("r8")
    if re.fullmatch(r"\w+", plain):
        return plain
    raise ValueError(operand)
