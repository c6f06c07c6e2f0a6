"""`corecast evaluate`: compares predictions with measurements."""

from __future__ import annotations

from pathlib import Path

from corecast.cli.cluster import add_cluster_option, chosen_cluster
from corecast.cli.messages import tell, tell_step
from corecast.cli.target import add_target_options, choose_machine
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.evaluate import Cases, Evaluation
    from corecast.machine import Machine

FORMATS = ("html", "md", "json", "csv", "parquet", "xlsx")
_LONG_SECONDS = 10
"""Of a predictor: worth telling."""
_DEFAULT_FORMATS = "html,md,json,csv"


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "evaluate",
        help=summary,
        description="Reads measured blocks (CSV or Parquet with the columns `hex` and `cycles`) or, with --kernels, a "
        "table of measured assembly files, runs each predictor, and reports coverage, errors and rank correlation.",
    )
    parser.add_argument("file", metavar="MEASURED.csv")
    add_target_options(parser)
    parser.add_argument("--mode", choices=("loop", "unroll"), default="loop", help="how blocks repeat (default: loop)")
    parser.add_argument(
        "--kernels",
        action="store_true",
        help="the file is a table of kernels: `file`, `cycles`, and `cpu` where no --cpu is given",
    )
    parser.add_argument(
        "--predictor",
        action="append",
        metavar="NAME",
        help="simulate, bounds, best (each also as NAME:VARIANT), baseline, llvm-mca[:PATH], osaca[:PATH], "
        "uica:FOLDER, facile:FOLDER, NAME=command:TEMPLATE, NAME=FILE.csv; may be repeated (default: simulate, bounds, "
        "baseline)",
    )
    parser.add_argument(
        "--ablation",
        metavar="NAME,NAME...",
        help="also the simulation without all these parts of the core, and with one more of them at each step",
    )
    parser.add_argument("--by", default="app", metavar="COLUMN", help="column of groups (default: app)")
    parser.add_argument(
        "--weight", metavar="COLUMN", help="column of execution counts (default: count or weight, where there is one)"
    )
    parser.add_argument("--worst", type=int, default=5, metavar="N", help="largest errors shown (default: 5)")
    parser.add_argument(
        "--search",
        type=int,
        default=0,
        metavar="N",
        help="try N mutated blocks for minimal disagreements of predictors",
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="threads or processes; default: one per CPU")
    add_cluster_option(parser)
    parser.add_argument("-o", "--output", metavar="DIR", help="folder for the report; rerunning resumes a run")
    parser.add_argument(
        "--format",
        default=_DEFAULT_FORMATS,
        help=f"files of the report: some of {','.join(FORMATS)} (default: {_DEFAULT_FORMATS})",
    )
    parser.set_defaults(run=run, outputs={"output": "folder"})


def run(arguments: argparse.Namespace) -> int:
    from corecast.evaluate import Setting, evaluate
    from corecast.evaluate.journal import Journal
    from corecast.evaluate.ownership import require_ours
    from corecast.evaluate.work import Work

    formats = _formats(arguments.format)
    folder = None if arguments.output is None else _folder(arguments.output)
    if folder is not None:
        require_ours(folder, formats)
    for name in ("worst", "search"):
        if getattr(arguments, name) < 0:
            raise InputError(f"--{name} is at least 0, not {getattr(arguments, name)}")
    if arguments.kernels and (arguments.cluster or arguments.search):
        raise InputError("--cluster and --search are for blocks, not for --kernels")
    own_cores = (
        arguments.kernels
        and arguments.cpu is None
        and arguments.machine is None
        and not arguments.set
        and arguments.vl is None
    )
    machine, notes = (None, ()) if own_cores else choose_machine(arguments)
    for note in notes:
        tell(note)
    cases = _cases(arguments, machine)
    if cases.repeated:
        tell(f"{arguments.file}: {cases.repeated} rows repeat the code, start and group of a row before; left out")
    if cases.foreign:
        tell(f"{arguments.file}: {cases.foreign} rows are code of another instruction set; left out")
    setting = Setting(machine, arguments.mode, arguments.jobs)
    journal = Journal(folder)
    try:
        with chosen_cluster(arguments) as cluster:
            work = Work(setting, journal, cluster)
            found = evaluate(cases, setting, _predictors(arguments), tell_step, work)
            if arguments.search:
                found = _searched(found, arguments)
        for result in found.tools:
            if result.seconds >= _LONG_SECONDS:
                tell(f"{result.name} took {result.seconds:.0f} s")
        if folder is None:
            from corecast.cli.output import write_result
            from corecast.evaluate.summary import to_markdown

            write_result(to_markdown(found, arguments.worst), None)
        else:
            _write(found, arguments, folder, formats)
            journal.finish()
    finally:
        journal.close()
    return 0


