"""ocxtal's insn_bench_aarch64: latencies and throughputs of instructions on many Arm cores (CSV, one line a test).

A test bears a short name: `fmla.s (vec; acc. fwd.)`, `add (reg<<17)`, `ld2.b (multi)`. The name is rendered to assembly
and read, so that the form is the one everything else uses. Tests whose figure is not the latency of one instruction
(round trips between register files, branches, store to load, unaligned accesses) are left out.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from corecast import _core
from corecast.dataclass import dataclass
from corecast.errors import MachineModelError
from corecast.files.compressed import open_text
from corecast.machine.rows import rounded

FULL = {"b": "16b", "h": "8h", "s": "4s", "d": "2d"}
HALF = {"b": "8b", "h": "4h", "s": "2s", "d": "1d"}
WIDER = {"b": "h", "h": "s", "s": "d", "d": "q"}
NARROWER = {"h": "b", "s": "h", "d": "s"}
LEFT_OUT_SECTIONS = ("Branch", "Scalar store", "Vector store", "Scalar store-to-load", "Vector store-to-load")
LEFT_OUT_TESTS = ("extr (",)
"""Both sources were one register, which is `ror`: on Apple's Firestorm these ran six a cycle, while extr of two
registers runs once a cycle there (dougallj), and on other cores it takes a multi-cycle pipe besides (PMEvo, WINIC)."""
LEFT_OUT_NOTES = ("unaligned", "cross-", "chain", "idiom", "<->", "-> reg", "literal", "ptr fwd", "0x00")


@dataclass(frozen=True)
class Figure:
    """What was measured of one form. Cycles; None where the test did not tell."""

    form: str
    latency_cycles: float | None = None
    accumulator_latency_cycles: float | None = None
    """From the operand that is added to, where the producer is an instruction of the same kind."""
    reciprocal_throughput_cycles: float | None = None
    by_element: bool = False
    """The latency was measured through the operand that names one element."""


@dataclass(frozen=True)
class Test:
    """One line of the CSV."""

    section: str
    name: str
    latency_cycles: float | None
    throughput_per_cycle: float | None


def read_tests(path: Path, machine: str) -> Iterator[Test]:
    """The tests of one machine.

    Args:
        machine: column prefix, e.g. "aws_graviton2".

    Raises:
        MachineModelError: the file has no such machine.
    """
    with open_text(path, newline="") as file:
        reader = csv.DictReader(file)
        latency, throughput = f"{machine}:latency_cy", f"{machine}:throughput_ipc"
        if latency not in (reader.fieldnames or ()):
            raise MachineModelError(f"no machine {machine!r}", str(path), 1)
        for row in reader:
            yield Test(row["section"], row["instruction"], _number(row[latency]), _number(row[throughput]))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def figures(path: Path, machine: str) -> dict[str, Figure]:
    """Everything measured on `machine`, by form; where tests repeat a form (other immediates, lanes) the first counts.

    Raises:
        MachineModelError: the file has no such machine.
    """
    found: dict[str, Figure] = {}
    for test in read_tests(path, machine):
        if test.section.startswith(LEFT_OUT_SECTIONS) or test.name.startswith(LEFT_OUT_TESTS):
            continue
        if any(note in test.name for note in LEFT_OUT_NOTES):
            continue
        if test.latency_cycles is None and test.throughput_per_cycle is None:
            continue
        form = form_of(test.name)
        if form is None:
            continue
        known = found.get(form, Figure(form))
        latency, accumulator = known.latency_cycles, known.accumulator_latency_cycles
        if "acc. fwd." in test.name:
            accumulator = accumulator if accumulator is not None else _cycles(test.latency_cycles)
        elif latency is None:
            latency = _cycles(test.latency_cycles)
        reciprocal = known.reciprocal_throughput_cycles
        if reciprocal is None and test.throughput_per_cycle:
            reciprocal = rounded(1 / test.throughput_per_cycle)
        found[form] = Figure(form, latency, accumulator, reciprocal, "(elem" in test.name)
    return found


def _cycles(value: float | None) -> float | None:
    """Whole cycles where the figure is within its noise of them."""
    if value is None:
        return None
    return float(round(value)) if abs(value - round(value)) <= 0.06 else value


def form_of(name: str) -> str | None:
    """The form that a test's name stands for; None where it renders to nothing that assembles."""
    candidates = texts(name)
    if not candidates:
        return None
    listing = _core.assemble("aarch64", "\n".join(candidates) + "\n")
    return next((found.form for found in listing.instructions if not found.unknown), None)


