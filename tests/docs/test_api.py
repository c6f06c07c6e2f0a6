"""The API reference: it lists every public name, and each of these says what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from docs.pages import ROOT

griffe = pytest.importorskip("griffe")

PACKAGES = ("corecast", "corecast.explore", "corecast.evaluate", "corecast.machine", "corecast.measure")
ENUMERATIONS = {"corecast.measure.rejection.Reason"}
"""Their values are sentences that say what they mean."""


@cache
def listed() -> tuple[str, ...]:
    """What the pages of the reference describe."""
    pages = sorted((ROOT / "docs" / "api").glob("*.md"))
    return tuple(
        name for page in pages for name in re.findall(r"^::: (\S+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    )


@cache
def package() -> Any:
    return griffe.load("corecast", search_paths=[ROOT / "src"])


def target(name: str) -> Any:
    """The object that a name stands for, where it is defined."""
    found = package()[name.removeprefix("corecast.")]
    return found.final_target if found.is_alias else found


def described(thing: Any) -> Iterator[Any]:
    """An object and its public members, as the reference shows them."""
    yield thing
    if thing.path in ENUMERATIONS or not (thing.is_class or thing.is_module):
        return
    for member in thing.members.values():
        if not member.is_alias and not member.name.startswith("_") and not member.is_module:
            yield from described(member)


def faults(thing: Any) -> Iterator[str]:
    inherited = thing.path.endswith("Errors.args")
    if not thing.has_docstring:
        if not inherited:
            yield f"{thing.path} has no docstring"
    elif thing.is_function:
        names = [each.name for each in thing.parameters if each.name not in ("self", "cls")]
        text = thing.docstring.value
        if len(names) > 1 and "Args:" not in text and not any(re.search(rf"\b{name}\b", text) for name in names):
            yield f"{thing.path} says nothing of {', '.join(names)}"


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_is_in_the_reference(name: str) -> None:
    public = set(import_module(name).__all__) - {"__version__"}
    described_as = {target(each).path for each in listed()}
    assert {each for each in public if target(f"{name}.{each}").path not in described_as} == set()


@pytest.mark.parametrize("name", listed())
def test_everything_in_the_reference_says_what_it_is(name: str) -> None:
    assert [fault for each in described(target(name)) for fault in faults(each)] == []


def test_a_missing_docstring_is_found() -> None:
    code = 'class A:\n    """A."""\n    x: int\n    def f(self, one: int, two: int) -> None:\n        """Do it."""\n'
    with griffe.temporary_visited_module(code, module_name="m") as module:
        found = [fault for each in described(module["A"]) for fault in faults(each)]
    assert found == ["m.A.x has no docstring", "m.A.f says nothing of one, two"]
