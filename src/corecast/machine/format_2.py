"""pipeline.toml of format 1 written anew in format 2: the same model, its comments kept beside what they are about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from corecast.errors import MachineModelError
from corecast.hints import Any
from corecast.machine.faults import keys_with_lines, open_brackets
from corecast.machine.format_1 import TwoNamesError, as_format_2, current_key
from corecast.machine.inherit import FORMAT
from corecast.machine.parameters import parameters
from corecast.machine.search import PIPELINE
from corecast.machine.toml_files import parse_toml, read_text
from corecast.machine.toml_text import WIDTH, assignment, key_text, value_text
from corecast.machine.trees import EVIDENCE
from corecast.pattern import lazy_pattern

_BECAME_RULES: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "fusion.nops": lambda rule: rule["effect"] == "absorb",
    "fusion.pairs": lambda rule: rule["effect"] == "fuse",
    "rename.slow_flags": lambda rule: rule.get("through") == "flags",
    "rename.late_constants": lambda rule: "added_by_renaming" in rule.get("producer", {}),
    "memory.memory_mirroring": lambda rule: rule["effect"] == "rename_memory",
}
"""Keys of format 1, by how they begin -> the rules that they became."""
_COMMENT = lazy_pattern(r"""^((?:[^#"']|"(?:\\.|[^"\\])*"|'[^']*')*)(#.*)$""")


def converted(folder: Path) -> str:
    """The text of a model's pipeline.toml in format 2.

    Raises:
        MachineModelError: the file cannot be read, is of format 2 already, or of none that is known.
    """
    file = folder / PIPELINE
    text = read_text(file)
    keys = parse_toml(text, file)
    version = keys.get("format", 1)
    if version != 1:
        what = f"is of format {FORMAT} already" if version == FORMAT else f"is of format {version}, which is not known"
        raise MachineModelError(what, str(file))
    try:
        current = as_format_2(keys)
    except TwoNamesError as error:
        raise MachineModelError(str(error), str(file)) from None
    comments = _Comments(text, current.get("rules", []))
    return _Writer(comments).text(current)


class _Comments:
    """Comments of the old text by the key of format 2 that they stand before, `rules.N` for a rule."""

    def __init__(self, text: str, rules: list[Mapping[str, Any]]) -> None:
        self._rules = rules
        self.head: list[str] = []
        self._before: dict[str, list[str]] = {}
        lines = text.splitlines()
        places = {line: self._current(".".join(path)) for path, line in keys_with_lines(text)}
        pending: list[str] = []
        last = ""
        depth = 0
        for number, line in enumerate(lines, 1):
            found = _COMMENT.match(line)
            here = places.get(number)
            if here is not None:
                self._add(here, pending)
                pending, last = [], here
            inside, depth = depth > 0, depth + open_brackets(line)
            if found is None:
                if not line.strip() and pending and not last:  # what stands first, apart from the first key
                    self.head += [*pending, ""]
                    pending = []
                continue
            if last and (inside or found[1].strip()):
                self._add(last, [found[2]])  # behind a value or within a list
            else:
                pending.append(found[2])
        self.tail = pending
        if (
            "format" not in places.values() and lines
        ):  # it will come first: what stood before the first key is of the file
            first = min(places, default=0)
            self.head += self._before.pop(places.get(first, ""), [])

    def _current(self, key: str) -> str:
        for start, became in _BECAME_RULES.items():
            if key.startswith(start):
                place = next((place for place, rule in enumerate(self._rules) if became(rule)), None)
                return "rules" if place is None else f"rules.{place}"
        return current_key(key).lstrip("!")

    def _add(self, key: str, comments: Iterable[str]) -> None:
        self._before.setdefault(key, []).extend(comments)

    def take(self, key: str) -> list[str]:
        """Those before a key; each is handed out once."""
        return self._before.pop(key, [])

    def rest(self) -> list[str]:
        """What stood before keys that are gone, and at the end."""
        return [*(line for lines in self._before.values() for line in lines), *self.tail]


class _Writer:
    def __init__(self, comments: _Comments) -> None:
        self._comments = comments
        self._lines: list[str] = []
        heads = (re.split(r"[.\[]", key)[0] for key in parameters())
        self._order = {name: place for place, name in enumerate(dict.fromkeys(heads))}

    def text(self, keys: Mapping[str, Any]) -> str:
        self._lines += self._comments.head
        names = sorted(keys, key=lambda name: self._order.get(name, len(self._order)))
        tables = [name for name in names if _is_table(keys[name])]
        for name in names:
            if name not in tables:
                self._value(name, name, keys[name])
        for name in [*(each for each in tables if each != "notes"), *(each for each in tables if each == "notes")]:
            if isinstance(keys[name], list):
                for place, item in enumerate(keys[name]):
                    self._item(name, place, item)
            else:
                self._table(name, keys[name])
        rest = self._comments.rest()
        self._lines += ["", *rest] if rest else []
        return "\n".join(self._lines).lstrip("\n") + "\n"

    def _value(self, path: str, name: str, value: Any) -> None:
        self._lines += self._comments.take(path)
        self._lines.append(assignment(name, value))

    def _table(self, path: str, table: Mapping[str, Any]) -> None:
        inner = {name: value for name, value in table.items() if _is_inner_table(path, value)}
        own = {name: value for name, value in table.items() if name not in inner}
        if own or not inner:
            self._lines += ["", *self._comments.take(path), f"[{'.'.join(map(key_text, path.split('.')))}]"]
            for name in _in_order(path, own):
                self._value(f"{path}.{name}", name, own[name])
        for name, value in inner.items():
            self._table(f"{path}.{name}", value)

    def _item(self, name: str, place: int, item: Mapping[str, Any]) -> None:
        path = f"{name}.{place}"
        comments = [*(self._comments.take(name) if place == 0 else []), *self._comments.take(path)]
        self._lines += ["", *comments, f"[[{name}]]"]
        long = {}
        for key, value in item.items():
            if isinstance(value, Mapping) and len(f"{key} = {value_text(value)}") > WIDTH:
                long[key] = value
            else:
                self._value(f"{path}.{key}", key, value)
        for key, value in long.items():
            self._lines.append(f"[{name}.{key}]")
            for inner, each in value.items():
                self._value(f"{path}.{key}.{inner}", inner, each)


def _is_table(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, Mapping) for each in value)
    return isinstance(value, Mapping)


def _is_inner_table(path: str, value: Any) -> bool:
    """Tables get separate headings, but for those of figures that belong together, such as memory.levels."""
    return isinstance(value, Mapping) and (path in ("ports", "units", "changes") or path.startswith("notes"))


def _in_order(path: str, table: Mapping[str, Any]) -> Iterator[str]:
    known = [key for key in parameters() if key.startswith(f"{path}.")]
    places = {key.removeprefix(f"{path}."): place for place, key in enumerate(known)}
    last = {name: len(places) + 1 for name in EVIDENCE}
    return iter(sorted(table, key=lambda name: last.get(name, places.get(name, len(places)))))
