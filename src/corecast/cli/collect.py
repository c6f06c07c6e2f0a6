"""`corecast collect`: the basic blocks that a program executes."""

from __future__ import annotations

import signal
from pathlib import Path

from corecast.cli.messages import tell
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.collect import Collection

EXIT_FAILED = 1


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "collect",
        help=summary,
        usage="corecast collect -o BLOCKS.csv [options] -- PROGRAM ARGS...\n"
        "       corecast collect -o BLOCKS.csv [options] --static FILE",
        description="Runs a program and writes the basic blocks that it executed: how often, and where they stand. "
        "Exit code 1: the program failed (what it executed is written all the same), or nothing was collected.",
    )
    parser.add_argument("program", nargs="*", metavar="PROGRAM ARGS", help="what to run, behind --")
    parser.add_argument("-o", "--output", required=True, metavar="BLOCKS.csv", help="output file (written atomically)")
    parser.add_argument("--static", metavar="FILE", help="all blocks of an object in place of a program's run")
    parser.add_argument("--app", metavar="NAME", help="the application's name in the file; default: the program's")
    parser.add_argument("--add", action="store_true", help="append to BLOCKS.csv")
    run = parser.add_argument_group("running")
    run.add_argument(
        "--backend",
        choices=("auto", "callgrind", "qemu", "step"),
        default="auto",
        help="profiler to use (auto: QEMU for programs of other machines; step, which is slow, for programs whose own "
        "code is AVX-512; callgrind for the rest)",
    )
    run.add_argument("--seconds", type=float, metavar="N", help="stop the program after N seconds")
    run.add_argument("--vector-bits", type=int, metavar="N", help="vector length (SVE, RVV) under QEMU")
    run.add_argument(
        "--lanes",
        metavar="FUNCTION",
        help="active lanes of this function's SVE instructions, in place of blocks (slow: the program stops at each)",
    )
    run.add_argument(
        "--most", type=int, metavar="N", help="with --lanes: stop the program after N executions (default: 10000)"
    )
    run.add_argument("--sysroot", metavar="DIR", help="sysroot for cross-architecture programs")
    parser.set_defaults(run=run_verb)


def run_verb(arguments: argparse.Namespace) -> int:
    from corecast.cli.output_stream import result_stream
    from corecast.collect.run import collect_object, collect_program, read_blocks, write_blocks
    from corecast.collect.store import BlockStore
    from corecast.collect.workspace import workspace

    if bool(arguments.program) == (arguments.static is not None):
        raise InputError("give either a program to run, behind --, or --static FILE")
    if arguments.seconds is not None and not arguments.seconds > 0:
        raise InputError("--seconds takes a number above 0")
    if arguments.lanes is not None:
        return _count_lanes(arguments)
    if arguments.most is not None:
        raise InputError("--most needs --lanes FUNCTION")
    with workspace() as folder:
        store = BlockStore(folder)
        if arguments.add and Path(arguments.output).is_file():
            for block in read_blocks(arguments.output):
                store.add(block)
        app = arguments.app or Path(arguments.static or arguments.program[0]).name
        if arguments.static is not None:
            found = collect_object(arguments.static, app, store)
        else:
            from corecast.collect.program import RunOptions, find_program

            options = RunOptions(
                backend=None if arguments.backend == "auto" else arguments.backend,
                vector_bits=arguments.vector_bits,
                sysroot=arguments.sysroot,
                seconds=arguments.seconds,
            )
            program = find_program(arguments.program, options)
            if program.backend == "step" and options.backend is None:
                tell(f"{app} has AVX-512 code, which callgrind cannot run: stepping through it on this machine (slow)")
            found = collect_program(program, app, options, folder, store)
        inputs = [] if arguments.static is None else [arguments.static]
        if found.pieces:
            with result_stream(arguments.output, inputs) as sink:
                found.blocks = write_blocks(store, sink)
    _tell(found, app)
    if not found.pieces:
        tell(f"nothing was collected: {arguments.output} is not written")
        return EXIT_FAILED
    return EXIT_FAILED if found.exit_code and not found.timed_out else 0


def _count_lanes(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_result
    from corecast.collect.lanes import count_lanes
    from corecast.collect.program import RunOptions, find_program
    from corecast.collect.workspace import workspace

    if arguments.static is not None or arguments.add or arguments.seconds is not None:
        raise InputError("--lanes runs a program: it has no place with --static, --add and --seconds")
    most = 10_000 if arguments.most is None else arguments.most
    if most < 1:
        raise InputError(f"--most is at least 1, not {most}")
    program = find_program(
        arguments.program, RunOptions(backend="qemu", vector_bits=arguments.vector_bits, sysroot=arguments.sysroot)
    )
    with workspace() as folder:
        found = count_lanes(program, arguments.lanes, most, folder)
    write_result(found.to_csv(), arguments.output, [])
    tell(f"{found.executed:,} executions of predicated instructions" + ("" if found.ended else "; then it was ended"))
    return 0


def _tell(found: Collection, app: str) -> None:
    ran = f", {found.executions:,} executions of blocks in {app}" if found.executions else ""
    tell(f"{found.blocks:,} distinct blocks{ran}")
    for reason, pieces in sorted(found.reasons.pieces.items(), key=lambda item: (-item[1], item[0])):
        times = found.reasons.executions[reason]
        often = f", executed {times:,} times" if times else ""
        tell(f"left out: {pieces:,} times {reason}{often}")
    if found.timed_out:
        tell(f"{app} was ended when its time was over")
    elif found.exit_code < 0:
        tell(f"{app} was ended by {_signal_name(-found.exit_code)}")
        if -found.exit_code == signal.SIGILL:
            tell("callgrind and QEMU do not know AVX-512: --backend step runs the program on this machine itself")
    elif found.exit_code:
        tell(f"{app} ended with exit code {found.exit_code}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
