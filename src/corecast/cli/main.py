"""Dispatch to the verbs, and the one place that turns errors into messages and exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module

from corecast import __version__
from corecast.cli.exit_codes import EXIT_BAD_INPUT, EXIT_BROKEN_PIPE, EXIT_FAULT, EXIT_INTERRUPTED, EXIT_SIGNAL
from corecast.cli.messages import tell_error, tell_errors
from corecast.cli.output_check import check_outputs
from corecast.cli.signals import ending_signals
from corecast.errors import CorecastError, Terminated
from corecast.hints import Any, NoReturn

VERBS = {
    "analyze": "cycles per iteration of the loops in a file, with the reasons",
    "predict": "cycles of many encoded blocks, from a CSV file to another",
    "evaluate": "errors of predictors against measured blocks or kernels",
    "explore": "kernels on many variants of a core: vector lengths, units, buffers, latencies",
    "mix": "instructions by class: vectors, gathers, reductions, predicates",
    "vectorize": "which loops of a C file compilers vectorize, how, and the forecast speed-up",
    "cpus": "supported cores",
    "lookup": "show model data for an instruction form, on one core or several",
    "import": "import data from other tools into a machine model",
    "machine": "check, explain, compare, export and convert machine models",
    "measure": "time code on this machine",
    "infer": "a machine model from measurements",
    "calibrate": "a validated model of this machine, unattended",
    "collect": "the basic blocks that a program executes",
    "time": "cycles of basic blocks on this machine",
    "serve": "a local page: editor, several cores side by side, timeline, graph",
    "completion": "a script that makes a shell complete this command line",
}
"""Every verb and its line in the list of them."""
_MODULES = {"import": "import_", "time": "time_"}
"""Where the verb itself is not a name for a module."""
_OPTIONS = {"simulate": "corecast analyze --simulate"}
"""What is not a verb here, as people may think, but an option of one."""
_USUAL_COLUMNS = 80
_LISTING = ("-h", "--help", "--version")


class _StoreOnce(argparse._StoreAction):
    """Refuses an option that is given twice: the last one would win without a word."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        given: set[str] = namespace.__dict__.setdefault("given_options", set())
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


_SIMILARITY = 0.6
"""From which on a word may be meant."""


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
        self.print_usage(sys.stderr)
        tell_error(message)
        raise SystemExit(EXIT_BAD_INPUT)


def near_miss(word: str, known: Iterable[str]) -> str:
    """Behind a message about a word that nothing is called: the known one that is meant, "" where none is near."""
    import difflib

    near = difflib.get_close_matches(word, list(known), n=1, cutoff=_SIMILARITY)
    return f"; did you mean {near[0]}?" if near else ""


def make_parser(first: str | None = None) -> argparse.ArgumentParser:
    """The parser of the command line. `first`: its first word; a verb there is the only one that is imported."""
    parser = Parser(prog="corecast", description="Forecasts the in-core performance of assembly loops.")
    parser.add_argument("--version", action="version", version=f"corecast {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name in (first,) if first in VERBS else VERBS:
        if first in _LISTING:
            verbs.add_parser(name, help=VERBS[name])
        else:
            import_module(f"corecast.cli.{_MODULES.get(name, name)}").add_parser(verbs, VERBS[name])
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a verb and returns the exit code.

    Raises:
        SystemExit: from argparse, for usage errors, `--help` and `--version`.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded(lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    if not words:
        make_parser(_LISTING[0]).print_help()
        return EXIT_BAD_INPUT
    arguments = make_parser(words[0]).parse_args(words)
    check_outputs(arguments)
    code: int = arguments.run(arguments)
    return code


def guarded(run: Callable[[], int]) -> int:
    """What `run` returns; errors become messages and exit codes. SystemExit passes."""
    _replace_closed_streams()
    try:
        with ending_signals():
            code = run()
            sys.stdout.flush()
        return code
    except CorecastError as error:
        tell_errors(error)
        return EXIT_BAD_INPUT
    except BrokenPipeError:
        _drop_stdout()
        return EXIT_BROKEN_PIPE
    except OSError as error:
        _drop_stdout()
        place = f"{error.filename}: " if error.filename is not None else ""
        tell_error(f"{place}{error.strerror or error}")
        return EXIT_BAD_INPUT
    except Terminated as terminated:
        _drop_stdout()
        return EXIT_SIGNAL + terminated.number
    except KeyboardInterrupt:
        _drop_stdout()
        return EXIT_INTERRUPTED
    except Exception as error:
        if os.environ.get("CORECAST_DEBUG") == "1":
            import traceback

            traceback.print_exc()
        tell_error(
            f"this is a fault of corecast {__version__}, please report it with the input: "
            f"{type(error).__name__}: {error} (CORECAST_DEBUG=1 shows where)"
        )
        return EXIT_FAULT


def _replace_closed_streams() -> None:
    """Python has no stream for what the caller closed (`>&-`). What is read is empty then, and what is written fails as
    on any file that is open for reading only; messages have nowhere to go."""
    for name, read, kind in (("stdin", True, "r"), ("stdout", True, "w"), ("stderr", False, "w")):
        if getattr(sys, name) is None:
            place = os.open(os.devnull, os.O_RDONLY if read else os.O_WRONLY)
            setattr(sys, name, os.fdopen(place, kind, encoding="utf-8"))


def _drop_stdout() -> None:
    """What is still buffered for a reader that is gone (or a full disk) must not raise again at exit."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):
        pass


if __name__ == "__main__":
    sys.exit(main())
