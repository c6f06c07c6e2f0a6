"""Exit codes: 0 done, and these."""

EXIT_SOME_FAILED = 1
"""Done, but some parts of the input have no answer: messages say which."""

EXIT_BAD_INPUT = 2
"""Or wrong usage."""
EXIT_FAULT = 70
"""Of corecast itself."""
EXIT_SIGNAL = 128
"""And the signal's number, where one ended the command."""
EXIT_INTERRUPTED = EXIT_SIGNAL + 2
EXIT_BROKEN_PIPE = 141
"""The reader of the output went away."""
