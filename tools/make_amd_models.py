#!/usr/bin/env python3
"""Generate the form tables of AMD's cores: src/corecast/machine/data/{zen1,zen2,zen3,zen4,zen5}/forms.

pipeline.toml and SOURCES.md are written by hand. Reads facts/; needs iced-x86 for the CPUID features of forms, and the
extension built with LLVM:

    tools/make_amd_models.py [--only NAME] [--verify N] [--records FILE --only NAME [--date DATE]]

--verify N writes nothing: it compares N random forms of each core with what their source says (amd_models/verify.py)
and ends with code 1 where one differs.

--records FILE takes the figures of another campaign on that core, a Zen 4 or Zen 5 (`corecast measure machine -o
FILE`): they are written to amd_models/NAME_measured.tsv first, from which the models are made.
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import enumerated
import facts
from amd_models import instlat_rows, own, own_ports, own_zen5, zen5
from amd_models.compose import MICROCODE, OWN, Origins, compose, executed, is_divider, merged, register_siblings
from amd_models.cores import CORES, AmdCore, memory_usage
from amd_models.special import special_rows
from amd_models.supported import FEATURES
from amd_models.throughput import FROM_VECTORS, TRANSFER, agreeing, bound, transfer_of
from amd_models.verify import verify
from corecast import _core
from corecast.convert.importers.pmtestbench import PortSets, rows_from_pmtestbench
from corecast.convert.importers.uops_info import Options, rows_from_uops_info
from corecast.convert.importers.winic import form_measurements
from corecast.convert.importers.winic_files import read_csv
from corecast.convert.importers.x86_text import ExampleRegisters, assemble_each, immediate_text, memory_text
from corecast.machine.llvm.schedule import rows_from_llvm, version
from corecast.machine.rows import Latency, Row, first_wins, write_compact
from corecast.measure.judge.forms.results import read_results
from cpuid_forms import supported_forms
from extensions.models import executable_on
from instlat.fitting import placed
from own_measurements import measured_rows, save
from pipelines import check_forms, machine_of_rows

DATA = Path(__file__).resolve().parent.parent / "src/corecast/machine/data"
CAMPAIGN = Path(__file__).resolve().parent / "amd_models/zen4_measured.tsv"
CAMPAIGNS = {"zen4": CAMPAIGN, "zen5": own_zen5.CAMPAIGN}
PORTS = CAMPAIGN.with_name("zen4_ports.tsv")
DISPATCH_WIDTH = 6
"""Macro-ops per cycle, the same on all of them."""
FROM_GENERAL = re.compile(r"v?cvtu?si2s[sd] ")
"""Conversions whose register form also moves its source between the register files, as the memory form does not."""
SINGLETONS = re.compile(r"vperm(d|ps) ymm, ymm, (ymm|m256)")
"""Zen+, forms that PMEvo measured: alone 4 cycles, beside unpacking (FP12) still 4: they hold one pipe, FP1.

The sequencer has them for two, as other instructions of three or four macro-ops: together with two of these they take
six cycles, not eight.
"""
CROSSING = {re.compile(r"vpmov[sz]x\w+ ymm, .*"): 3.0, re.compile(r"vperm(q|pd) ymm, \w+, i8"): 2.0}
"""Micro-ops of the shuffling pipes in Zen+'s microcode that crosses lanes; PMEvo's mixes of one and of shuffles take
half the sum of them and of the shuffles'. The other macro-ops take any pipe."""
LOADS_BY_HALVES = "vcvtps2pd ymm, m128"
"""Zen+: each half loads what it converts; beside four other accesses PMEvo's mixes of it take 3.00 cycles, not 2.50."""
NOTES = {
    "rules.tsv": "Idioms, eliminated moves and branches: rules of the core, each with its source.",
    "measured.tsv": "Forms that somebody measured on this core (or, where the source says so, on its nearest kin).",
    "osaca.tsv": "Forms that OSACA's file of Zen 5 has: its ports and latency on Zen 4's row.",
    "relative.tsv": "Zen 4's rows on Zen 5's units.",
    "llvm.tsv": "LLVM's scheduling model, for forms that nobody measured.",
}


def mapped_ports(usage: PortSets) -> tuple[tuple[float, str], ...]:
    """PMTestBench's ports of Zen+: 0-3 vector pipes, 4-5 address units, 5 alone where a store takes part, 6-9 ALUs."""
    found: list[tuple[float, str]] = []
    for ports, count in usage:
        if ports == (6, 7, 8, 9):
            found.append((count, "ALU"))
        elif ports == (4, 5):
            found.append((count, "AGU"))
        elif ports == (5,):
            found += [(count, "AGU"), (count, "ST")]
        else:
            found.append((count, "FP" + "".join(map(str, ports))))
    return tuple(found)


