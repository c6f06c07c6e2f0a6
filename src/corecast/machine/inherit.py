"""pipeline.toml as it counts: what `extends` names is read first, then the file's own keys override it.

Tables are merged key by key, lists and values are replaced. A model's own form tables come before those of the model it
extends, so that its rows add to them or replace them. A name, a title, aliases and what a model was validated against
belong to one model and are never inherited. `forms_of` shares form tables alone: a model and its sibling differ in few
rows, and what they have in common lies in one place.

The table `assumed` names keys, by relative, that nobody knows of this core and that are taken from that relative: they
count only where the model has none, and reports list them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

from corecast.errors import MachineModelError
from corecast.machine.search import PIPELINE, folders_called, model_folders, same_name
from corecast.machine.toml_files import parse_toml, read_text

OWN_KEYS = ("name", "title", "aliases", "validated", "extends", "forms", "forms_of")
"""Of one model alone. The form tables are joined by `form_tables`."""
Chain = list[tuple[dict[str, Any], Path]]
"""The keys of a model's own file with its folder, then those of the model it extends, and so on."""


def read_pipeline(folder: Path) -> tuple[dict[str, Any], list[Path]]:
    """The keys of a model, inherited ones included, and its form tables in order of precedence.

    Raises:
        MachineModelError: a pipeline.toml is missing or wrong, `extends` names no model or leads in a circle.
    """
    chain = chain_of(folder, head_only=False)
    merged: dict[str, Any] = {}
    for keys, _ in reversed(chain):
        merged = overridden({name: value for name, value in merged.items() if name not in OWN_KEYS}, keys)
    if "assumed" in merged:
        merged = _with_assumed(merged, folder)
    return merged, form_tables(chain)


