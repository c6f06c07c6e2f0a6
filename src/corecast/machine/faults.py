"""What is wrong with a model's pipeline.toml: each fault with the file and the line of its key."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from corecast.errors import MachineModelError, MachineModelErrors, did_you_mean
from corecast.hints import Any
from corecast.machine.search import PIPELINE
from corecast.machine.toml_files import read_text
from corecast.pattern import lazy_pattern

_HEADER = lazy_pattern(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?")
_KEY = lazy_pattern(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=(.*)""")
_PART = lazy_pattern(r"""[\w-]+|"[^"]*"|'[^']*'""")
_RULE = lazy_pattern(r"(?m)^\s*\[\[\s*rules\s*\]\]")
_RULE_KEY = lazy_pattern(r"rules\.(\d+)(.*)")
_FORMAT_2 = lazy_pattern(r"(?m)^format\s*=\s*2\b")
_STRING = lazy_pattern(r"""\"\"\".*?\"\"\"|'''.*?'''|"(?:\\.|[^"\\])*"|'[^']*'|#.*""")


def raise_faults(pipeline: dict[str, Any], folders: Sequence[str]) -> None:
    """Raises what is wrong with a pipeline that was read from these folders: a model's, then those that it extends.

    Raises:
        MachineModelError: one fault, with its place.
        MachineModelErrors: several.
    """
    from corecast import _core

    found = [each for fault in _core.pipeline_faults(pipeline) for each in _each_key(fault, pipeline)]
    faults = [located(key, message + _suggestion(key, message), folders) for key, message in found]
    faults.sort(key=lambda fault: (str(fault.file), fault.line or 0))
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise MachineModelErrors.of(faults)


def _each_key(fault: tuple[str, str], pipeline: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The fault, or one for each key of a table that only format 1 had."""
    from corecast.machine.format_1 import TABLES

    key, _ = fault
    table = pipeline.get(key)
    if key not in TABLES or not isinstance(table, Mapping):
        yield fault
        return
    for name in table:
        yield f"{key}.{name}", f"{key}.{name} is not a key of pipeline.toml"


def raise_located(error: MachineModelError, folders: Sequence[str]) -> None:
    """Raises an error whose message begins with a key with the line of that key."""
    key = re.split(r":? ", error.message, maxsplit=1)[0]
    raise located(key, error.message, folders) from None


def located(key: str, message: str, folders: Sequence[str]) -> MachineModelError:
    """The error of a key at its place in the first of the models that has it."""
    for folder in folders:
        file = os.path.join(folder, PIPELINE)
        text = read_text(file)
        own = _RULE.findall(text)
        place = _RULE_KEY.match(key)
        if place is not None and int(place[1]) >= len(own):  # a rule that is inherited: counted on from the model's own
            key = f"rules.{int(place[1]) - len(own)}{place[2]}"
            continue
        line = next((line for name in _names_in(text, key) if (line := line_of(text, name)) is not None), None)
        if line is not None:
            return MachineModelError(message, file, line)
    return MachineModelError(message, os.path.join(folders[0], PIPELINE))


def _names_in(text: str, key: str) -> Iterator[str]:
    """What a file may call a parameter: those of format 1 have other names, too."""
    yield key
    if not _FORMAT_2.search(text):
        from corecast.machine.parameters import format_1_names

        yield from (older for older, newer in format_1_names().items() if newer.lstrip("!") == key)


def line_of(text: str, key: str) -> int | None:
    """The line, from 1, on which a TOML text sets a key that is written with dots, or the table that it lies in.

    An item of a list is `pairs.0.first`. None where nothing of the key but its outermost table is there.
    """
    wanted = key.split(".")
    best: tuple[int, int] | None = None
    for path, line in keys_with_lines(text):
        names = ".".join(path).split(".")  # quoted names may have dots, as in key
        same = next((at for at, (a, b) in enumerate(zip(names, wanted)) if a != b), min(len(names), len(wanted)))  # noqa: B905
        if same == len(names) and (best is None or same > best[0]) and (same > 1 or len(wanted) == 1):
            best = (same, line)
    return None if best is None else best[1]


def keys_with_lines(text: str) -> Iterator[tuple[list[str], int]]:
    """The path of every key and every table with its line."""
    table: list[str] = []
    counts: dict[str, int] = {}
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        bare = _bare(line)
        header = _HEADER.match(line) if depth == 0 and bare.lstrip().startswith("[") else None
        if header is not None:
            table = _parts(header[1])
            if bare.lstrip().startswith("[["):
                name = ".".join(table)
                counts[name] = counts.get(name, -1) + 1
                table = [*table, str(counts[name])]
            elif table[0] in counts:  # a table of the list's last item: [rules.producer]
                table = [table[0], str(counts[table[0]]), *table[1:]]
            yield table, number
            continue
        found = _KEY.match(line) if depth == 0 else None
        if found is not None:
            yield [*table, *_parts(found[1])], number
        depth += open_brackets(line)


def open_brackets(line: str) -> int:
    """How many brackets of lists and tables a line opens and leaves open; less than none where it closes more."""
    bare = _bare(line)
    return sum(bare.count(each) for each in "[{") - sum(bare.count(each) for each in "]}")


def _bare(line: str) -> str:
    """Without what strings hold, and without a comment."""
    return _STRING.sub(lambda found: "" if found[0].startswith("#") else '""', line)


def _parts(text: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(text)]


def _suggestion(key: str, message: str) -> str:
    """The keys of the same table that are spelled nearly alike, where nothing reads this one."""
    if not message.startswith(f"{key} is not a key"):
        return ""
    import difflib

    from corecast.machine.parameters import format_1_names, parameters

    known = [*(each.key for each in parameters().values() if not each.is_pattern), *format_1_names()]
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.75)
    return did_you_mean(near) or "; facts that nothing reads belong into [notes]"