def record_rows(core: AmdCore) -> dict[str, Row]:
    """uops.info's rows. Vector loads end in a move of two cycles, a round trip of moves takes six: two imports."""

    def ports(usage: Mapping[str, int]) -> tuple[tuple[float, str], ...] | None:
        return tuple((float(count), core.fp_groups[group]) for group, count in usage.items()) or None

    def rows(move_latency_cycles: float) -> dict[str, Row]:
        options = Options(
            source=f"uops.info:{core.uops_name}",
            ports=ports,
            move_latency_cycles=move_latency_cycles,
            load_latencies=(core.load_cycles[0], core.load_cycles[1], core.load_cycles[1]),
        )
        return rows_from_uops_info(facts.UOPS_INFO, core.uops_arch, options).rows

    registers, loads = rows(3), rows(2)
    for form, row in registers.items():
        if row.latency is None:
            continue
        addresses = {(p.source, p.destination): p for p in loads[form].latency or () if p.source in ("addr", "index")}
        pairs: tuple[Latency, ...] = tuple(addresses.get((pair.source, pair.destination), pair) for pair in row.latency)
        registers[form] = row.with_(latency=pairs)
    return registers


def make_zen5(core: AmdCore) -> Counter[str]:
    """Write Zen 5's files, from Zen 4's, OSACA's and our own campaign."""
    folder = DATA / core.name
    keep = executable_on(folder)
    made = zen5.tables(DATA / "zen4")
    found = instlat_rows.fitted(core, best(made), machine_of_rows(folder, ()))
    made = placed(made, list(made), found)
    own_rows = own_zen5.measured(core, best(made), own_zen5.load(), folder)
    others = {
        name: {form: row for form, row in table.items() if form not in own_rows.rows} for name, table in made.items()
    }
    tables = {"measured.tsv": own_rows.rows, **others}
    counts: Counter[str] = Counter()
    for origin, result in (("InstLatx64", found), ("campaign", own_rows)):
        counts.update({f"{origin}: {rule}": count for rule, count in result.changes.items()})
    for name, table in tables.items():
        rows = [row for form, row in table.items() if keep(form)]
        counts[name] = write_compact(folder / "forms" / name, [NOTES[name], "Made by tools/make_amd_models.py."], rows)
    check_forms(folder, list(tables))
    return counts


def best(tables: Mapping[str, Mapping[str, Row]]) -> dict[str, Row]:
    """The first row of each form."""
    return first_wins(*(table.values() for table in tables.values()))


def make(core: AmdCore, forms: Sequence[_core.EnumeratedForm]) -> Counter[str]:
    """Write one core's files; the number of rows by file."""
    records = record_rows(core)
    own_forms: list[Form] = [Form(form.form, form.code) for form in supported_forms(FEATURES[core.name], forms)]
    own_forms += unlisted(records, {form.form for form in own_forms})
    model = rows_from_llvm("x86", core.llvm_cpu, core.llvm_ports, own_forms)  # type: ignore[arg-type]
    origins = Origins({row.form: row for row in model}, records)
    instructions = {form.form: _core.disassemble("x86", form.code).instructions[0] for form in own_forms}
    if core.generation < 3:
        origins.mapping = rows_from_pmtestbench(facts.ZENPLUS_MAPPING, "pmtestbench:zenplus", mapped_ports)
    elif core.name == "zen4":
        measurements = read_csv(facts.WINIC / "zen4_lat.csv.xz", facts.WINIC / "zen4_tp.csv.xz")
        origins.campaign = own.load(CAMPAIGN)
        plain = [form for form, instruction in instructions.items() if not instruction.memory]
        origins.measured = own.completed(form_measurements("x86", measurements, forms), origins.campaign, plain)
    composed = {form: compose(core, form, instruction, origins) for form, instruction in instructions.items()}
    rows = {form: row for form, row in composed.items() if row is not None}
    changes: Counter[str] = Counter()
    if core.name == "zen4":
        ports = own_ports.load(PORTS)
        rows = {form: own_ports.with_found(row, ports) for form, row in rows.items()}
        changes = corrections(core, rows, instructions, origins)
    elif core.name == "zen1":
        changes = slower_than_ports(rows, origins)
    rows = {form: executed(row) for form, row in rows.items()}
    specials = {row.form: row for row in special_rows(core, origins, rows)}
    rows |= specials
    if origins.campaign is not None:
        base = machine_of_rows(DATA / core.name, rows.values())
        rows |= measured_rows(rows, origins.campaign, base, OWN)
        rows = {form: own.corrected(core, row) for form, row in rows.items()}
    if core.name in instlat_rows.CORES:
        found = instlat_rows.fitted(core, rows, machine_of_rows(DATA / core.name, ()), [origins.llvm])
        rows |= found.rows
        changes.update({f"InstLatx64: {rule}": count for rule, count in found.changes.items()})
    return write_tables(core, rows, specials) + changes