def _with_assumed(pipeline: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The pipeline with what is assumed from relatives; `assumed` is left with the keys that count.

    Raises:
        MachineModelError: `assumed` is no table of lists of keys, names no model beside this one, or a key that the
            relative does not have.
    """
    from corecast import _core

    file = str(folder / PIPELINE)
    table = pipeline["assumed"]
    if not isinstance(table, dict) or not all(isinstance(keys, list) for keys in table.values()):
        raise MachineModelError('assumed must name keys by relative: granite_rapids = ["back_end.schedulers"]', file)
    counting: dict[str, list[str]] = {}
    current = _core.older_keys()
    for relative, keys in table.items():
        places = _beside(folder, relative)
        if not places or places[0].resolve() == folder.resolve():
            raise MachineModelError(f"assumed '{relative}', which is no other model", file)
        known = _without_assumed(places[0])
        for older in keys:
            key = current.get(older, older) if isinstance(older, str) else ""
            value = _value_of(known, key)
            if value is None:
                raise MachineModelError(f"assumed.{relative}: {relative} has no key '{older}'", file)
            if _value_of(pipeline, key) is None:
                pipeline = overridden(pipeline, _nested(key, value))
                counting.setdefault(relative, []).append(key)
    return {**pipeline, "assumed": counting}


def _without_assumed(folder: Path) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for keys, _ in reversed(chain_of(folder, head_only=False)):
        merged = overridden(merged, keys)
    return merged


def _value_of(pipeline: Mapping[str, Any], key: str) -> Any:
    """The value of a dotted key, None where there is none."""
    value: Any = pipeline
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _nested(key: str, value: Any) -> dict[str, Any]:
    for part in reversed(key.split(".")):
        value = {part: value}
    return cast("dict[str, Any]", value)


def read_head(folder: Path) -> dict[str, Any]:
    """The keys before the first table of pipeline.toml, inherited ones included. Reading on takes far longer.

    Raises:
        MachineModelError: as `read_pipeline`.
    """
    merged: dict[str, Any] = {}
    for keys, _ in reversed(chain_of(folder, head_only=True)):
        merged = {name: value for name, value in merged.items() if name not in OWN_KEYS} | keys
    return merged


def chain_of(folder: Path, *, head_only: bool) -> Chain:
    """Raises MachineModelError as `read_pipeline`."""
    chain: Chain = []
    seen: list[Path] = []
    place: Path | None = folder
    while place is not None:
        keys = _read(place / PIPELINE, head_only)
        if not head_only:
            keys = _with_current_keys(keys, place)
        chain.append((keys, place))
        seen.append(place.resolve())
        place = _other(keys, "extends", place, _named, seen)
    return chain


def _with_current_keys(keys: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The keys of one file with older names of parameters replaced.

    Raises:
        MachineModelError: a parameter that has two names in the file.
    """
    from corecast import _core

    for older, key in _core.older_keys().items():
        value = _value_of(keys, older)
        if value is None:
            continue
        if _value_of(keys, key) is not None:
            from corecast.machine.faults import located

            raise located(older, f"{older} and {key} are one parameter: give it once", [folder])
        keys = overridden(_without(keys, older.split(".")), _nested(key, value))
    return keys


def _without(keys: Mapping[str, Any], path: Sequence[str]) -> dict[str, Any]:
    if len(path) == 1:
        return {name: value for name, value in keys.items() if name != path[0]}
    return {**keys, path[0]: _without(keys[path[0]], path[1:])}


def form_tables(chain: Chain, seen: Sequence[Path] = ()) -> list[Path]:
    """The form tables of a model in order of precedence.

    Raises:
        MachineModelError: `forms` is no list of names, `forms_of` names no model or leads in a circle.
    """
    tables: list[Path] = []
    seen = [*seen, *(place.resolve() for _, place in chain)]
    for keys, place in chain:
        tables += _tables_of(keys, place)
        sibling = _other(keys, "forms_of", place, partial(_beside, place), seen)
        if sibling is not None:
            tables += form_tables(chain_of(sibling, head_only=True), seen)
    return tables


def overridden(base: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with `keys` put in, tables key by key."""
    merged = dict(base)
    for name, value in keys.items():
        known = merged.get(name)
        nested = isinstance(known, Mapping) and isinstance(value, Mapping)
        merged[name] = overridden(cast("Mapping[str, Any]", known), value) if nested else value
    return merged


def _other(
    keys: Mapping[str, Any], key: str, folder: Path, named: Callable[[str], list[Path]], seen: Sequence[Path]
) -> Path | None:
    """The folder that `key` names, a path (one with a separator) or a model's name; None without such a key.

    A model may extend the one whose name it takes over: what was read already is passed over.
    """
    name = keys.get(key)
    if name is None:
        return None
    file = str(folder / PIPELINE)
    if not isinstance(name, str):
        raise MachineModelError(f"{key} must be the name or the folder of a model", file)
    if os.sep in name:
        place = folder / name
        if place.resolve() in seen:
            raise MachineModelError(f"{key} leads back to '{name}'", file)
        if not (place / PIPELINE).is_file():
            raise MachineModelError(f"{key} '{name}', where there is no model", file)
        return place
    places = named(name)
    for place in places:
        if place.resolve() not in seen:
            return place
    raise MachineModelError(f"{key} leads back to '{name}'" if places else f"{key} '{name}', an unknown model", file)


def _beside(folder: Path, name: str) -> list[Path]:
    """The sibling of that name beside a model: a model of the package means that one, whatever the user calls so."""
    beside = folder.parent / same_name(name)
    return [beside] if (beside / PIPELINE).is_file() else _named(name)


def _named(name: str) -> list[Path]:
    """Models of that name, then those with that alias."""
    if named := list(folders_called(name)):
        return named
    wanted = same_name(name)
    found = []
    for folder in model_folders():
        keys = _read(folder / PIPELINE, head_only=True)  # names are never inherited
        aliases = keys.get("aliases")
        spellings = [keys.get("name"), *(aliases if isinstance(aliases, list) else ())]
        if wanted in {same_name(spelling) for spelling in spellings if isinstance(spelling, str)}:
            found.append(folder)
    return found


def _tables_of(keys: Mapping[str, Any], folder: Path) -> list[Path]:
    """The form tables that a model's own keys name. Raises MachineModelError where that is no list of names."""
    forms = keys.get("forms", [])
    if not isinstance(forms, list) or not all(isinstance(name, str) for name in forms):
        raise MachineModelError("forms must be a list of file names", str(folder / PIPELINE))
    return [folder / "forms" / name for name in forms]


def _read(file: Path, head_only: bool) -> dict[str, Any]:
    text = read_text(file)
    if head_only:
        lines = text.splitlines(keepends=True)
        first_table = next((number for number, line in enumerate(lines) if line.startswith("[")), len(lines))
        text = "".join(lines[:first_table])
    return parse_toml(text, file)
