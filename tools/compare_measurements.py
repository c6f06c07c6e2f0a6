"""Records of a campaign compared with measurements of the same core by others: WINIC's tables, or a model's rows.

    compare_measurements.py RECORDS --latencies LAT.csv --throughputs TP.csv [--within 0.05] [--differences OUT.csv]
                            [--witness FOLDER --sibling ZEN3]
    compare_measurements.py RECORDS --model NAME [--source uops.info] [--within 0.05] [--differences OUT.csv]

Of a model's rows those count whose latencies and ports are all of one source. Throughputs are what ports, units and
slots allow, of rows that know the ports of all micro-ops and are not microcode. Latencies from and to what memory holds
are left out: how much of them is the store's each source says differently. Those between flags and ah to dh are
upper bounds there, of a chain less one cycle for the way back: they are ranges, by what the way back takes here.

A value agrees where it is within 10 % (--within) or 0.1 cycles of the other's range. Differences are counted by class:
what kind of kernel gave the value, of what kind of form. Where the records have what a form takes with other operands,
the output counts how many of the others' values are those. Where latencies differ, uops.info's records of a sibling of
the core show whom a third agrees with.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, cast

from corecast import _core
from corecast.convert.importers.uops_info import Options, rows_from_uops_info
from corecast.convert.importers.winic import FormMeasurement, LatencyRange, form_measurements
from corecast.convert.importers.winic_files import read_csv
from corecast.errors import CorecastError
from corecast.machine.loader import load_machine
from corecast.machine.types import Machine
from corecast.machine.verify import least_throughput
from corecast.measure.isa.forms import VALUE_WORDS, Values
from corecast.measure.judge.forms.results import FormResult, PairResult, Results, read_results

RELATIVE, ABSOLUTE = 0.10, 0.1
MOVE_CYCLES = 3.0
"""Of a move between general and vector registers, of AMD's cores: uops.info's chains hold one where they need it."""


@dataclass(frozen=True)
class Compared:
    form: str
    what: str
    low: float
    high: float
    other_low: float
    other_high: float
    stable: bool
    kind: str
    for_values: tuple[tuple[str, float, float], ...] = ()
    """What is measured here with operands that hold something else."""
    rates: tuple[tuple[str, float, float], ...] = ()
    """Of a latency: the form's reciprocal throughputs here, by what operands hold."""

    def agrees(self, relative: float) -> bool:
        return _meet((self.low, self.high), (self.other_low, self.other_high), relative)

    def told_by_values(self, relative: float) -> str:
        """What operands hold where the other's value is measured here, too; "" where that is not known."""
        return self._met(self.for_values, relative)

    def told_by_change(self, relative: float) -> str:
        """What operands held in one of the two unrolled loops that the other's value is the difference of: the usual in
        the longer, something else in the shorter, or the reverse. With so many copies in the shorter, twice in the
        longer, that is twice the longer's cycles less the shorter's."""
        changed = [
            (name, 2 * one[0] - two[1], 2 * one[1] - two[0])
            for name, low, high in self.for_values
            for one, two in (((self.low, self.high), (low, high)), ((low, high), (self.low, self.high)))
        ]
        return self._met(changed, relative)

    def told_by_rates(self, relative: float) -> str:
        """What operands hold where the other's latency is a reciprocal throughput here: its chain was none. Ranges
        prove nothing."""
        return self._met(self.rates, relative) if self.other_high - self.other_low < ABSOLUTE else ""

    def _met(self, cycles: Iterable[tuple[str, float, float]], relative: float) -> str:
        other = (self.other_low, self.other_high)
        return next((name for name, low, high in cycles if _meet((low, high), other, relative)), "")

    def told_by(self, third: float, relative: float) -> str:
        """Whom a third value agrees with."""
        here = _meet((self.low, self.high), (third, third), relative)
        other = _meet((self.other_low, self.other_high), (third, third), relative)
        return {(True, False): "here", (False, True): "other"}.get((here, other), "both" if here else "neither")

    @property
    def exact(self) -> bool:
        return self.high - self.low < ABSOLUTE


def _meet(one: tuple[float, float], two: tuple[float, float], relative: float) -> bool:
    margin = max(ABSOLUTE, relative * max(one[1], two[1]))
    return one[0] <= two[1] + margin and one[1] >= two[0] - margin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--latencies", type=Path)
    parser.add_argument("--throughputs", type=Path)
    parser.add_argument("--model", help="a machine model to compare with in place of tables")
    parser.add_argument("--source", default="uops.info", help="how the source of the model's rows begins")
    parser.add_argument("--within", type=float, default=RELATIVE)
    parser.add_argument("--differences", type=Path)
    parser.add_argument("--witness", type=Path, help="folder of uops.info's records")
    parser.add_argument("--sibling", default="ZEN3")
    arguments = parser.parse_args()
    if (arguments.model is None) == (arguments.latencies is None or arguments.throughputs is None):
        parser.error("either --latencies and --throughputs, or --model")
    try:
        compare(arguments)
    except (CorecastError, OSError) as error:
        parser.error(str(error))


