"""`corecast import`: figures of other tools and of measurements as a machine model, or into one."""

from __future__ import annotations

from collections.abc import Callable

from corecast.cli.messages import tell
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from corecast.machine.making.folder import Report
    from corecast.machine.making.imported import Imported
    from corecast.machine.types import Machine

_ISAS = ("x86", "aarch64", "riscv64")


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "import",
        help=summary,
        description="Reads instruction costs from another source and writes a new machine model, or adds to an "
        "existing one what it lacks or the source knows better. Existing data is kept; SOURCES.md lists conflicts.",
    )
    sources = parser.add_subparsers(dest="source", metavar="SOURCE", required=True)
    llvm = _add(sources, "llvm", "LLVM's scheduling model of any CPU that LLVM names", _llvm, files=None)
    llvm.add_argument("--cpu", metavar="NAME", required=True, help="as LLVM names it: znver3, neoverse-v1")
    llvm.add_argument("--isa", choices=_ISAS, help="needed if several ISAs have a core of this name")
    uops = _add(sources, "uops-info", "uops.info's instructions.xml or JSON lines", _uops_info)
    uops.add_argument("--arch", metavar="NAME", default="", help="as uops.info names it: SKL, ADL-P, ZEN4")
    _add(sources, "osaca", "a machine file of OSACA (YAML)", _osaca)
    winic = _add(sources, "winic", "WINIC's YAML file, or its two CSV files: latencies, throughputs", _winic, files="+")
    winic.add_argument("--isa", choices=_ISAS, help="default: the ISA of the model to extend")
    _add(sources, "exegesis", "llvm-exegesis's measurements (YAML)", _exegesis, files="+")
    _add(sources, "ibench", "ibench's output (latencies and throughputs), into a model", _ibench)
    _add(sources, "asmbench", "asmbench's list of latencies and throughputs, into a model", _asmbench)
    _add(sources, "latency-list", "a list of latencies by patterns of forms (CSV), into a model", _latency_list)


def _add(
    sources: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    description: str,
    read: Callable[[argparse.Namespace], Imported],
    files: str | None = "1",
) -> argparse.ArgumentParser:
    parser = sources.add_parser(name, help=description, description=f"Imports {description}.")
    if files is not None:
        parser.add_argument("files", nargs=1 if files == "1" else files, metavar="FILE")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="folder of the model, new or existing")
    parser.add_argument("--extends", metavar="NAME", help="name or folder of the model that a new one extends")
    parser.add_argument("--other-core", action="store_true", help="the data is from another core of the family")
    parser.add_argument(
        "--port",
        action="append",
        default=[],
        metavar="NAME=PORTS",
        help="map a port set of the source to ports of the model: FPFAdd01=FP23; FPFAdd01= skips it",
    )
    parser.add_argument("--no-ports", action="store_true", help="ignore the ports of the source")
    parser.add_argument(
        "--dispatch-width", type=float, metavar="N", help="dispatch width of a new model, if the source has none"
    )
    parser.set_defaults(run=run, read=read, outputs={"output": "folder"})
    return parser


def run(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from corecast.convert.adapt import adapted, port_names
    from corecast.machine.making.folder import import_into

    ports = port_names(arguments.port)
    imported = adapted(
        arguments.read(arguments),
        ports,
        without_ports=arguments.no_ports,
        other_core=arguments.other_core,
        dispatch_width=arguments.dispatch_width,
    )
    report = import_into(Path(arguments.output), imported, arguments.extends or "")
    for note in imported.notes:
        tell(note)
    from corecast.cli.output import write_result

    write_result(_text(imported, report), None, errors="backslashreplace")
    return 0


def _text(imported: Imported, report: Report) -> str:
    lines = [f"{imported.origin}: {len(imported.rows)} forms from {imported.entries} entries"]
    if imported.unmapped:
        lines.append(f"{len(imported.unmapped)} entries are not forms: SOURCES.md says why")
    if report.table is None:
        lines.append(f"{report.folder} knows all of it already: nothing written")
    else:
        lines.append(f"{report.table}: {report.rows} rows, {report.added} of them of new forms")
    if report.conflicts:
        told = f": see {report.folder / 'SOURCES.md'}" if report.table else ""
        lines.append(f"{report.conflicts} figures differ from those of the model{told}")
    return "\n".join(lines) + "\n"


def _llvm(arguments: argparse.Namespace) -> Imported:
    from corecast.machine.llvm.model import import_llvm

    return import_llvm(arguments.cpu, arguments.isa)


def _uops_info(arguments: argparse.Namespace) -> Imported:
    from corecast.convert.importers.uops_info_model import import_uops_info

    return import_uops_info(_files(arguments)[0], arguments.arch)


def _osaca(arguments: argparse.Namespace) -> Imported:
    from corecast.convert.importers.osaca_model import import_osaca

    return import_osaca(_files(arguments)[0])


def _winic(arguments: argparse.Namespace) -> Imported:
    from corecast.convert.importers.winic_model import import_winic
    from corecast.errors import InputError

    isa = arguments.isa
    if isa is None and len(arguments.files) == 2:
        isa = "x86"
    elif isa is None:
        base = _base(arguments)
        if base is None:
            raise InputError("--isa says which instruction set the file is of", arguments.files[0])
        isa = base.isa
    return import_winic(_files(arguments), isa)


def _exegesis(arguments: argparse.Namespace) -> Imported:
    from corecast.convert.importers.exegesis import import_exegesis

    return import_exegesis(_files(arguments))


def _latency_list(arguments: argparse.Namespace) -> Imported:
    from corecast.convert.importers.latency_list import import_latency_list

    return import_latency_list(_files(arguments)[0], _needed_base(arguments))


def _ibench(arguments: argparse.Namespace) -> Imported:
    from corecast.convert.importers.bench_lists import import_ibench

    return import_ibench(_files(arguments)[0], _needed_base(arguments))


def _asmbench(arguments: argparse.Namespace) -> Imported:
    from corecast.convert.importers.bench_lists import import_asmbench

    return import_asmbench(_files(arguments)[0], _needed_base(arguments))


def _needed_base(arguments: argparse.Namespace) -> Machine:
    from corecast.errors import InputError

    base = _base(arguments)
    if base is None:
        raise InputError("--extends names the model whose forms the list is about", arguments.files[0])
    return base


def _base(arguments: argparse.Namespace) -> Machine | None:
    """The model that the figures are added to."""
    from pathlib import Path

    from corecast.machine import load_machine
    from corecast.machine.search import PIPELINE

    there = (Path(arguments.output) / PIPELINE).is_file()
    base = Path(arguments.output) if there else arguments.extends
    return None if base is None else load_machine(base)


def _files(arguments: argparse.Namespace) -> list[Path]:
    from pathlib import Path

    return [Path(file) for file in arguments.files]
