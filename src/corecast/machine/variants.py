"""Variants of a machine: the same core with some keys of its pipeline.toml changed, and its form tables as they are."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from math import inf, isfinite

from corecast.errors import InputError, MachineModelError, MachineModelErrors, did_you_mean
from corecast.hints import Any
from corecast.machine.format_1 import current_key
from corecast.machine.parameters import Parameter, format_1_names, parameters
from corecast.machine.types import Machine
from corecast.machine.vector_units import VECTOR_UNITS, set_vector_units

SHORT_NAMES = {
    "reorder_buffer": "reorder_buffer.entries",
    "scheduler": "scheduler.entries",
    "integer_registers": "integer_registers.entries",
    "vector_registers": "vector_registers.entries",
    "load_queue": "load_queue.entries",
    "store_queue": "store_queue.entries",
    "dispatch_width": "rename.width",
    "load_latency": "loads.latency_cycles",
}
"""Names of the field (docs/glossary.md), for short."""
_IN_FLIGHT = "load_queue.loads_in_flight"
_EXTENSIONS = "extensions."
_CHANGES = {"latency:": "latency", "uops:": "uops", "ports:": "ports"}


def variant(machine: Machine, settings: Mapping[str, Any]) -> Machine:
    """The machine with other values of some keys, written with dots: {"reorder_buffer.entries": 64}.

    The value "unknown" takes a key away, "unlimited" makes a buffer endless. `latency:GLOB`, `uops:GLOB` and
    `ports:GLOB` change the rows of forms, `vector_units` how many units there are for vectors of which length
    ("2x256"). Tables are not read again.

    Raises:
        InputError: a key that no model can have.
        MachineModelError: a value that the key cannot have.
    """
    if not settings:
        return machine
    pipeline = _copy(machine.pipeline)
    for key, value in settings.items():
        _set(machine, pipeline, key, value)
    return _with_pipeline(machine, pipeline)


def sharing_ports(machine: Machine, ports: Iterable[str], others: Iterable[str]) -> Machine:
    """The machine with what may run on some ports on others, too."""
    pipeline = _copy(machine.pipeline)
    spread = pipeline["ports"].setdefault("spread", {})
    wanted, more = list(ports), list(others)
    for port in wanted:
        spread.setdefault(port, [port])
    for members in spread.values():
        if set(members) & set(wanted):
            members += [port for port in more if port not in members]
    _join_schedulers(pipeline, {*wanted, *more})
    return _with_pipeline(machine, pipeline)


def _join_schedulers(pipeline: dict[str, Any], ports: set[str]) -> None:
    """What shares ports waits in one scheduler, as large as those that had them: a port lies behind one alone."""
    groups = pipeline["ports"].get("groups", {})
    tables = pipeline.get("schedulers", [])
    joined = [each for each in tables if ports & {port for name in each["ports"] for port in groups.get(name, [name])}]
    if len(joined) < 2:
        return
    whole = {key: sum(each[key] for each in joined) for key in joined[0] if key.endswith(("entries", "_per_cycle"))}
    whole["ports"] = [port for each in joined for port in each["ports"]]
    pipeline["schedulers"] = [whole, *(each for each in tables if each not in joined)]
    rename = pipeline.get("rename", {})
    for key in [key for key in rename if key.startswith("spread_")]:
        del rename[key]


def _with_pipeline(machine: Machine, pipeline: dict[str, Any]) -> Machine:
    from corecast import _core

    try:
        core = machine.core.variant(pipeline)
    except MachineModelError as error:  # the file is as it was: what is wrong was set
        found = [MachineModelError(message) for _, message in _core.pipeline_faults(pipeline)]
        if len(found) > 1:
            raise MachineModelErrors.of(found) from None
        raise MachineModelError(error.message) from None
    return Machine(machine.info, pipeline, machine.table_files, core, is_variant=True)


def full_key(key: str) -> str:
    """The key as pipeline.toml has it: `reorder_buffer` for `reorder_buffer.entries`; names of format 1 count.

    Raises:
        InputError: a key that no model can have, or the last part of several.
    """
    if key in SHORT_NAMES:
        return SHORT_NAMES[key]
    if key == VECTOR_UNITS or key.startswith((_EXTENSIONS, *_CHANGES)):
        return key
    known = parameters()
    key = current_key(key).lstrip("!")
    if key in known or _is_inside(key, known):
        return key
    older = format_1_names()
    names = [each for each in known if not known[each].is_pattern]
    found = {current_key(each).lstrip("!") for each in (*names, *older) if each.rpartition(".")[2] == key}
    if len(found) == 1:
        return found.pop()
    raise InputError(f"pipeline.toml has no key {key}{_suggestion(key, (*names, *older))}")


def _is_inside(key: str, known: Mapping[str, Parameter]) -> bool:
    """Whether a key names what a pattern stands for: schedulers.0.entries, ports.groups.LOAD."""
    steps = key.split(".")
    for pattern in known.values():
        if not pattern.is_pattern or pattern.key.startswith("notes."):
            continue
        parts = pattern.key.replace("[]", ".[]").split(".")
        if len(parts) <= len(steps) and all(_fits(part, step) for part, step in zip(parts, steps)):  # noqa: B905
            return True
    return any(key.startswith(f"{each.key}.") for each in known.values() if each.type in ("tables", "rows"))


def _fits(part: str, step: str) -> bool:
    return part in ("*", step) or (part == "[]" and step.isdecimal())


def _set(machine: Machine, pipeline: dict[str, Any], short: str, value: Any) -> None:
    key = full_key(short)
    if key in ("name", "isa"):
        raise InputError(f"{key} says which model this is, and cannot be set")
    if key.startswith("mitigations.") and key.partition(".")[2] not in pipeline.get("mitigations", {}):
        raise InputError(f"{machine.name} has no figures for {key}: its instructions take the same with and without")
    if key == VECTOR_UNITS:
        set_vector_units(pipeline, value)
        return
    if key.startswith(_EXTENSIONS):
        _set_extension(machine, pipeline, key.removeprefix(_EXTENSIONS), value)
        return
    for prefix, table in _CHANGES.items():
        if key.startswith(prefix):
            _put(pipeline, ["changes", table, key[len(prefix) :]], value)
            return
    if key == "vector_length_bits" and machine.isa == "x86":
        raise InputError("the vectors of x86 are as long as the code says: --vl is for SVE and RISC-V vectors")
    if isinstance(value, bool) and current_key(short).startswith("!"):
        value = not value
    if value == "unknown":
        _remove(pipeline, key.split("."))
    else:
        _put(pipeline, key.split("."), value)
    if key == SHORT_NAMES["load_queue"]:  # what counts in its place
        _remove(pipeline, _IN_FLIGHT.split("."))
    if key == SHORT_NAMES["scheduler"]:
        _share_entries(pipeline, value)


def _set_extension(machine: Machine, pipeline: dict[str, Any], name: str, value: Any) -> None:
    """Gives the core an extension, or takes it away. Names may hold dots: sse4.1."""
    from corecast import _core

    known = _core.extension_names(machine.isa)
    if name != "names" and name not in known:
        raise InputError(f"{machine.isa} has no extension {name}{_suggestion(name, known)}")
    pipeline.setdefault("extensions", {})[name] = value


def _share_entries(pipeline: dict[str, Any], entries: Any) -> None:
    """Gives several schedulers `entries` together, each its part of them; "unlimited": any number."""
    parts = pipeline.get("schedulers")
    if not isinstance(parts, list) or not parts or not all(_is_scheduler(part) for part in parts):
        return  # faulty ones are reported when they are read
    if entries == "unlimited":  # ports are chosen when micro-ops leave even if nothing says so but the schedulers
        pipeline.setdefault("port_choice", {}).setdefault("policy", "at_issue")
        del pipeline["schedulers"]
        return
    if not isinstance(entries, (int, float)) or not isfinite(entries) or entries <= 0:
        return  # likewise
    share = entries / sum(part["entries"] for part in parts)
    for part in parts:
        part["entries"] = max(1, round(part["entries"] * share))


def _is_scheduler(part: Any) -> bool:
    entries = part.get("entries") if isinstance(part, dict) else None
    return isinstance(entries, (int, float)) and 0 < entries < inf


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
    return [_copy(each) for each in value] if isinstance(value, list) else value


def _remove(tree: dict[str, Any], path: list[str]) -> None:
    for step in path[:-1]:
        inner = tree.get(step)
        if not isinstance(inner, dict):
            return
        tree = inner
    tree.pop(path[-1], None)


def _put(tree: dict[str, Any], path: list[str], value: Any) -> None:
    for depth, step in enumerate(path[:-1], start=1):
        inner = tree.setdefault(step, {})
        if isinstance(inner, list):
            _put_into_list(inner, path[depth:], value, ".".join(path))
            return
        if not isinstance(inner, dict):  # a faulty model: what stands there is no table
            inner = tree[step] = {}
        tree = inner
    tree[path[-1]] = value


def _put_into_list(items: list[Any], path: list[str], value: Any, key: str) -> None:
    """The first step is a place in the list, counted from 0."""
    if not path[0].isdecimal() or int(path[0]) >= len(items):
        raise InputError(f"{key}: the list has places 0 to {len(items) - 1}, not '{path[0]}'")
    place = int(path[0])
    if len(path) == 1:
        items[place] = value
    elif isinstance(items[place], dict):
        _put(items[place], path[1:], value)
    else:
        raise InputError(f"{key}: place {place} of the list is not a table")


def _suggestion(key: str, known: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(key, known, n=3, cutoff=0.6)
    return did_you_mean(near)