def texts(name: str) -> list[str]:
    """Assembly that a test's name may stand for, likeliest first."""
    match = re.fullmatch(r"([a-z0-9]+)(?:\.([bhsdq]))?(?: \((.*)\))?", re.sub(r" / \w+", "", name))
    if match is None:
        return []
    mnemonic, element, rest = match.group(1), match.group(2) or "", match.group(3) or ""
    notes = [note.strip() for note in rest.split(";")] if rest else []
    if mnemonic.startswith("ld") and not mnemonic.endswith(("al", "alb", "alh")):  # those are atomic
        return _loads(mnemonic, element, notes)
    if element:
        return _vector(mnemonic, element, notes)
    return _scalar(mnemonic, notes)


def _loads(mnemonic: str, element: str, notes: Sequence[str]) -> list[str]:
    if structure := re.fullmatch(r"ld([1-4])(r?)", mnemonic):
        return _structure_loads(mnemonic, int(structure[1]), element, notes)
    target = "q0" if element == "q" else "w0" if mnemonic.endswith(("b", "h")) and "s" not in mnemonic else "x0"
    if mnemonic.startswith("ldp") or mnemonic.startswith("ldnp"):
        if any(note.startswith("2nd") for note in notes):
            return []
        kind = "q" if element == "q" else "w" if "w" in notes else "x"
        return [f"{mnemonic} {kind}0, {kind}1, [x3, #16]"]
    if "pre" in notes:
        return [f"{mnemonic} {target}, [x3, #16]!"]
    if "post" in notes:
        return [f"{mnemonic} {target}, [x3], #16"]
    if "reg" in notes:
        return [f"{mnemonic} {target}, [x3, x4, lsl #3]" if "<<3" in notes else f"{mnemonic} {target}, [x3, x4]"]
    return [f"{mnemonic} {target}, [x3, #16]"]


def _structure_loads(mnemonic: str, registers: int, element: str, notes: Sequence[str]) -> list[str]:
    for note in notes:
        if several := re.fullmatch(r"([1-4]) reg", note):
            registers = int(several[1])
    lane = next((note for note in notes if note.startswith("[")), "")
    arrangement = element if lane else FULL[element]
    group = ", ".join(f"v{number}.{arrangement}" for number in range(registers))
    return [f"{mnemonic} {{{group}}}{lane}, [x3]"]


def _scalar(mnemonic: str, notes: Sequence[str]) -> list[str]:
    note = notes[0] if notes else ""
    condition = next((text for text in notes if text in ("eq", "lt", "le")), None)
    if length := re.fullmatch(r"len == (\d)", note):
        table = ", ".join(f"v{number}.16b" for number in range(1, int(length[1]) + 1))
        return [f"{mnemonic} v0.16b, {{{table}}}, v9.16b"]
    if kinds := re.fullmatch(r"([hsd]) -> ([hsd])", note):
        return _conversions(mnemonic, kinds[1], kinds[2])
    if shift := re.fullmatch(r"reg(<<|>>)(\d+)", note):
        kind = "lsl" if shift[1] == "<<" else "asr" if "signed" in notes else "ror" if "rotate" in notes else "lsr"
        return [f"{mnemonic} x0, x1, x2, {kind} #{shift[2]}", f"{mnemonic} x0, x1, {kind} #{shift[2]}"]
    if note.startswith(("imm", "0x")) or note.endswith("imm"):
        return _immediates(mnemonic, note, condition)
    if condition:
        return [
            f"{mnemonic} x0, x1, #0, {condition}",
            f"{mnemonic} x0, x1, x2, {condition}",
            f"{mnemonic} x0, x1, {condition}",
            f"{mnemonic} x0, {condition}",
        ]
    return [
        f"{mnemonic} x0, x1, x2",
        f"{mnemonic} x0, x1, x2, x3",
        f"{mnemonic} x0, w1, w2",
        f"{mnemonic} x0, w1, w2, x3",
        f"{mnemonic} w0, w1, x2",
        f"{mnemonic} x0, x1",
        f"{mnemonic} x0, w1",
        f"{mnemonic} w0, w1",
        f"{mnemonic} x0, x1, #3, #5",
        f"{mnemonic} x0, #3, #5",
        f"{mnemonic} x0, x1, [x3]",
        f"{mnemonic} w0, w1, [x3]",
        f"{mnemonic} x0, x1, x2, x3, [x4]",
        mnemonic,
    ]


def _immediates(mnemonic: str, note: str, condition: str | None) -> list[str]:
    if condition:
        return [f"{mnemonic} x0, #3, #0, {condition}"]
    value = "#1, lsl #12" if note == "imm<<12" else "#0xff" if note == "mask imm" else "#17"
    return [f"{mnemonic} x0, x1, {value}", f"{mnemonic} x0, x1, x2, {value}", f"{mnemonic} x0, {value}"]


def _conversions(mnemonic: str, source: str, target: str) -> list[str]:
    upper = mnemonic.endswith("2")
    if mnemonic.startswith("fcvtl"):
        return [f"{mnemonic} v0.{FULL[target]}, v1.{FULL[source] if upper else HALF[source]}"]
    if mnemonic.startswith(("fcvtn", "fcvtxn")):
        return [f"{mnemonic} v0.{FULL[target] if upper else HALF[target]}, v1.{FULL[source]}"]
    return [f"{mnemonic} {target}0, {source}1"]


