"""WINIC's measurements as rows: latency per operand pair and reciprocal throughput, no ports.

Two layouts are read: CSV (x86: a file of latencies, `llvm,src,dst,min,max`, and one of reciprocal throughputs,
`llvm,min,max`) and YAML (AArch64, RISC-V: one entry an opcode). Both name LLVM opcodes and count operands as LLVM's
MCInst does: definitions first, then uses, a use tied to a definition having a number of its own, lanes and immediates
counted as well. The YAML files leave the first tied use out of the count, so that their numbers are one lower.

A latency given as a range (the chain needed a helper whose share is unknown) is kept as a range: `refine` narrows what
another origin says to it.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from corecast import _core
from corecast.errors import MachineModelError
from corecast.machine.importers.rows import Latency, Row, endpoint_name

EXACT_WITHIN_CYCLES = 0.25
"""A range narrower than this is one value."""
WHOLE_WITHIN_CYCLES = 0.15
"""A figure farther from a whole number mixes cases (operand values, varying paths): taken as unknown."""
LEAST_LATENCY_CYCLES = 0.9
"""A smaller figure says that the helper hid the latency (or that the core renamed the chain away): taken as unknown."""


@dataclass(frozen=True)
class Measurement:
    """What was measured of one opcode. Endpoints: MCInst operand numbers ("1") or registers ("EFLAGS")."""

    opcode: str
    latencies: tuple[tuple[str, str, float, float], ...] = ()
    """(source, destination, least cycles, most cycles)."""
    throughput: tuple[float, float] | None = None
    """Reciprocal throughput in cycles, least and most."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """LLVM's register class of each operand number that occurs."""


@dataclass(frozen=True)
class LatencyRange:
    """A latency between operands of ours, in cycles."""

    source: str
    destination: str
    least: float
    most: float

    @property
    def exact(self) -> float | None:
        """The latency where the range is one value, near a whole number of cycles; None otherwise."""
        if not self.narrow or self.most < LEAST_LATENCY_CYCLES:
            return None
        cycles = round((self.least + self.most) / 2)
        return float(cycles) if abs((self.least + self.most) / 2 - cycles) <= WHOLE_WITHIN_CYCLES else None

    @property
    def narrow(self) -> bool:
        """Whether the range is one value, whatever it is."""
        return self.most - self.least <= EXACT_WITHIN_CYCLES


@dataclass(frozen=True)
class FormMeasurement:
    """What was measured of one instruction form."""

    form: str
    opcode: str
    latencies: tuple[LatencyRange, ...] = ()
    throughput: tuple[float, float] | None = None


def rounded(cycles: float) -> float:
    """The simple fraction close by (whole within 0.06 to 0.12; half, third, quarter within 0.04), else two decimals."""
    for parts in (1, 2, 3, 4):
        candidate = round(cycles * parts) / parts
        if candidate > 0 and abs(candidate - cycles) <= (0.03 * min(max(candidate, 2), 4) if parts == 1 else 0.04):
            return round(candidate, 3)
    return round(cycles, 2)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_csv(latencies: Path, throughputs: Path) -> dict[str, Measurement]:
    """x86: both CSV files, by opcode.

    Raises:
        MachineModelError: a line that does not have the expected fields.
    """
    pairs: dict[str, list[tuple[str, str, float, float]]] = {}
    classes: dict[str, dict[str, str]] = {}
    for number, row in _lines(latencies, 5):
        opcode, *ends, least, most = row
        names: list[str] = []
        for end in ends:
            match = re.fullmatch(r"(\d+)\(Class<(\w+)>\)|impl\(Reg<(\w+)>\)", end)
            if match is None:
                raise MachineModelError(f"operand {end!r} is neither a class nor a register", str(latencies), number)
            position, register_class, register = match.groups()
            if position is not None:
                classes.setdefault(opcode, {})[position] = register_class
            names.append(position if position is not None else register)
        pairs.setdefault(opcode, []).append((names[0], names[1], *_range(least, most, latencies, number)))
    limits = {row[0]: _range(row[1], row[2], throughputs, number) for number, row in _lines(throughputs, 3)}
    return {
        opcode: Measurement(opcode, tuple(pairs.get(opcode, ())), limits.get(opcode), classes.get(opcode, {}))
        for opcode in dict.fromkeys((*pairs, *limits))
    }


