"""`corecast` and `python -m corecast`: the command line; an interrupt while it is being imported tells no traceback."""

from __future__ import annotations

import gc
import os
import sys

from corecast.cli.exit_codes import EXIT_INTERRUPTED

_NEW_OBJECTS = 50_000
"""Between two collections of garbage. With the usual 700, start-up is a tenth collecting, and finds nothing."""


def main() -> int:
    """Runs a verb and returns the exit code, or ends the process with it."""
    gc.set_threshold(_NEW_OBJECTS)
    try:
        from corecast.cli.main import main as run
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    code = run()
    _leave(code)
    return code


def _leave(code: int) -> None:
    """Ends the process without taking modules and LLVM's tables apart, where nothing else waits for its end."""
    if {"threading", "profile"} & sys.modules.keys():
        return
    import atexit

    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # closed, or its reader is gone: the usual way tells it
        return
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