def _vector(mnemonic: str, element: str, notes: Sequence[str]) -> list[str]:
    if element == "q":
        return []
    kind = notes[0] if notes else ""
    full, lane = FULL[element], next((re.sub(r"^v\.\w", "", note) for note in notes if note.endswith("]")), "[1]")
    if kind == "scl":
        if any(note == "int" or note.startswith(">>") for note in notes):
            return []
        scalars = ", ".join(f"{element}{number}" for number in range(3))
        zero = [f"{mnemonic} {element}0, {element}1, #0.0"] if "zero" in notes else []
        narrow = [f"{mnemonic} {NARROWER[element]}0, {element}1"] if element in NARROWER and "xt" in mnemonic else []
        return [
            *zero,
            *narrow,
            f"{mnemonic} {scalars}",
            f"{mnemonic} {element}0, {element}1",
            f"{mnemonic} {element}0, v1.2{element}",
        ]
    if kind == "elem":
        wide = FULL.get(WIDER[element], "")
        source = full if mnemonic.endswith("2") else HALF[element]
        dot = f"{mnemonic} v0.4s, v1.16b, v2.4b{lane}"
        return [
            f"{mnemonic} v0.{full}, v1.{full}, v2.{element}{lane}",
            f"{mnemonic} v0.{wide}, v1.{source}, v2.{element}{lane}",
            dot,
        ]
    if any(note == "zero" for note in notes):
        return [
            f"{mnemonic} v0.{full}, v1.{full}, #0",
            f"{mnemonic} v0.{full}, v1.{full}, #0.0",
            f"{mnemonic} {element}0, {element}1, #0.0",
        ]
    if place := re.fullmatch(r"lane = (\d+)", notes[-1] if notes else ""):
        return [f"{mnemonic} v0.{full}, v1.{element}[{place[1]}]"]
    shift = next((re.sub(r"[<>]+", "", note) for note in notes if note[:2] in ("<<", ">>")), None)
    if kind == "imm" or (shift is not None and "reg" not in notes):
        return _shifts(mnemonic, element, shift or "1")
    if kind in ("eq", "le"):
        return [
            f"{mnemonic} {element}0, {element}1, {element}2, {kind}",
            f"{mnemonic} {element}0, {element}1, #0, {kind}",
        ]
    return _registers(mnemonic, element)


def _shifts(mnemonic: str, element: str, shift: str) -> list[str]:
    full, upper = FULL[element], mnemonic.endswith("2")
    found = [f"{mnemonic} v0.{full}, v1.{full}, #{shift}", f"{mnemonic} v0.{full}, v1.{full}, v2.{full}, #{shift}"]
    if element in NARROWER:
        target = FULL[NARROWER[element]] if upper else HALF[NARROWER[element]]
        found.append(f"{mnemonic} v0.{target}, v1.{full}, #{shift}")
    if element != "d":
        found.append(f"{mnemonic} v0.{FULL[WIDER[element]]}, v1.{full if upper else HALF[element]}, #{shift}")
    return [*found, f"{mnemonic} v0.{full}, #{shift}"]


def _registers(mnemonic: str, element: str) -> list[str]:
    """Element-wise first, then widening, narrowing and across lanes, each as the architecture names them."""
    full, upper = FULL[element], mnemonic.endswith("2")
    found = [
        f"{mnemonic} v0.{full}, v1.{full}, v2.{full}",
        f"{mnemonic} v0.{full}, v1.{full}",
        f"{mnemonic} v0.4s, v1.{full}, v2.{full}",
        f"{mnemonic} {element}0, {element}1, {element}2, {element}3",
        f"{mnemonic} {element}0, {element}1",
    ]
    if element != "d":
        wide, source = FULL[WIDER[element]], full if upper else HALF[element]
        found += [f"{mnemonic} v0.{wide}, v1.{source}, v2.{source}", f"{mnemonic} v0.{wide}, v1.{full}"]
        found += [f"{mnemonic} v0.{wide}, v1.{source}", f"{mnemonic} {WIDER[element]}0, v1.{full}"]
    else:
        found.append(f"{mnemonic} v0.1q, v1.{full if upper else HALF[element]}, v2.{full if upper else HALF[element]}")
    if element in NARROWER:
        narrow = NARROWER[element]
        target = FULL[narrow] if upper else HALF[narrow]
        found += [f"{mnemonic} v0.{target}, v1.{full}, v2.{full}", f"{mnemonic} v0.{target}, v1.{full}"]
        found.append(f"{mnemonic} v0.{full}, v1.{full}, v2.{target}")
    return [*found, f"{mnemonic} {element}0, v1.{full}"]
