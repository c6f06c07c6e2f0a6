"""The process that reads, compiles and analyzes for the server: it may be killed at any time.

It reads jobs as frames from its standard input and answers on its standard output. It ends when the server does.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from functools import lru_cache

from corecast.dataclass import replace
from corecast.errors import CorecastError, InputError
from corecast.hints import TYPE_CHECKING, Any
from corecast.serve.frames import READY, STARTED, read_frame, write_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corecast.asm import Kernel, RegionOptions
    from corecast.machine import Machine

MEMORY_BYTES = 3 << 30
FILE_BYTES = 64 << 20
MOST_REGIONS = 64
MOST_BYTES = 24 << 20
"""Of an answer."""
COMPILER_SECONDS = 10.0
_PR_SET_PDEATHSIG = 1
_WARM_UP = ".L1:\n addq $1, %rax\n vaddpd (%rsi), %ymm0, %ymm0\n cmpq %rcx, %rax\n jne .L1\n"


def analysis(job: Mapping[str, Any]) -> dict[str, Any]:
    """The page's document of some code on a core.

    Raises:
        CorecastError: as `api.analyze`.
    """
    from corecast.analysis.options import AnalyzeOptions
    from corecast.api import analyze_kernels
    from corecast.asm import RegionOptions, parse_lines
    from corecast.report.page_document import page_document

    machine = _machine(job["cpu"])
    mode = None if job["mode"] == "auto" else job["mode"]
    regions = RegionOptions(
        isa=machine.isa if job["isa"] == "auto" else job["isa"],
        syntax=job["syntax"],
        loop=job["loop"],
        lines=parse_lines(job["lines"]) if job["lines"] else (),
        function=job["function"] or None,
        marker=job["marker"] or None,
        mode=mode,
    )
    kernels = _kernels(job["code"], regions, machine, told=job["isa"] != "auto")
    options = AnalyzeOptions(
        ports=job["ports"],
        unknown=job["unknown"],
        alias=job["alias"],
        mode=mode,
        method=job["method"],
        timeline=job["timeline"],
        timeline_from=None if job["timeline_from"] < 0 else job["timeline_from"],
        memory=tuple(job["memory"]),
        bandwidth=tuple(job["bandwidth"]),
        clock=job["clock"] or None,
        ecm=True,
    )
    if options.timeline and not _simulates(machine, options):
        options = replace(options, timeline=0, timeline_from=None)
    notes = machine.info.notes
    if len(kernels) > MOST_REGIONS:
        notes = (
            *notes,
            f"the first {MOST_REGIONS} of {len(kernels)} loops: choose a function or a loop for the others",
        )
    try:
        result = analyze_kernels(kernels[:MOST_REGIONS], machine, options, notes)
    except CorecastError as error:
        if not options.timeline or "simulat" not in error.message:
            raise
        # Too much to simulate; the bounds answer, and say so.
        result = analyze_kernels(kernels[:MOST_REGIONS], machine, replace(options, timeline=0), notes)
    return page_document(result)


def _kernels(code: str, regions: RegionOptions, machine: Machine, told: bool) -> Sequence[Kernel]:
    """The regions of the code. Code of another instruction set than the core's is one error, not one a line."""
    from corecast.api import kernels_of_text

    failed: InputError | None = None
    kernels: Sequence[Kernel] = ()
    try:
        kernels = kernels_of_text(code, regions)
    except InputError as error:
        failed = error
    if not told and (failed is not None or _mostly_unread(kernels)):
        with suppress(InputError):
            other = kernels_of_text(code, replace(regions, isa=None))
            if other[0].isa != machine.isa and not _mostly_unread(other):
                failed = InputError(f"the code is {other[0].isa}, but {machine.name} is a core of {machine.isa}")
    if failed is not None:
        raise failed
    return kernels


def _mostly_unread(kernels: Sequence[Kernel]) -> bool:
    unread = [instruction.unknown for kernel in kernels for instruction in kernel.instructions]
    return 2 * sum(unread) > len(unread)


def _simulates(machine: Machine, options: Any) -> bool:
    from corecast.machine.method import chosen_method

    return chosen_method(machine, options.method) == "simulate"


@lru_cache(maxsize=8)
def _machine(name: str) -> Machine:
    from corecast.machine import host_machine, load_machine

    if name == "native":
        found = host_machine()
        if found is None:
            raise InputError("this machine's core is not known: choose another one")
        name = found
    return load_machine(name)


def compilation(job: Mapping[str, Any], started: Callable[[int], None]) -> dict[str, Any]:
    """The assembly text of source code.

    Raises:
        CorecastError: as `assembly_of`.
    """
    from corecast.asm.compile import assembly_of
    from corecast.asm.limits import Limits
    from corecast.report.markup import allowed

    limits = Limits(seconds=COMPILER_SECONDS)
    text = assembly_of(job["source"], job["file"], job["command"], job["folder"], limits, started)
    return {"assembly": allowed(text), "command": job["command"]}


def answer(payload: bytes, started: Callable[[int], None]) -> tuple[int, bytes]:
    """Status and body of the response."""
    job = json.loads(payload)
    try:
        found = analysis(job) if job["task"] == "analyze" else compilation(job, started)
        body = json.dumps(found, separators=(",", ":"), allow_nan=False).encode()
    except CorecastError as error:
        return 422, problem(type(error).__name__, error.message, error.line)
    except (MemoryError, RecursionError):
        return 422, problem("Limit", "this takes more memory than allowed")
    if len(body) > MOST_BYTES:
        return 422, problem("Limit", "the answer is too large: choose a function, a loop or a shorter timeline")
    return 200, body


def problem(kind: str, message: str, line: int | None = None) -> bytes:
    """The body of a response that is not an answer."""
    from corecast.report.markup import allowed

    return json.dumps({"error": {"kind": kind, "message": allowed(message), "line": line}}).encode()


def _take_limits() -> None:
    """Of memory and files, for good. Time is watched by the server."""
    if os.name != "posix":
        return
    import resource

    for kind, amount in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (amount, amount))
    if sys.platform == "linux":  # whatever happens to the server
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def _warm_up(cpu: str) -> None:
    """Imports what a first answer needs, and loads the model that it is most likely about."""
    job = {
        "cpu": cpu, "code": _WARM_UP, "isa": "auto", "syntax": "auto", "loop": "auto", "lines": "", "function": "",
        "marker": "", "mode": "auto", "method": "auto", "ports": "balanced", "unknown": "bound", "alias": "none",
        "memory": [], "bandwidth": [], "clock": "", "timeline": 2, "timeline_from": -1,
    }  # fmt: skip
    from corecast.asm import compile, limits  # noqa: F401

    with suppress(CorecastError):
        analysis(job)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    _take_limits()
    jobs = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):  # what a library prints must not get among the frames
        os.dup2(null, stream)
    _warm_up(sys.argv[1])
    write_frame(answers, READY, b"")
    while (frame := read_frame(jobs)) is not None:
        status, body = answer(frame[1], lambda group: write_frame(answers, STARTED, str(group).encode()))
        write_frame(answers, status, body)


if __name__ == "__main__":
    main()