def write_tables(core: AmdCore, rows: Mapping[str, Row], specials: Collection[str]) -> Counter[str]:
    """Write its tables; the number of rows by file."""
    folder = DATA / core.name
    modelled = f"llvm{version()}:{core.llvm_cpu}"
    keep = executable_on(folder)
    tables: dict[str, list[Row]] = {"rules.tsv": [], "measured.tsv": [], "llvm.tsv": []}
    for form, row in rows.items():
        if not keep(form):
            continue
        name = "rules.tsv" if form in specials else "llvm.tsv" if row.source == modelled else "measured.tsv"
        tables[name].append(row)
    counts: Counter[str] = Counter()
    for name, table in tables.items():
        counts[name] = write_compact(folder / "forms" / name, [NOTES[name], "Made by tools/make_amd_models.py."], table)
    check_forms(folder, list(counts))
    return counts


def slower_than_ports(rows: dict[str, Row], origins: Origins) -> Counter[str]:
    """Zen+: vector forms measured to be slower than the ports that another origin gives hold these longer."""
    done: Counter[str] = Counter()
    for form, row in list(rows.items()):
        mapped = origins.mapping.get(form)
        pipes = tuple(use for use in row.ports or () if use[1].startswith("FP"))
        rest = tuple(use for use in row.ports or () if not use[1].startswith("FP"))
        if SINGLETONS.fullmatch(form):
            row = row.with_(blocking=tuple((unit, min(cycles, 2.0)) for unit, cycles in row.blocking))
            rows[form] = with_ports(row, ((4.0, "FP1"), *rest), "pmevo:zenplus(ports)")
            continue
        if form == LOADS_BY_HALVES:
            halves = tuple((2.0 if group == "AGU" else count, group) for count, group in row.ports or ())
            rows[form] = with_ports(row, halves, "pmevo:zenplus(ports)")
            done["loads by halves"] += 1
            continue
        crossing = next((count for pattern, count in CROSSING.items() if pattern.fullmatch(form)), None)
        if crossing is not None and row.uops is not None and row.blocking:
            others = row.uops[0] - crossing
            any_pipe = ((others, "FP0123"),) if others > 0 else ()
            rows[form] = with_ports(row, ((crossing, "FP12"), *any_pipe, *rest), "pmevo:zenplus(ports)")
            done["crosses lanes"] += 1
            continue
        cycles = mapped.reciprocal_throughput_cycles if mapped is not None and mapped.ports is None else None
        if cycles is None or not pipes or bound(pipes) >= 0.9 * cycles or row.blocking:
            continue
        factor = cycles / bound(pipes)
        usage = (*((round(count * factor, 2), group) for count, group in pipes), *rest)
        rows[form] = with_ports(row, usage, "pmtestbench:zenplus(throughput,rule:occupancy)")
        done["slower than ports"] += 1
    return done


def corrections(
    core: AmdCore, rows: dict[str, Row], instructions: Mapping[str, _core.Instruction], origins: Origins
) -> Counter[str]:
    """Ports made to agree with measured throughput, then memory forms' with their register forms'; what was done."""
    done: Counter[str] = Counter()
    for form, row in list(rows.items()):
        others = [
            other.ports for other in (origins.llvm.get(form), origins.uops_info.get(form)) if other and other.ports
        ]
        measured = origins.measured.get(form)
        source = origins.throughput_source(form)
        most = measured.throughput[1] if measured and measured.throughput else None
        row = rows[form] = with_fewer_slots(row, most, source)
        usage, reason = agreeing(row, measured, others)
        if reason and usage is not None:
            done[reason] += 1
            rows[form] = with_ports(row, usage, f"{source}(throughput,{reason})")
            if reason == TRANSFER:
                rows[form] = rows[form].with_(blocking=transfer_of(form))
    for form, row in list(rows.items()):
        siblings, _ = register_siblings(form, instructions[form])
        register = next((rows[name] for name in siblings if name in rows and rows[name].ports is not None), None)
        if register is None or register.ports is None or is_divider(form) or FROM_GENERAL.match(form):
            continue
        usage = merged(register.ports + memory_usage(core, form, instructions[form]))
        way = tuple(use for use in register.blocking if use[0] == FROM_VECTORS)
        if usage != row.ports or (way and not row.blocking):
            done["memory form"] += 1
            rows[form] = with_ports(row, usage, "rule:register form").with_(blocking=row.blocking or way)
    return done


