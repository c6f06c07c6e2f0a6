"""The parser of the command line: argparse's, with our words for errors."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence

from corecast import __version__
from corecast.cli.exit_codes import EXIT_BAD_INPUT
from corecast.cli.messages import tell_error
from corecast.cli.verbs import VERBS, add_verb
from corecast.errors import did_you_mean
from corecast.hints import Any, NoReturn

LISTING = ("-h", "--help", "--version")
"""First words that are answered without any verb."""
_OPTIONS = {"simulate": "corecast analyze --simulate", "help": "corecast --help"}
"""What is not a verb here, as people may think, but an option of one."""
_USUAL_COLUMNS = 80
_SIMILARITY = 0.6
"""From which on a word may be meant."""


_GIVEN = "given_options"
"""Where a namespace holds the options that were given, while they are read."""


class _StoreOnce(argparse._StoreAction):
    """Refuses an option that is given twice: the last one would win without a word."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        given: set[str] = namespace.__dict__.setdefault(_GIVEN, set())
        if self.option_strings and self.dest in given:
            raise argparse.ArgumentError(self, "is given twice")
        given.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


class _Formatter(argparse.HelpFormatter):
    """As wide as the terminal. argparse makes one for every option, and `shutil`, which it would ask, imports much."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """As `shutil.get_terminal_size`."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or _USUAL_COLUMNS  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):  # no such stream, or no terminal
        return _USUAL_COLUMNS


class Parser(argparse.ArgumentParser):
    """Reports usage errors in the same words as all others; options are never guessed from a part of their name, but
    similar ones are suggested."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter, **options, "allow_abbrev": False})
        self.register("action", None, _StoreOnce)
        self.register("action", "store", _StoreOnce)

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """As argparse's, except that options nobody knows are errors of the verb that they were given to."""
        words = list(sys.argv[1:] if args is None else args)
        parsed, unknown = self.parse_known_args(words, namespace)
        if unknown:
            parser = self._deepest(words)
            hints = "".join(dict.fromkeys(map(parser._option_hint, unknown)))
            parser.error(f"unrecognized arguments: {' '.join(unknown)}{hints}")
        if hasattr(parsed, _GIVEN):
            delattr(parsed, _GIVEN)
        return parsed

    def _deepest(self, words: Sequence[str]) -> Parser:
        """The parser of the verb, and of the verb's verb."""
        for word in words:
            verbs = self._verbs()
            if verbs is not None and word in verbs.choices:
                found: Parser = verbs.choices[word]
                return found._deepest(words[words.index(word) + 1 :])
        return self

    def _verbs(self) -> argparse._SubParsersAction[Parser] | None:
        return next((each for each in self._actions if isinstance(each, argparse._SubParsersAction)), None)

    def _option_hint(self, word: str) -> str:
        name = word.split("=", 1)[0]
        return near_miss(name, self._option_string_actions) if name.startswith("--") else ""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            noun = str(action.metavar).lower()
            hint = f"; use {_OPTIONS[value]}" if value in _OPTIONS else near_miss(value, action.choices)
            raise argparse.ArgumentError(
                None, f"no {noun} is called '{value}'{hint or '; there are ' + ', '.join(action.choices)}"
            )
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        # Not the usage: that of `analyze` is 14 lines, in which the message goes under.
        tell_error(message if "; " in message else f"{message} (see `{self.prog} --help`)")
        raise SystemExit(EXIT_BAD_INPUT)


def near_miss(word: str, known: Iterable[str]) -> str:
    """Behind a message about a word that nothing is called: the known one that is meant, "" where none is near."""
    import difflib

    near = difflib.get_close_matches(word, list(known), n=1, cutoff=_SIMILARITY)
    return did_you_mean(near)


def make_parser(first: str | None = None) -> argparse.ArgumentParser:
    """The parser of the command line. `first`: its first word; a verb there is the only one that is imported."""
    parser = Parser(prog="corecast", description="Forecasts the in-core performance of assembly loops.")
    parser.add_argument("--version", action="version", version=f"corecast {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name in (first,) if first in VERBS else VERBS:
        if first in LISTING:
            verbs.add_parser(name, help=VERBS[name])
        else:
            add_verb(verbs, name)
    return parser
