"""`corecast` and `python -m corecast`: the command line; an interrupt while it is being imported tells no traceback."""

from __future__ import annotations

import sys

from corecast.cli.exit_codes import EXIT_INTERRUPTED


def main() -> int:
    """Runs a verb and returns the exit code."""
    try:
        from corecast.cli.main import main as run
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return run()


if __name__ == "__main__":
    sys.exit(main())
