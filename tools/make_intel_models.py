#!/usr/bin/env python3
"""Generate the machine models of Intel's cores: src/corecast/machine/data/{haswell,skylake,skylake_x,cascade_lake}.

Needs the facts folder (uops.info's JSON lines in uops/, pipelines.toml), iced-x86 for the CPUID features of forms, and
the extension built with LLVM:

    tools/make_intel_models.py --facts FOLDER --osaca FOLDER [--only NAME] [--report]

The OSACA folder is `osaca/data` of its 0.7.1 wheel (figures of csx.yml only; needs PyYAML).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corecast import _core
from corecast.machine.importers.rows import Row, first_wins, write_rows
from corecast.machine.importers.uops_info import Imported, Options, rows_from_uops_info
from cpuid_forms import supported_forms
from intel_models import measured
from intel_models.avx512 import rows_from_siblings
from intel_models.llvm_rows import merged, rows_from_model
from intel_models.osaca_rows import rows_with_osaca_ports
from intel_models.pipelines import CORES, Core, pipeline_text
from intel_models.supported import FEATURES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DATA = Path(__file__).resolve().parent.parent / "src/corecast/machine/data"
MOVE_LATENCY = {"HSW": 1.0, "SKL": 2.0}
"""Latency of vmovq between register files, each way; Skylake's round trip is 4.00 (measured)."""
NOTES = {
    "measured.tsv": "Measured on Skylake-X where the tables below say otherwise.",
    "documented.tsv": "Branches: ports by whether they are taken; a return without the call it is measured with.",
    "uops_info.tsv": "uops.info's facts, rendered to text, assembled, and given the form that comes out.",
    "derived.tsv": "AVX-512 forms from their VEX siblings by the rules measured on Skylake-X.",
    "osaca.tsv": "AVX-512 forms without a VEX sibling: ports of OSACA's Cascade Lake file, operands of LLVM's model.",
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
            addresses = ("addr", "index")
            kept = tuple(pair for pair in row.latency if pair.source not in addresses or pair.destination != "mem")
            result.rows[form] = row.with_(latency=kept)
    return result


def tables(
    core: Core, facts: Path, osaca: Path, forms: list[_core.EnumeratedForm]
) -> tuple[dict[str, dict[str, Row]], Imported]:
    """Rows of each file of a model."""
    imported = uops_info(facts, core.uops_info, core.name)
    supported = supported_forms(FEATURES[core.name], forms)
    model = rows_from_model(core.llvm_cpu, supported)
    result = {"uops_info.tsv": imported.rows}
    result["documented.tsv"] = {row.form: row for row in measured.documented_rows(imported.rows)}
    if core.avx512:
        result["derived.tsv"] = rows_from_siblings(supported, imported.rows, model)
    known = first_wins(*(table.values() for table in result.values()))
    rest = {form: row for form, row in model.items() if form.partition(" @")[0] not in known}
    if core.avx512:
        result["osaca.tsv"] = rows_with_osaca_ports(osaca / "csx.yml", rest)
        known = first_wins(known.values(), result["osaca.tsv"].values())
    result["llvm.tsv"] = {form: row for form, row in rest.items() if form not in known}
    if core.avx512:
        best = first_wins(known.values(), result["llvm.tsv"].values())
        changed = {row.form: row for row in measured.port_rows(best)}
        if core.name == "skylake_x":
            changed |= {row.form: row for row in measured.state_rows({**best, **changed})}
        result["measured.tsv"] = changed
    return result, imported


def write_model(core: Core, facts: Path, osaca: Path, forms: list[_core.EnumeratedForm], report: bool) -> None:
    """Write all files of a model except SOURCES.md, which is written by hand."""
    pipelines: dict[str, Any] = tomllib.loads((facts / "pipelines.toml").read_text(encoding="utf-8"))
    folder = DATA / core.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pipeline.toml").write_text(pipeline_text(core, pipelines["core"][core.facts]), encoding="utf-8")
    rows, imported = tables(core, facts, osaca, forms)
    for file in core.forms:
        count = write_rows(
            folder / "forms" / file,
            [f"{core.title}: {NOTES[file]}", "Generated by tools/make_intel_models.py."],
            rows[file].values(),
        )
        print(f"{core.name}/{file}: {count} rows")
    lost = len(imported.unmapped)
    print(f"{core.name}: {imported.records - lost} of {imported.records} records of {core.uops_info} have a form")
    if report:
        for name, reason in imported.unmapped:
            print(f"  not used: {name}: {reason}")
        for form, used, other in imported.conflicts:
            print(f"  {form}: {used} stands for {other}")


def main() -> int:
    """Parse the command line and write the models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--osaca", type=Path, required=True)
    parser.add_argument("--only", choices=[core.name for core in CORES])
    parser.add_argument("--report", action="store_true", help="list the records that have no form, and conflicts")
    arguments = parser.parse_args()
    forms = _core.enumerate_forms("x86")
    for core in CORES:
        if arguments.only in (None, core.name):
            write_model(core, arguments.facts, arguments.osaca, forms, arguments.report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
