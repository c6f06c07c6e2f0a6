"""Which variants of a core are looked at: every combination, a list, or a random sample of a design space."""

from __future__ import annotations

import csv
import io
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.hints import Any
from corecast.machine import full_key, parse_settings

Settings = Mapping[str, Any]
"""Values of keys of pipeline.toml: one point of a design space."""
MOST_POINTS = 1_000_000
"""Points that an exploration may have."""


@dataclass(frozen=True)
class Sweep:
    """A key of pipeline.toml, as the user wrote it, with the values that it takes."""

    key: str
    """Key of pipeline.toml, written with dots."""
    values: tuple[Any, ...]
    """Values that the key takes."""


def parse_sweeps(texts: Iterable[str]) -> tuple[Sweep, ...]:
    """`KEY=V1,V2,...` texts. Commas within brackets belong to a value; `A..B` is every whole number, `A..B:S` by steps.

    Raises:
        InputError: a text of another kind, an unknown key, the same key twice.
    """
    sweeps: list[Sweep] = []
    for text in texts:
        key, equals, rest = (part.strip() for part in text.partition("="))
        parts = [part for part in _split(rest) if part]
        if not key or not equals or not parts:
            raise InputError(f"a sweep is KEY=VALUE,VALUE,..., not '{text}'")
        if full_key(key) in [full_key(other.key) for other in sweeps]:
            raise InputError(f"{key} is swept twice")
        values = tuple(value for part in parts for value in _values(key, part))
        sweeps.append(Sweep(key, values))
    return tuple(sweeps)


def factorial(sweeps: Sequence[Sweep]) -> list[Settings]:
    """Every combination of the sweeps' values; the last key changes fastest.

    Raises:
        InputError: more than a million.
    """
    count = math.prod(len(sweep.values) for sweep in sweeps)
    if count > MOST_POINTS:
        raise InputError(f"these sweeps have {count:,} combinations: take a sample of them with --sample N")
    keys = [sweep.key for sweep in sweeps]
    return [dict(zip(keys, values, strict=True)) for values in product(*(sweep.values for sweep in sweeps))]


def sample(sweeps: Sequence[Sweep], count: int, seed: int) -> list[Settings]:
    """Different combinations of the sweeps' values, drawn at random.

    Args:
        sweeps: keys with their values.
        count: how many; all of them where there are no more.
        seed: of the random numbers; the same seed gives the same points.

    Raises:
        InputError: fewer than one.
    """
    if count < 1:
        raise InputError(f"a sample has at least one point, not {count}")
    total = math.prod(len(sweep.values) for sweep in sweeps)
    if total <= count:
        return factorial(sweeps)
    draw = random.Random(seed)
    # Drawn by number, so that a space of any size is never written out.
    numbers = (
        sorted(draw.sample(range(total), count)) if total < 2**62 else [draw.randrange(total) for _ in range(count)]
    )
    return [_combination(sweeps, number) for number in numbers]


def read_points(text: str, file: str) -> list[Settings]:
    """One point a line of a CSV file; the header names the keys, an empty cell leaves the core's own value.

    Raises:
        InputError: no header, an unknown key, a line with too many cells.
    """
    reader = csv.DictReader(io.StringIO(text))
    keys = [name.strip() for name in reader.fieldnames or ()]
    if not keys:
        raise InputError("a list of points has a header that names the keys", file, 1)
    for key in keys:
        full_key(key)
    points: list[Settings] = []
    for row in reader:
        if None in row:
            raise InputError("more cells than the header has keys", file, reader.line_num)
        cells = {key: (value or "").strip() for key, value in zip(keys, row.values(), strict=True)}
        points.append(parse_settings(f"{key}={value}" for key, value in cells.items() if value))
    if not points:
        raise InputError("a list of points without points", file)
    return points


def _combination(sweeps: Sequence[Sweep], number: int) -> Settings:
    chosen = {}
    for sweep in reversed(sweeps):
        number, place = divmod(number, len(sweep.values))
        chosen[sweep.key] = sweep.values[place]
    return {sweep.key: chosen[sweep.key] for sweep in sweeps}


def _split(text: str) -> Iterator[str]:
    """At commas outside of brackets and quotes."""
    depth, quoted, start = 0, "", 0
    for place, letter in enumerate(text):
        if quoted:
            quoted = "" if letter == quoted else quoted
        elif letter in "\"'":
            quoted = letter
        elif letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        elif letter == "," and depth == 0:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()


def _values(key: str, text: str) -> Iterator[Any]:
    first, dots, rest = text.partition("..")
    if not dots:
        yield parse_settings([f"{key}={text}"])[key]
        return
    last, _, step = rest.partition(":")
    try:
        whole = range(int(first), int(last) + 1, int(step or 1))
    except ValueError:
        raise InputError(f"{key}: a range is FIRST..LAST or FIRST..LAST:STEP in whole numbers, not '{text}'") from None
    if not whole or len(whole) > MOST_POINTS:
        raise InputError(f"{key}: the range '{text}' is empty or too long")
    yield from whole
