"""insn_bench's figures of a machine laid over LLVM's rows: latencies, throughputs, accumulators, atomics."""

from __future__ import annotations

import re
from dataclasses import dataclass

import facts
from corecast.convert.importers import insn_bench
from corecast.machine.rows import Latency, Row

from . import common
from .examples import examples


@dataclass(frozen=True)
class Bench:
    """The figures of one machine, and what the source column calls them."""

    figures: dict[str, insn_bench.Figure]
    source: str


def read(machine: str, source: str) -> Bench:
    """The figures of `machine` (column prefix of the file)."""
    return Bench(insn_bench.figures(facts.INSN_BENCH, machine), source)


def overlay(table: common.Rows, bench: Bench) -> None:
    """Latencies and throughputs as measured; accesses with write-back are built from the plain ones later."""
    examples = common.example_of()
    for form, figure in bench.figures.items():
        if form in table and "[x" not in form.replace("[x, #i]", "").replace("[x, x", "").replace("[x]", ""):
            table[form] = _measured(common.expanded(table[form], examples[form]), figure, bench.source)


def _measured(row: Row, figure: insn_bench.Figure, source: str) -> Row:
    latency = row.latency
    if figure.latency_cycles is not None:
        element = str(len(common.operands_of(row.form)))
        latency = common.with_cycles(row, figure.latency_cycles, lambda s: not figure.by_element or s == element)
        if figure.by_element:  # the way of the element is the longest
            latency = tuple(
                Latency(p.source, p.destination, min(p.cycles, figure.latency_cycles)) if p.destination == "1" else p
                for p in latency
            )
    stores = any(pair.destination == "mem" for pair in row.latency or ())
    return row.with_(
        latency=latency,
        reciprocal_throughput_cycles=None if stores else figure.reciprocal_throughput_cycles,
        source=f"{source}(latency,rthroughput)+{row.source}(ports)",
        confidence="measured",
    )


def atomics(table: common.Rows, bench: Bench) -> None:
    """Read-modify-write of memory: LLVM has no row; measured as a chain, with unknown pipes."""
    for form, figure in bench.figures.items():
        if (
            form not in table
            and common.ATOMIC.fullmatch(common.mnemonic_of(form))
            and figure.latency_cycles is not None
        ):
            cycles = figure.latency_cycles
            target = "1" if form.startswith("cas") else "2"
            latency = (Latency("*", target, cycles), Latency("*", "mem", cycles))
            table[form] = Row(
                form,
                None,
                (),
                latency,
                (1.0, 1.0, 1.0),
                "",
                (),
                figure.reciprocal_throughput_cycles,
                bench.source,
                "measured",
            )
    for example in examples():
        match = common.ATOMIC.fullmatch(common.mnemonic_of(example.form))
        rest = example.form[len(common.mnemonic_of(example.form)) :]
        measured = match and table.get(f"{match[1]}al{match[3]}{rest.replace('w', 'x') if match[3] == '' else rest}")
        if match and measured and example.form not in table:
            table[example.form] = measured.with_(form=example.form, confidence="derived")


def swaps(table: common.Rows) -> None:
    """Nobody measured a swap: it reads and writes the line as the other atomics do, of which all take as long."""
    for form, row in list(table.items()):
        if form.startswith("ldset"):
            swap = form.replace("ldset", "swp", 1)
            table.setdefault(swap, row.with_(form=swap, source=f"{row.source}+rule:swp as ldset", confidence="derived"))


def stores(table: common.Rows) -> None:
    """`stadd` is `ldadd` without result: as long, on cores that execute both beside their own cache."""
    for form, row in list(table.items()):
        match = re.fullmatch(r"ld(add|clr|eor|set|[su]max|[su]min)(l?[bh]?) ([wx]), [wx], \[x\]", form)
        if match and row.latency is not None:
            latency = tuple(pair for pair in row.latency if pair.destination == "mem")
            store = f"st{match[1]}{match[2]} {match[3]}, [x]"
            source = f"{row.source}+rule:without result"
            table.setdefault(store, row.with_(form=store, latency=latency, source=source, confidence="derived"))


def latencies_of_atomics(table: common.Rows, bench: Bench) -> None:
    """Latencies of exactly the forms that were measured, on a core where orderings differ; the chain is one address."""
    for form, figure in bench.figures.items():
        if common.ATOMIC.fullmatch(common.mnemonic_of(form)) and figure.latency_cycles is not None:
            target = "1" if form.startswith("cas") else "2"
            latency = tuple(Latency("*", end, figure.latency_cycles) for end in (target, "mem"))
            known = table.get(form)
            source = f"{bench.source}(latency)+{known.source}" if known is not None else bench.source
            table[form] = (known or Row(form)).with_(latency=latency, source=source, confidence="measured")


def of_relative(table: common.Rows, bench: Bench, family: str) -> None:
    """Atomics that return a value, as measured on a relative. Those that return none may be executed elsewhere."""
    atomics_of_relative: common.Rows = {}
    atomics(atomics_of_relative, bench)
    swaps(atomics_of_relative)
    for form, row in atomics_of_relative.items():
        table.setdefault(form, row.with_(source=f"{family}:{row.source}", confidence="assumed"))


def forward_accumulators(table: common.Rows, bench: Bench) -> None:
    """Late forwarding was measured for some shapes of an instruction; it belongs to the unit, so to all of them."""
    advance: dict[str, float] = {}
    for form, figure in bench.figures.items():
        if figure.latency_cycles is not None and figure.accumulator_latency_cycles is not None:
            advance.setdefault(common.mnemonic_of(form), figure.latency_cycles - figure.accumulator_latency_cycles)
    for form, row in table.items():
        cycles = advance.get(common.mnemonic_of(form), 0.0)
        if cycles > 0 and common.is_vector(form) and not common.SCALABLE.search(form):
            forwarded = common.accumulator_forwarding(row, cycles, common.example_of()[form])
            table[form] = _by_element_free(forwarded, form, cycles)


def _by_element_free(row: Row, form: str, advance: float) -> Row:
    """By-element forms: the extra cycle is that of the element's operand, not of the accumulator."""
    if not form.endswith("[i]"):
        return row
    others = [pair.cycles for pair in row.latency or () if pair.source == "2"]
    accumulated = max(1.0, (others[0] if others else 4.0) - advance)
    changed = tuple(
        Latency("1", "1", accumulated) if p.source == p.destination == "1" else p for p in row.latency or ()
    )
    return row.with_(latency=changed)


def zeroing(table: common.Rows, source: str, cycles: float) -> None:
    """movi v.2d and d can only hold masks of bytes: in practice the zero that is made at rename."""
    for form in ("movi v.2d, #i", "movi d, #i"):
        if form in table:
            table[form] = table[form].with_(
                ports=(), latency=(), flags=("zero_idiom",), reciprocal_throughput_cycles=cycles, confidence="measured",
                source=f"{source}(movi of 0)",
            )  # fmt: skip
