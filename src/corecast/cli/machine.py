"""`corecast machine`: checks a machine model, compares two, writes one for another tool."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.machine import Machine
    from corecast.machine.compare import Comparison
    from corecast.machine.verify import Finding

FORMATS = ("osaca", "llvm-mca-json", "gem5")


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("machine", help="check, compare and export machine models", description=__doc__)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser(
        "check",
        help="rows that cannot be right",
        description="Verifies a model: every row can be read, latencies are positive, no measured throughput is better "
        "than the ports allow, every form is an instruction, no form stands out among its siblings.",
    )
    check.add_argument("name", metavar="NAME|DIR", help="a core (see `corecast cpus`) or the folder of a model")
    check.add_argument("--format", choices=("text", "json"), default="text")
    check.set_defaults(run=_check)
    diff = actions.add_parser(
        "diff", help="what two models say differently", description="Compares parameters and forms of two models."
    )
    diff.add_argument("first", metavar="A")
    diff.add_argument("second", metavar="B")
    diff.add_argument("--format", choices=("text", "json"), default="text")
    diff.set_defaults(run=_diff)
    export = actions.add_parser(
        "export", help="a model as another tool's file", description="Writes a model in the format of another tool."
    )
    export.add_argument("name", metavar="NAME|DIR")
    export.add_argument("--format", choices=FORMATS, required=True)
    export.add_argument("-o", "--output", metavar="OUT", help="file to write, whole or not at all")
    export.set_defaults(run=_export)


def load_named(name: str) -> Machine:
    """A model by name, or by folder where there is one of that name with a pipeline.toml."""
    from pathlib import Path

    from corecast.machine import load_machine

    is_folder = os.path.isfile(os.path.join(name, "pipeline.toml"))
    return load_machine(Path(name) if is_folder else name)


def _check(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_json, write_result
    from corecast.machine.verify import errors_of, verify

    machine = load_named(arguments.name)
    findings = verify(machine)
    if arguments.format == "json":
        rows = [
            {
                "kind": finding.kind,
                "form": finding.form,
                "message": finding.message,
                "file": finding.file,
                "line": finding.line,
                "explained": None if finding.explanation is None else finding.explanation.reason,
            }
            for finding in findings
        ]
        document = {"schema": "corecast/1", "cpu": machine.name, "forms": len(machine.keys()), "findings": rows}
        write_json(document)
    else:
        write_result(_findings_text(machine, findings), None, errors="backslashreplace")
    return 1 if errors_of(findings) else 0


def _findings_text(machine: Machine, findings: list[Finding]) -> str:
    open_findings = [finding for finding in findings if finding.explanation is None]
    reasons = [finding.explanation for finding in findings if finding.explanation is not None]
    explained = Counter((why.file, why.kind, why.reason) for why in reasons)
    counts = Counter(finding.kind for finding in open_findings)
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "nothing found"
    if explained:
        told += f"; {explained.total()} explained"
    lines = [*map(str, open_findings)]
    lines += [f"{file}: {count} {kind} explained: {reason}" for (file, kind, reason), count in explained.items()]
    if machine.extensions is None:
        lines.append(f"{machine.name}: no [extensions]: which instructions the core has is not checked")
    lines.append(f"{machine.name}: {len(machine.keys())} forms: {told}")
    return "\n".join(lines) + "\n"


def _diff(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_json, write_result
    from corecast.machine.compare import compare

    first, second = load_named(arguments.first), load_named(arguments.second)
    found = compare(first, second)
    if arguments.format == "json":
        document = {
            "schema": "corecast/1",
            "cpus": [first.name, second.name],
            "pipeline": {key: list(pair) for key, pair in found.keys.items()},
            "only_first": list(found.only_first),
            "only_second": list(found.only_second),
            "forms": [
                {"form": each.form, "columns": {name: list(pair) for name, pair in each.columns.items()}}
                for each in found.forms
            ],
            "same": found.same,
        }
        write_json(document)
    else:
        write_result(_diff_text(first, second, found), None, errors="backslashreplace")
    return 0


def _diff_text(first: Machine, second: Machine, found: Comparison) -> str:
    lines = []
    for key, (one, other) in found.keys.items():
        lines += [f"{key}", f"  {first.name}: {_shown(one)}", f"  {second.name}: {_shown(other)}"]
    for each in found.forms:
        lines.append(each.form)
        for column, (one, other) in each.columns.items():
            lines += [f"  {column:11}  {one or '-'}", f"  {'':11}  {other or '-'}"]
    lines += [f"only {first.name}: {form}" for form in found.only_first]
    lines += [f"only {second.name}: {form}" for form in found.only_second]
    lines.append(
        f"{first.name} and {second.name}: {len(found.keys)} parameters differ; forms: {found.same} alike, "
        f"{len(found.forms)} differ, {len(found.only_first)} only {first.name}, "
        f"{len(found.only_second)} only {second.name}"
    )
    return "\n".join(lines) + "\n"


def _shown(value: object) -> str:
    return "-" if value is None else str(value)


def _export(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_result

    machine = load_named(arguments.name)
    write_result(_exported(machine, arguments.format), arguments.output)
    return 0


def _exported(machine: Machine, name: str) -> str:
    if name == "osaca":
        from corecast.machine.exporters.osaca import osaca_yaml

        return osaca_yaml(machine)
    if name == "gem5":
        from corecast.machine.exporters.gem5 import gem5_python

        return gem5_python(machine)
    from corecast.machine.exporters.mca_json import mca_json

    return mca_json(machine)
