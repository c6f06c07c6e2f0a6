"""The instruction list of the A64FX Microarchitecture Manual 1.8.1 (section 16), read from its CSV transcription.

How the list's notation is read:

- `/` separates micro-ops, `+` the flows that one micro-op makes one after another, `;` the two halves of one that
  travels between register files, `,` parts that start side by side (address and data of a store).
- `[n]` before a latency: the micro-op waits for the one n places before it, `[1,2]` for both of these. So
  `6 / [1]9` is a chain of 15 cycles and `4 / ([1]6 / [1,2]9) x 3` one of 4 + 3 * 15. `[1/2]` before a repeated group
  counts up with the repetition: all of it waits for the first micro-op. Without brackets a micro-op waits for the
  sources of the instruction only.
- `Pipe(11, 4)`: four flows a cycle apart, the last of which ends after 11 + 3 cycles.
- `EX*`, `EAG*`, `FL*` are any of two pipes; `(EXA + EXA) | (EXB + EXB)` both flows on the same one; `NULL` only waits.
- Blocking `P`: the pipe takes nothing else until the instruction is through it, so that the cycles of all its flows are
  booked there. Blocking `E`: others marked E wait on that pipe until this one is done; the rest passes.
- Check marks: in the base and NEON parts the first one is sequential decode (the micro-ops are handed on one a cycle,
  each in a separate group), more of them mean synchronization. In the SVE part marks of instructions of one micro-op
  state how they combine with MOVPRFX; those of longer ones are sequential decode.
- Numbers after the pipes count floating-point operations and load and store ports; they are not used.

The transcription shifted some labels; `RELABELLED` puts them back by the manual's alphabetical order. Rows whose label
cannot be determined are left out.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from corecast.dataclass import dataclass
from corecast.errors import MachineModelError

PIPES = ("EXA", "EXB", "EAGA", "EAGB", "FLA", "FLB", "PR", "BR")
PIPE_SETS = {"EX*": "EX", "EAG*": "EAG", "FL*": "FL", "PRX": "PR", **{pipe: pipe for pipe in PIPES}}
"""Names in the list -> ports and port groups of the model."""
ANY_ALU = "ALU"
"""`EX* | EAG*`."""

RELABELLED = {
    ("SMINV", "<Ta> = 2D"): (
        "SMLAL, SMLAL2 (by element)", "SMLAL, SMLAL2 (vector)", "SMLSL, SMLSL2 (by element)", "SMLSL, SMLSL2 (vector)",
    ),
    ("SMOV", "<Ta> = 2D"): ("SMULL, SMULL2 (by element)", "SMULL, SMULL2 (vector)"),
    ("UMINV", "<Ta> = 2D"): (
        "UMLAL, UMLAL2 (by element)", "UMLAL, UMLAL2 (vector)", "UMLSL, UMLSL2 (by element)", "UMLSL, UMLSL2 (vector)",
    ),
    ("UMOV", "<Ta> = 2D"): ("UMULL, UMULL2 (by element)", "UMULL, UMULL2 (vector)"),
}  # fmt: skip
UNCERTAIN = (
    ("SQADD", "Scalar"), ("SQADD", "Vector"), ("SQNEG", "Scalar"), ("SQDMULH (vector)", "Scalar <Va>"),
    ("SQDMULH (vector)", "Vector <Ta>"), ("UADALP", "<Ta> = {4H"), ("EXTR", "YIELD"), ("EXTR", "WF"), ("EXTR", "SEV"),
    ("EXTR", "ESB"),
)  # fmt: skip
"""(instruction, start of the option) of rows that belong to some other instruction."""


@dataclass(frozen=True)
class Flow:
    """One pass through a pipe: cycles until its result, None where it has none."""

    cycles: float | None
    pipes: str
    """Port or port group of the model, "" for waiting only, "EAGA&EAGB" where both address pipes are taken."""
    passes: int = 1
    """Consecutive cycles in which the pipe is entered."""


@dataclass(frozen=True)
class MicroOp:
    """One micro-op: flows in sequence, others beside them, and the micro-ops it waits for (places before it)."""

    flows: tuple[Flow, ...]
    beside: tuple[Flow, ...] = ()
    waits_for: tuple[int, ...] = ()
    flows_before_wait: int = 0
    """Flows that need the sources only: `1+3+[1]9` has two."""

    def latency_cycles(self, first: int = 0, end: int | None = None) -> float:
        """Cycles through some of its flows, 0 where they make no result."""
        flows = self.flows[first:end]
        return sum(flow.cycles + flow.passes - 1 for flow in flows if flow.cycles is not None)


@dataclass(frozen=True)
class Entry:
    """One row of the list."""

    table: str
    """base, simdfp or sve."""
    instruction: str
    option: str
    micro_ops: tuple[MicroOp, ...]
    count: int
    """Micro-ops as the list counts them."""
    marks: int
    blocking: str
    """"", "P" or "E"."""
    line: int

    @property
    def sequential(self) -> bool:
        """Whether its micro-ops are decoded one a cycle."""
        return self.marks > 0 and self.count > 1

    @property
    def synchronizing(self) -> bool:
        return self.table == "base" and self.marks > 1

    def finish_cycles(self, reader: int | None = None) -> list[float | None]:
        """When each micro-op's result is there, in cycles after the sources.

        Args:
            reader: the only micro-op that reads the source in question; those that do not depend on it finish at None.
        """
        done: list[float | None] = []
        for index, micro_op in enumerate(self.micro_ops):
            whole = micro_op.latency_cycles()
            before = [done[index - back] for back in micro_op.waits_for if index >= back]
            rest = micro_op.latency_cycles(micro_op.flows_before_wait)
            ends = [cycles + rest for cycles in before if cycles is not None]
            if reader is None or index == reader:
                ends.append(whole)
            done.append(max(ends, default=None))
        return done


def read_manual(path: Path) -> list[Entry]:
    """Every row of the transcription that can be read, with labels put back.

    Raises:
        MachineModelError: a row does not have the expected fields, or names a pipe that does not exist.
    """
    entries: list[Entry] = []
    moved: dict[tuple[str, str], int] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in (reader := csv.reader(file)):
            if reader.line_num == 1:
                continue
            if len(row) != 8:
                raise MachineModelError(f"{len(row)} fields instead of eight", str(path), reader.line_num)
            table, instruction, option, count, marks, blocking, latency, pipeline = (field.strip() for field in row)
            labels = RELABELLED.get((instruction, option))
            if labels is not None:
                place = moved.setdefault((instruction, option), 0)
                moved[instruction, option] += 1
                instruction = labels[place]
            elif any(instruction == name and option.startswith(start) for name, start in UNCERTAIN):
                continue
            try:
                micro_ops = tuple(_micro_ops(latency, pipeline))
                entries.append(
                    Entry(table, instruction, option, micro_ops, int(count), int(marks), blocking, reader.line_num)
                )
            except (ValueError, KeyError) as error:
                raise MachineModelError(f"{instruction}: {error}", str(path), reader.line_num) from error
    return entries


def _split(text: str, separator: str) -> list[str]:
    """Parts between separators outside of parentheses and brackets, stripped."""
    parts: list[str] = []
    depth = start = 0
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == separator and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


def _repeated(text: str) -> Iterator[tuple[str, int]]:
    """The parts between "/", `(a / b) x 3` written out, with the number of the repetition (0 outside of groups)."""
    for part in _split(text, "/"):
        group = re.fullmatch(r"(\[[\d,/]+\])?\s*\((.*)\)\s*x\s*(\d+)", part)
        if group is None:
            yield part, 0
            continue
        inner = group[2]
        while inner.startswith("(") and inner.count("(") > inner.count(")"):  # a parenthesis too many
            inner = inner[1:]
        for repetition in range(1, int(group[3]) + 1):
            for item in _split(inner, "/"):
                yield (group[1] or "") + item, repetition


def _micro_ops(latency: str, pipeline: str) -> Iterator[MicroOp]:
    latency = re.sub(r"[(\[](\d(?:,\d)*)[)\]](?=\d|NA)", r"[\1]", latency)  # (1)4, [2)1: misread brackets
    pipeline = re.sub(r"\s{2,}[\d\s]*$", "", pipeline).strip()
    pipeline = re.sub(r"(?<!x)(?:\s+\d+)+$", "", pipeline)
    times = list(_repeated(latency))
    places = [place for place, _ in _repeated(pipeline)]
    for index, (time, repetition) in enumerate(times):
        waits: set[int] = set()
        if repetition and re.match(r"\[\d(/\d)+\]", time):
            waits = {index}  # every one of the group waits for the first micro-op
            time = re.sub(r"^\[[\d/]+\]", "", time)
        cycles: list[str] = []
        before_wait = 0
        for part in re.split(r"[+;]", time) if "Pipe" not in time else _split(time, "+"):
            if bracket := re.match(r"\s*\[([\d,]+)\]", part):
                waits |= {int(back) for back in bracket[1].split(",")}
                before_wait = len(cycles)
            cycles.append(re.sub(r"^\s*\[[\d,]+\]", "", part).strip())
        place = places[index] if index < len(places) else ""
        yield _micro_op(cycles, place, tuple(sorted(waits)), before_wait)


def _micro_op(cycles: list[str], place: str, waits: tuple[int, ...], before_wait: int) -> MicroOp:
    parallel = _split(place.strip(), ",")
    beside = tuple(_flow("NA", part) for part in parallel[1:] if part)
    if len(parallel) > 1:
        cycles = _split(cycles[0], ",")[:1]
    places = _alternatives(parallel[0])
    if len(places) < len(cycles):
        places += [""] * (len(cycles) - len(places))
    flows = tuple(_flow(time, part) for time, part in zip(cycles, places, strict=False))
    return MicroOp(flows, beside, waits, before_wait)


def _alternatives(place: str) -> list[str]:
    """The pipes of consecutive flows; `(EXA + EXA) | (EXB + EXB)` is two flows of EX*."""
    options = _split(place, "|")
    if options == ["(EXA + EXA)", "(EXB + EXB)"]:
        return ["EX*", "EX*"]
    if len(options) == 2 and {option.rstrip("*") for option in options} == {"EX", "EAG"}:
        return ["EX* | EAG*"]
    if len(options) == 1 and (inner := re.fullmatch(r"\((.*)\)", place)) and "Pipe" in place:
        return _alternatives(inner[1])
    if len(options) == 2 and all(option.startswith("(Pipe") or option.startswith("Pipe") for option in options):
        return [place]
    return [part for piece in _split(place, "+") for part in _split(piece, ";")]


def _flow(time: str, place: str) -> Flow:
    passes = 1
    if pipe := re.match(r"\(*Pipe\((NA|\d+), (\d+)\)", time):
        time, passes = pipe[1], int(pipe[2])
    cycles = None if time in ("NA", "") else float(time.strip("()"))
    place = place.strip()
    if pipe := re.fullmatch(r"\(*Pipe\((.+), (\d+)\)\)*(?: \| .*)?", place):
        both = "|" in place
        passes = int(pipe[2])
        place = "EAG*" if both else pipe[1].strip("()")
    if place in ("EX* | EAG*", ""):
        return Flow(cycles, ANY_ALU if place else "", passes)
    if place == "NULL":
        return Flow(cycles, "", passes)
    if place == "EAGA & EAGB":
        return Flow(cycles, "EAGA&EAGB", passes)
    return Flow(cycles, PIPE_SETS[place], passes)