def _formats(text: str) -> list[str]:
    """Raises InputError: no such format, or one whose library is missing: better now than after an hour's work."""
    from corecast.evaluate.workbook import check_excel, check_parquet

    formats = [each.strip() for each in text.split(",") if each.strip()]
    for each in formats:
        if each not in FORMATS:
            raise InputError(f"--format is some of {','.join(FORMATS)}, not '{each}'")
        if each in ("parquet", "xlsx"):
            (check_parquet if each == "parquet" else check_excel)()
    return formats


def _cases(arguments: argparse.Namespace, machine: Machine | None) -> Cases:
    from corecast.evaluate import BlockColumns, read_blocks, read_kernels

    if arguments.kernels:
        return read_kernels(arguments.file, machine)
    isa = None if machine is None else machine.isa
    return read_blocks(arguments.file, BlockColumns(arguments.by, arguments.weight, isa))


def _predictors(arguments: argparse.Namespace) -> dict[str, str]:
    """Names, each with what it adds as a step of an ablation."""
    from corecast.evaluate import DEFAULT_PREDICTORS
    from corecast.evaluate.predictors.ablations import steps

    names = dict.fromkeys(arguments.predictor or DEFAULT_PREDICTORS, "")
    if arguments.ablation:
        taken = steps([name.strip() for name in arguments.ablation.split(",")])
        names = {name: step for name, step in names.items() if name not in taken} | taken
    return names


def _folder(path: str) -> Path:
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        raise InputError("is not a folder", path)
    return folder


def _searched(found: Evaluation, arguments: argparse.Namespace) -> Evaluation:
    from corecast.dataclass import replace
    from corecast.evaluate.disagreement import search
    from corecast.evaluate.predictors import find_predictor
    from corecast.evaluate.predictors.published import Published

    tools = {result.name for result in found.tools}
    asked = [find_predictor(name, found.setting) for name in _predictors(arguments)]
    predictors = [each for each in asked if each.name in tools and not isinstance(each, Published)]
    return replace(found, disagreements=tuple(search(found.cases, predictors, found.setting.core(), arguments.search)))


def _write(found: Evaluation, arguments: argparse.Namespace, folder: Path, formats: list[str]) -> None:
    """Each file is written atomically."""
    from corecast import __version__
    from corecast.cli.output import write_result
    from corecast.cli.output_stream import result_stream
    from corecast.evaluate import metrics_csv, predictions_csv, to_html, to_json, to_markdown
    from corecast.evaluate.charts import figures
    from corecast.evaluate.workbook import write_excel, write_parquet

    inputs = [arguments.file]

    def write(name: str, text: str) -> None:
        write_result(text, str(folder / name), inputs)

    if "html" in formats:
        write("report.html", to_html(found, arguments.worst, __version__))
    if "md" in formats:
        (folder / "figures").mkdir(exist_ok=True)
        files = {}
        for figure in figures(found):
            files[figure.title] = f"figures/{figure.name}.svg"
            write(files[figure.title], figure.svg)
        write("evaluation.md", to_markdown(found, arguments.worst, files))
    if "json" in formats:
        write("evaluation.json", to_json(found, __version__))
    if "csv" in formats:
        write("metrics.csv", metrics_csv(found))
        with result_stream(str(folder / "predictions.csv"), inputs) as stream:
            for text in predictions_csv(found):
                stream.write(text.encode("utf-8", "replace"))
    if "parquet" in formats:
        with result_stream(str(folder / "predictions.parquet"), inputs) as stream:
            write_parquet(found, stream)
    if "xlsx" in formats:
        with result_stream(str(folder / "evaluation.xlsx"), inputs) as stream:
            write_excel(found, stream)
