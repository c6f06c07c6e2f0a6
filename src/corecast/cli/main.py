"""Dispatch to the verbs, and the one place that turns errors into messages and exit codes."""

from __future__ import annotations

import os
import sys

from corecast import __version__
from corecast.cli.exit_codes import EXIT_BAD_INPUT, EXIT_BROKEN_PIPE, EXIT_FAULT, EXIT_INTERRUPTED, EXIT_SIGNAL
from corecast.cli.messages import tell_error, tell_errors
from corecast.cli.output_check import check_outputs
from corecast.cli.plain import plain_arguments
from corecast.cli.signals import EndingSignals
from corecast.errors import CorecastError, Terminated
from corecast.hints import TYPE_CHECKING, Callable, Sequence

if TYPE_CHECKING:
    import argparse


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a verb and returns the exit code.

    Raises:
        SystemExit: from argparse, for usage errors, `--help` and `--version`.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded(lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    arguments = plain_arguments(words) or _unusual_arguments(words)
    if arguments is None:
        return EXIT_BAD_INPUT
    check_outputs(arguments)
    code: int = arguments.run(arguments)
    return code


def _unusual_arguments(words: Sequence[str]) -> argparse.Namespace | None:
    """What argparse reads; None where there are no words, and the verbs were listed."""
    from corecast.cli.parser import LISTING, make_parser

    if not words:
        make_parser(LISTING[0]).print_help()
        return None
    arguments: argparse.Namespace = make_parser(words[0]).parse_args(words)
    return arguments


def guarded(run: Callable[[], int]) -> int:
    """What `run` returns; errors become messages and exit codes. SystemExit passes."""
    _replace_closed_streams()
    try:
        with EndingSignals():
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
