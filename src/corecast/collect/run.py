"""From a program, or an object, to the file of its blocks."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from pathlib import Path

from corecast.asm.code import Isa
from corecast.collect import callgrind, qemu, static, stepping
from corecast.collect.blocks import COLUMNS, Block, Reasons
from corecast.collect.cut import Executed, cut
from corecast.collect.process import run
from corecast.collect.program import Program, RunOptions
from corecast.collect.store import BlockStore, read_row, row_of
from corecast.dataclass import dataclass, field
from corecast.errors import InputError
from corecast.files.csv_records import open_records
from corecast.hints import BinaryIO


@dataclass
class Collection:
    """What was collected."""

    blocks: int = 0
    """Distinct ones that were written, those of before included."""
    pieces: int = 0
    """Blocks of this run, each as often as it was found."""
    executions: int = 0
    """Of blocks, in this run."""
    reasons: Reasons = field(default_factory=Reasons)
    exit_code: int = 0
    """Of the program; below 0: the signal that ended it."""
    timed_out: bool = False
    """Whether the program was ended because its time was over."""


def collect_program(program: Program, app: str, options: RunOptions, folder: Path, store: BlockStore) -> Collection:
    """Runs a program and stores the blocks that it executed.

    Args:
        program: from find_program().
        app: the application's name in the file.
        options: how it runs.
        folder: for temporary files.
        store: where the blocks go.

    Raises:
        InputError: it could not be run, or nothing of it could be read.
    """
    found = Collection()
    modules: Iterable[Executed]
    if program.backend == "step":
        stepped = stepping.run(program.arguments, options.seconds)
        found.exit_code, found.timed_out = stepped.status, stepped.timed_out
        modules = stepping.executed(stepped, found.reasons)
    elif program.backend == "callgrind":
        command = callgrind.command(program.runner, folder, program.arguments)
        found.exit_code, found.timed_out = run(command, options.seconds)
        modules = callgrind.executed(folder, found.reasons)
    else:
        command = qemu.command(program.runner, folder, program.arguments, program.cpu, program.sysroot)
        found.exit_code, found.timed_out = run(command, options.seconds)
        modules = qemu.executed(folder, program.isa)
    for executed in modules:
        for piece in cut(program.isa, executed, found.reasons):
            symbol, source = executed.place(piece.address)
            store.add(
                Block(piece.code, piece.executions, app, program.isa, piece.address, executed.module, symbol, source)
            )
            found.pieces += 1
            found.executions += piece.executions or 0
    return found


def collect_object(path: str, app: str, store: BlockStore) -> Collection:
    """Stores all blocks of an object's code.

    Raises:
        InputError: it cannot be read. ObjectFileError: it is not an object, or has no code.
    """
    found = Collection()
    module = static.open_object(path)
    isa: Isa = module.image.isa
    for piece, section in static.pieces(module, found.reasons):
        symbol, source = module.place(piece.address, section)
        store.add(Block(piece.code, None, app, isa, piece.address, path, symbol, source))
        found.pieces += 1
    return found


def write_blocks(store: BlockStore, sink: BinaryIO) -> int:
    """Writes the file of blocks; how many they are."""
    text = TextIOWrapper(sink, encoding="utf-8", errors="surrogateescape", newline="", write_through=True)
    try:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        count = 0
        for block in store:
            writer.writerow(row_of(block))
            count += 1
        return count
    finally:
        text.detach()


def read_blocks(path: str) -> Iterator[Block]:
    """The blocks of a file that was collected before.

    Raises:
        InputError: it is no such file.
    """
    with open_records(path) as records:
        if tuple(next(records, (1, []))[1]) != COLUMNS:
            raise InputError(f"was not collected: its columns are not {', '.join(COLUMNS)}", path, 1)
        for line, row in records:
            try:
                yield read_row(row)
            except ValueError as error:
                raise InputError(f"not a block: {error}", path, line) from None
