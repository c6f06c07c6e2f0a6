"""Programs of this machine, run instruction by instruction on the machine itself (cpp/runner/stepper.cpp).

Slow, 30,000 to 300,000 instructions a second, but it counts whatever the processor can execute.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corecast import _core
from corecast.collect.blocks import NO_FILE, Reasons
from corecast.collect.cut import Executed, merged
from corecast.collect.modules import open_module
from corecast.errors import InputError

_FIELDS = 6
"""Of a line of /proc/PID/maps that names a file."""


class _Mapping(NamedTuple):
    start: int
    end: int
    offset: int
    path: str


def run(program: Sequence[str], seconds: float | None) -> _core.Stepped:
    """Runs a program. Interrupts from the terminal reach it; it decides whether it ends.

    Raises:
        InputError: it could not be run.
    """
    with _interrupts_ignored():
        stepped = _core.step_program(list(program), seconds or 0.0)
    if stepped.problem:
        raise InputError(stepped.problem, program[0])
    return stepped


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def executed(stepped: _core.Stepped, reasons: Reasons) -> Iterator[Executed]:
    """What ran of each module, over all processes. Code of no file is counted as left out."""
    found: dict[str, list[tuple[_Mapping, int, int]]] = {}
    for image in stepped.images:
        mappings = _mappings(image.maps.decode("utf-8", "surrogateescape"))
        starts = [mapping.start for mapping in mappings]
        for address, count in zip(_numbers(image.addresses), _numbers(image.counts), strict=True):
            index = bisect_right(starts, address) - 1
            if index < 0 or address >= mappings[index].end:
                reasons.add(NO_FILE, count)
            else:
                found.setdefault(mappings[index].path, []).append((mappings[index], address, count))
    for path in sorted(found):
        module = open_module(path)
        if module is None:
            reasons.add(NO_FILE, sum(count for _, _, count in found[path]))
            continue
        places = array("Q", (module.address_of(each.offset) + at - each.start for each, at, _ in found[path]))
        addresses, counts, _ = merged(places, array("Q", (count for _, _, count in found[path])))
        yield Executed(path, module.code, module.place, addresses, counts)


def _mappings(maps: str) -> list[_Mapping]:
    """Of files that can be executed, by address."""
    found = []
    for line in maps.splitlines():
        fields = line.split(maxsplit=_FIELDS - 1)
        if len(fields) < _FIELDS or "x" not in fields[1] or not fields[5].startswith("/"):
            continue
        start, end = (int(part, 16) for part in fields[0].split("-"))
        found.append(_Mapping(start, end, int(fields[2], 16), fields[5]))
    return sorted(found)


def _numbers(packed: bytes) -> array[int]:
    numbers = array("Q")
    numbers.frombytes(packed)
    return numbers
