"""Markers that people put around the code to analyze: byte sequences and comments.

Byte markers (IACA's on x86, OSACA's elsewhere) load a start or end number into a register and follow it by bytes that
no compiler writes. Comments are `OSACA-BEGIN`/`OSACA-END`, not nested, and `LLVM-MCA-BEGIN [name]`/`LLVM-MCA-END
[name]`, which may nest and overlap as long as their names differ.
"""

from __future__ import annotations

from corecast.asm.code import Isa, MarkerEvent
from corecast.asm.places import places_up_to
from corecast.asm.scan import marker_comments
from corecast.dataclass import dataclass
from corecast.errors import MarkerError
from corecast.hints import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from corecast import _core


@dataclass(frozen=True)
class ByteMarker:
    """Encodings of the instruction that loads the number, and of the bytes behind it."""

    begin: tuple[bytes, ...]
    end: tuple[bytes, ...]
    tail: tuple[bytes, ...]

    def sequences(self, begins: bool) -> list[bytes]:
        """Every whole marker."""
        return [load + tail for load in (self.begin if begins else self.end) for tail in self.tail]


BYTE_MARKERS: dict[Isa, ByteMarker] = {
    # mov ebx, 111 / 222 (or its longer encodings) and fs addr32 nop: Intel's IACA's, which OSACA reads too.
    "x86": ByteMarker(
        begin=(bytes.fromhex("bb6f000000"), bytes.fromhex("c7c36f000000"), bytes.fromhex("48c7c36f000000")),
        end=(bytes.fromhex("bbde000000"), bytes.fromhex("c7c3de000000"), bytes.fromhex("48c7c3de000000")),
        tail=(bytes.fromhex("646790"),),
    ),
    # mov x1 (or w1), #111 / #222 and .byte 213,3,32,31: OSACA's, which spells the nop big-endian.
    "aarch64": ByteMarker(
        begin=(bytes.fromhex("e10d80d2"), bytes.fromhex("e10d8052")),
        end=(bytes.fromhex("c11b80d2"), bytes.fromhex("c11b8052")),
        tail=(bytes.fromhex("d503201f"), bytes.fromhex("1f2003d5")),
    ),
    # li a1, 111 / 222 and .byte 19,0,0,0 (nop): OSACA's for RISC-V.
    "riscv64": ByteMarker(
        begin=(bytes.fromhex("9305f006"),), end=(bytes.fromhex("9305e00d"),), tail=(bytes.fromhex("13000000"),)
    ),
}


@dataclass(frozen=True)
class MarkedRegion:
    """Instructions `first` up to, without, `end`; `name` is "" where the marker has none."""

    name: str
    first: int
    end: int
    line: int


def comment_events(text: str, lines: Sequence[int]) -> list[MarkerEvent]:
    """Marker comments of a text whose instructions stand on `lines` (in order).

    A marker behind an instruction on the same line comes after it.
    """
    events: list[MarkerEvent] = []
    upper = text.upper()
    if "OSACA-" not in upper and "LLVM-MCA-" not in upper:
        return events
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for number, tool, begins, rest in marker_comments(text):
        name = rest.split("*/", 1)[0].strip()
        mca = tool == "LLVM-MCA"
        events.append(MarkerEvent(places_up_to(number, lines), "mca" if mca else "osaca", begins, name, number))
    return events


def data_events(isa: Isa, instructions: Sequence[_core.Instruction], data: Sequence[_core.Data]) -> list[MarkerEvent]:
    """Byte markers of assembly text: a load followed by data directives, or all of it as data."""
    marker = BYTE_MARKERS[isa]
    runs: list[tuple[int, int, bytes]] = []
    for item in data:
        if runs and runs[-1][0] == item.index:
            runs[-1] = (item.index, runs[-1][1], runs[-1][2] + bytes(item.bytes))
        else:
            runs.append((item.index, item.line, bytes(item.bytes)))
    events = []
    for index, line, content in runs:
        if index > 0 and content.startswith(marker.tail):
            load = bytes(instructions[index - 1].bytes)
            if load in marker.begin:
                events.append(MarkerEvent(index, "bytes", True, "", line))
            elif load in marker.end:
                events.append(MarkerEvent(index - 1, "bytes", False, "", line))
        events += [MarkerEvent(index, "bytes", begins, "", line) for _, _, begins in find_byte_markers(isa, content)]
    return events


def find_byte_markers(isa: Isa, code: bytes) -> list[tuple[int, int, bool]]:
    """Whole markers in encoded code: (offset, offset behind it, whether it begins a region), in order."""
    found: dict[int, tuple[int, int, bool]] = {}
    for begins in (True, False):
        for sequence in BYTE_MARKERS[isa].sequences(begins):
            offset = code.find(sequence)
            while offset >= 0:
                end = offset + len(sequence)
                # The longer encoding contains a shorter one only behind a prefix: keep what starts first.
                if end not in found or found[end][0] > offset:
                    found[end] = (offset, end, begins)
                offset = code.find(sequence, offset + 1)
    return sorted(found.values())


def pair_markers(events: Sequence[MarkerEvent], file: str) -> list[MarkedRegion]:
    """Regions in the order of their starts.

    Raises:
        MarkerError: a start without end, an end without start, a region that is open already, an empty region.
    """
    active: dict[tuple[str, str], MarkerEvent] = {}
    regions: list[MarkedRegion] = []
    for event in events:
        if event.begins:
            _begin(event, active, file)
        else:
            start = active.pop(_ended(event, active, file))
            if event.index <= start.index:
                raise MarkerError("the marked region has no instructions", file, start.line or None)
            regions.append(MarkedRegion(start.name, start.index, event.index, start.line))
    for start in active.values():
        label = f" '{start.name}'" if start.name else ""
        raise MarkerError(f"the {_word(start)} marker{label} that begins here has no end", file, start.line or None)
    return sorted(regions, key=lambda region: (region.first, region.end))


def _word(event: MarkerEvent) -> str:
    return {"bytes": "byte", "osaca": "OSACA", "mca": "LLVM-MCA"}[event.family]


def _begin(event: MarkerEvent, active: dict[tuple[str, str], MarkerEvent], file: str) -> None:
    key = (event.family, event.name if event.family == "mca" else "")
    if key in active:
        name = f" '{event.name}'" if event.name else ""
        where = f" (begun in line {active[key].line})" if active[key].line else ""
        raise MarkerError(f"the region{name} begins again before its end{where}", file, event.line or None)
    active[key] = event


def _ended(event: MarkerEvent, active: dict[tuple[str, str], MarkerEvent], file: str) -> tuple[str, str]:
    """Which open region an end marker closes: the one it names, or the only one."""
    open_keys = [key for key in active if key[0] == event.family]
    if event.family == "mca":
        if (event.family, event.name) in active:
            return (event.family, event.name)
        if not event.name and len(open_keys) > 1:
            names = ", ".join(f"'{key[1]}'" for key in open_keys)
            raise MarkerError(
                f"this end marker names no region, and several are open: {names}", file, event.line or None
            )
        if event.name:
            raise MarkerError(f"the region '{event.name}' ends here but has not begun", file, event.line or None)
    if not open_keys:
        raise MarkerError(f"this {_word(event)} end marker has no start", file, event.line or None)
    return open_keys[0]
