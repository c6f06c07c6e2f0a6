"""pipeline.toml as it counts: the parameters of the model that `pipeline_of` names are read first, then the file's own
keys override them.

Tables are merged key by key, lists and values are replaced; a model's rules come before those that it inherits, and
`without_rules` drops inherited ones. What belongs to one model (its name, its aliases, what it was validated against)
is never inherited. Form tables are another matter: `forms_of` names whose tables come after a model's own.

The table `assumed` names keys, by relative, that nobody knows of this core and that are taken from that relative: they
count only where the model has none, and reports list them.

A value may carry its own evidence, `width = { value = 6, source = "...", confidence = "measured" }`: it is read as the
value alone. `machine/evidence.py` says where values come from.
"""

from __future__ import annotations

import os

from corecast.errors import MachineModelError
from corecast.hints import Any, Mapping, Sequence
from corecast.machine.search import PIPELINE, folders_called, is_model, model_folders, normal, same_name
from corecast.machine.toml_files import parse_toml, read_text
from corecast.machine.trees import EVIDENCE, overridden, put, value_of
from corecast.machine.validation import as_items

FORMAT = 2
"""The version of pipeline.toml that is written. Version 1 is read, too."""
OWN_KEYS = ("name", "title", "aliases", "validated", "pipeline_of", "forms", "forms_of")
"""Of one model alone. The form tables are joined by `form_tables`."""
_IN_HEAD = "[[validated]]"
"""Tables that do not end the head of a file."""
CONFIDENCES = ("measured", "documented", "derived", "assumed")
Chain = list[tuple[dict[str, Any], str]]
"""The keys of a model's own file with its folder, then those of the model whose parameters it takes, and so on."""


def read_pipeline(folder: str | os.PathLike[str]) -> tuple[dict[str, Any], list[str]]:
    """The keys of a model, inherited ones included, and its form tables in order of precedence.

    Raises:
        MachineModelError: a pipeline.toml is missing or wrong, `pipeline_of` or `forms_of` names no model or leads in a
            circle.
    """
    folder = os.fspath(folder)
    merged = _merged(chain_of(folder, head_only=False))
    if "assumed" in merged:
        merged = _with_assumed(merged, folder)
    return merged, form_tables(folder)


def _merged(chain: Chain) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for keys, _ in reversed(chain):
        inherited = {name: value for name, value in merged.items() if name not in (*OWN_KEYS, "without_rules")}
        rules = _joined_rules(keys, inherited.get("rules"))
        merged = overridden(inherited, keys) | rules
    return merged


def _joined_rules(keys: Mapping[str, Any], inherited: Any) -> dict[str, Any]:
    own = keys.get("rules", [])
    if not isinstance(own, list) or not isinstance(inherited, list):
        return {}  # there are none, or the check of keys says what is wrong
    dropped = keys.get("without_rules", [])
    names = {rule.get("name") for rule in own if isinstance(rule, Mapping)} - {None}
    names |= set(filter(lambda name: isinstance(name, str), dropped if isinstance(dropped, list) else ()))
    kept = [rule for rule in inherited if not {rule.get("name"), rule.get("effect")} & names]
    return {"rules": [*own, *kept]}


def _with_assumed(pipeline: dict[str, Any], folder: str) -> dict[str, Any]:
    """The pipeline with what is assumed from relatives; `assumed` is left with the keys that count.

    Raises:
        MachineModelError: `assumed` is not a table of lists of keys, names no model beside this one, or a key that the
            relative does not have.
    """
    file = os.path.join(folder, PIPELINE)
    table = pipeline["assumed"]
    if not isinstance(table, dict) or not all(isinstance(keys, list) for keys in table.values()):
        raise MachineModelError('assumed must name keys by relative: granite_rapids = ["schedulers"]', file)
    counting: dict[str, list[str]] = {}
    for relative, keys in table.items():
        places = _called(relative, folder)
        if not places or os.path.realpath(places[0]) == os.path.realpath(folder):
            raise MachineModelError(f"assumed '{relative}', which is no other model", file)
        known = _merged(chain_of(places[0], head_only=False))
        for key in keys:
            value = value_of(known, key) if isinstance(key, str) else None
            if value is None:
                raise MachineModelError(f"assumed.{relative}: {relative} has no key '{key}'", file)
            if value_of(pipeline, key) is None:
                pipeline = put(pipeline, key, value)
                counting.setdefault(relative, []).append(key)
    return {**pipeline, "assumed": counting}