def _lines(path: Path, fields: int) -> Iterator[tuple[int, list[str]]]:
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.reader(file), 1):
            if len(row) != fields:
                raise MachineModelError(f"{len(row)} fields instead of {fields}", str(path), number)
            if number > 1:
                yield number, row


def _range(least: str, most: str, path: Path, number: int) -> tuple[float, float]:
    try:
        return float(least), float(most)
    except ValueError as error:
        raise MachineModelError(f"{least!r} to {most!r} is no range of cycles", str(path), number) from error


def read_yaml(path: Path) -> dict[str, Measurement]:
    """AArch64, RISC-V: the YAML file (plain or gzipped), by opcode; unmeasured values are left out.

    Raises:
        MachineModelError: the file does not start with an entry.
    """
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        entries = re.split(r"^- llvmName:\s*", file.read(), flags=re.M)
    if len(entries) < 2:
        raise MachineModelError("no entry that begins with llvmName", str(path))
    return {entry.split(None, 1)[0]: _yaml_entry(entry) for entry in entries[1:]}


def _yaml_entry(entry: str) -> Measurement:
    tied = False
    if first := re.search(r"operands:\s*- class:.*\n(?:\s+name:.*\n)?\s+read:\s*(\w+)\s+write:\s*(\w+)", entry):
        tied = first.groups() == ("true", "true")
    pattern = r"sourceOperand:\s*(\S+)\s+targetOperand:\s*(\S+)\s+latencyMin:\s*(\S+)\s+latencyMax:\s*(\S+)"
    latencies: list[tuple[str, str, float, float]] = []
    for source, destination, least, most in re.findall(pattern, entry):
        if "null" in (least, most):
            continue
        source, destination = source.strip("'"), destination.strip("'")
        if tied and source.isdigit():
            source = str(int(source) + 1)
        latencies.append((source, destination, float(least), float(most)))
    limits = re.search(r"throughputMin:\s*(\S+)\s+throughputMax:\s*(\S+)", entry)
    throughput = None
    if limits and "null" not in limits.groups():
        throughput = (float(limits[1]), float(limits[2]))
    return Measurement(entry.split(None, 1)[0], tuple(latencies), throughput)


# --- operands --------------------------------------------------------------------------------------------------------

X86_CLASSES = {"GR8": "r8", "GR16": "r16", "GR32": "r32", "GR64": "r64", "VR64": "mm", "VR512": "zmm", "VK": "k"}
UNTIED = ("CMPXCHG",)
"""Opcodes whose definition is read although LLVM ties no use to it."""
ALIAS_DROPS = {"cmp": 1, "cmn": 1, "tst": 1, "neg": 2, "negs": 2, "mvn": 2, "mul": 4, "mneg": 4, "smull": 4, "umull": 4}
"""AArch64 aliases: which operand of the instruction they leave out (xzr)."""


def operand_texts(form: str) -> list[str]:
    """The operands of a form key as written: "vaddpd zmm{k}{z}, zmm, m512" -> ["zmm{k}{z}", "zmm", "m512"]."""
    words = form.split(" @")[0].partition(" ")[2]
    return [text.strip() for text in re.split(r",\s*(?![^{\[]*[}\]])", words)] if words else []


