"""Command lines as most are, read without argparse, which takes as long to import as a loop takes to analyze.

The verbs declare their options to a parser of argparse's interface, either this one or argparse's own. This one reads
whole names of options and their values and knows no message: whatever is wrong, rare or ambiguous it leaves to
argparse, whose answer is the same wherever both have one.
"""

from __future__ import annotations

from corecast.cli.verbs import VERBS, add_verb
from corecast.hints import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    import argparse

    Arguments = argparse.Namespace
else:

    class Arguments:
        """As argparse.Namespace."""

        def __init__(self, **values):
            self.__dict__.update(values)


_STORING = ("store", "append")
_KNOWN = ("action", "choices", "const", "default", "dest", "help", "metavar", "nargs", "required", "type")


def plain_arguments(words: Sequence[str]) -> Arguments | None:
    """What argparse makes of the words; None where argparse has to look at them itself."""
    if not words or words[0] not in VERBS:
        return None
    verbs = _Verbs()
    try:
        add_verb(verbs, words[0])
        return Arguments(verb=words[0], **verbs.parsers[words[0]].parse(words[1:]))
    except _UnusualError:
        return None


class _UnusualError(Exception):
    """Something that argparse has to look at."""


class _Argument:
    """An option, or an argument by its place."""

    def __init__(self, names: tuple[str, ...], exclusive: object, given: dict[str, Any]) -> None:
        if not given.keys() <= set(_KNOWN):
            raise _UnusualError
        long = [name for name in names if name.startswith("--")]
        self.is_option = names[0].startswith("-")
        self.dest: str = given.get("dest") or ((long or names)[0].lstrip("-").replace("-", "_"))
        self.action: str = given.get("action", "store")
        self.default = given.get("default", False if self.action == "store_true" else None)
        self.exclusive = exclusive
        self.nargs = given.get("nargs")
        self.const = given.get("const")
        self.required: bool = given.get("required", False)
        self.choices = given.get("choices")
        self.type = given.get("type")
        if isinstance(self.default, str) and self.type is not None:  # argparse converts it
            raise _UnusualError

    def value_of(self, word: str) -> Any:
        try:
            value = word if self.type is None else self.type(word)
        except Exception as error:  # argparse reports some, and lets others pass
            raise _UnusualError from error
        if self.choices is not None and value not in self.choices:
            raise _UnusualError
        return value


class _Parser:
    """What the verbs use of argparse's parsers, and of its groups of options."""

    def __init__(self) -> None:
        self._options: dict[str, _Argument] = {}
        self._arguments: list[_Argument] = []
        self._by_place: list[_Argument] = []
        self._defaults: dict[str, Any] = {}

    def add_argument(self, *names: str, **given: Any) -> None:
        self._add(names, None, given)

    def add_argument_group(self, *_: str) -> _Parser:
        return self

    def add_mutually_exclusive_group(self) -> _ExclusiveGroup:
        return _ExclusiveGroup(self)

    def set_defaults(self, **values: Any) -> None:
        self._defaults.update(values)

    def __getattr__(self, name: str) -> Any:
        raise _UnusualError

    def _add(self, names: tuple[str, ...], exclusive: object, given: dict[str, Any]) -> None:
        argument = _Argument(names, exclusive, given)
        self._arguments.append(argument)
        if argument.is_option:
            self._options.update(dict.fromkeys(names, argument))
        else:
            self._by_place.append(argument)

    def parse(self, words: Sequence[str]) -> dict[str, Any]:
        """Values of all arguments by their destination. Raises _UnusualError."""
        values: dict[str, Any] = {}
        for argument in self._arguments:
            values.setdefault(argument.dest, argument.default)
        values.update(self._defaults)
        given: list[_Argument] = []
        places: list[int] = []
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if not word.startswith("-") or word == "-":
                places.append(at - 1)
                continue
            name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
            option = self._options.get(name)
            if option is None or (equals and not value):
                raise _UnusualError
            given.append(option)
            if equals and option.action in _STORING and option.nargs is None:
                _store(option, values, value)
            elif equals:
                raise _UnusualError
            else:
                at += _take(option, values, words[at : at + 1])
        if places and places[-1] - places[0] != len(places) - 1:
            raise _UnusualError
        _place(self._by_place, values, [words[place] for place in places])
        _check(self._arguments, [*given, *self._by_place] if places else given)
        return values


class _ExclusiveGroup:
    """Options of which one may be given."""

    def __init__(self, parser: _Parser) -> None:
        self._parser = parser

    def add_argument(self, *names: str, **given: Any) -> None:
        self._parser._add(names, self, given)

    def __getattr__(self, name: str) -> Any:
        raise _UnusualError


class _Verbs:
    """As what argparse's add_subparsers() returns."""

    def __init__(self) -> None:
        self.parsers: dict[str, _Parser] = {}

    def add_parser(self, name: str, **_: str) -> _Parser:
        return self.parsers.setdefault(name, _Parser())


def _store(option: _Argument, values: dict[str, Any], word: str) -> None:
    value = option.value_of(word)
    values[option.dest] = [*(values[option.dest] or ()), value] if option.action == "append" else value


def _take(option: _Argument, values: dict[str, Any], following: Sequence[str]) -> int:
    """Takes the option's value from the word that follows, if there is one; returns how many were taken."""
    if option.action == "store_true":
        values[option.dest] = True
        return 0
    there = bool(following) and (not following[0].startswith("-") or following[0] == "-")
    if option.action not in _STORING or option.nargs not in (None, "?") or not (there or option.nargs == "?"):
        raise _UnusualError
    if there:
        _store(option, values, following[0])
    elif option.action == "store" and option.choices is None:
        values[option.dest] = option.const
    else:
        raise _UnusualError
    return int(there)


def _place(arguments: Sequence[_Argument], values: dict[str, Any], words: Sequence[str]) -> None:
    """Gives the words that belong to no option to the arguments by their place."""
    single = all(argument.nargs is None for argument in arguments)
    if single and len(words) == len(arguments):
        for argument, word in zip(arguments, words, strict=True):
            values[argument.dest] = argument.value_of(word)
        return
    if len(arguments) != 1:
        raise _UnusualError
    (argument,) = arguments
    if argument.nargs == "?" and len(words) <= 1 and argument.choices is None:
        values[argument.dest] = argument.value_of(words[0]) if words else argument.default
    elif (argument.nargs == "*" and argument.default is None) or (argument.nargs == "+" and words):
        values[argument.dest] = [argument.value_of(word) for word in words]
    else:
        raise _UnusualError


def _check(arguments: Sequence[_Argument], given: Sequence[_Argument]) -> None:
    """Raises _UnusualError where an option is missing, or an argument is given twice or beside one that it excludes."""
    groups = {argument: argument.exclusive for argument in given if argument.exclusive is not None}
    twice = any(argument.action == "store" and given.count(argument) > 1 for argument in given)
    missing = any(argument.required and argument not in given for argument in arguments if argument.is_option)
    if twice or missing or len(set(groups.values())) < len(groups):
        raise _UnusualError
