"""Writes the form tables of the RISC-V models: SiFive P550, P670, X280, SpacemiT X60, XuanTie C910 and C920.

    python tools/make_riscv_models.py [--report] [--verify N] [NAME ...]

Reads facts/ and LLVM's scheduling models. The same input gives the same files; pipeline.toml and SOURCES.md are written
by hand. --verify N writes nothing: it compares N random forms of each core with what their source says
(riscv_models/verify.py) and ends with code 1 where one differs.
"""

from __future__ import annotations

import argparse
import collections
import sys
from pathlib import Path

import facts
from corecast import _core
from corecast.convert.importers.rvv_bench import instruction_names, read_measurements
from corecast.convert.importers.winic import form_measurements
from corecast.convert.importers.winic_files import read_yaml
from corecast.machine.llvm.schedule import version
from corecast.machine.rows import Row
from enumerated import forms as known_forms
from extensions.models import executable_on
from pipelines import check_forms
from riscv_models import scalar, vector, xuantie
from riscv_models.cores import CORES, Core
from riscv_models.verify import verify
from sibling_tables import own_tables

MACHINES = Path(__file__).resolve().parent.parent / "src" / "corecast" / "machine" / "data"
COMMENTS = {
    "measured.tsv": "Forms with at least one measured figure; the source column says which.",
    "llvm.tsv": "Forms as documented: LLVM's scheduling model.",
    "family.tsv": "Forms as a relative of the core has them; the source column says which.",
}


def tables(core: Core) -> tuple[dict[str, list[Row]], collections.Counter[str]]:
    """Rows by file, and the forms without any by mnemonic."""
    schedule = _core.Schedule("riscv64", core.llvm)
    source = f"llvm{version()}:{core.llvm}"
    forms = scalar.with_spellings(known_forms("riscv64"), instruction_names(facts.RVV_BENCH))
    bench = read_measurements(facts.RVV_BENCH, core.rvv_bench) if core.rvv_bench else {}
    winic = {}
    if core.winic:
        winic = form_measurements("riscv64", read_yaml(facts.WINIC / f"{core.winic}.yaml.xz"), forms)
    rest = "family.tsv" if core.xuantie else "llvm.tsv"
    files: dict[str, list[Row]] = {"measured.tsv": [], rest: []}
    missing: collections.Counter[str] = collections.Counter()
    scalars: dict[str, Row] = {}
    for enumerated in forms:
        form = enumerated.form
        if form.startswith("v") and not form.startswith("vset"):
            rows = vector.llvm_rows(schedule, enumerated, core.ports, source)
            if core.xuantie:
                rows = {shape: xuantie.placed(row) for shape, row in rows.items()}
            rows |= core.overlay_vector(rows, bench.get(form, {}))
            made = vector.packed(form, rows)
        else:
            row = scalar.llvm_row(schedule, enumerated, core.ports, source)
            made = [] if row is None else [core.overlay_scalar(row, winic.get(form))]
            if core.xuantie:
                made = [xuantie.placed(row) for row in made]
            scalars.update((row.form, row) for row in made)
        measured = any(row.confidence == "measured" for row in made)
        files["measured.tsv" if measured else rest].extend(made)
        if not made:
            missing[form.split(" ")[0]] += 1
    files[rest].extend(scalar.pairs(scalars))
    return files, missing


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the form tables of the RISC-V models.")
    parser.add_argument("--report", action="store_true", help="name the instructions that have no row")
    parser.add_argument("--verify", type=int, metavar="N", help="compare N random forms of each core with its source")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CORES)}; all by default")
    options = parser.parse_args()
    chosen = set(options.names or CORES)
    if unknown := chosen - set(CORES):
        parser.error(f"no core is called {', '.join(sorted(unknown))}")
    if options.verify is not None:
        verified = (verify(name, CORES[name], MACHINES / name, options.verify) for name in CORES if name in chosen)
        return 1 if sum(verified) else 0
    for name, core in CORES.items():
        if core.sibling in chosen:  # its rows are those of its sibling where it has none
            chosen.add(name)
        if name not in chosen:
            continue
        files, missing = tables(core)
        own = own_tables(files, MACHINES / core.sibling if core.sibling else None, executable_on(MACHINES / name))
        made_by = "Made by tools/make_riscv_models.py; do not edit."
        for file, count in own.write(MACHINES / name, {file: (COMMENTS[file], made_by) for file in files}).items():
            print(name, file, count)
        check_forms(MACHINES / name, own.files)
        if options.report:
            print("left out:", sum(missing.values()), dict(missing.most_common(80)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
