"""The manual page corecast(1), from the command line's own help: docs/corecast.1, which a wheel installs for `man`.

python tools/make_manual.py [--check]: writes the page; --check: the exit code is 1 where it is not what is there.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from corecast import __version__
from corecast.cli.parser import make_parser

PAGE = Path(__file__).resolve().parent.parent / "docs" / "corecast.1"
SEE_ALSO = "llvm-mca(1), perf(1). The pages of the documentation are in the folder docs of the sources."
EXIT_CODES = (
    ("0", "done"),
    ("1", "done, but some parts have no answer: messages say which"),
    ("2", "bad input or usage: one message"),
    ("70", "a fault of corecast itself, please report it"),
)


def escaped(text: str) -> str:
    """Text as roff has it: no line begins with a request, dashes stay dashes."""
    words = re.sub(r"\s+", " ", text).strip().replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{words}" if words.startswith((".", "'")) else words


def page() -> str:
    parser = make_parser()
    lines = [
        ".\\\" Made by tools/make_manual.py from the program's help.",
        f'.TH CORECAST 1 "" "corecast {__version__}" "User Commands"',
        ".SH NAME",
        "corecast \\- forecasts how many cycles a loop takes on a core, and why",
        ".SH SYNOPSIS",
        ".B corecast",
        "\\fIVERB\\fR [\\fIOPTION\\fR]... [\\fIFILE\\fR]...",
        ".SH DESCRIPTION",
        escaped(parser.description or ""),
        *verbs(parser, "corecast"),
        ".SH EXIT STATUS",
    ]
    for code, meaning in EXIT_CODES:
        lines += [".TP", f".B {code}", escaped(meaning)]
    lines += [".SH ENVIRONMENT"]
    for name, meaning in (
        ("NO_COLOR", "no colours in the terminal"),
        ("CORECAST_DEBUG", "1: a fault shows where it is"),
        ("XDG_CACHE_HOME", "where models made from LLVM's are kept"),
    ):
        lines += [".TP", f".B {name}", escaped(meaning)]
    return "\n".join([*lines, ".SH SEE ALSO", escaped(SEE_ALSO)]) + "\n"


def verbs(parser: argparse.ArgumentParser, name: str) -> Iterator[str]:
    """A section for each verb, and below it for each verb's verb."""
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            continue
        for word, below in action.choices.items():
            top = name == "corecast"
            yield f'.{"SH" if top else "SS"} "{name.upper() if top else name} {word.upper() if top else word}"'
            if below.description:
                yield escaped(below.description)
            yield from arguments(below)
            yield from verbs(below, f"{name} {word}")


def arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if action.help == argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction | argparse._HelpAction):
            continue
        value = "" if action.nargs == 0 else f"\\fI{escaped(value_of(action))}\\fR"
        names = ", ".join(f"\\fB{escaped(option)}\\fR" for option in action.option_strings)
        yield ".TP"
        yield " ".join(part for part in (names, value) if part)
        yield escaped((action.help or "") % {**vars(action), "prog": parser.prog}) or "\\&"


def value_of(action: argparse.Action) -> str:
    if action.metavar is not None:
        return action.metavar if isinstance(action.metavar, str) else " ".join(action.metavar)
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only compare")
    now = page()
    if parser.parse_args().check:
        return 0 if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == now else 1
    PAGE.write_text(now, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
