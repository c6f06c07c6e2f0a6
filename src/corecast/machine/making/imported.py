"""What an importer hands on: rows, and the pipeline that they need; and its pipeline.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corecast.dataclass import dataclass, field
from corecast.hints import Any
from corecast.machine.inherit import FORMAT
from corecast.machine.rows import Row
from corecast.machine.toml_text import assignment, key_text
from corecast.machine.types import Isa


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
    """Keys that hold port usages: loads.ports, ..."""
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


def pipeline_text(name: str, isa: Isa, imported: Imported, forms: Sequence[str], base: str = "") -> str:
    """A first pipeline.toml: what the origin says, nothing else. `base`: the model that the figures add to, or ""."""
    known = imported.pipeline
    head: dict[str, Any] = {"format": FORMAT, "name": name}
    lines = [f"# Made by `{imported.command}` from {imported.origin}. What it does not say is left out: unknown."]
    if base:
        head |= {"pipeline_of": base, "forms": list(forms), "forms_of": base}
        return "\n".join([*lines, *_assignments(head)]) + "\n"
    head |= {"title": known.title or name, "isa": isa, "forms": list(forms), "llvm_cpu": known.llvm_cpu or None}
    head |= {"source": imported.origin, "confidence": "documented", "in_order": known.in_order or None}
    lines += [*_assignments(head), "", "[ports]", *_assignments({"names": list(known.ports)}), "", "[ports.groups]"]
    lines += _assignments({group: list(members) for group, members in known.groups.items()})
    for unit, port in known.units.items():
        lines += ["", f"[units.{key_text(unit)}]", *_assignments({"port": port or None})]
    parameters: dict[str, Any] = {
        "rename.width": known.dispatch_width,
        "retire.width": known.retire_width,
        "reorder_buffer.entries": known.rob_entries,
        "loads.latency_cycles": known.load_latency_cycles,
        "loads.vector_latency_cycles": known.vector_load_latency_cycles,
        **known.usages,
        "extensions.names": list(known.extensions) or None,
    }
    tables: dict[str, dict[str, Any]] = {}
    for key, value in parameters.items():
        if value is not None:
            table, _, own = key.partition(".")
            tables.setdefault(table, {})[own] = value
    for table, keys in tables.items():
        lines += ["", f"[{table}]", *_assignments(keys)]
    return "\n".join(lines) + "\n"


def _assignments(keys: Mapping[str, Any]) -> list[str]:
    """Lines of TOML; whole numbers without a fraction, nothing for None."""
    whole = {name: int(each) if isinstance(each, float) and each.is_integer() else each for name, each in keys.items()}
    return [assignment(name, value) for name, value in whole.items() if value is not None]
