"""pipeline.toml as it counts: what `extends` names is read first, then the file's own keys override it.

Tables are merged key by key, lists and values are replaced. A model's own form tables come before those of the model it
extends, so that its rows add to them or replace them. A name, a title, aliases and what a model was validated against
belong to one model and are never inherited.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from corecast.errors import MachineModelError
from corecast.machine.search import PIPELINE, folders_called, model_folders, same_name

OWN_KEYS = ("name", "title", "aliases", "validated", "extends", "forms")
"""Of one model alone. `forms` is joined by `tables_of`."""


def read_pipeline(folder: Path) -> tuple[dict[str, Any], list[Path]]:
    """The keys of a model, inherited ones included, and its form tables in order of precedence.

    Raises:
        MachineModelError: a pipeline.toml is missing or wrong, `extends` names no model or leads in a circle.
    """
    chain = chain_of(folder, head_only=False)
    merged: dict[str, Any] = {}
    for keys, _ in reversed(chain):
        merged = overridden({name: value for name, value in merged.items() if name not in OWN_KEYS}, keys)
    return merged, [table for keys, place in chain for table in tables_of(keys, place)]


def read_head(folder: Path) -> dict[str, Any]:
    """The keys before the first table of pipeline.toml, inherited ones included. Reading on takes far longer.

    Raises:
        MachineModelError: as `read_pipeline`.
    """
    merged: dict[str, Any] = {}
    for keys, _ in reversed(chain_of(folder, head_only=True)):
        merged = {name: value for name, value in merged.items() if name not in OWN_KEYS} | keys
    return merged


def chain_of(folder: Path, *, head_only: bool) -> list[tuple[dict[str, Any], Path]]:
    """The keys of a model's own file with its folder, then those of the model it extends, and so on.

    Raises:
        MachineModelError: as `read_pipeline`.
    """
    chain: list[tuple[dict[str, Any], Path]] = []
    seen: list[Path] = []
    place: Path | None = folder
    while place is not None:
        keys = _read(place / PIPELINE, head_only)
        chain.append((keys, place))
        seen.append(place.resolve())
        place = _extended(keys, place, seen)
    return chain


def overridden(base: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with `keys` put in, tables key by key."""
    merged = dict(base)
    for name, value in keys.items():
        known = merged.get(name)
        nested = isinstance(known, Mapping) and isinstance(value, Mapping)
        merged[name] = overridden(cast("Mapping[str, Any]", known), value) if nested else value
    return merged


def _extended(keys: Mapping[str, Any], folder: Path, seen: Sequence[Path]) -> Path | None:
    """The folder that `extends` names, a path (one with a separator) or a model's name; None without such a key.

    A model may extend the one whose name it takes over: what was read already is passed over.
    """
    name = keys.get("extends")
    if name is None:
        return None
    file = str(folder / PIPELINE)
    if not isinstance(name, str):
        raise MachineModelError("extends must be the name or the folder of a model", file)
    if os.sep in name:
        place = folder / name
        if place.resolve() in seen:
            raise MachineModelError(f"extends leads back to '{name}'", file)
        if not (place / PIPELINE).is_file():
            raise MachineModelError(f"extends '{name}', where there is no model", file)
        return place
    for place in _named(name):
        if place.resolve() not in seen:
            return place
    circle = any(place.resolve() in seen for place in _named(name))
    raise MachineModelError(
        f"extends leads back to '{name}'" if circle else f"extends '{name}', an unknown model", file
    )


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


def tables_of(keys: Mapping[str, Any], folder: Path) -> list[Path]:
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


def read_text(file: Path) -> str:
    """Raises MachineModelError where the file cannot be read as UTF-8."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise MachineModelError(error.strerror or "cannot be read", str(file)) from None
    except (UnicodeDecodeError, ValueError):
        raise MachineModelError("is not UTF-8 text", str(file)) from None


def parse_toml(text: str, file: Path) -> dict[str, Any]:
    """Raises MachineModelError where the text is no TOML."""
    import sys
    from importlib import import_module

    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        return cast("dict[str, Any]", toml.loads(text))
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError
        raise MachineModelError(str(error), str(file)) from None
