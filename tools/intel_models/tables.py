"""The tables of one core's model: which rows come from where, and in which order they win."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import facts
from corecast import _core
from corecast.convert.importers.uops_info import Imported, Options, read_records, records_file, rows_from_uops_info
from corecast.machine.rows import Row, first_wins
from cpuid_forms import supported_forms
from enumerated import forms

from . import measured, mitigations
from .atom import assumed_ports
from .avx512 import Rules, rows_from_siblings, widened
from .cores import CORES, Core
from .documented import documented_rows
from .family import Changes, Relatives, retargeted, rows_of_relative, translated
from .llvm_rows import merged, rows_from_model
from .osaca_rows import rows_with_osaca_ports, with_own_ports
from .port_sets import EIGHT, NEHALEM, TEN
from .supported import FEATURES

NOTES = {
    mitigations.TABLE: mitigations.NOTE,
    "measured.tsv": "Measured on Skylake-X where the tables below say otherwise.",
    "campaign.tsv": "Forms that we measured on the core, on the ports of the tables below (SOURCES.md).",
    "documented.tsv": "Rows by rules: branches, a return without the call it is measured with, all ones (SOURCES.md).",
    "uops_info.tsv": "uops.info's facts, rendered to text, assembled, and given the form that comes out.",
    "relative.tsv": "The records of a relative, corrected by what is known of this core (SOURCES.md).",
    "derived.tsv": "AVX-512 forms from their VEX siblings, by rules (SOURCES.md).",
    "osaca.tsv": "AVX-512 forms without a VEX sibling: ports of OSACA's file of the core, operands of LLVM's model.",
    "llvm.tsv": "LLVM's scheduling model, for forms that no better source has.",
}
LION_COVE = {
    "LD": "LOAD", "STA": "STORE_ADDRESS", "STD": "STORE_DATA", "ALU": "ALU", "JMP": "JUMP", "SHIFT": "SHIFT",
    "SLOW": "SHIFT", "V01": "V01", "V23": "V23",
}  # fmt: skip
"""uops.info's groups on Lion Cove; it does not give the vector ports of most instructions (UNKNOWN, INT_OTHER)."""
NAMED = {core.name: core for core in CORES}
OWN_FILES = ("ice_lake", "ice_lake_x", "sapphire_rapids")
"""Cores that OSACA's file in `Core.osaca` is of."""
MOST_UOPS = 2_000_000
"""Instructions of more (wbinvd) say nothing about a loop."""


@dataclass
class Origins:
    """What the generator reads, each source once."""

    _imported: dict[str, Imported] = field(default_factory=dict)
    _osaca: dict[str, dict[str, Row]] = field(default_factory=dict)

    def supported(self, core: Core) -> list[_core.EnumeratedForm]:
        """The forms that a core has."""
        return supported_forms(FEATURES[core.name], forms("x86"))

    def imported(self, core: Core) -> Imported:
        """uops.info's rows of the records that a core is made from."""
        if core.uops_info not in self._imported:
            owner = next(other for other in CORES if other.uops_info == core.uops_info and not other.relative)
            self._imported[core.uops_info] = uops_info(facts.UOPS_INFO, owner)
        return self._imported[core.uops_info]

    def of_osaca(self, core: Core) -> dict[str, Row]:
        """OSACA's rows for a core."""
        if not core.osaca:
            return {}
        rows: dict[str, Row] = {}
        for name in core.osaca:
            if name not in self._osaca:
                self._osaca[name] = facts.osaca_rows(name)
            rows |= self._osaca[name]
        return rows


def uops_info(folder: Path, core: Core) -> Imported:
    """uops.info's rows of one core."""
    result = with_moves(folder, core, move_latency(folder, core.uops_info))
    if core.vector_moves:
        to_general, to_vector = (with_moves(folder, core, cycles).rows for cycles in core.vector_moves)
        for form in result.rows:
            result.rows[form] = by_destination(to_general[form], to_vector[form])
    for form, row in list(result.rows.items()):
        if row.uops is not None and row.uops[1] > MOST_UOPS:
            del result.rows[form]
    return result


def by_destination(to_general: Row, to_vector: Row) -> Row:
    """Each latency from the import that takes the move back off: pairs to vectors hold a move to general registers."""
    if to_general.latency is None or to_vector.latency is None:
        return to_general
    operands = to_general.form.partition(" @")[0].partition(" ")[2].split(", ")

    def vector(place: str) -> bool:
        return place.isdigit() and int(place) <= len(operands) and "mm" in operands[int(place) - 1]

    pairs = zip(to_general.latency, to_vector.latency, strict=True)
    return to_general.with_(latency=tuple(wide if vector(wide.destination) else plain for plain, wide in pairs))


