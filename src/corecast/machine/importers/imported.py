"""What an importer hands on: rows, and the pipeline that they need; and its pipeline.toml."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from corecast.machine.importers.rows import Row
from corecast.machine.types import Isa

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Pipeline:
    """What an origin says of a core beside its instruction forms. None: it does not say."""

    ports: tuple[str, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    """Units that are not pipelined -> the port in front of them, "" where that is not known."""
    dispatch_width: float | None = None
    retire_width: float | None = None
    rob_entries: float | None = None
    in_order: bool = False
    load_latency_cycles: float | None = None
    vector_load_latency_cycles: float | None = None
    usages: Mapping[str, str] = field(default_factory=dict)
    """Keys of [memory] that hold port usages: load_ports, ..."""
    llvm_cpu: str = ""
    title: str = ""
    extensions: tuple[str, ...] = ()
    """ISA extensions of the core; none: the origin does not say."""


@dataclass(frozen=True)
class Imported:
    """The figures of one origin for one core."""

    origin: str
    """In words: "uops.info", "LLVM 22's scheduling model of znver3"."""
    file: str
    """The form table that it becomes: "uops_info.tsv"."""
    isa: Isa
    rows: Mapping[str, Row]
    pipeline: Pipeline = Pipeline()
    entries: int = 0
    """Entries of the source that were read."""
    unmapped: Sequence[tuple[str, str]] = ()
    """(entry, why it gave no row)."""
    notes: tuple[str, ...] = ()
    """What a user of the figures should be told."""
    command: str = "corecast import"
    """That makes a model of this."""


def pipeline_text(name: str, isa: Isa, imported: Imported, forms: Sequence[str], extends: str = "") -> str:
    """A first pipeline.toml: what the origin says, nothing else."""
    known = imported.pipeline
    lines = [
        f"# Made by `{imported.command}` from {imported.origin}. What it does not say is left out: unknown.",
        "format = 1",
        f"name = {_string(name)}",
    ]
    if extends:
        lines += [f"extends = {_string(extends)}", f"forms = {_list(forms)}"]
        return "\n".join(lines) + "\n"
    lines += [
        f"title = {_string(known.title or name)}",
        f"isa = {_string(isa)}",
        f"forms = {_list(forms)}",
        *([f"llvm_cpu = {_string(known.llvm_cpu)}"] if known.llvm_cpu else []),
        f"source = {_string(imported.origin)}",
        'confidence = "documented"',
        *(["in_order = true"] if known.in_order else []),
        "",
        "[ports]",
        f"names = {_list(known.ports)}",
        "",
        "[ports.groups]",
        *(f"{_key(group)} = {_list(members)}" for group, members in known.groups.items()),
    ]
    for unit, port in known.units.items():
        lines += ["", f"[units.{_key(unit)}]", *([f"port = {_string(port)}"] if port else [])]
    lines += ["", "[rename]", *_number("dispatch_width_uops_per_cycle", known.dispatch_width)]
    lines += ["", "[back_end]", *_number("retire_width_uops_per_cycle", known.retire_width)]
    lines += _number("rob_entries", known.rob_entries)
    lines += ["", "[memory]", *_number("load_latency_cycles", known.load_latency_cycles)]
    lines += _number("vector_load_latency_cycles", known.vector_load_latency_cycles)
    lines += [f"{key} = {_string(usage)}" for key, usage in known.usages.items()]
    if known.extensions:
        lines += ["", "[extensions]", f"names = {_list(known.extensions)}"]
    return "\n".join(lines) + "\n"


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(map(_string, values))}]"


def _key(text: str) -> str:
    return text if _BARE.fullmatch(text) else _string(text)


def _number(key: str, value: float | None) -> list[str]:
    return [] if value is None else [f"{key} = {value:g}"]
