"""Intervals of predictions: how far measured code of a class was from what the model predicted.

A table `intervals.tsv` of a model's folder says it of the core's own code; what nobody measured of a core is borrowed
from `machine/borrowed`, where the tables hold the errors of models on code of related cores that they were not
calibrated on (docs/intervals.md, tools/make_intervals.py).
"""

from __future__ import annotations

import os

from corecast.dataclass import dataclass
from corecast.errors import MachineModelError
from corecast.hints import TYPE_CHECKING, Callable, Literal, Mapping

if TYPE_CHECKING:
    from corecast.machine.types import Machine

COVERAGE = 0.9
"""Share of measurements that an interval is to hold."""
TABLE = "intervals.tsv"
BORROWED = os.path.join(os.path.dirname(__file__), "borrowed")
OF_ALL = "all"
"""The borrowed table of code of every instruction set."""
REST = "*"
"""In place of a value, and of all that follow: measured code that no other row covers."""

Basis = Literal["measured", "borrowed"]
Key = tuple[str, ...]
Row = tuple[float, float, int]
"""Ends as shares of the prediction, and the number of measurements."""


@dataclass(frozen=True)
class Interval:
    """Where a measurement is expected, in core cycles per iteration."""

    low: float
    """The lower end."""
    high: float
    """The upper end."""
    coverage: float = COVERAGE
    """Share of measurements that such intervals hold."""
    source: Basis = "measured"
    """measured: calibrated on code that ran on the core. borrowed: on code of related cores, predicted with models that
    were not calibrated on it."""
    measurements: int = 0
    """How many the interval is calibrated on."""


@dataclass(frozen=True)
class Ratios:
    """The ends of a class of predictions, as shares of the prediction."""

    low: float
    high: float
    source: Basis
    measurements: int

    def interval(self, cycles: float) -> Interval:
        return Interval(cycles * self.low, cycles * self.high, COVERAGE, self.source, self.measurements)


@dataclass(frozen=True)
class Intervals:
    """The tables that count for a machine, the first that has a class decides."""

    tables: tuple[tuple[Basis, Callable[[], Mapping[Key, Row]]], ...]
    """Each is read when it is first asked."""

    def find(self, method: str, key: Key) -> Ratios | None:
        """Of a class; None where nothing is known of its kind.

        Args:
            method: simulate or bounds.
            key: the values of `_core.class_features()`; the first, the kind of code, is what a table must know.
        """
        wanted = (key[0], method, *key[1:])
        for basis, read in self.tables:
            rows = read()
            for known in range(len(wanted), 1, -1):
                row = rows.get((*wanted[:known], *(REST,) * (len(wanted) - known)))
                if row is not None:
                    return Ratios(row[0], row[1], basis, row[2])
        return None

    def by_number(self, method: str) -> Callable[[int], Ratios | None]:
        """find() by the number of a class, each looked for once."""
        known: dict[int, Ratios | None] = {}

        def find(number: int) -> Ratios | None:
            if number not in known:
                known[number] = self.find(method, class_key(number))
            return known[number]

        return find


def intervals_of(machine: Machine) -> Intervals:
    """What is known of a machine's predictions. A variant is another core than the one that was measured.

    Asking raises MachineModelError where a table is malformed.
    """
    borrowed = [f"{BORROWED}/{name}.tsv" for name in (machine.isa, OF_ALL)]
    own = [] if machine.is_variant else [f"{machine.info.place}/{TABLE}"]
    sources: list[tuple[Basis, str]] = [
        *(("measured", file) for file in own),
        *(("borrowed", file) for file in borrowed),
    ]
    return Intervals(tuple((basis, _reader(file)) for basis, file in sources))


def ends_by_class(machine: Machine, method: str) -> list[tuple[float, float]]:
    """By the number of each class, as `_core.Predictor` takes them; not a number where nothing is known.

    Raises:
        MachineModelError: a malformed table.
    """
    place = ("" if machine.is_variant else machine.info.place, machine.isa, method)
    if place not in _ends:
        from itertools import product
        from math import nan

        from corecast import _core

        intervals = intervals_of(machine)
        keys = product(*(values for _, values in _core.class_features()))
        found = (intervals.find(method, key) for key in keys)
        _ends[place] = [(nan, nan) if each is None else (each.low, each.high) for each in found]
    return _ends[place]


def class_key(number: int) -> Key:
    """The values that the number of a class stands for."""
    from corecast import _core

    values = []
    for _, each in reversed(_core.class_features()):
        number, place = divmod(number, len(each))
        values.append(each[place])
    return tuple(reversed(values))


_ends: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
_known: dict[str, Mapping[Key, Row]] = {}


def _reader(file: str) -> Callable[[], Mapping[Key, Row]]:
    def read() -> Mapping[Key, Row]:
        if file not in _known:
            _known[file] = _read(file)
        return _known[file]

    return read


def _columns() -> tuple[str, ...]:
    """The columns of a table that identify a class, in their order."""
    from corecast import _core

    kind, *others = (name for name, _ in _core.class_features())
    return kind, "method", *others


def _read(file: str) -> Mapping[Key, Row]:
    """The rows by class; none where there is no such file."""
    rows: dict[Key, Row] = {}
    columns = _columns()
    try:
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
    except FileNotFoundError:
        return rows
    except (OSError, UnicodeDecodeError) as error:
        raise MachineModelError(f"cannot be read: {error}", file) from None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        try:
            *key, low, high, count = line.split("\t")
            row = float(low), float(high), int(count)
        except ValueError:
            raise MachineModelError("not a class with its ends and a count", file, number) from None
        if len(key) != len(columns):
            raise MachineModelError(f"a class needs {len(columns)} columns: {', '.join(columns)}", file, number)
        if not 0 < row[0] <= 1 <= row[1]:
            raise MachineModelError("an interval that does not hold the prediction", file, number)
        rows[tuple(key)] = row
    return rows
