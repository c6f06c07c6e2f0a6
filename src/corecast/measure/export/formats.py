"""Records in the formats of other tools, and as a report that says how to repeat each measurement."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from corecast import _core
from corecast.convert.importers.mc_operands import mc_operands, operand_texts
from corecast.hints import Any
from corecast.measure.isa.forms import VALUE_WORDS
from corecast.measure.judge.forms.results import FormResult, PairResult, Results, counted_reasons
from corecast.measure.questions.keys import is_form, parse_form
from corecast.measure.record.interval import Interval, differs
from corecast.measure.rejection import counts_text

_TRIPLES = {"x86": "x86_64-unknown-linux-gnu", "aarch64": "aarch64-linux-gnu", "riscv64": "riscv64-linux-gnu"}
_FLAGS = {"x86": "EFLAGS", "aarch64": "NZCV"}


def winic_yaml(results: Results) -> str:
    """WINIC's file: operands by their number in LLVM's instruction, a tied one counted once."""
    entries = [
        line
        for form, opcode in _opcodes(results)
        if is_form(form, results.isa)  # type: ignore[arg-type]
        for line in _winic_entry(results, results.forms[form], opcode)
    ]
    return "\n".join(["---", *entries, "..."]) + "\n"


def _winic_entry(results: Results, result: FormResult, opcode: str) -> Iterator[str]:
    instruction = parse_form(result.form, results.isa).example  # type: ignore[arg-type]
    places = _places(results.isa, result.form, instruction, opcode)
    texts = operand_texts(result.form)
    uses = {
        str(operand.id) if operand.id < len(texts) + 1 else operand.name: operand for operand in instruction.operands
    }
    yield f"- llvmName:        {opcode}"
    yield f"  name:            {instruction.mnemonic}"
    yield "  operands:"
    for place in places:
        operand = uses.get(place)
        name = texts[int(place) - 1] if place.isdigit() else place
        yield "    - class:           register"
        yield f"      name:            {_quoted(name)}"
        yield f"      read:            {str(operand is None or operand.read).lower()}"
        yield f"      write:           {str(operand is not None and operand.write).lower()}"
    named = [
        (source, target, pair.cycles)
        for pair in result.latencies
        if (source := _winic_end(results.isa, pair.source, places)) is not None
        and (target := _winic_end(results.isa, pair.target, places)) is not None
    ]
    longest = max((cycles.high for _, _, cycles in named), default=None)
    yield f"  latency:         {_number(longest)}"
    yield f"  operandLatencies:{'' if named else ' []'}"
    for source, target, cycles in named:
        yield f"    - sourceOperand:   '{source}'"
        yield f"      targetOperand:   '{target}'"
        yield f"      latencyMin:      {_number(cycles.low)}"
        yield f"      latencyMax:      {_number(cycles.high)}"
    known = result.throughput
    yield f"  throughput:      {_number(known.high if known is not None and known.exact else None)}"
    yield f"  throughputMin:   {_number(known.low if known is not None else None)}"
    yield f"  throughputMax:   {_number(known.high if known is not None else None)}"


def _places(isa: str, form: str, instruction: _core.Instruction, opcode: str) -> list[str]:
    """The operands in LLVM's order, a destination that is read counted once."""
    places = mc_operands(isa, form, instruction, opcode)
    return list(dict.fromkeys(place for place in places if place))


def _winic_end(isa: str, name: str, places: Sequence[str]) -> str | None:
    if name in places:
        return str(places.index(name))
    if name == "flags":
        return _FLAGS.get(isa)
    return None if name in ("addr", "index", "mem", "mask") or name.isdigit() else name.upper()


def exegesis_yaml(results: Results) -> str:
    """llvm-exegesis's documents: a reciprocal throughput for each form, and the longest of its exact latencies."""
    documents = []
    for form, opcode in _opcodes(results):
        result = results.forms[form]
        if result.throughput is not None and result.throughput.exact:
            documents.append(_document(results, result, opcode, "inverse_throughput", result.throughput))
        pairs = [pair for pair in result.latencies if pair.cycles.exact and "mem" not in (pair.source, pair.target)]
        if pairs:
            longest = max(pairs, key=lambda pair: pair.cycles.high)
            documents.append(_document(results, result, opcode, "latency", longest.cycles))
    return "".join(documents)


