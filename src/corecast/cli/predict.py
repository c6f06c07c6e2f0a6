"""`corecast predict`: cycles of many encoded blocks, CSV in and CSV out."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from corecast.cli.cluster import add_cluster_option, chosen_cluster
from corecast.cli.exit_codes import EXIT_SOME_FAILED
from corecast.cli.messages import tell
from corecast.cli.progress import progress_line
from corecast.cli.target import add_method_option, add_target_options, choose_machine
from corecast.errors import CorecastError, InputError
from corecast.files.reading import open_bytes
from corecast.hints import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import argparse

    from corecast.machine import Machine
    from corecast.prediction.batches import Asker
    from corecast.prediction.stream import Tally


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "predict",
        help=summary,
        description="Reads a CSV or Parquet file with a column `hex` (encoded code; optionally `address`, where it "
        "starts, `code_before`, what lies in front of it, and `register_step`, as `corecast time` writes it) and "
        "writes it with the columns predicted_cycles, bottleneck, status (ok, bound, unknown, error) and reason (why "
        "the status is not ok) added. bound: no data for some instructions, the cycles are a lower bound. Exit code "
        "1: some rows have the status error, or unknown: no data for more than a third of the instructions, no "
        "prediction.",
    )
    parser.add_argument("file", metavar="BLOCKS.csv", help="- for standard input")
    add_target_options(parser)
    parser.add_argument(
        "--mode",
        choices=("loop", "unroll"),
        default="loop",
        help="loop: each block is a loop's body; unroll: copies of it follow each other (default: loop)",
    )
    add_method_option(parser)
    parser.add_argument("--bounds", action="store_true", help="add a column for each bound")
    parser.add_argument(
        "--elements",
        action="store_true",
        help="add elements per iteration and cycles per element (SVE, RVV)",
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="threads; default: one per CPU")
    add_cluster_option(parser)
    parser.add_argument("-o", "--output", metavar="OUT.csv", help="output file (written atomically)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.analysis.mitigations import blocks_note
    from corecast.cli.output_stream import result_stream
    from corecast.machine.mitigations import switched_on
    from corecast.prediction.arrow import is_parquet
    from corecast.prediction.parquet import predict_parquet
    from corecast.prediction.stream import TableOptions, predict_rows

    machine, notes = choose_machine(arguments)
    for note in notes:
        tell(note)
    name = "<stdin>" if arguments.file == "-" else arguments.file
    if arguments.elements and is_parquet(arguments.file):
        raise InputError("--elements is for CSV files", name)
    options = TableOptions(
        name, machine.isa, arguments.bounds, elements=_elements(machine) if arguments.elements else None
    )
    inputs = [] if arguments.file == "-" else [arguments.file]
    with (
        _asker(arguments, machine) as asker,
        _source(arguments.file) as source,
        progress_line(_rate()) as progress,
        result_stream(arguments.output, inputs) as sink,
    ):
        predict = predict_parquet if is_parquet(arguments.file) else predict_rows
        tally = predict(source, sink, asker, options, progress)
    if tally.mitigated:
        blocks = f"{name}: {tally.mitigated:,} of {tally.rows:,} blocks have instructions"
        tell(blocks_note(switched_on(machine), blocks))
    return _tell(tally, name)


def _elements(machine: Machine) -> Callable[[bytes], float | None]:
    """Elements of an iteration of encoded blocks."""
    from corecast.analysis.elements import count_elements
    from corecast.asm import Kernel

    def count(block: bytes) -> float | None:
        try:
            found = count_elements(Kernel.from_hex(block.decode("ascii"), machine.isa), machine.core.vector_bits)
        except (CorecastError, UnicodeDecodeError):
            return None
        return None if found is None else found.elements

    return count


@contextmanager
def _asker(arguments: argparse.Namespace, machine: Machine) -> Iterator[Asker]:
    """Who answers: threads of this process, or the workers of a cluster."""
    from corecast.machine.method import chosen_method
    from corecast.prediction.batches import ClusterAsker, LocalAsker, Question
    from corecast.prediction.engine import make_predictor, processors
    from corecast.prediction.recipe import MachineRecipe

    jobs = arguments.jobs if arguments.jobs is not None else processors()
    method = chosen_method(machine, arguments.method)
    predictor = make_predictor(machine, arguments.mode, method, jobs, bounds=arguments.bounds)
    with chosen_cluster(arguments) as cluster:
        if cluster is None:
            with LocalAsker(predictor, arguments.bounds, overlap=jobs > 1) as here:
                yield here
        else:
            question = Question(MachineRecipe.of(machine), arguments.mode, method, arguments.bounds)
            yield ClusterAsker(cluster, question)


@contextmanager
def _source(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    with open_bytes(file) as stream:
        yield stream


def _rate() -> Callable[[int], str]:
    start = time.monotonic()
    return lambda rows: f"{rows:,} blocks, {rows / (time.monotonic() - start):,.0f}/s"


def _tell(tally: Tally, name: str) -> int:
    if tally.error:
        why = "cannot be read, or hold instructions that this core does not have"
        tell(f"{name}: {tally.error:,} of {tally.rows:,} blocks {why}: status error")
    if tally.foreign:
        tell(f"{name}: {tally.foreign:,} of them are code of another instruction set, says the column isa")
    if tally.unknown:
        tell(
            f"{name}: {tally.unknown:,} of {tally.rows:,} blocks have too many instructions without data: "
            "status unknown"
        )
    return EXIT_SOME_FAILED if tally.error or tally.unknown else 0
