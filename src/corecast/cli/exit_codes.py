"""Exit codes: 0 done, 1 done with failures told, and these."""

EXIT_BAD_INPUT = 2
"""Or wrong usage."""
EXIT_FAULT = 70
"""Of corecast itself."""
EXIT_SIGNAL = 128
"""And the signal's number, where one ended the command."""
EXIT_INTERRUPTED = EXIT_SIGNAL + 2
EXIT_BROKEN_PIPE = 141
"""The reader of the output went away."""
