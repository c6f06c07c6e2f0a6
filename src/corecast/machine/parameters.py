"""The table of parameters: every key that a model's pipeline.toml may have.

`parameters.tsv` beside this module has a row for each key; the reader in C++, its checks, the names that `--set` and
`corecast explore` accept, and docs/parameters.md come from it (tools/generate_parameters.py). Columns:

key         with dots. `*` stands for any name, `[]` for each item of a list of tables; a row whose key has
            `{a,b}` in it stands for two.
type        bool, number, integer, bytes (an integer, 0 where there is none), numbers (a list), text, texts, ports
            (names of ports), port, port_sets (a list of lists of ports), usage (a port usage such as 1*p23),
            policy:ENUM (one of the names in `range`), table, tables (a list of them), rows (a list of lists of
            numbers), any.
unit        of numbers.
range       of numbers, `1..64`, or `>0..64` without the lower end; the names of a policy, separated by `;`.
default     what counts without the key: a value, `none` (empty), `unknown`, `unlimited` ("unlimited" in a
            file says the same), `x86` (true on x86 alone), or `required`.
member      of the C++ structs. Empty: the reader is written by hand.
used_by     lower, bounds, simulate, derive (C++); python; export.
needed_for  simulate (or simulate_out_of_order): such a core cannot be simulated without; limit: the part never
            holds up the simulated core without.
part        its name in messages. Rows with the same part are alternatives.
format_1    its names in format 1; `!` in front of one that says the opposite (`machine/format_1.py`).
meaning     in plain sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from corecast.dataclass import dataclass
from corecast.hints import Any

TABLE = Path(__file__).with_name("parameters.tsv")
NUMBERS = ("number", "integer", "bytes")


@dataclass(frozen=True)
class Parameter:
    """A row of the table."""

    key: str
    type: str
    unit: str
    range: str
    default: str
    member: str
    used_by: tuple[str, ...]
    needed_for: str
    part: str
    format_1: tuple[str, ...]
    meaning: str

    @property
    def is_pattern(self) -> bool:
        """Whether the key stands for several."""
        return "*" in self.key or "[]" in self.key

    @property
    def choices(self) -> tuple[str, ...]:
        """The names that a policy may have."""
        return tuple(self.range.split(";")) if self.type.startswith("policy:") else ()


@lru_cache(maxsize=1)
def parameters() -> Mapping[str, Parameter]:
    """Every parameter by its key, in the order of the table."""
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    names = lines[0].split("\t")
    rows = (dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:])
    return {key: _parameter({**row, "key": key}) for row in rows for key in _keys(row["key"])}


def _keys(key: str) -> Iterator[str]:
    """The keys that a row is for: `rules[].{producer,consumer}.access` stands for two."""
    before, brace, rest = key.partition("{")
    choices, _, after = rest.partition("}")
    yield from (f"{before}{choice}{after}" for choice in choices.split(",")) if brace else (key,)


def _parameter(row: Mapping[str, str]) -> Parameter:
    several = {name: tuple(filter(None, row[name].split(","))) for name in ("used_by", "format_1")}
    return Parameter(**{**row, **several})  # type: ignore[arg-type]  # names are checked against the fields by tests


@lru_cache(maxsize=1)
def format_1_names() -> Mapping[str, str]:
    """Names of parameters in format 1 -> their keys; `!` in front of those that say the opposite."""
    signed = ((name, each.key) for each in parameters().values() for name in each.format_1)
    return {name.lstrip("!"): f"!{key}" if name.startswith("!") else key for name, key in signed}


def described(pipeline: Mapping[str, Any]) -> dict[str, tuple[Any, str]]:
    """What a model says of its core: the value and the unit of every key, but for its names, sources and notes."""
    known = parameters()
    own = {name: value for name, value in pipeline.items() if name != "notes" and not _is_of_the_file(known.get(name))}
    found = dict(_leaves(own))
    return {key: (value, _unit_of(key)) for key, value in found.items()}


def _is_of_the_file(parameter: Parameter | None) -> bool:
    return parameter is not None and (parameter.key in ("isa", "name") or parameter.used_by == ("python",))


def _leaves(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{before}{name}.")
        elif name not in ("source", "confidence"):
            yield f"{before}{name}", value


def _unit_of(key: str) -> str:
    known = parameters()
    parameter = known.get(key) or known.get(f"{key.rpartition('.')[0]}.*")
    return "" if parameter is None else parameter.unit