def with_moves(folder: Path, core: Core, move_latency_cycles: float) -> Imported:
    """The rows, with one figure for moves between general and vector registers."""

    def ports(usage: Mapping[str, int]) -> tuple[tuple[float, str], ...] | None:
        if core.ports.names[0] != "P0":
            return merged((float(count), f"p{name}") for name, count in usage.items())
        if not usage.keys() <= LION_COVE.keys():
            return None
        return merged((float(count), LION_COVE[name]) for name, count in usage.items())

    options = Options(f"uops.info:{core.uops_info}", ports, move_latency_cycles, serial_unit="SERIAL")
    result = rows_from_uops_info(folder, core.uops_info, options)
    for form, row in result.rows.items():
        # From the address to memory the source times a store together with the load that reads it back.
        if row.latency and not any(pair.source == "mem" for pair in row.latency):
            addresses = ("addr", "index")
            kept = tuple(pair for pair in row.latency if pair.source not in addresses or pair.destination != "mem")
            result.rows[form] = row.with_(latency=kept)
    return result


def move_latency(folder: Path, arch: str) -> float:
    """Latency of vmovq between register files, each way: records show twice that less one, Skylake's 4.00 measured."""
    for record in read_records(records_file(folder, arch)):
        if record["string"] == "MOVQ (R64, XMM)":
            return float(record["latencies"][0]["cycles"] + 1) / 2
    raise ValueError(f"{arch} has no record of MOVQ (R64, XMM)")


def tables(core: Core, origins: Origins) -> tuple[dict[str, dict[str, Row]], Changes]:
    """Rows of each file of a model, and how often each rule decided."""
    result, changes = _tables(core, origins)
    if mitigations.TABLE in core.forms:
        best = first_wins(*(result[file].values() for file in core.forms if file in result))
        result[mitigations.TABLE] = {row.form: row for row in mitigations.gather_rows(core.name, best)}
    return result, changes


def _tables(core: Core, origins: Origins) -> tuple[dict[str, dict[str, Row]], Changes]:
    """Without mitigations."""
    if core.relative:
        return related_tables(core, origins)
    imported = dict(origins.imported(core).rows)
    supported = origins.supported(core)
    model = own_model(core, supported)
    if "FP" in core.ports.groups:
        imported = {form: assumed_ports(row) for form, row in imported.items()}
        model = {form: row.with_(ports=None) for form, row in model.items()}
    elif core.ports.names[0] == "P0":
        imported = {form: with_known_ports(row, model) for form, row in imported.items()}
    elif core.avx512 and core.ports is not EIGHT:
        return completed(core, supported, {"uops_info.tsv": imported}, model, origins.of_osaca(core)), Changes()
    result = {"uops_info.tsv": imported}
    result["documented.tsv"] = {row.form: row for row in documented_rows(core, imported)}
    if core.avx512:
        result["derived.tsv"] = rows_from_siblings(supported, imported, model)
    known = first_wins(*(table.values() for table in result.values()))
    rest = {form: row for form, row in model.items() if form.partition(" @")[0] not in known}
    if core.avx512:
        result["osaca.tsv"] = rows_with_osaca_ports(origins.of_osaca(core), rest, core.ports)
        known = first_wins(known.values(), result["osaca.tsv"].values())
    result["llvm.tsv"] = {form: row for form, row in rest.items() if form not in known}
    if core.avx512:
        best = first_wins(known.values(), result["llvm.tsv"].values())
        changed = {row.form: row for row in measured.port_rows(best)}
        if core.name == "skylake_x":
            changed |= {row.form: row for row in measured.state_rows({**best, **changed})}
        result["measured.tsv"] = changed
    return result, Changes()


def own_model(core: Core, supported: Iterable[_core.EnumeratedForm]) -> dict[str, Row]:
    """LLVM's rows of a core. Nehalem is modelled as Sandy Bridge, whose loads and store addresses share two ports."""
    model = rows_from_model(core.llvm_cpu, supported, core.ports)
    if core.ports is not NEHALEM:
        return model
    shared = NAMED["sandy_bridge"].ports
    return {form: row.with_(ports=translated(row.ports, shared, NEHALEM, {})) for form, row in model.items()}


