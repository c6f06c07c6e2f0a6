"""`--columns`: which columns a table of the text report has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corecast.errors import InputError

HELP = "help"
_TEXT = ("marks", "text", "cause", "remedy")
"""Added columns come before these, which end a row."""


def choose_columns(
    text: str, known: Iterable[str], usual: Sequence[str], aliases: Mapping[str, str]
) -> tuple[str, ...]:
    """The columns that an option's value names, in its order.

    Args:
        text: names with commas between; after a "+" those that are added to the usual ones; or "all".
        known: the names there are.
        usual: the columns without the option.
        aliases: other names for some of them.

    Raises:
        InputError: a name that there is not, or one twice.
    """
    every = tuple(known)
    if text.strip() == "all":
        return every
    names = [aliases.get(name, name) for name in (part.strip() for part in text.lstrip("+").lower().split(","))]
    for number, name in enumerate(names):
        if name not in every:
            raise InputError(f"--columns: {_unknown(name, every, aliases)}")
        if name in names[:number]:
            raise InputError(f"--columns: {name} is given twice")
    if not text.startswith("+"):
        return tuple(names)
    added = [name for name in names if name not in usual]
    place = next((number for number, name in enumerate(usual) if name in _TEXT), len(usual))
    return (*usual[:place], *added, *usual[place:])


def _unknown(name: str, known: Sequence[str], aliases: Mapping[str, str]) -> str:
    from corecast.cli.parser import near_miss

    all_names = f"; there are {', '.join(known)}"
    if not name:
        return f"a name is empty{all_names}"
    return f"no column is called '{name}'{near_miss(name, [*known, *aliases]) or all_names}"


def column_help(lines: Mapping[str, str]) -> str:
    """A line for each name."""
    width = max(map(len, lines))
    return "".join(f"  {name:<{width}}  {line}\n" for name, line in lines.items())
