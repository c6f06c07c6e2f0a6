"""Where the parameters of a model come from, and how sure they are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from corecast.dataclass import dataclass
from corecast.hints import Any
from corecast.machine.inherit import OWN_KEYS, chain_of, is_evidenced, raw_keys, unwrapped
from corecast.machine.parameters import parameters
from corecast.machine.search import PIPELINE
from corecast.machine.trees import EVIDENCE, UNKNOWN
from corecast.machine.types import Machine


@dataclass(frozen=True)
class Evidence:
    """A parameter of a model."""

    key: str
    """As in docs/parameters.md; `rules` and other lists of tables are one key."""
    value: Any
    unit: str
    source: str
    """In words; "" where the model does not say."""
    confidence: str
    """measured, documented, derived or assumed; "" where the model does not say."""
    model: str
    """Name of the model whose file has the value: this one, or one that it inherits from."""


def evidence_of(machine: Machine) -> tuple[Evidence, ...]:
    """Every parameter that counts for a core, in the order of docs/parameters.md, with its own source or that of its
    table or its file, whichever is nearest. Facts in `notes` are not among them.

    Raises:
        MachineModelError: a file of the model cannot be read any more.
    """
    found: dict[str, Evidence] = {}
    gone: set[str] = set()
    for keys, folder in chain_of(machine.info.folder, head_only=False):
        raw = raw_keys(os.path.join(folder, PIPELINE))
        told = raw if raw.get("format") == 2 else keys  # format 1 has evidence of tables alone
        for key, value, source, confidence in _leaves(
            told, (str(told.get("source", "")), str(told.get("confidence", "")))
        ):
            if key in found or key in gone:
                continue
            if value == UNKNOWN:
                gone.add(key)
                continue
            found[key] = Evidence(key, value, _unit(key), source, confidence, _name(folder, keys))
    for relative, assumed in machine.assumed.items():
        for key in assumed:
            value = machine.parameter(key)
            found[key] = Evidence(key, value, _unit(key), f"as on {relative}", "assumed", relative)
    order = {key: place for place, key in enumerate(parameters())}
    heads = {key.partition(".")[0]: place for key, place in reversed(order.items())}
    return tuple(
        sorted(found.values(), key=lambda each: order.get(each.key, heads.get(each.key.partition(".")[0], len(order))))
    )


def _leaves(
    table: Mapping[str, Any], evidence: tuple[str, str], before: str = ""
) -> Iterator[tuple[str, Any, str, str]]:
    own = (str(table.get("source", evidence[0])), str(table.get("confidence", evidence[1])))
    for name, value in table.items():
        key = f"{before}{name}"
        if name in EVIDENCE or (not before and (name in (*OWN_KEYS, "notes", "assumed", "format", "without_rules"))):
            continue
        if is_evidenced(value):
            yield key, unwrapped(value), str(value.get("source", own[0])), str(value.get("confidence", own[1]))
        elif isinstance(value, Mapping):
            yield from _leaves(value, own, f"{key}.")
        else:
            yield key, unwrapped(value), *own


def _unit(key: str) -> str:
    known = parameters()
    parameter = known.get(key) or known.get(f"{key.rpartition('.')[0]}.*")
    return "" if parameter is None else parameter.unit


def _name(folder: str, keys: Mapping[str, Any]) -> str:
    return str(keys.get("name", os.path.basename(folder)))