@dataclass(frozen=True)
class Form:
    """A form with an example of its encoding, as the enumeration gives them."""

    form: str
    code: bytes


def unlisted(rows: Iterable[str], listed: Collection[str]) -> list[Form]:
    """Measured forms that the enumeration lacks (other conditions, locked ones)."""
    forms = [form for form in rows if form not in listed and "@" not in form]
    examples = zip(forms, assemble_each([example_of(form) for form in forms]), strict=True)
    return [Form(form, example.bytes) for form, example in examples if example is not None and example.form == form]


def example_of(form: str) -> str:
    """Text of an instruction of the form; nonsense where an operand has no example."""
    mnemonic, _, rest = form.partition(" ")
    if mnemonic == "lock":
        second, _, rest = rest.partition(" ")
        mnemonic = f"lock {second}"
    registers = ExampleRegisters(legacy_only="r8h" in form)
    texts: list[str] = []
    try:
        for token in rest.split(", ") if rest else []:
            if token[0] == "m" and token[1:].isdigit():
                texts.append(memory_text(int(token[1:])))
            elif token[0] == "i" and token[1:].isdigit():
                texts.append(immediate_text(int(token[1:])))
            else:
                texts.append(registers.take(token))
    except ValueError:
        return "nonsense"
    return f"{mnemonic} {', '.join(texts)}"


def with_fewer_slots(row: Row, most_cycles: float | None, source: str) -> Row:
    """Zen 3's macro-ops are too many where Zen 4 was measured to be faster than they can be dispatched."""
    if most_cycles is None or row.uops is None or row.uops[0] / DISPATCH_WIDTH <= most_cycles * 1.1:
        return row
    slots = max(1.0, float(int(DISPATCH_WIDTH * most_cycles + 0.2)))
    flags = tuple(flag for flag in row.flags if flag != "microcoded" or slots > 2)
    blocking = tuple(use for use in row.blocking if use[0] != MICROCODE or slots > 2)
    counts = (slots, row.uops[1], slots)
    return row.with_(uops=counts, flags=flags, blocking=blocking, source=f"{source}(uops)+{row.source}")


def with_ports(row: Row, usage: tuple[tuple[float, str], ...], source: str) -> Row:
    """The row with other ports."""
    slots = row.uops[0] if row.uops else 1.0
    unfused = sum(count for count, _ in usage)
    return row.with_(ports=usage, uops=(slots, unfused, slots), source=f"{source}+{row.source}", confidence="derived")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=sorted(CORES), help="one core instead of all")
    parser.add_argument("--verify", type=int, metavar="N", help="compare N random forms of each core with their source")
    parser.add_argument(
        "--records", type=Path, metavar="FILE", help="a campaign on --only's core in place of that kept"
    )
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="of that campaign; default: today")
    arguments = parser.parse_args()
    if arguments.records is not None:
        if arguments.only not in CAMPAIGNS:
            parser.error(f"--records needs --only and one of {', '.join(CAMPAIGNS)}")
        path = CAMPAIGNS[arguments.only]
        kept = save(read_results(arguments.records), path, arguments.date, "tools/make_amd_models.py")
        print(f"{path.name}: {kept} forms")
    differences = 0
    forms = list(first_wins_forms(enumerated.forms("x86")))
    for name, core in CORES.items():
        if arguments.only in (None, name) and arguments.verify is not None:
            records = record_rows(core)
            campaign = own.load(CAMPAIGN).forms if name == "zen4" else {}
            differences += verify(name, DATA / name, records, campaign, arguments.verify)
        elif arguments.only in (None, name):
            zen4s = core.name == "zen5"
            counts = make_zen5(core) if zen4s else make(core, forms)
            print(f"{name}: " + ", ".join(f"{table} {count}" for table, count in counts.items()))
    return 1 if differences else 0


def first_wins_forms(forms: Sequence[_core.EnumeratedForm]) -> list[_core.EnumeratedForm]:
    """Every form once."""
    return list({form.form: form for form in reversed(forms)}.values())


if __name__ == "__main__":
    sys.exit(main())
