"""`corecast machine`: checks and compares machine models, shows the sources of parameters, writes other formats."""

from __future__ import annotations

import os
from collections import Counter

from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.machine import Machine
    from corecast.machine.compare import Comparison
    from corecast.machine.evidence import Evidence
    from corecast.machine.verify import Finding

FORMATS = ("osaca", "llvm", "llvm-mca-json", "gem5")


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser("machine", help=summary, description=__doc__)
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
        "diff", help="differences between two models", description="Compares parameters and forms of two models."
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
    export.add_argument(
        "--mode",
        choices=("loop", "unroll"),
        help="llvm: code from the micro-op cache (loop, default), or from fetch and the decoders (unroll)",
    )
    export.add_argument("-o", "--output", metavar="OUT", help="output file (written atomically)")
    export.set_defaults(run=_export)
    parameters = actions.add_parser(
        "parameters",
        help="parameters of a model, with their sources",
        description="Lists the parameters of a model with their source and confidence.",
    )
    parameters.add_argument("name", metavar="NAME|DIR")
    parameters.add_argument("keys", nargs="*", metavar="KEY", help="keys, or tables such as loads (default: all)")
    parameters.add_argument("--format", choices=("text", "json"), default="text")
    parameters.set_defaults(run=_parameters)
    convert = actions.add_parser(
        "convert",
        help="pipeline.toml of format 1 in format 2",
        description="Writes a model's pipeline.toml in the current format, with its comments; prints it without -o.",
    )
    convert.add_argument("folder", metavar="DIR", help="the folder of the model, or its pipeline.toml")
    convert.add_argument("-o", "--output", metavar="OUT", help="output file (written atomically); may be the same one")
    convert.set_defaults(run=_convert)
    adopt = actions.add_parser(
        "adopt",
        help="a calibrated model into a checkout (for maintainers)",
        description="Copies the model of `corecast calibrate` into a checkout of corecast as one of the models that "
        "come with the package, and says what is left to do.",
    )
    adopt.add_argument("folder", metavar="DIR", help="the folder of the calibration")
    adopt.add_argument("--name", required=True, help="of the model: the microarchitecture in lower case")
    adopt.add_argument("--alias", action="append", default=[], metavar="NAME", help="another name; may be repeated")
    adopt.add_argument("--checkout", default=".", metavar="DIR", help="of corecast; default: the current folder")
    adopt.add_argument("--replace", action="store_true", help="overwrite the model of that name")
    adopt.set_defaults(run=_adopt)


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
    from corecast.errors import InputError

    if arguments.mode is not None and arguments.format != "llvm":
        raise InputError(f"--mode is for --format llvm: {arguments.format} is for code of any kind")
    machine = load_named(arguments.name)
    write_result(_exported(machine, arguments.format, arguments.mode or "loop"), arguments.output)
    return 0


def _parameters(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from corecast.cli.output import write_json, write_result
    from corecast.errors import InputError
    from corecast.machine.evidence import evidence_of

    machine = load_named(arguments.name)
    known = evidence_of(machine)
    wanted = arguments.keys
    found = [
        each for each in known if not wanted or any(each.key == key or each.key.startswith(f"{key}.") for key in wanted)
    ]
    if missing := [key for key in wanted if not any(f"{each.key}.".startswith(f"{key}.") for each in found)]:
        raise InputError(f"the model of {machine.name} does not say {', '.join(missing)}")
    if arguments.format == "json":
        document = {"schema": "corecast/1", "cpu": machine.name, "parameters": [asdict(each) for each in found]}
        write_json(document)
        return 0
    write_result("".join(map(_parameter_text, found)), None, errors="backslashreplace")
    return 0


def _parameter_text(parameter: Evidence) -> str:
    from corecast.machine.toml_text import value_text

    unit = f" {parameter.unit}" if parameter.unit else ""
    where = f"{parameter.confidence or 'no confidence'}, {parameter.model}: {parameter.source or 'no source'}"
    value = value_text(parameter.value)
    shown = value if len(value) <= 60 else f"{value[:57]}..."
    return f"{parameter.key} = {shown}{unit}\n    {where}\n"


def _convert(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from corecast.cli.output import write_result
    from corecast.machine.format_2 import converted

    place = Path(arguments.folder)
    folder = place.parent if place.name == "pipeline.toml" and place.is_file() else place
    write_result(converted(folder), arguments.output)
    return 0


def _adopt(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from corecast.calibrate import adopt
    from corecast.cli.output import write_result

    found = adopt(
        Path(arguments.folder),
        arguments.name,
        arguments.alias,
        Path(arguments.checkout),
        replace=arguments.replace,
    )
    lines = [f"{found.folder}: adopted; left to do:", *(f"- {each}" for each in found.to_do)]
    write_result("\n".join(lines) + "\n", None, errors="backslashreplace")
    return 0


def _exported(machine: Machine, name: str, mode: str) -> str:
    if name == "osaca":
        from corecast.convert.exporters.osaca import osaca_yaml

        return osaca_yaml(machine)
    if name == "gem5":
        from corecast.convert.exporters.gem5 import gem5_python

        return gem5_python(machine)
    if name == "llvm":
        from corecast.convert.exporters.llvm.tablegen import llvm_tablegen

        return llvm_tablegen(machine, mode)
    from corecast.convert.exporters.mca_json import mca_json

    return mca_json(machine)
