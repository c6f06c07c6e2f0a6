"""What there is to say of every model at a glance: how many forms, how sure, how much of the pipeline. Loads none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from corecast.machine.inherit import chain_of, form_tables, read_text
from corecast.machine.loader import list_machines
from corecast.machine.search import PIPELINE
from corecast.machine.types import MachineInfo

Detail = Literal["full", "partial", "widths"]
CONFIDENCES = ("measured", "documented", "derived", "assumed")

_KEY = re.compile(r"^(?:\[([\w.]+)\]|([\w.]+)[ \t]*=)", re.MULTILINE)
_WIDTHS = re.compile(r"(rename|back_end)\.\w*(width|per_cycle|rob_entries)\w*")
_BEYOND_WIDTHS = (
    re.compile(r"front_end\.(decoders|decode_\w+|\w+_width_\w+)"),
    re.compile(r"back_end\.\w*scheduler\w*"),
    re.compile(r"back_end\.rob_entries"),
    re.compile(r"memory\.load_latency\w*"),
    re.compile(r"memory\.store_forward\w*"),
)
"""A pipeline is full that says something of each: front end, schedulers, reorder buffer, loads, forwarding."""


@dataclass(frozen=True)
class Summary:
    """A model at a glance."""

    info: MachineInfo
    forms: Mapping[str, int]
    """Number of forms by confidence."""
    pipeline: Detail
    """full: front end, schedulers, reorder buffer and memory are described; widths: widths and buffer only."""


def summaries() -> list[Summary]:
    """Every model there is, by name.

    Raises:
        MachineModelError: a file of a model cannot be read.
    """
    return [summary_of(info) for info in list_machines()]


def summary_of(info: MachineInfo) -> Summary:
    """Raises MachineModelError where a file of the model cannot be read."""
    from corecast import _core

    chain = chain_of(info.folder, head_only=True)
    counts = _core.forms_by_confidence([str(table) for table in form_tables(chain)])
    keys = {key for _, folder in chain for key in _keys_of(folder / PIPELINE)}
    forms = {confidence: counts.get(confidence, 0) for confidence in CONFIDENCES}
    return Summary(info, forms, detail_of(keys))


def detail_of(keys: set[str]) -> Detail:
    """How much of a pipeline is described, by the dotted keys of its pipeline.toml."""
    found = sum(any(pattern.fullmatch(key) for key in keys) for pattern in _BEYOND_WIDTHS)
    if found == len(_BEYOND_WIDTHS):
        return "full"
    named = [key for key in keys if key.startswith(("front_end.", "back_end.", "memory.", "rename."))]
    return "widths" if all(_WIDTHS.fullmatch(key) for key in named) else "partial"


def _keys_of(file: Path) -> set[str]:
    """Dotted keys of a file: parsing all of it takes far longer."""
    table = ""
    found = set()
    for match in _KEY.finditer(read_text(file)):
        if match[1] is not None:
            table = match[1]
        else:
            found.add(f"{table}.{match[2]}")
    return found
