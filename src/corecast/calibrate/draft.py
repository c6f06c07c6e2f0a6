"""A model that is being made: the start model with some parameters changed and measured rows before its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from corecast.dataclass import dataclass, field, replace
from corecast.hints import Any
from corecast.machine.loader import build
from corecast.machine.rows import Row, write_rows
from corecast.machine.trees import UNKNOWN, overridden, put, value_of
from corecast.machine.types import Machine

TABLE = "calibrated.tsv"
WITHOUT = "without_rules"
LISTS = ("rules", WITHOUT)


@dataclass(frozen=True)
class Draft:
    """One candidate."""

    start: Machine
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Values of keys of pipeline.toml, written with dots; "unknown" takes a key away that the core lacks. Those of
    `rules` and `without_rules` are as a model writes them; a suffix keeps apart the rules that come from different
    experiments, as in `rules:moves`."""
    rows: Sequence[Row] = ()

    def with_settings(self, settings: Mapping[str, Any]) -> Draft:
        return replace(self, settings={**self.settings, **settings})

    def without(self, keys: Sequence[str]) -> Draft:
        """With the start model's own values of some keys."""
        return replace(self, settings={key: value for key, value in self.settings.items() if key not in keys})

    def machine(self, folder: Path) -> Machine:
        """The model, with its rows in a table of this folder.

        Raises:
            MachineModelError: a value that its key cannot have.
        """
        tables = list(self.start.table_files)
        if self.rows:
            table = folder / TABLE
            write_rows(table, (), self.rows)
            tables.insert(0, str(table))
        return build(self.start.info, self.pipeline(), tables)

    def pipeline(self) -> dict[str, Any]:
        """All keys, as `pipeline_of` would inherit them."""
        own = self.own_keys()
        merged = overridden(self.start.pipeline, {key: value for key, value in own.items() if key != "rules"})
        dropped = set(own.get(WITHOUT, ()))
        rules = [rule for rule in merged.get("rules", ()) if not {rule.get("name"), rule.get("effect")} & dropped]
        if "rules" in merged or "rules" in own:
            merged["rules"] = [*own.get("rules", ()), *rules]
        return merged

    def own_keys(self) -> dict[str, Any]:
        """What its own pipeline.toml says of parameters."""
        tree: dict[str, Any] = {}
        for key, value in self.settings.items():
            name = key.partition(":")[0]
            tree = put(tree, name, [*tree.get(name, ()), *value] if name in LISTS else value)
        return tree

    def has(self, settings: Mapping[str, Any]) -> bool:
        """Whether these values are what it has already."""
        found = self.pipeline()
        return all(value_of(found, key) == (None if value == UNKNOWN else value) for key, value in settings.items())
