"""A model as a machine file of OSACA (YAML), version 0.7: one latency an instruction, ports as lists.

OSACA names operands by class in AT&T order and does not tell general registers of one width from another on x86: the
64-bit form stands for all. Forms that OSACA's operand classes cannot express are left out, and counted in a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from corecast.convert.exporters.operands import (
    LOADS,
    STORES,
    VECTOR_LOADS,
    first_entry,
    longest_latency,
    split_form,
)
from corecast.errors import InputError
from corecast.hints import Any
from corecast.machine.types import Machine

_X86_REGISTERS = ("xmm", "ymm", "zmm", "mm", "k")
_LANES = {"8b": ("b", 8), "16b": ("b", 16), "4h": ("h", 4), "8h": ("h", 8), "2s": ("s", 2), "4s": ("s", 4)}
_LANES |= {"1d": ("d", 1), "2d": ("d", 2)}
_CONDITIONS = (
    "eq",
    "ne",
    "cs",
    "hs",
    "cc",
    "lo",
    "mi",
    "pl",
    "vs",
    "vc",
    "hi",
    "ls",
    "ge",
    "lt",
    "gt",
    "le",
    "any",
    "none",
)
_CONDITIONAL = [f"b{dot}{condition}" for condition in _CONDITIONS for dot in (".", "")]
"""Spellings of AArch64's conditional branch, one name each to OSACA."""
_ANY_MEMORY = "{class: memory, base: '*', offset: '*', index: '*', scale: '*'}"


def osaca_yaml(machine: Machine) -> str:
    """The text of the file.

    Raises:
        InputError: OSACA does not know the instruction set.
    """
    if machine.isa == "riscv64":
        raise InputError(f"OSACA has no RISC-V: {machine.name} cannot be exported to it")
    entries, left_out = _entries(machine)
    lines = [
        f"# {machine.title}, exported by corecast. Forms that OSACA cannot express: {left_out}.",
        "osaca_version: 0.7.1",
        f"micro_architecture: {json.dumps(machine.title)}",
        f"arch_code: {machine.name}",
        f"isa: {'x86' if machine.isa == 'x86' else 'AArch64'}",
        f"ROB_size: {_parameter(machine, 'reorder_buffer.entries')}",
        f"retired_uOps_per_cycle: {_parameter(machine, 'retire.width')}",
        f"scheduler_size: {_parameter(machine, 'scheduler.entries')}",
        "hidden_loads: false",
        f"load_latency: {_load_latencies(machine)}",
        "p_index_latency: 1",
        "load_throughput: []",
        f"load_throughput_default: {_pressure(machine, first_entry(machine, LOADS[machine.isa]))}",
        "store_throughput: []",
        f"store_throughput_default: {_pressure(machine, first_entry(machine, STORES[machine.isa]))}",
        f"ports: {_names((*machine.ports, *map(_divider, machine.units)))}",
        "port_model_scheme: ''",
        "instruction_forms:",
        *entries,
    ]
    return "\n".join(lines) + "\n"


def _entries(machine: Machine) -> tuple[list[str], int]:
    lines: list[str] = []
    seen: set[tuple[str, str]] = set()
    left_out = 0
    for form in machine.keys():  # noqa: SIM118
        entry = machine.core.find(form)
        if entry is None or "@" in form or (machine.isa == "x86" and _is_narrow(form)):
            continue
        mnemonic, texts = split_form(form)
        operands = _operands(machine, texts)
        if operands is None or entry["ports"] is None or entry["latency"] is None or " " in mnemonic:
            left_out += 1
            continue
        key = (mnemonic, str(operands))
        if key not in seen:
            seen.add(key)
            lines += _entry(machine, mnemonic, operands, entry)
    return lines, left_out


def _is_narrow(form: str) -> bool:
    """Narrower general registers than 64 bits where a 64-bit form may stand for them."""
    return bool(re.search(r"\br(8|8h|16|32)\b", form)) and not re.search(r"\br64\b|mm\b|\bk\b|movzx|movsx", form)


def _entry(machine: Machine, mnemonic: str, operands: Sequence[str], entry: Mapping[str, Any]) -> Iterator[str]:
    measured = entry["rthroughput"]
    throughput = measured if measured is not None else least_cycles(entry)
    yield f"- name: {_names(_CONDITIONAL) if mnemonic == 'b.cond' else json.dumps(mnemonic)}"
    yield f"  operands: {'[]' if not operands else ''}".rstrip()
    yield from (f"  - {operand}" for operand in operands)
    yield f"  latency: {_latency(entry):g}"
    yield f"  throughput: {throughput:g}"
    yield f"  uops: {entry['uops'][1]:g}" if entry["uops"] else "  uops: ~"
    yield f"  port_pressure: {_pressure(machine, entry)}"
    yield f"  # {entry['source']} ({entry['confidence']})"