def _document(results: Results, result: FormResult, opcode: str, mode: str, cycles: Interval) -> str:
    tried = result.record["throughput"]["kernels"]
    code = tried[0]["kernel"]["hex"] if tried else ""
    value = _number(cycles.high)
    return f"""---
mode:            {mode}
key:
  instructions:
    - {_quoted(opcode)}
  config:          ''
  register_initial_values: []
cpu_name:        {_quoted(results.cpu)}
llvm_triple:     {_TRIPLES[results.isa]}
min_instructions: 10000
measurements:
  - {{ key: {mode}, value: {value}, per_snippet_value: {value} }}
error:           ''
info:            'measured by corecast'
assembled_snippet: {code.upper()}
...
"""


def report_text(results: Results) -> str:
    """Every form: what was measured, with which helpers, and how to repeat it."""
    stable = sum(result.throughput_stable for result in results.forms.values())
    lines = [
        f"{results.cpu}, {results.isa}",
        f"{len(results.forms)} forms, throughput of {stable} stable; {len(results.absent)} forms that the core lacks",
    ]
    if reasons := counted_reasons(results):
        lines.append(f"without a value, by reason: {counts_text(reasons)}")
    for form in sorted(results.forms):
        lines += ["", *_report(results.forms[form])]
    return "\n".join(lines) + "\n"


def _report(result: FormResult) -> Iterator[str]:
    yield result.form
    yield from _values(result)
    for values, other in result.others.items():
        lines = list(_values(other, beside=result))
        yield f"  with {VALUE_WORDS[values]}{'' if lines else ' the same'}"
        yield from lines
    yield f"  repeat: corecast measure form --kernels {shlex.quote(result.form)}"


def _values(result: FormResult, beside: FormResult | None = None) -> Iterator[str]:
    """`beside`: only what differs from it."""
    throughput = result.record["throughput"]
    if beside is None or differs(result.throughput, beside.throughput):
        yield from _part("reciprocal throughput", result.throughput, result.throughput_stable, throughput, "")
    pairs = {(pair.source, pair.target): pair for pair in result.latencies}
    usual = {(pair.source, pair.target): pair for pair in beside.latencies} if beside is not None else {}
    for each in result.record["latencies"]:
        pair = pairs.get((each["source"], each["target"]))
        before = usual.get((each["source"], each["target"]))
        if beside is not None and not differs(pair.cycles if pair else None, before.cycles if before else None):
            continue
        name = f"latency {each['source']} -> {each['target']}"
        yield from _part(name, pair.cycles if pair else None, pair is None or pair.stable, each, _how(pair))


def _how(pair: PairResult | None) -> str:
    if pair is None:
        return ""
    return f"{pair.method}, less {', '.join(pair.helpers)}" if pair.helpers else pair.method


def _part(name: str, cycles: Interval | None, stable: bool, part: Mapping[str, Any], how: str) -> Iterator[str]:
    value = part["error"] or "no value"
    if cycles is not None:
        value = f"{cycles.high:.2f}" if cycles.exact else f"{cycles.low:.2f} to {cycles.high:.2f}"
        value += (f"   {how}" if how else "") + ("" if stable else " (NOT STABLE)")
    yield f"  {name:24} {value}"
    for tried in part["kernels"]:
        timing, kernel = tried["timing"], tried["kernel"]
        measured = "-" if timing["cycles"] is None else f"{timing['cycles']:.3f}"
        yield f"      {measured} cycles, {timing['samples']} samples: {'; '.join(kernel['text'])}"


def _opcodes(results: Results) -> list[tuple[str, str]]:
    """The forms that LLVM has an opcode of, each with its name."""
    opcodes = _enumerated(results.isa)
    return [(form, opcodes[form]) for form in results.forms if form in opcodes]


@cache
def _enumerated(isa: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for enumerated in _core.enumerate_forms(isa):
        found.setdefault(enumerated.form, enumerated.opcode)
    return found


def _number(value: float | None) -> str:
    return "null" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


FORMATS = {"report": report_text, "winic": winic_yaml, "exegesis": exegesis_yaml}