def compare(arguments: argparse.Namespace) -> None:
    """Prints what agrees, and writes what does not.

    Raises:
        CorecastError, OSError: a file that cannot be read or written.
    """
    results = read_results(arguments.records)
    if arguments.model:
        others = rows_of_model(load_machine(arguments.model), arguments.source)
        others = {form: with_ranges(each, results) for form, each in others.items()}
    else:
        tables = read_csv(arguments.latencies, arguments.throughputs)
        others = form_measurements("x86", tables, list(_core.enumerate_forms("x86")))
    found = [
        each for form, result in results.forms.items() if form in others for each in compared(result, others[form])
    ]
    measured = [result for result in results.forms.values() if result.throughput is not None]
    pairs = [pair for result in results.forms.values() for pair in result.latencies]
    ranges = sum(not pair.cycles.exact for pair in pairs)
    print(f"{results.cpu}: {len(results.forms)} forms, {len(measured)} with a throughput, {len(pairs)} latencies")
    print(f"ranges instead of latencies: {ranges} ({100 * ranges / max(1, len(pairs)):.1f} %)")
    for name, of_kind in by_kind(found):
        for title, some in (("all", of_kind), ("stable", [each for each in of_kind if each.stable])):
            agreeing = sum(each.agrees(arguments.within) for each in some)
            share = 100 * agreeing / max(1, len(some))
            print(f"{name:10} {title:6} {len(some):6} compared, {agreeing:6} agree, {share:.1f} %")
        classes = Counter(
            (each.kind, "lower" if each.high < each.other_low else "higher")
            for each in of_kind
            if not each.agrees(arguments.within)
        )
        totals = Counter(each.kind for each in of_kind)
        for (kind, side), count in classes.most_common(25):
            print(f"    {count:5} {side:6} of {totals[kind]:5}  {kind}")
    differing = [each for each in found if not each.agrees(arguments.within)]
    tell_values(differing, arguments.within)
    thirds = third_values(arguments.witness, arguments.sibling) if arguments.witness else {}
    if thirds:
        tell_witness(found, thirds, arguments.sibling, arguments.within)
    if arguments.differences:
        with arguments.differences.open("w", newline="") as stream:
            writer = csv.writer(stream)
            names = [field.name for field in fields(Compared) if field.name not in ("for_values", "rates")]
            writer.writerow([*names, "third", "told", "explanation"])
            for each in differing:
                third = thirds.get((each.form, each.what))
                told_by = "" if third is None else each.told_by(third, arguments.within)
                known = (getattr(each, name) for name in names)
                writer.writerow([*known, third, told_by, explanation(each, arguments.within)])


def rows_of_model(machine: Machine, source: str) -> dict[str, FormMeasurement]:
    """What a model says of the forms whose rows are of one source."""
    found = {}
    keys = machine.keys()
    for form in keys:
        row, entry = machine.row(form), machine.core.find(form)
        if entry is None or row is None or not row.source.startswith(source) or "+" in row.source:
            continue
        cycles = implied_throughput(machine, entry)
        throughput = (cycles, cycles) if cycles else None
        pairs = tuple(
            LatencyRange(start, end, latency, latency)
            for start, end, latency in cast("list[tuple[str, str, float]] | None", entry["latency"]) or ()
            if "mem" not in (start, end)
        )
        found[form] = FormMeasurement(form, "", pairs, throughput)
    return found


WAYS_BACK = {("flags", "r8h"): ("setb r8h", "flags", "1"), ("r8h", "flags"): ("cmp r8h, i8", "1", "flags")}
"""By the kinds of operands that it leads from and to."""


def with_ranges(other: FormMeasurement, results: Results) -> FormMeasurement:
    """Upper bounds of chains through flags and a high byte as ranges."""
    kinds = ["", *other.form.partition(" ")[2].split(", ")]

    def ranged(pair: LatencyRange) -> LatencyRange:
        ends = tuple(kinds[int(end)] if end.isdigit() else end for end in (pair.destination, pair.source))
        form, source, target = WAYS_BACK.get((ends[0], ends[1]), ("", "", ""))
        back = (each for each in _latencies_of(form, results) if (each.source, each.target) == (source, target))
        beyond = next((max(0.0, each.cycles.high - 1) for each in back), 0.0)
        return replace(pair, least=pair.least - beyond)

    return replace(other, latencies=tuple(ranged(pair) for pair in other.latencies))


def _latencies_of(form: str, results: Results) -> tuple[PairResult, ...]:
    return results.forms[form].latencies if form in results.forms else ()


def implied_throughput(machine: Machine, entry: Mapping[str, Any]) -> float | None:
    """What ports, units and slots imply; None of microcode, of what is done alone, and where the ports are not those of
    all micro-ops."""
    alone = not {"microcoded", "locked", "serializing"}.isdisjoint(entry["flags"])
    if alone or entry["ports"] is None or entry["uops"] is None:
        return None
    slots, uops, _ = cast("tuple[float, float, float]", entry["uops"])
    if sum(count for count, _ in entry["ports"]) != uops:
        return None
    return max(least_throughput(machine, dict(entry)) or 0.0, slots / machine.core.rename_width)


