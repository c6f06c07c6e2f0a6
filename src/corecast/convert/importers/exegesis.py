"""llvm-exegesis's YAML as rows: one document a measurement, of a latency, a reciprocal throughput or a number of uops.

A document names LLVM's opcode and holds the code that was timed. The form is that of the instruction in the code that
has the opcode; where there is no code, the first form of the opcode. A latency is that of the whole chain which the
tool built, so that it holds from any source to any result of the instruction.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from corecast import _core
from corecast.convert.importers.mc_operands import opcode_candidates
from corecast.convert.importers.yaml_text import load_documents
from corecast.dataclass import dataclass, field
from corecast.errors import InputError
from corecast.hints import Any
from corecast.isa.spelling import isa_called
from corecast.machine.making.imported import Imported
from corecast.machine.rows import Latency, Row, endpoint_name, rounded
from corecast.machine.types import Isa

_MODES = {"latency": "latency", "inverse_throughput": "inverse_throughput", "uops": "uops"}
_MICRO_OPS = ("NumMicroOps", "uops")


@dataclass
class _Figures:
    """What the documents of one form say."""

    instruction: _core.Instruction
    latency: float | None = None
    throughput: float | None = None
    uops: float | None = None


@dataclass
class _Reading:
    isa: Isa | None = None
    cpu: str = ""
    entries: int = 0
    unmapped: list[tuple[str, str]] = field(default_factory=list)
    documents: list[Mapping[str, Any]] = field(default_factory=list)


def import_exegesis(paths: Sequence[Path]) -> Imported:
    """The measurements of one core.

    Raises:
        InputError: a file is not an output of llvm-exegesis, or they are of several instruction sets.
        OSError: a file cannot be read.
    """
    reading = _Reading()
    for path in paths:
        for number, document in enumerate(load_documents(path), 1):
            if document is None:
                continue
            _take(document, number, path, reading)
    if reading.isa is None:
        raise InputError("no measurement", str(paths[0]))
    figures = _by_form(reading.documents, reading.isa, reading.unmapped)
    source = f"exegesis:{reading.cpu}"
    rows = {form: _row(form, found, reading.isa, source) for form, found in figures.items()}
    if not rows:
        raise InputError(f"no opcode that is an instruction of {reading.isa}", str(paths[0]))
    return Imported(
        origin=f"llvm-exegesis's measurements on {reading.cpu}",
        file="exegesis.tsv",
        isa=reading.isa,
        rows=rows,
        entries=reading.entries,
        unmapped=reading.unmapped,
        notes=("llvm-exegesis measures one latency per instruction, and no ports that could be used",),
    )


def _take(document: Any, number: int, path: Path, reading: _Reading) -> None:
    """Checks a document, and keeps it where it holds a measurement."""
    key = document.get("key") if isinstance(document, Mapping) else None
    instructions = key.get("instructions") if isinstance(key, Mapping) else None
    if not isinstance(instructions, list) or not instructions or document.get("mode") not in _MODES:
        raise InputError(f"document {number} is not a measurement of llvm-exegesis", str(path))
    triple = str(document.get("llvm_triple", ""))
    isa = isa_called(triple.partition("-")[0])
    if isa is None:
        raise InputError(f"document {number}: instruction set '{triple}' is not known", str(path))
    if reading.isa not in (None, isa):
        raise InputError(f"document {number} is of {isa}, those before it of {reading.isa}", str(path))
    reading.isa, reading.cpu = isa, reading.cpu or str(document.get("cpu_name", "unknown"))
    reading.entries += 1
    name = str(instructions[0])
    if document.get("error"):
        reading.unmapped.append((name, "was not measured"))
    elif len({str(each).split(" ")[0] for each in instructions}) > 1:
        reading.unmapped.append((name, "several instructions together"))
    else:
        reading.documents.append(document)


def _by_form(documents: Iterable[Mapping[str, Any]], isa: Isa, unmapped: list[tuple[str, str]]) -> dict[str, _Figures]:
    by_opcode: dict[str, list[_core.EnumeratedForm]] = defaultdict(list)
    for enumerated in _core.enumerate_forms(isa):
        by_opcode[enumerated.opcode].append(enumerated)
    found: dict[str, _Figures] = {}
    for document in documents:
        name = str(document["key"]["instructions"][0])
        opcode = name.split(" ")[0]
        forms = next((by_opcode[each] for each in opcode_candidates(opcode) if each in by_opcode), [])
        instruction = _timed(document, isa, {enumerated.form for enumerated in forms})
        if instruction is None and forms:
            instruction = _core.disassemble(isa, forms[0].code).instructions[0]
        values = dict(_values(document))
        if instruction is None or not values:
            unmapped.append((name, "no form of this opcode" if values else "no value"))
            continue
        known = found.setdefault(instruction.form, _Figures(instruction))
        known.latency = values.get("latency", known.latency)
        known.throughput = values.get("inverse_throughput", known.throughput)
        known.uops = next((values[each] for each in _MICRO_OPS if each in values), known.uops)
    return found


def _timed(document: Mapping[str, Any], isa: Isa, forms: set[str]) -> _core.Instruction | None:
    """The most frequent instruction of the timed code that has one of the forms."""
    code = re.sub(r"[^0-9A-Fa-f]", "", str(document.get("assembled_snippet") or ""))
    if not code or len(code) % 2:
        return None
    read = [each for each in _core.disassemble(isa, bytes.fromhex(code)).instructions if each.form in forms]
    counts = Counter(each.form for each in read)
    return next((each for each in read if each.form == counts.most_common(1)[0][0]), None)


def _values(document: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """(key, value per instruction) of the document; a mode without a key gives its name to its value."""
    for measurement in document.get("measurements") or ():
        if not isinstance(measurement, Mapping):
            continue
        value = measurement.get("per_snippet_value", measurement.get("value"))
        if isinstance(value, int | float) and 0 <= value < 1e6:
            yield str(measurement.get("key")), float(value) / len(document["key"]["instructions"])


def _row(form: str, figures: _Figures, isa: Isa, source: str) -> Row:
    written = [operand for operand in figures.instruction.operands if operand.write and operand.kind == "reg"]
    cycles = None if figures.latency is None else rounded(figures.latency)
    uops = None if figures.uops is None else float(round(figures.uops))
    return Row(
        form=form,
        latency=None
        if cycles is None
        else tuple(Latency("*", endpoint_name(isa, each.id), cycles) for each in written),
        uops=None if uops is None else (uops, uops, uops),
        reciprocal_throughput_cycles=None if figures.throughput is None else rounded(figures.throughput),
        source=source,
        confidence="measured",
    )
