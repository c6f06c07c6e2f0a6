"""What a command says beside its result, on standard error."""

from __future__ import annotations

import sys

from corecast.errors import CorecastError


def tell(text: str) -> None:
    print(f"corecast: {text}", file=sys.stderr)


def tell_error(message: str) -> None:
    """One line on stderr; text from files cannot steer the terminal."""
    line = "".join(c if c.isprintable() else " " for c in " ".join(message.split()))
    encoding = sys.stderr.encoding or "utf-8"
    line = line.encode(encoding, "backslashreplace").decode(encoding)
    print(f"corecast: error: {line}", file=sys.stderr)


def tell_errors(error: CorecastError) -> None:
    """A line for each fault of the error."""
    for each in getattr(error, "faults", ()) or (error,):
        tell_error(str(each))


def tell_step(name: str) -> None:
    """Names what is done next, on a terminal only."""
    if sys.stderr.isatty():
        tell(f"{name} ...")