def with_known_ports(row: Row, model: Mapping[str, Row]) -> Row:
    """Lion Cove: where the record cannot name the ports, those of LLVM's model."""
    other = model.get(row.form) or model.get(row.form.partition(" @")[0])
    if row.ports is not None or other is None or other.ports is None:
        return row
    confidence = "derived" if row.confidence == "measured" else row.confidence
    memory = tuple(use for use in other.ports if use[1] in ("LOAD", "STORE_ADDRESS", "STORE_DATA"))
    compute = [use for use in other.ports if use not in memory]
    uops = row.uops[1] - sum(count for count, _ in memory) if row.uops else 0.0
    if compute and sum(count for count, _ in compute) != uops:
        # LLVM's figures are cycles there: one uop a port set, the rest on the one that it holds longest.
        compute.sort(key=lambda use: -use[0])
        compute = [(1.0, name) for _, name in compute[: max(1, int(uops))]]
        compute[0] = (max(1.0, uops - len(compute) + 1), compute[0][1])
    usage = merged((*compute, *memory))
    return row.with_(ports=usage, source=f"{row.source}+{other.source}(ports)", confidence=confidence)


def related_tables(core: Core, origins: Origins) -> tuple[dict[str, dict[str, Row]], Changes]:
    """The same of a core whose own records are absent: a relative's, corrected by what is known of the core."""
    relative = NAMED[core.relative]
    supported = origins.supported(core)
    names = {form.form for form in supported}
    renamed = {"p237": "p78"}
    taken_over = origins.imported(core).rows
    if core.ports is TEN:  # its divider of integers is the one of its successors
        later = retargeted(
            origins.imported(NAMED["meteor_lake_p"]).rows, NAMED["meteor_lake_p"].ports, TEN, {"p0156B": "p0156"}
        )
        taken_over = taken_over | {form: row for form, row in later.items() if re.match(r"i?div ", form)}
    records = {
        form: row
        for form, row in retargeted(taken_over, relative.ports, core.ports, renamed).items()
        if form.partition(" @")[0] in names or not form.startswith("v")
    }
    model = rows_from_model(core.llvm_cpu, supported, core.ports)
    before = rows_from_model(relative.llvm_cpu, supported, relative.ports)
    witnesses = () if relative.ports is core.ports else (origins.imported(NAMED["meteor_lake_p"]).rows,)
    known = Relatives(
        own=origins.of_osaca(core),
        model=model,
        relative_model=retargeted(before, relative.ports, core.ports, renamed),
        witnesses=witnesses,
        own_core=core.name in OWN_FILES,
    )
    changes = Changes()
    rows = rows_of_relative(records, known, changes)
    return completed(core, supported, {"relative.tsv": rows}, model, known.own), changes


def completed(
    core: Core,
    supported: list[_core.EnumeratedForm],
    base: Mapping[str, dict[str, Row]],
    model: Mapping[str, Row],
    own: Mapping[str, Row],
) -> dict[str, dict[str, Row]]:
    """Tables of a core of Ice Lake's kind or later: one of records, what rules and OSACA make of them, LLVM's rest.

    Args:
        base: that one table, by the name of its file.
        model: LLVM's rows of the core.
        own: OSACA's.
    """
    result = dict(base)
    (rows,) = base.values()
    result["documented.tsv"] = {row.form: row for row in documented_rows(core, rows)}
    if core.avx512:
        rules = Rules("rule:evex", merging_takes_port=False, masked_multiplication_on_p0=False)
        derived = rows_from_siblings(supported, rows, one_wide_unit(model) if core.wide_units == 1 else model, rules)
        derived = with_own_ports(derived, own, core.ports.load)
        result["derived.tsv"] = widened(derived, core.ports)
    best = first_wins(*(table.values() for table in result.values()))
    rest = {form: row for form, row in model.items() if form.partition(" @")[0] not in best}
    if core.avx512:
        result["osaca.tsv"] = rows_with_osaca_ports(own, rest, core.ports)
        best = first_wins(best.values(), result["osaca.tsv"].values())
    rest = {form: row for form, row in rest.items() if form not in best}
    if core.avx512:
        both = widened({**best, **rest}, core.ports)
        rest = {form: both[form] for form in rest}
        result["osaca.tsv"] = {form: both[form] for form in result["osaca.tsv"]}
    result["llvm.tsv"] = rest
    return result


def one_wide_unit(model: Mapping[str, Row]) -> dict[str, Row]:
    """LLVM models the server cores, whose port 5 has a second 512-bit unit for floating point and multiplication."""
    return {
        form: row.with_(ports=tuple((count, "p0" if name == "p05" else name) for count, name in row.ports or ()))
        for form, row in model.items()
        if "zmm" in form
    }
