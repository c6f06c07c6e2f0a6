"""Command lines that are read without argparse mean what argparse says."""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import shlex

import pytest

from corecast.cli.parser import make_parser
from corecast.cli.plain import plain_arguments
from corecast.cli.verbs import VERBS

PLAIN = """
analyze a.s
analyze a.s b.s --cpu zen4 --cpu skylake_x
analyze --cpu zen4 a.s --set a.b=1 --set c.d=2 --vl 256
analyze --cpu=zen4 - --format json -o out.json
analyze --hex 4801c8 --method bounds --ecm --simulate
analyze a.s --timeline 3
analyze a.s --timeline
analyze a.s --summary --top 5 --columns +line --loop=all
predict blocks.csv --cpu zen4 -o out.csv --jobs 2 --bounds
cpus
lookup add --cpu zen4
explore a.s --cpu a64fx
"""
UNUSUAL = """
analyze a.s --cpu
analyze a.s --cpu zen4 --machine DIR
analyze a.s --vl 1 --vl 2
analyze a.s --vl many
analyze a.s --method none
analyze a.s --cpu zen4 b.s
analyze a.s --cp zen4
analyze -- a.s
analyze a.s --cpu=
analyze a.s --simulate=yes
analyze a.s -ofile
analyze a.s --lines -3
analyze --help
analyse a.s
predict
predict a.csv b.csv
machine check DIR
--version
"""


def lines(text: str) -> list[list[str]]:
    return [shlex.split(line) for line in text.strip().splitlines()]


def by_argparse(words: list[str]) -> dict[str, object] | None:
    """Its values; None where it ends the program."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            return vars(make_parser(words[0]).parse_args(words))
        except SystemExit:
            return None


@pytest.mark.parametrize("words", lines(PLAIN), ids=" ".join)
def test_a_plain_line_is_read_without_argparse(words: list[str]) -> None:
    found = plain_arguments(words)
    assert found is not None
    assert vars(found) == by_argparse(words)


@pytest.mark.parametrize("words", lines(UNUSUAL), ids=" ".join)
def test_what_is_wrong_or_rare_is_left_to_argparse(words: list[str]) -> None:
    assert plain_arguments(words) is None


def strings_of(verb: str) -> list[str]:
    """Names of the verb's options, with and without values, and words that may be values of them."""
    (verbs,) = [each for each in make_parser(verb)._actions if isinstance(each, argparse._SubParsersAction)]
    names = [name for action in verbs.choices[verb]._actions for name in action.option_strings]
    values = [str(each) for action in verbs.choices[verb]._actions for each in action.choices or ()]
    valued = [f"{name}={value}" for name in names if name.startswith("--") for value in ("1", "x", "")]
    return [*names, *valued, *values, "1", "2", "a.s", "b=c", "", "-", "--", "-1", "x y", "zen4"]


@pytest.mark.parametrize("verb", VERBS)
def test_random_lines_mean_what_argparse_says(verb: str) -> None:
    rng = random.Random(verb)
    strings = strings_of(verb)
    read = 0
    for _ in range(400):
        words = [verb, *rng.choices(strings, k=rng.randrange(5))]
        found = plain_arguments(words)
        if found is not None:
            read += 1
            assert vars(found) == by_argparse(words), words
    assert read > 0 or verb in ("machine", "measure", "import", "infer")
