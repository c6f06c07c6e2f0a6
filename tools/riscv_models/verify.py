"""Random forms of a model against what their source column names: rvv-bench's and WINIC's times, LLVM's latencies.

The comparison goes another way than the generator: an instruction of the form is decoded below the vsetvli of a vector
type, and the row that an analysis finds for it is compared with the record of that type. A column that the row's source
gives to another origin is not compared; SOURCES.md says why it won.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import facts
from corecast import _core
from corecast.convert.importers.rvv_bench import Shape, read_measurements
from corecast.convert.importers.winic import FormMeasurement, form_measurements
from corecast.convert.importers.winic_files import read_yaml
from corecast.machine import load_machine
from corecast.machine.rows import endpoint_name, rounded
from enumerated import forms as known_forms

from .cores import Core
from .vector import SHAPES, legal

SEED = 22
SCALAR: Shape = ("", 0)
TYPE = re.compile(r" @(mf?\d),e(\d+)$")
Figure = tuple[str, object, object]


def verify(name: str, core: Core, folder: Path, count: int) -> int:
    """Compares `count` forms and reports; the number of figures that differ."""
    machine = load_machine(folder).core
    schedule = _core.Schedule("riscv64", core.llvm)
    bench = read_measurements(facts.RVV_BENCH, core.rvv_bench) if core.rvv_bench else {}
    forms = list(known_forms("riscv64"))
    winic: Mapping[str, FormMeasurement] = {}
    if core.winic:
        winic = form_measurements("riscv64", read_yaml(facts.WINIC / f"{core.winic}.yaml.xz"), forms)
    dice = random.Random(f"{SEED}{name}")
    dice.shuffle(forms)
    compared = figures = differing = 0
    for enumerated in forms:
        form = enumerated.form
        vector = form.startswith("v") and not form.startswith("vset")
        shape = dice.choice(SHAPES) if vector else SCALAR
        instruction = _decoded(enumerated.code, shape)
        _, row, _ = machine.lookup(instruction)
        if row is None or str(row["form"]).partition(" @")[0] != form:
            continue
        if found := TYPE.search(instruction.form):  # loads and stores have the type of their data
            shape = (found[1], int(found[2]))
        entry = schedule.entry(enumerated.code, *shape)
        if vector and not (entry.uses and legal(form, shape)):
            continue  # no instruction at this vector type: a row of all types covers it too
        compared += 1
        cycles = bench.get(form, {}).get(shape)
        for what, ours, theirs in _figures(core, row, entry, cycles, winic.get(form)):
            figures += 1
            if ours != theirs:
                differing += 1
                print(f"{name}: {form} {shape}: {what} {ours}, its source {theirs}")
        if compared == count:
            break
    print(f"{name}: {compared} forms, {figures} figures compared with their source, {differing} differ")
    return differing


def _decoded(code: bytes, shape: Shape) -> _core.Instruction:
    lmul, bits = shape
    before = (
        _core.assemble("riscv64", f"vsetvli t0, t1, e{bits}, {lmul}, ta, ma\n").instructions[0].bytes if lmul else b""
    )
    return _core.disassemble("riscv64", before + code).instructions[-1]


def _figures(
    core: Core,
    row: Mapping[str, Any],
    entry: _core.ScheduleEntry,
    cycles: float | None,
    measured: FormMeasurement | None,
) -> Iterator[Figure]:
    """(what, in the row, in its source) of each column that one source gives."""
    source = str(row["source"])
    time = row["rthroughput"]
    if "rvv_bench" in source and cycles is not None:
        yield "rthroughput", time, rounded(cycles - core.harness_cycles)
    if "winic" in source and measured is not None and measured.throughput is not None:
        yield "rthroughput", time, rounded(measured.throughput[1])
        for pair in measured.latencies:
            ours = {(start, end): each for start, end, each in row["latency"] or ()}.get(
                (pair.source, pair.destination)
            )
            if pair.exact is not None and ours is not None:
                yield f"latency {pair.source}->{pair.destination}", ours, float(pair.exact)
    if "llvm" in source and "winic" not in source and row["latency"]:
        arrives = {endpoint_name("riscv64", each.source): float(each.from_same) for each in entry.advances}
        whole = max((float(each.cycles) for each in entry.latencies), default=0.0)
        ours = max(float(each) for _, _, each in row["latency"])
        yield "latency", ours, max(whole - arrives.get(start, 0.0) for start, _, _ in row["latency"])
