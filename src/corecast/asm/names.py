"""Names of functions: what a user types against what compilers write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from corecast.dataclass import dataclass
from corecast.errors import MarkerError
from corecast.pattern import lazy_pattern

MAX_SHOWN_NAMES = 6
LONG_NAME = 100
"""Characters above which a heading leaves out a function's parameters."""

_MANGLED = ("_Z", "__Z", "_R", "__R", "?")
_NEEDLESS_BLANK = lazy_pattern(r"(?<!\w) | (?!\w)")
_WORD = lazy_pattern(r"\w+")
_LEADING_CONST = lazy_pattern(r"(?<![\w:>*&])const ([\w:]+(?:<[^<>]*>)?(?: (?:int|long|char|short|double))*)")
_OPERATOR = lazy_pattern(r"\boperator\b\s*(?:\(\)|\[\]|<=>|<<=?|>>=?|->\*?|[<>]=?|[^\s\w(<]+)?")
_CLONE = lazy_pattern(r"(?: \(\.[\w.$]+\))+$")
_HARD_BLANK = "\xa0"
"""Stands for the blank in names such as `operator new`, which does not end a return type."""
_QUALIFIER = lazy_pattern(r"(?:\s*(?:const|volatile|noexcept|&&?))$")


@dataclass(frozen=True)
class FunctionName:
    """A demangled name in the spellings that people use, without the blanks that the language does not need."""

    full: str
    """As the demangler writes it: `void num::axpy<double>(double const*)`."""
    signature: str
    """Without the return type."""
    unqualified: str
    """The signature without the qualifiers behind the parameters."""
    name: str
    """`num::axpy<double>`"""
    plain: str
    """`num::axpy`"""


@lru_cache(maxsize=65536)
def readable_name(symbol: str) -> str:
    """The name of a C++ or Rust symbol as its source spells it; any other symbol as it is."""
    if not symbol.startswith(_MANGLED):
        return symbol
    from corecast import _core

    return _core.demangle(symbol) or symbol


def heading_name(symbol: str) -> str:
    """The readable name without a return type; a long one without parameters, then without template arguments."""
    readable = readable_name(symbol)
    if readable == symbol:
        return symbol
    parts = _parts(readable)
    clone = _CLONE.search(readable)
    name = next((name for name in (parts.signature, parts.name) if len(name) <= LONG_NAME), parts.plain)
    return (name or readable) + (clone[0] if clone is not None else "")


@lru_cache(maxsize=65536)
def function_name(symbol: str) -> FunctionName:
    """The spellings of a symbol; all are the symbol itself where it is not mangled."""
    readable = readable_name(symbol)
    return FunctionName(*[symbol] * 5) if readable == symbol else _parts(_canonical(readable))


def choose_functions(names: Sequence[str], wanted: str, file: str) -> list[int]:
    """Positions of the functions that `wanted` means.

    It may be a symbol; a demangled name with or without parameters, template arguments and enclosing scopes; the one
    name that begins with it; or the one that contains it (Fortran's `name_`, `__module_MOD_name`). A name without
    parameters means all overloads, one without template arguments all instances.

    Raises:
        MarkerError: no function fits, or different ones do.
    """
    fits = [i for i, name in enumerate(names) if name == wanted]
    if fits:
        return fits
    typed = _canonical(wanted)
    # Taking names apart is slow: only those are that contain the longest word typed.
    word = max(_WORD.findall(typed), key=len, default=typed)
    parts = {i: function_name(name) for i, name in enumerate(names) if word in readable_name(name)}
    for spelling in ("full", "signature", "unqualified", "name", "plain"):
        if fits := [i for i, part in parts.items() if getattr(part, spelling) == typed]:
            return fits
    within = "::" + typed
    for spelling in ("signature", "unqualified", "name", "plain"):
        if fits := [i for i, part in parts.items() if getattr(part, spelling).endswith(within)]:
            return _alike(fits, names, wanted, file)
    for fits in (
        [i for i, part in parts.items() if names[i].startswith(wanted) or part.signature.startswith(typed)],
        [i for i, part in parts.items() if wanted in names[i] or typed in part.signature],
    ):
        if fits:
            return _alike(fits, names, wanted, file)
    found = _by_closeness(names, typed)
    raise MarkerError(f"no function '{wanted}'" + (f"; found: {_some(found)}" if found else ""), file)


def _alike(fits: list[int], names: Sequence[str], wanted: str, file: str) -> list[int]:
    """The candidates, where they are one function or its overloads, instances and clones."""
    if len({function_name(names[i]).plain for i in fits}) > 1:
        shown = list(dict.fromkeys(readable_name(names[i]) for i in fits))
        raise MarkerError(f"several functions fit '{wanted}': {_some(shown)}", file)
    return fits


def _by_closeness(names: Sequence[str], typed: str) -> list[str]:
    """Readable names, the one that shares most pairs of characters with `typed` first."""

    def pairs(text: str) -> set[str]:
        text = f" {text.lower()} "
        return {text[i : i + 2] for i in range(len(text) - 1)}

    target = pairs(typed)

    def distance(text: str) -> float:
        own = pairs(text)
        return -2 * len(own & target) / (len(own) + len(target))

    readable = dict.fromkeys(readable_name(name) for name in names if name)
    return sorted(readable, key=lambda name: min(distance(name), distance(name.partition("(")[0])))


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:MAX_SHOWN_NAMES]) + (", ..." if len(names) > MAX_SHOWN_NAMES else "")


def _canonical(text: str) -> str:
    """Blanks only between words, `const` behind what it qualifies."""
    text = " ".join(text.split())
    text = _LEADING_CONST.sub(r"\1 const", text)
    return _NEEDLESS_BLANK.sub("", text)


def _parts(readable: str) -> FunctionName:
    full = _CLONE.sub("", readable)
    head, unqualified = full, full
    while (shorter := _QUALIFIER.sub("", unqualified)) != unqualified:
        unqualified = shorter
    if unqualified.endswith(")"):
        head = unqualified[: _opening(unqualified)]
    else:
        unqualified = full
    start = _name_start(head)
    name = head[start:]
    return FunctionName(full, full[start:], unqualified[start:], name, _without_arguments(name))


def _opening(text: str) -> int:
    """Position of the parenthesis that the last character closes."""
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        depth += (text[position] == ")") - (text[position] == "(")
        if depth == 0:
            return position
    return len(text)


def _name_start(head: str) -> int:
    """Where the name begins behind a return type: after the last blank outside brackets."""
    start = 0
    for position, character, depth in _depths(head):
        if character == " " and depth == 0:
            start = position + 1
    return start


def _without_arguments(name: str) -> str:
    """`a::f` for `a<int>::f<b<c>>`; a Rust `<T as Trait>::f` becomes `f`."""
    kept = "".join(character for _, character, depth in _depths(name) if depth == 0)
    return kept.removeprefix("::").replace(_HARD_BLANK, " ")


def _depths(text: str) -> Iterator[tuple[int, str, int]]:
    """(position, character, depth in brackets) up to, and with the whole of, a name of an operator.

    A bracket counts as inside of itself.
    """
    depth = 0
    position = 0
    while position < len(text):
        operator = _OPERATOR.match(text, position) if text[position] == "o" else None
        if operator is not None and depth == 0:
            for place in range(position, operator.end()):
                yield place, text[place].replace(" ", _HARD_BLANK), 0
            position = operator.end()
            continue
        character = text[position]
        if character in "<({[":
            depth += 1
        closes = character in ")}]" or (character == ">" and text[position - 1 : position] != "-")
        yield position, character, depth
        depth = max(0, depth - 1) if closes else depth
        position += 1
