"""Rows of form tables (`forms/*.tsv` of a machine model): one type, its text form, reading and writing."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from corecast import _core
from corecast.dataclass import dataclass, replace
from corecast.errors import MachineModelError
from corecast.files.atomic import write_whole
from corecast.files.compressed import open_text, present
from corecast.hints import Literal

Confidence = Literal["measured", "documented", "derived", "assumed"]
HEADER = "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\tsource\tconfidence"
COMPACT_HEADER = HEADER.replace("source\tconfidence", "origin")
ABSENT = "absent"


def rounded(cycles: float) -> float:
    """The simple fraction close by (whole within 0.06 to 0.12; half, third, quarter within 0.04), else two decimals."""
    for parts in (1, 2, 3, 4):
        candidate = round(cycles * parts) / parts
        if candidate > 0 and abs(candidate - cycles) <= (0.03 * min(max(candidate, 2), 4) if parts == 1 else 0.04):
            return round(candidate, 3)
    return round(cycles, 2)


def figure(value: float | str) -> float:
    """A number of a source.

    Raises:
        ValueError: it is none, or infinite.
    """
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{number} is not a figure")
    return number


def number_text(value: float) -> str:
    """Shortest text of a count or of cycles: "2", "0.5", "1.333"."""
    return str(int(value)) if value == int(value) else f"{round(value, 3):g}"


@dataclass(frozen=True)
class Latency:
    """Cycles from a source operand to a destination operand, both as written in the files ("1", "addr", "flags")."""

    source: str
    destination: str
    cycles: float

    def __str__(self) -> str:
        return f"{self.source}->{self.destination}:{number_text(self.cycles)}"


@dataclass(frozen=True)
class Row:
    """One instruction form as one origin knows it. None means unknown; an empty tuple means "none"."""

    form: str
    ports: tuple[tuple[float, str], ...] | None = None
    """(count, port set as written: "p01", "V0|V1", a group name)."""
    blocking: tuple[tuple[str, float], ...] = ()
    latency: tuple[Latency, ...] | None = None
    """Empty: no result depends on any source."""
    uops: tuple[float, float, float] | None = None
    """Fused (dispatch slots), unfused (at the ports), retired."""
    decode: str = ""
    flags: tuple[str, ...] = ()
    reciprocal_throughput_cycles: float | None = None
    source: str = ""
    confidence: Confidence = "documented"

    def to_line(self) -> str:
        ports = "?" if self.ports is None else "+".join(f"{number_text(count)}*{group}" for count, group in self.ports)
        latency = "?" if self.latency is None else ";".join(map(str, self.latency))
        uops = ""
        if self.uops is not None:
            fused, unfused, retired = map(number_text, self.uops)
            uops = fused if fused == unfused == retired else f"{fused}/{unfused}/{retired}"
        measured = self.reciprocal_throughput_cycles
        rthroughput = "" if measured is None else number_text(measured)
        blocking = "+".join(f"{unit}:{number_text(cycles)}" for unit, cycles in self.blocking)
        flags = ",".join(self.flags)
        fields = (self.form, ports, blocking, latency, uops, self.decode, flags, rthroughput, self.source)
        return "\t".join((*fields, self.confidence))

    def impossible(self) -> str | None:
        """The first figure that no count of cycles or micro-ops can be: negative, infinite or no number; None: fine."""
        figures = (
            *(("count of ports", count) for count, _ in self.ports or ()),
            *(("blocking", cycles) for _, cycles in self.blocking),
            *(("latency", pair.cycles) for pair in self.latency or ()),
            *(("count of micro-ops", count) for count in self.uops or ()),
            ("reciprocal throughput", self.reciprocal_throughput_cycles or 0),
        )
        return next((f"{name} {value:g}" for name, value in figures if not 0 <= value < math.inf), None)

    def with_(self, **changes: object) -> Row:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


def row_from_line(line: str, file: str = "", number: int = 0) -> Row:
    """Read one line of a form table.

    Raises:
        MachineModelError: the line does not have the ten columns, or a value is malformed.
    """
    fields = line.rstrip("\n").split("\t")
    if len(fields) != HEADER.count("\t") + 1:
        raise MachineModelError(f"{len(fields)} columns instead of ten", file or None, number or None)
    form, ports, blocking, latency, uops, decode, flags, rthroughput, source, confidence = fields
    try:
        parsed_uops: tuple[float, float, float] | None = None
        if uops and uops != "?":
            counts = [figure(part) for part in uops.split("/")]
            parsed_uops = (counts[0], counts[0], counts[0]) if len(counts) == 1 else (counts[0], counts[1], counts[2])
        return Row(
            form=form,
            ports=None if ports == "?" else tuple(_counted(part) for part in ports.split("+") if part),
            blocking=tuple((unit, cycles) for cycles, unit in (_unit(part) for part in blocking.split("+") if part)),
            latency=None if latency == "?" else tuple(_latency(part) for part in latency.split(";") if part),
            uops=parsed_uops,
            decode=decode,
            flags=tuple(flag for flag in flags.split(",") if flag),
            reciprocal_throughput_cycles=figure(rthroughput) if rthroughput else None,
            source=source,
            confidence=confidence,  # type: ignore[arg-type]
        )
    except (ValueError, IndexError) as error:
        raise MachineModelError(f"malformed row of {form!r}: {error}", file or None, number or None) from error


def _counted(text: str) -> tuple[float, str]:
    count, _, group = text.partition("*")
    if not group:
        raise ValueError(f"{text!r} is not count*ports")
    return figure(count), group


def _unit(text: str) -> tuple[float, str]:
    unit, _, cycles = text.partition(":")
    return figure(cycles), unit


def _latency(text: str) -> Latency:
    pair, _, cycles = text.rpartition(":")
    source, arrow, destination = pair.partition("->")
    if not arrow:
        raise ValueError(f"{text!r} is not source->destination:cycles")
    return Latency(source, destination, figure(cycles))


def read_rows(path: Path) -> Iterator[Row]:
    """Every row of a form table, compressed or not, with or without "@1" above; rows that say `absent` left out.

    Raises:
        MachineModelError: a row is malformed, or refers to something that the table does not state.
    """
    for number, line in whole_lines(path):
        if not line.endswith(f"\t{ABSENT}"):
            yield row_from_line(line, str(path), number)


def whole_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Every row of a form table as `HEADER` says, whatever it shares with others, and the number of its line.

    Those of two columns are the key and `absent`.

    Raises:
        MachineModelError: a row refers to something that the table does not state.
    """
    shared: dict[str, tuple[str, int]] = {}
    compact = False
    with open_text(present(path)) as file:
        for number, line in enumerate(map(_without_end, file), 1):
            if line.startswith("form\t"):
                compact = line == COMPACT_HEADER
            elif line.startswith("@"):
                name, _, what = line.partition("\t")
                shared[name] = (what, number)
            elif line.endswith(f"\t{ABSENT}"):
                yield number, line
            elif line.strip() and not line.startswith("#"):
                yield number, _whole(line, shared, compact, str(path), number)