def mc_operands(isa: str, form: str, instruction: _core.Instruction, opcode: str = "") -> list[str]:
    """The operand, as our files write it, at each place of the instruction's MCInst; "" where none of ours."""
    texts = operand_texts(form)
    mask = any(operand.id == 68 for operand in instruction.operands)
    operands = {operand.id: operand for operand in instruction.operands if operand.id < 64}
    places = [place for place in range(1, len(texts) + 1) if not (isa == "x86" and _literal(texts[place - 1]))]
    drop = ALIAS_DROPS.get(instruction.mnemonic) if isa == "aarch64" else None
    registers = {place: operand for place, operand in operands.items() if operand.kind == "reg"}
    written = [place for place in places[:2] if place in registers and registers[place].write]
    definitions = [place for place in written if place == 1 or 1 in written]
    tied = [place for place in definitions if operands[place].read and not opcode.startswith(UNTIED)]
    rest = [place for place in places if place not in definitions]
    order = [str(place) for place in definitions]
    if isa == "aarch64":
        order += _aarch64_uses(texts, operands.keys(), tied, rest)
    else:
        order += [str(place) for place in tied]
        if isa == "x86" and mask and "{k}" in form:
            order.append("mask")
        order += [str(place) for place in rest]
        if isa == "riscv64" and mask and texts and texts[-1] == "v0.t":
            order[-1] = "mask"
    if drop is not None:
        order.insert(drop - 1, "")
    return order


def _literal(text: str) -> bool:
    return text in ("al", "ax", "eax", "rax", "cl", "dx", "xmm0", "1", "st0")


def _aarch64_uses(texts: Sequence[str], known: Iterable[int], tied: Sequence[int], rest: Sequence[int]) -> list[str]:
    """SVE: a merging predicate stands before the tied operand, except where the instruction has one source only."""
    present = set(known)
    uses: list[str] = []
    for place in rest:
        uses.append(str(place) if place in present else "1")  # printed a second time: the tied operand itself
        if re.search(r"\[i\]$", texts[place - 1]):
            uses.append("")
    if not tied or any(place not in present for place in rest):
        return uses
    at = 1 if len(texts) > 3 and texts[1].endswith("/m") else 0
    uses[at:at] = ["1", ""] if texts[0].endswith("[i]") else ["1"]
    return uses


def _matches(register_class: str, text: str) -> bool:
    base = text.partition("{")[0]
    if register_class.startswith(("VR128", "FR")):
        return base == "xmm"
    if register_class.startswith("VR256"):
        return base == "ymm"
    for prefix, expected in X86_CLASSES.items():
        if register_class.startswith(prefix) and (prefix != "VK" or register_class[2:].isdigit()):
            return base == expected
    return True


def _implicit(isa: str, register: str, form: str, instruction: _core.Instruction) -> str | None:
    """Our name of an implicit register; None where the instruction has none such."""
    if register in ("EFLAGS", "NZCV"):
        return "flags" if any(operand.id == 67 for operand in instruction.operands) else None
    name = register.lower()
    if isa == "x86":
        texts = operand_texts(form)
        if name in texts:
            return str(texts.index(name) + 1)
        name = {"l": f"r{name[:1]}x", "x": f"r{name[-2:]}"}.get(name[-1:], name) if len(name) <= 3 else name
    names = {endpoint_name(isa, operand.id) for operand in instruction.operands if operand.id >= 128}
    return name if name in names else None


def opcode_candidates(opcode: str) -> list[str]:
    """Names under which an opcode's form may be listed: itself, then those that print alike (EVEX, reversed, ...)."""
    found = [opcode]
    plain = re.sub(r"(_REV|_EVEX|_alt|_NOREX)$", "", opcode)
    plain = re.sub(r"^(V?)(MIN|MAX)C([PS][SD])", r"\1\2\3", plain)
    for name in (plain, plain.replace("Z128", ""), plain.replace("Z256", "Y"), re.sub(r"Zr", "r", plain)):
        found += [name, name.removesuffix("_Int"), name + "_Int"]
    found.append("C_" + opcode)  # RISC-V: the compressed encoding prints alike
    if re.search(r"8ri8$", plain):
        found.append(plain[:-1])
    return list(dict.fromkeys(found))


# --- rows ------------------------------------------------------------------------------------------------------------


