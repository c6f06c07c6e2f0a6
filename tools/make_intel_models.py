#!/usr/bin/env python3
"""Generate the machine models of Intel's cores: src/corecast/machine/data/{haswell,skylake,skylake_x,cascade_lake}.

Needs the facts folder (uops.info's JSON lines in uops/, pipelines.toml), iced-x86 for the CPUID features of forms, and
the extension built with LLVM:

    tools/make_intel_models.py --facts FOLDER [--only NAME] [--report]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from intel_models import measured
from intel_models.avx512 import rows_from_siblings
from intel_models.llvm_rows import merged, rows_from_model
from intel_models.pipelines import Core, pipeline_text
from intel_models.supported import supported_forms

from corecast import _core
from corecast.machine.importers.rows import Row, first_wins, write_rows
from corecast.machine.importers.uops_info import Imported, Options, rows_from_uops_info

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DATA = Path(__file__).resolve().parent.parent / "src/corecast/machine/data"
PLAIN = ("documented.tsv", "uops_info.tsv", "llvm.tsv")
CORES = (
    Core("haswell", "Intel Haswell", "hsw", "haswell", "HSW", ("hsw", "HSW", "haswell_client"), False, PLAIN, (5, 6)),
    Core("skylake", "Intel Skylake (client)", "skl", "skylake", "SKL", ("skl", "SKL", "kbl", "KBL", "cfl", "CFL", "kaby_lake", "coffee_lake"), False, PLAIN, (4.5, 5)),
    Core("skylake_x", "Intel Skylake-X (server Skylake)", "skx", "skylake-avx512", "SKL", ("skx", "skylake-avx512", "skylake_sp", "skylake_server"), True, ("measured.tsv", "documented.tsv", "uops_info.tsv", "derived.tsv", "llvm.tsv"), (4.5, 5)),
    Core("cascade_lake", "Intel Cascade Lake", "clx", "cascadelake", "SKL", ("clx", "csx", "cascadelake", "cascade_lake_x"), True, ("measured.tsv", "documented.tsv", "uops_info.tsv", "derived.tsv", "llvm.tsv"), (4.5, 5)),
)  # fmt: skip
MOVE_LATENCY = {"HSW": 1.0, "SKL": 2.0}
"""Latency of vmovq between register files, each way; Skylake's round trip is 4.00 (measured)."""
NOTES = {
    "measured.tsv": "Measured on Skylake-X, where it differs from the tables below; rows that another machine need not share are in skylake_x only.",
    "documented.tsv": "Rows of uops.info replaced because its measurement holds another instruction as well.",
    "uops_info.tsv": "uops.info's facts, rendered to text, assembled, and given the form that comes out.",
    "derived.tsv": "AVX-512 forms from their VEX siblings by the rules measured on Skylake-X.",
    "llvm.tsv": "LLVM's scheduling model, for forms that no better source has.",
}


def intel_ports(usage: Mapping[str, int]) -> tuple[tuple[float, str], ...]:
    """uops.info's {"01": 1} as ours."""
    return merged((float(count), f"p{ports}") for ports, count in usage.items())


def uops_info(facts: Path, arch: str, core: str) -> Imported:
    """uops.info's rows of one core."""
    options = Options(f"uops.info:{arch}", intel_ports, MOVE_LATENCY[arch], serial_unit="SERIAL")
    result = rows_from_uops_info(facts / "uops", arch, options)
    for form, row in result.rows.items():
        # From the address to memory the source times a store together with the load that reads it back.
        if row.latency and not any(pair.source == "mem" for pair in row.latency):
            kept = tuple(pair for pair in row.latency if not (pair.source in ("addr", "index") and pair.destination == "mem"))
            result.rows[form] = row.with_(latency=kept)
    return result


def tables(core: Core, facts: Path, forms: list[_core.EnumeratedForm]) -> tuple[dict[str, dict[str, Row]], Imported]:
    """Rows of each file of a model."""
    imported = uops_info(facts, core.uops_info, core.name)
    supported = supported_forms(core.name, forms)
    model = rows_from_model(core.llvm_cpu, supported)
    result = {"uops_info.tsv": imported.rows}
    result["documented.tsv"] = {row.form: row for row in measured.documented_rows(imported.rows)}
    if core.avx512:
        result["derived.tsv"] = rows_from_siblings(supported, imported.rows, model)
    known = first_wins(*(table.values() for table in result.values()))
    result["llvm.tsv"] = {form: row for form, row in model.items() if form.partition(" @")[0] not in known}
    if core.avx512:
        best = first_wins(known.values(), result["llvm.tsv"].values())
        changed = {row.form: row for row in measured.port_rows(best)}
        if core.name == "skylake_x":
            changed |= {row.form: row for row in measured.state_rows({**best, **changed})}
        result["measured.tsv"] = changed
    return result, imported


def write_model(core: Core, facts: Path, forms: list[_core.EnumeratedForm], report: bool) -> None:
    """Write all files of a model except SOURCES.md, which is written by hand."""
    pipelines: dict[str, Any] = tomllib.loads((facts / "pipelines.toml").read_text(encoding="utf-8"))
    folder = DATA / core.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pipeline.toml").write_text(pipeline_text(core, pipelines["core"][core.facts]), encoding="utf-8")
    rows, imported = tables(core, facts, forms)
    for file in core.forms:
        count = write_rows(folder / "forms" / file, [f"{core.title}: {NOTES[file]}", "Generated by tools/make_intel_models.py."], rows[file].values())
        print(f"{core.name}/{file}: {count} rows")
    lost = len(imported.unmapped)
    print(f"{core.name}: {imported.records - lost} of {imported.records} records of uops.info:{core.uops_info} have a form")
    if report:
        for name, reason in imported.unmapped:
            print(f"  not used: {name}: {reason}")
        for form, used, other in imported.conflicts:
            print(f"  {form}: {used} stands for {other}")


def main() -> int:
    """Parse the command line and write the models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--only", choices=[core.name for core in CORES])
    parser.add_argument("--report", action="store_true", help="list the records that have no form, and conflicts")
    arguments = parser.parse_args()
    forms = _core.enumerate_forms("x86")
    for core in CORES:
        if arguments.only in (None, core.name):
            write_model(core, arguments.facts, forms, arguments.report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