def read_head(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """The keys before the first table of pipeline.toml, inherited ones included. Reading on takes far longer.

    Raises:
        MachineModelError: as `read_pipeline`.
    """
    return _merged(chain_of(folder, head_only=True))


def chain_of(folder: str | os.PathLike[str], *, head_only: bool) -> Chain:
    """Raises MachineModelError as `read_pipeline`."""
    chain: Chain = []
    seen: list[str] = []
    place: str | None = os.fspath(folder)
    while place is not None:
        keys = _read(os.path.join(place, PIPELINE), head_only)
        chain.append((keys, place))
        seen.append(os.path.realpath(place))
        name = keys.get("pipeline_of")
        place = None if name is None else _other(name, "pipeline_of", place, seen)
    return chain


def form_tables(folder: str, seen: Sequence[str] = ()) -> list[str]:
    """The form tables of a model in order of precedence.

    Raises:
        MachineModelError: `forms` is not a list of names, `forms_of` names no model or leads in a circle.
    """
    keys = _read(os.path.join(folder, PIPELINE), head_only=True)
    tables = _tables_of(keys, folder)
    seen = [*seen, os.path.realpath(folder)]
    others = keys.get("forms_of", [])
    for name in others if isinstance(others, list) else [others]:
        tables += form_tables(_other(name, "forms_of", folder, seen), seen)
    return tables


def unwrapped(keys: Any, path: str = "") -> Any:
    """A tree of keys with the values alone where they carry evidence.

    Raises:
        EvidenceError: evidence that cannot be: another confidence, a source that is no text.
    """
    if isinstance(keys, dict):
        if is_evidenced(keys):
            _check_evidence(keys, path)
            return unwrapped(keys["value"], path)
        return {name: unwrapped(value, f"{path}.{name}" if path else name) for name, value in keys.items()}
    return [unwrapped(each, path) for each in keys] if isinstance(keys, list) else keys


class EvidenceError(ValueError):
    """Evidence of a value that cannot be. `key`: of the value."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def _check_evidence(value: Mapping[str, Any], key: str) -> None:
    confidence = value.get("confidence", CONFIDENCES[0])
    if confidence not in CONFIDENCES:
        from corecast.machine.toml_text import value_text

        names = ", ".join(CONFIDENCES)
        raise EvidenceError(key, f"{key}: the confidence must be one of {names}, not {value_text(confidence)}")
    if not isinstance(value.get("source", ""), str):
        raise EvidenceError(key, f"{key}: the source must be a text")


def is_evidenced(value: Any) -> bool:
    """Whether a value of pipeline.toml is a table of the value proper and where it comes from."""
    return isinstance(value, Mapping) and "value" in value and value.keys() <= {"value", *EVIDENCE}


def _other(name: Any, key: str, folder: str, seen: Sequence[str]) -> str:
    """The folder that `key` names, a path (one with a separator) or a model's name.

    A model may build on the one whose name it takes over: what was read already is passed over.
    """
    file = os.path.join(folder, PIPELINE)
    if not isinstance(name, str):
        raise MachineModelError(f"{key} must be the name or the folder of a model", file)
    if os.sep in name:
        place = normal(os.path.join(folder, name))
        if os.path.realpath(place) in seen:
            raise MachineModelError(f"{key} leads back to '{name}'", file)
        if not is_model(place):
            raise MachineModelError(f"{key} '{name}', where there is no model", file)
        return place
    places = _called(name, folder)
    for place in places:
        if os.path.realpath(place) not in seen:
            return place
    raise MachineModelError(f"{key} leads back to '{name}'" if places else f"{key} '{name}', an unknown model", file)


def _called(name: str, folder: str) -> list[str]:
    """Models of that name, the one beside a model first: a model of the package means that one, whatever the user calls
    so.
    """
    beside = os.path.join(os.path.dirname(folder), same_name(name))
    here = [beside] if is_model(beside) else []
    return [*here, *_named(name)] if not here or os.path.realpath(beside) == os.path.realpath(folder) else here


def _named(name: str) -> list[str]:
    """Models of that name, then those with that alias."""
    if named := list(folders_called(name)):
        return named
    wanted = same_name(name)
    found = []
    for folder in model_folders():
        keys = _read(os.path.join(folder, PIPELINE), head_only=True)  # names are never inherited
        aliases = keys.get("aliases")
        spellings = [keys.get("name"), *(aliases if isinstance(aliases, list) else ())]
        if wanted in {same_name(spelling) for spelling in spellings if isinstance(spelling, str)}:
            found.append(folder)
    return found


def _tables_of(keys: Mapping[str, Any], folder: str) -> list[str]:
    """The form tables that a model's own keys name. Raises MachineModelError where that is not a list of names."""
    forms = keys.get("forms", [])
    if not isinstance(forms, list) or not all(isinstance(name, str) for name in forms):
        raise MachineModelError("forms must be a list of file names", os.path.join(folder, PIPELINE))
    return [os.path.join(folder, "forms", name) for name in forms]


def _read(file: str, head_only: bool) -> dict[str, Any]:
    """The keys of one file, those of format 1 by their names of today, values without their evidence."""
    keys = raw_keys(file, head_only)
    if keys.get("format", 1) == 1:
        from corecast.machine.format_1 import TwoNamesError, as_format_2, head_as_format_2

        if head_only:
            return as_items(head_as_format_2(keys))
        try:
            return as_items(as_format_2(keys))
        except TwoNamesError as error:
            from corecast.machine.faults import located

            raise located(error.names[1], str(error), [os.path.dirname(file)]) from None
    if keys["format"] != FORMAT:
        raise MachineModelError(f"format {keys['format']} is not known to this version (it reads 1 and {FORMAT})", file)
    try:
        found: dict[str, Any] = as_items(unwrapped(keys))
    except EvidenceError as error:
        from corecast.machine.faults import located

        raise located(error.key, str(error), [os.path.dirname(file)]) from None
    return found


def raw_keys(file: str | os.PathLike[str], head_only: bool = False) -> dict[str, Any]:
    """The keys of one file as they stand there. Raises MachineModelError where it cannot be read."""
    text = read_text(file)
    if head_only:
        lines = text.splitlines(keepends=True)
        tables = (line.startswith("[") and not line.startswith(_IN_HEAD) for line in lines)
        first_table = next((number for number, is_table in enumerate(tables) if is_table), len(lines))
        text = "".join(lines[:first_table])
    return parse_toml(text, file)
