"""Programs of this machine under valgrind's callgrind, which counts every instruction.

Its dumps hold one line for each instruction that ran in a function, so their size does not depend on how long the
program runs. Addresses are those of the modules' files.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path

from corecast.collect.blocks import NO_FILE, Reasons
from corecast.collect.cut import Executed, merged
from corecast.collect.modules import ModuleFile, open_module
from corecast.errors import InputError
from corecast.pattern import lazy_pattern

_DUMP = "callgrind.out"
_NO_NAME = lazy_pattern(rb"\?\?\?|0x[0-9a-f]+")
_RECURSION = lazy_pattern(rb"'\d+$")
_OWN = b"/vgpreload_"
"""What valgrind itself puts into the program."""


def command(valgrind: str, folder: Path, program: Sequence[str]) -> list[str]:
    """The command line that runs a program and its children, and leaves dumps in a folder."""
    return [
        valgrind,
        "--command-line-only=yes",
        "-q",
        f"--log-file={folder}/valgrind.log.%p",
        "--tool=callgrind",
        "--trace-children=yes",
        "--dump-instr=yes",
        "--dump-line=yes",
        "--compress-pos=no",
        "--compress-strings=no",
        f"--callgrind-out-file={folder}/{_DUMP}.%p",
        "--",
        *program,
    ]


def executed(folder: Path, reasons: Reasons) -> Iterator[Executed]:
    """What ran of each module, over all processes.

    Raises:
        InputError: there are no dumps.
    """
    dumps = sorted(folder.glob(f"{_DUMP}.*"))
    if not dumps:
        raise InputError(f"callgrind left no counts{_complaint(folder)}")
    counts: dict[bytes, _Counts] = {}
    for dump in dumps:
        _read(dump, counts)
    for name in sorted(counts):
        if _OWN in name:
            continue
        of_module = counts.pop(name)
        path = name.decode("utf-8", "surrogateescape")
        module = open_module(path)
        if module is None:
            reasons.add(NO_FILE, sum(of_module.counts))
        else:
            yield of_module.executed(path, module)


def _complaint(folder: Path) -> str:
    """The first thing that valgrind said, for a message."""
    for log in sorted(folder.glob("valgrind.log.*")):
        lines = [line.split("==")[-1].strip() for line in log.read_text(errors="replace").splitlines()]
        if any(lines):
            return f": {next(line for line in lines if line)}"
    return ""


class _Counts:
    """Lines of one module, as they were read."""

    def __init__(self) -> None:
        self.addresses = array("Q")
        self.counts = array("Q")
        self.places = array("L")
        """Index of function and file."""
        self.lines = array("L")
        self.names: list[tuple[bytes, bytes]] = []

    def executed(self, path: str, module: ModuleFile) -> Executed:
        addresses, counts, largest = merged(self.addresses, self.counts)
        places = array("L", (self.places[index] for index in largest))
        lines = array("L", (self.lines[index] for index in largest))
        names = self.names

        def place(address: int) -> tuple[str, str]:
            index = bisect_left(addresses, address)
            function, file = names[places[index]]
            return _text(function), f"{_text(file)}:{lines[index]}" if lines[index] and _text(file) else ""

        return Executed(path, module.code, place, addresses, counts)


def _text(name: bytes) -> str:
    return "" if _NO_NAME.fullmatch(name) else _RECURSION.sub(b"", name).decode("utf-8", "replace")


def _read(dump: Path, counts: dict[bytes, _Counts]) -> None:
    current = counts.setdefault(b"???", _Counts())
    function = file = b"???"
    place = -1
    with open(dump, "rb") as stream:
        for line in stream:
            if line.startswith(b"0x"):
                cells = line.split()
                if len(cells) < 3:
                    continue
                if place < 0:
                    place = len(current.names)
                    current.names.append((function, file))
                current.addresses.append(int(cells[0], 16))
                current.lines.append(int(cells[1]))
                current.counts.append(int(cells[2]))
                current.places.append(place)
                continue
            key, _, value = line.rstrip(b"\n").partition(b"=")
            if key == b"calls":
                next(stream, b"")  # what the callee took
                continue
            if key == b"ob":
                current = counts.setdefault(value, _Counts())
            elif key == b"fn":
                function = value
            elif key in (b"fl", b"fi", b"fe"):
                file = value
            else:
                continue
            place = -1