def by_kind(found: list[Compared]) -> Iterator[tuple[str, list[Compared]]]:
    """Throughputs, then latencies."""
    for name in ("throughput", "latency"):
        yield name, [each for each in found if (each.what == "throughput") == (name == "throughput")]


def tell_values(differing: list[Compared], relative: float) -> None:
    """How many of the others' values are those of other operands here."""
    for name, of_kind in by_kind(differing):
        told = Counter(how for each in of_kind if (how := explanation(each, relative)))
        for words, count in told.most_common():
            print(f"{name:10} {count:5} of {len(of_kind)} that differ: {words}")


def tell_witness(found: list[Compared], thirds: Thirds, sibling: str, relative: float) -> None:
    """Whom a sibling of the core agrees with, and how often those are alone who agree with it."""
    known = [each for each in found if (each.form, each.what) in thirds]
    told = [each.told_by(thirds[each.form, each.what], relative) for each in known]
    settled = [each for each, whom in zip(known, told, strict=True) if whom in ("other", "both")]
    agreeing = sum(each.agrees(relative) for each in settled)
    share = 100 * agreeing / max(1, len(settled))
    print(f"{sibling} agrees with {len(settled)} of the others' latencies: {agreeing} are as here, {share:.1f} %")
    differing = Counter(whom for each, whom in zip(known, told, strict=True) if not each.agrees(relative))
    words = ", ".join(f"{count} with {whom}" for whom, count in differing.most_common())
    print(f"{sibling} knows {differing.total()} of the latencies that differ, and agrees {words}")


def explanation(each: Compared, relative: float) -> str:
    """How the other's value follows from what is measured here."""
    held: Mapping[str, str] = {"fast": "usual operands"} | {str(name): words for name, words in VALUE_WORDS.items()}
    for values, words in (
        (each.told_by_values(relative), "as with {}"),
        (each.told_by_change(relative), "in one of two unrolled loops with {}"),
        (each.told_by_rates(relative), "no chain, but the throughput with {}"),
    ):
        if values:
            return words.format(held[values])
    return ""


Thirds = Mapping[tuple[str, str], float]


def third_values(folder: Path, sibling: str) -> Thirds:
    """Latencies of a sibling, by form and pair."""
    options = Options("uops.info", ports=lambda _: None, move_latency_cycles=MOVE_CYCLES)
    rows = rows_from_uops_info(folder, sibling, options).rows
    return {
        (form, f"{pair.source}->{pair.destination}"): pair.cycles
        for form, row in rows.items()
        for pair in row.latency or ()
    }


def compared(result: FormResult, other: FormMeasurement) -> Iterator[Compared]:
    throughput = other.throughput
    if throughput is not None and result.throughput is not None and throughput[1] > 0:
        low, high = result.throughput.low, result.throughput.high
        yield Compared(
            result.form,
            "throughput",
            low,
            high,
            min(throughput),
            max(throughput),
            result.throughput_stable,
            shape(result.form),
            tuple(rates(result.others)),
        )
    ranges = {(each.source, each.destination): each for each in other.latencies}
    for pair in result.latencies:
        their = ranges.get((pair.source, pair.target))
        if their is not None and their.most > 0:
            kind = f"{pair.method} {'to flags ' if pair.target == 'flags' else ''}{shape(result.form)}"
            low, high = sorted((their.least, their.most))
            yield Compared(
                result.form,
                f"{pair.source}->{pair.target}",
                pair.cycles.low,
                pair.cycles.high,
                low,
                high,
                pair.stable,
                kind,
                tuple(
                    (values, each.cycles.low, each.cycles.high)
                    for values, measured in result.others.items()
                    for each in measured.latencies
                    if (each.source, each.target) == (pair.source, pair.target)
                ),
                tuple(rates({"fast": result, **result.others})),
            )


def rates(results: Mapping[Values, FormResult]) -> Iterator[tuple[str, float, float]]:
    """Reciprocal throughputs, by what operands hold."""
    for values, measured in results.items():
        if measured.throughput is not None:
            yield values, measured.throughput.low, measured.throughput.high


def shape(form: str) -> str:
    """The kind of a form: divider, widest register, mask, memory."""
    mnemonic = form.split(" ")[0]
    words = []
    if re.search(r"div|sqrt", mnemonic):
        words.append("divider")
    words += [
        name for name in ("zmm", "ymm", "xmm", "mm", "r64", "r32", "r16", "r8") if re.search(rf"\b{name}\b", form)
    ][:1]
    if "{k}" in form:
        words.append("zeroed" if "{z}" in form else "merged")
    if re.search(r"\bk\b", form.replace("{k}", "")):
        words.append("mask")
    if re.search(r"\bm\d", form):
        words.append("memory")
    return " ".join(words) or "other"


if __name__ == "__main__":
    main()