def form_measurements(
    isa: str, measurements: Mapping[str, Measurement], forms: Iterable[_core.EnumeratedForm] | None = None
) -> dict[str, FormMeasurement]:
    """The measurements by form. An opcode listed under its own name wins over one that merely prints alike."""
    listed: dict[str, list[_core.EnumeratedForm]] = {}
    for enumerated in forms if forms is not None else _core.enumerate_forms(isa):
        listed.setdefault(enumerated.opcode, []).append(enumerated)
    found: dict[str, FormMeasurement] = {}
    for rank in (0, 1):
        for opcode, measurement in measurements.items():
            names = opcode_candidates(opcode) if rank else [opcode]
            if rank and opcode in listed:
                continue
            name = next((candidate for candidate in names if candidate in listed), None)
            for enumerated in listed.get(name or "", ()):
                made = _form_measurement(isa, enumerated, measurement)
                known = found.setdefault(enumerated.form, made)
                if known is not made:
                    found[enumerated.form] = _completed(known, made)
    return found


def _form_measurement(isa: str, enumerated: _core.EnumeratedForm, measurement: Measurement) -> FormMeasurement:
    instruction = _core.disassemble(isa, enumerated.code).instructions[0]
    places = mc_operands(isa, enumerated.form, instruction, measurement.opcode)
    texts = operand_texts(enumerated.form)

    def endpoint(name: str) -> str | None:
        if not name.isdigit():
            return _implicit(isa, name, enumerated.form, instruction)
        place = places[int(name)] if int(name) < len(places) else ""
        register_class = measurement.classes.get(name)
        if place.isdigit() and register_class and not _matches(register_class, texts[int(place) - 1]):
            return None
        return place or None

    ranges: dict[tuple[str, str], LatencyRange] = {}
    for source, destination, least, most in measurement.latencies:
        start, end = endpoint(source), endpoint(destination)
        if start is not None and end is not None and start != "":
            ranges.setdefault((start, end), LatencyRange(start, end, least, most))
    return FormMeasurement(enumerated.form, measurement.opcode, tuple(ranges.values()), measurement.throughput)


def _completed(known: FormMeasurement, other: FormMeasurement) -> FormMeasurement:
    pairs = {(pair.source, pair.destination) for pair in known.latencies}
    added = tuple(pair for pair in other.latencies if (pair.source, pair.destination) not in pairs)
    return FormMeasurement(known.form, known.opcode, known.latencies + added, known.throughput or other.throughput)


def refine(latency: Sequence[Latency] | None, measured: Iterable[LatencyRange]) -> tuple[Latency, ...] | None:
    """Latencies of another origin with the measured ones put in: exact values replace, ranges limit.

    Wildcards of the other origin stay behind the measured pairs, which are more specific. Measured pairs that the other
    origin does not know are added where they are exact.
    """
    if latency is None:
        exact = [(pair, pair.exact) for pair in measured]
        return (
            tuple(Latency(pair.source, pair.destination, cycles) for pair, cycles in exact if cycles is not None)
            or None
        )
    result = {(pair.source, pair.destination): pair for pair in latency}
    for pair in measured:
        key = (pair.source, pair.destination)
        known = result.get(key) or result.get(("*", pair.destination))
        if pair.exact is not None:
            cycles = pair.exact
        elif known is not None and pair.most >= LEAST_LATENCY_CYCLES and not pair.narrow:
            cycles = min(max(known.cycles, round(pair.least)), round(pair.most))
        else:
            continue
        result[key] = Latency(pair.source, pair.destination, cycles)
    return tuple(result.values())


def rows_from_winic(
    isa: str, measurements: Mapping[str, Measurement], source: str, forms: Iterable[_core.EnumeratedForm] | None = None
) -> list[Row]:
    """Rows with exact latencies and the reciprocal throughput's upper bound; ports and uops are unknown.

    Args:
        source: short id, e.g. "winic:neoverse_v2".
    """
    return [
        Row(
            form=form,
            latency=refine(None, made.latencies),
            reciprocal_throughput_cycles=None if made.throughput is None else rounded(made.throughput[1]),
            source=source,
            confidence="measured",
        )
        for form, made in form_measurements(isa, measurements, forms).items()
    ]