def _whole(line: str, shared: dict[str, tuple[str, int]], compact: bool, path: str, number: int) -> str:
    """A row with all its columns."""
    form, _, name = line.partition("\t")
    if name.startswith("@") and "\t" not in name:
        rest, place = shared.get(name, ("", 0))
        if rest.count("\t") < 2:
            raise MachineModelError(f'there is no rest of a row "{name}"', path, number)
        line, number = f"{form}\t{rest}", place
    if not compact:
        return line
    columns, _, name = line.rpartition("\t")
    origin, _ = shared.get(name, ("", 0))
    if origin.count("\t") != 1:
        raise MachineModelError(f'there is no origin "{name}"', path, number)
    return f"{columns}\t{origin}"


def _without_end(line: str) -> str:
    return line.rstrip("\r\n")


def write_rows(path: Path, comments: Sequence[str], rows: Iterable[Row], absent: Iterable[str] = ()) -> int:
    """Write a form table, ordered by key, atomically; returns the number of rows.

    Args:
        absent: keys of rows in the tables behind this one that do not hold for the core.

    Raises:
        MachineModelError: two rows have the same key.
    """
    lines = [(row.form, row.to_line()) for row in rows] + [(form, f"{form}\t{ABSENT}") for form in absent]
    lines.sort()
    _require_different_keys(lines, path)
    head = [*(f"# {comment}" for comment in comments), HEADER]
    write_whole(path, "".join(f"{line}\n" for line in (*head, *(line for _, line in lines))))
    return len(lines)


def write_compact(path: Path, comments: Sequence[str], rows: Iterable[Row], absent: Iterable[str] = ()) -> int:
    """As `write_rows`, with what many rows have once, above them: "@1" is a source and a confidence, which end the
    rows that have them, or all of several rows but their keys.

    Those of most rows have the smallest numbers.
    """
    cut = [tuple(row.to_line().rsplit("\t", 2)) for row in rows]
    origins = _numbered(Counter(_origin(source, confidence) for _, source, confidence in cut), 1)
    parts = [columns.partition("\t")[::2] for columns, _, _ in cut]
    rests = [
        f"{rest}\t{origins[_origin(source, confidence)]}"
        for (_, rest), (_, source, confidence) in zip(parts, cut, strict=True)
    ]
    shared = _numbered(Counter({rest: count for rest, count in Counter(rests).items() if count > 1}), len(origins) + 1)
    lines = [(form, f"{form}\t{shared.get(rest, rest)}") for (form, _), rest in zip(parts, rests, strict=True)]
    lines += [(form, f"{form}\t{ABSENT}") for form in absent]
    lines.sort()
    _require_different_keys(lines, path)
    named = [f"{name}\t{what}" for what, name in (*origins.items(), *shared.items())]
    head = [*(f"# {comment}" for comment in comments), *named]
    write_whole(path, "".join(f"{line}\n" for line in (*head, COMPACT_HEADER, *(line for _, line in lines))))
    return len(lines)


def _numbered(uses: Counter[str], first: int) -> dict[str, str]:
    """A name for each text, the shortest for those that are used most."""
    ranked = sorted(uses, key=lambda text: (-uses[text], text))
    return {text: f"@{number}" for number, text in enumerate(ranked, first)}


def _origin(source: str, confidence: str) -> str:
    return f"{source}\t{confidence}"


def _require_different_keys(lines: Sequence[tuple[str, str]], path: Path) -> None:
    for (first, _), (second, _) in itertools.pairwise(lines):
        if first == second:
            raise MachineModelError(f"two rows of {first!r}", str(path))


def first_wins(*tables: Iterable[Row]) -> dict[str, Row]:
    """Rows by key, earlier tables winning."""
    merged: dict[str, Row] = {}
    for table in tables:
        for row in table:
            merged.setdefault(row.form, row)
    return merged


def endpoint_name(isa: str, operand_id: int) -> str:
    """How a latency list writes an operand id of `_core.Operand`."""
    if operand_id == 0:
        return "*"
    if operand_id < 64:
        return str(operand_id)
    named = {64: "mem", 65: "addr", 66: "index", 67: "flags", 68: "mask"}
    if operand_id in named:
        return named[operand_id]
    return _core.register_name(isa, operand_id - 128)
