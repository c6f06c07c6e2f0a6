"""The reference pages name everything that the program reads or writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import corecast
from corecast.machine.parameters import parameters
from docs import pages


def page(name: str) -> str:
    return (pages.ROOT / "docs" / name).read_text(encoding="utf-8")


def code_words(text: str) -> set[str]:
    """The words that stand in backquotes outside of blocks."""
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", text))))


def test_every_key_of_pipeline_toml_is_explained() -> None:
    listed = re.findall(r"^\| `([^`]+)` \|", page("parameters.md"), re.M)
    assert listed == sorted(parameters(), key=listed.index), "run tools/generate_parameters.py"


def test_every_column_of_form_tables_is_explained() -> None:
    header = next(
        line
        for line in (pages.ROOT / "examples/my_core/forms/measured.tsv").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    )
    assert header.split("\t") == re.findall(r"^\| `(\w+)` \|", page("add-a-cpu.md").split("## forms/*.tsv")[1], re.M)


DATA = {"port_pressure", "port_pressure_uniform", "components", "port_uops", "stalls", "counters"}
"""Fields whose keys are names of a core's parts, or explained in another page."""


def names(document: Any) -> Iterator[str]:
    """Every field name of a document, but those that are ports, parts of the front end, causes or counters."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield key
            if key not in DATA:
                yield from names(value)
    elif isinstance(document, list):
        for value in document:
            yield from names(value)


def test_every_field_of_the_json_document_is_explained() -> None:
    written = set(names(corecast.analyze("4801c3480fafd8", "skylake_x").to_dict()))
    assert "loop_carried_cycles" in written
    assert written - code_words(page("json.md")) == set()


def test_every_option_of_the_command_line_stands_in_some_page() -> None:
    from corecast.cli.parser import make_parser

    verbs = make_parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
    written = "\n".join((pages.ROOT / name).read_text(encoding="utf-8") for name in pages.pages())
    missing = [
        option
        for verb in verbs.values()  # type: ignore[union-attr]
        for action in verb._actions
        for option in action.option_strings
        if option.startswith("--") and option not in ("--help", "--simulate") and option not in written
    ]
    assert missing == []
