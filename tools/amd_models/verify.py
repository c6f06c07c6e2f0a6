"""Random forms of a model compared with what a column names as source: uops.info's records, WINIC's, OSACA's figures,
those of our own campaign.

A column that the row's source gives to another origin is not compared; SOURCES.md says why it won. Nor are latencies
from memory contents or to memory, which are the machine's parameters, and the zero of a move that vanishes.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import enumerated
import facts
from amd_models.compose import OWN, WINIC
from corecast.convert.importers.winic import FormMeasurement, form_measurements
from corecast.convert.importers.winic_files import read_csv
from corecast.machine import load_machine
from corecast.machine.rows import Row
from corecast.measure.judge.forms.results import FormResult
from own_measurements import served
from sibling_tables import row_text

SEED = 22
RECORD, OSACA = "uops.info", "osaca"
UNKNOWN = "?"
WHOLE_WITHIN = 0.12
"""Latencies of our campaign so near a whole number of cycles are that number."""


def verify(name: str, folder: Path, records: Mapping[str, Row], campaign: Mapping[str, FormResult], count: int) -> int:
    """Compares and reports; the number of differences.

    Args:
        records: uops.info's rows of the core, or of the nearest one.
        campaign: what we measured of the core.
    """
    machine = load_machine(folder)
    winic: Mapping[str, FormMeasurement] = {}
    osaca: Mapping[str, Row] = {}
    if name == "zen4":
        files = read_csv(facts.WINIC / "zen4_lat.csv.xz", facts.WINIC / "zen4_tp.csv.xz")
        winic = form_measurements("x86", files, enumerated.forms("x86"))
    if name == "zen5":
        osaca = facts.osaca_rows("zen5")
    own = {served(form, machine.keys()): result for form, result in campaign.items()}
    forms = sorted({*(osaca or winic or records), *own} & set(machine.keys()))
    random.Random(f"{SEED}{name}").shuffle(forms)
    compared = figures = differing = 0
    for form in forms[:count]:
        line = row_text(machine, form)
        assert line is not None  # `forms` are keys of the model
        fields = line.split("\t")
        compared += 1
        found = _figures(form, fields, records.get(form), winic.get(form), osaca.get(form))
        for what, ours, theirs in itertools.chain(found, _own_figures(fields, own.get(form))):
            figures += 1
            if ours != theirs:
                differing += 1
                print(f"{name}: {form}: {what}: {ours}, its source {theirs}")
    print(f"{name}: {compared} forms, {figures} figures compared with their source, {differing} differ")
    return differing


def _figures(
    form: str, fields: list[str], record: Row | None, measured: FormMeasurement | None, osaca: Row | None
) -> Iterator[tuple[str, Any, Any]]:
    """(what, in the row, in its source) of each column that one source gives."""
    sources = fields[8]
    memory = bool(re.search(r"\bm\d+", form))
    fewer = any(_gives(sources, origin, "uops") for origin in (OWN, WINIC))
    if record is not None and _gives(sources, RECORD, "uops") and record.uops is not None and not fewer:
        yield "macro-ops", float(fields[4].split("/")[0]), max(1.0, record.uops[1])
    if (
        record is not None
        and _gives(sources, RECORD, "latency")
        and WINIC not in sources
        and OWN not in sources
        and not memory
    ):
        ours = [text for text in fields[3].split(";") if text and "mem" not in text and not text.endswith(":0")]
        theirs = [str(pair) for pair in record.latency or () if "mem" not in (pair.source, pair.destination)]
        yield "latency", ours, [text for text in theirs if not text.endswith(":0")]
    if measured is not None and WINIC in sources and OWN not in sources and not memory:
        listed = _latencies(fields)
        for pair in measured.latencies:
            key = f"{pair.source}->{pair.destination}"
            if pair.exact is not None and key in listed:
                yield key, listed[key], float(pair.exact)
    held = "rule:occupancy" in sources  # as long as the throughput says
    if osaca is not None and _gives(sources, OSACA, "ports") and not memory and not held:
        yield "ports", fields[1], Row(form, osaca.ports).to_line().split("\t")[1]


def _own_figures(fields: list[str], own: FormResult | None) -> Iterator[tuple[str, Any, Any]]:
    """Those of our campaign that are not limits: stable, exact, and not of what changes memory."""
    if own is None or not _gives(fields[8], OWN, "latency"):
        return
    listed = _latencies(fields)
    if own.throughput is not None and own.throughput.exact:
        yield "throughput", float(fields[7]), round(own.throughput.high, 2)
    for pair in own.latencies:
        key, cycles = f"{pair.source}->{pair.target}", pair.cycles.middle
        firm = pair.stable and pair.cycles.exact and cycles >= 1 and not _changes_memory(fields[3])
        if firm and key in listed and "mem" not in key:
            yield key, listed[key], listed[key] if abs(listed[key] - cycles) <= WHOLE_WITHIN else round(cycles, 2)


def _changes_memory(latencies: str) -> bool:
    """Whether the instruction reads what it writes: its results in memory, and others from an address, say so."""
    return "->mem" in latencies and "addr->" in latencies


def _latencies(fields: list[str]) -> dict[str, float]:
    """By pair; empty where they are unknown."""
    if fields[3] == UNKNOWN:
        return {}
    return {text.rpartition(":")[0]: float(text.rpartition(":")[2]) for text in fields[3].split(";") if text}


def _gives(sources: str, origin: str, column: str) -> bool:
    """Whether the source column says that this origin gave the column."""
    parts = re.findall(r"(?:^|\+)([^+(]+)(?:\(([^)]*)\))?", sources)
    return any(origin in name and (not columns or column in columns.split(",")) for name, columns in parts)