def _latency(entry: Mapping[str, Any]) -> float:
    """The one latency that OSACA has, a load's with it: OSACA adds that only to forms that it splits itself."""
    pairs = [cycles for _, to, cycles in entry["latency"] if to not in ("mem", "flags")]
    return float(max(pairs, default=0.0))


def least_cycles(entry: Mapping[str, Any]) -> float:
    """The busiest port where every set of ports shares its uops equally, as OSACA does."""
    load: dict[str, float] = {}
    for count, ports in (*entry["ports"], *entry["blocking"]):
        for port in ports:
            load[port] = load.get(port, 0.0) + count / len(ports)
    return round(max(load.values(), default=0.0), 3)


def _pressure(machine: Machine, entry: Mapping[str, Any] | None) -> str:
    """Uses of ports and units. Either may stand in either column: a shared access is a unit that micro-ops take."""
    if entry is None or entry["ports"] is None:
        return "[]"
    units = set(machine.units)
    uses = [
        (count, tuple(_divider(name) if name in units else name for name in names))
        for count, names in (*entry["ports"], *entry["blocking"])
    ]
    return f"[{', '.join(f'[{count:g}, {_names(ports)}]' for count, ports in uses)}]"


def _divider(unit: str) -> str:
    """OSACA takes ports whose name ends in DV for dividers."""
    return unit if unit.endswith("DV") else f"{unit}DV"


def _names(names: Iterable[str]) -> str:
    return f"[{', '.join(json.dumps(name) for name in names)}]"


def _operands(machine: Machine, texts: Sequence[str]) -> list[str] | None:
    """OSACA's operands; None where it has no class for one of them."""
    describe = _x86_operand if machine.isa == "x86" else _aarch64_operand
    found = [describe(text) for text in texts]
    if any(operand is None for operand in found):
        return None
    known = [operand for operand in found if operand is not None]
    return known[::-1] if machine.isa == "x86" else known


def _x86_operand(text: str) -> str | None:
    if re.fullmatch(r"r(8|16|32|64)", text):
        return "{class: register, name: gpr}"
    if text in _X86_REGISTERS:
        return f"{{class: register, name: {text}}}"
    if match := re.fullmatch(r"([xyz]mm)\{k\}(\{z\})?", text):
        zeroing = ", zeroing: true" if match[2] else ""
        return f"{{class: register, name: {match[1]}, mask: true{zeroing}}}"
    if re.fullmatch(r"i(8|16|32|64)", text):
        return "{class: immediate, imd: int}"
    if text == "rel":
        return "{class: identifier}"
    return _ANY_MEMORY if re.fullmatch(r"m\d*", text) else None


def _aarch64_operand(text: str) -> str | None:
    if text in ("x", "w", "b", "h", "s", "d", "q"):
        return f"{{class: register, prefix: {text}}}"
    if match := re.fullmatch(r"v\.(\w+)", text):
        if match[1] not in _LANES:
            return None
        shape, lanes = _LANES[match[1]]
        return f"{{class: register, prefix: v, shape: {shape}, lanes: {lanes}}}"
    if match := re.fullmatch(r"z\.([bhsd])", text):
        return f"{{class: register, prefix: z, shape: {match[1]}}}"
    if match := re.fullmatch(r"p/([mz])", text):
        return f"{{class: register, prefix: p, predication: {match[1]}}}"
    if match := re.fullmatch(r"p(?:\.([bhsd]))?", text):
        shape = match[1] or "'*'"
        return f"{{class: register, prefix: p, shape: {shape}}}"
    if text == "#i":
        return "{class: immediate, imd: int}"
    if text == "rel":
        return "{class: identifier}"
    if text == "cond":
        return "{class: condition, ccode: '*'}"
    if re.fullmatch(r"\[x[^\]]*\]", text):
        return _ANY_MEMORY
    return f"{_ANY_MEMORY[:-1]}, pre_indexed: true}}" if re.fullmatch(r"\[x[^\]]*\]!", text) else None


def _load_latencies(machine: Machine) -> str:
    general = longest_latency(first_entry(machine, LOADS[machine.isa]))
    vector = longest_latency(first_entry(machine, VECTOR_LOADS[machine.isa]))
    names: Mapping[str, float | None]
    if machine.isa == "x86":
        names = {"gpr": general, "mm": vector, "xmm": vector, "ymm": vector, "zmm": vector}
    else:
        names = {**dict.fromkeys("wx", general), **dict.fromkeys("bhsdqvz", vector)}
    return "{" + ", ".join(f"{name}: {cycles or 0:g}" for name, cycles in names.items() if cycles is not None) + "}"


def _parameter(machine: Machine, key: str) -> str:
    value = machine.parameter(key)
    return f"{value:g}" if isinstance(value, int | float) and value > 0 else "~"
