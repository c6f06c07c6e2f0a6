"""Variants of a machine: the same core with some keys of its pipeline.toml changed, and its form tables as they are."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from corecast.errors import InputError
from corecast.machine.loader import build

if TYPE_CHECKING:
    from corecast.machine.types import Machine


def variant(machine: Machine, settings: Mapping[str, Any]) -> Machine:
    """The machine with other values of some keys, written with dots: {"back_end.rob_entries": 64}.

    A key takes the place of its synonyms (see docs/add-a-cpu.md).

    Raises:
        InputError: a key that no model can have.
        MachineModelError: a value that the key cannot have.
    """
    if not settings:
        return machine
    from corecast import _core

    synonyms = {key: group for group in _core.Machine.pipeline_keys() for key in group}
    pipeline = _copy(machine.pipeline)
    for key, value in settings.items():
        if key not in synonyms:
            raise InputError(f"pipeline.toml has no key {key}{_suggestion(key, synonyms)}")
        for each in synonyms[key]:
            _remove(pipeline, each.split("."))
        _put(pipeline, key.split("."), value)
    return build(machine.info, pipeline, machine.tables)


def parse_settings(texts: Iterable[str]) -> dict[str, Any]:
    """`KEY=VALUE` texts as a dictionary. A value is written as in TOML; what is none is a string.

    Raises:
        InputError: a text without key or without value.
    """
    settings = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not key or not equals or not value:
            raise InputError(f"a setting is KEY=VALUE, not '{text}'")
        settings[key] = _value(value)
    return settings


def _value(text: str) -> Any:
    from importlib import import_module

    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    if "\n" in text:
        return text
    try:
        return toml.loads(f"value = {text}")["value"]
    except ValueError:  # TOMLDecodeError is one: a bare word
        return text


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(each) for key, each in value.items()}
    return list(value) if isinstance(value, list) else value


def _remove(tree: dict[str, Any], path: list[str]) -> None:
    for step in path[:-1]:
        inner = tree.get(step)
        if not isinstance(inner, dict):
            return
        tree = inner
    tree.pop(path[-1], None)


def _put(tree: dict[str, Any], path: list[str], value: Any) -> None:
    for step in path[:-1]:
        inner = tree.setdefault(step, {})
        if not isinstance(inner, dict):  # a faulty model: what stands there is no table
            inner = tree[step] = {}
        tree = inner
    tree[path[-1]] = value


def _suggestion(key: str, known: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(key, known, n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""
