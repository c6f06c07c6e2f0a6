"""`corecast completion`: a script for a shell that completes verbs, options and the names of cores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from corecast.cli.target import NATIVE
from corecast.dataclass import dataclass

SHELLS = ("bash", "zsh", "fish")
_FILES = ("FILE", "DIR", "OUT", "CSV")
"""Parts of the names of values that are paths."""


@dataclass(frozen=True)
class _Option:
    names: tuple[str, ...]
    takes_value: bool
    values: tuple[str, ...]
    """What it may be set to, where that is known."""
    paths: bool
    several: bool
    """Whether it takes several of the values, with commas between."""
    help: str


@dataclass(frozen=True)
class _Command:
    words: tuple[str, ...]
    """The verb, and the verb's verb."""
    verbs: tuple[tuple[str, str], ...]
    """Those below it, with a line each."""
    options: tuple[_Option, ...]
    words_after: tuple[str, ...] = ()
    """What may stand behind it where there are no verbs: a shell."""

    @property
    def path(self) -> str:
        """`/machine/check`; the program itself: ""."""
        return "".join(f"/{word}" for word in self.words)


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "completion",
        help=summary,
        description="Writes a script that makes a shell complete the command line. bash: put "
        '`eval "$(corecast completion bash)"` into ~/.bashrc; zsh: the same with zsh into ~/.zshrc; fish: '
        "`corecast completion fish > ~/.config/fish/completions/corecast.fish`.",
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.cli.parser import make_parser

    commands = list(_commands(make_parser(), ()))
    lines = _fish(commands) if arguments.shell == "fish" else _bash(commands)
    if arguments.shell == "zsh":
        sys.stdout.write("autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n")
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def _commands(parser: argparse.ArgumentParser, words: tuple[str, ...]) -> Iterator[_Command]:
    below: dict[str, argparse.ArgumentParser] = {}
    lines: tuple[tuple[str, str], ...] = ()
    options = []
    after: tuple[str, ...] = ()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            below = dict(action.choices)
            helps = {each.dest: each.help or "" for each in action._choices_actions}
            lines = tuple((name, helps.get(name, "")) for name in below)
        elif action.option_strings:
            options.append(_option(action))
        else:
            after += tuple(map(str, action.choices or ()))
    yield _Command(words, lines, tuple(options), after)
    for name, each in below.items():
        yield from _commands(each, (*words, name))


def _option(action: argparse.Action) -> _Option:
    takes_value = action.nargs != 0
    values = tuple(map(str, action.choices or ()))
    if takes_value and action.option_strings[0] == "--cpu":
        values = _cores()
    several = action.option_strings[0] == "--columns"
    if several:
        values = _columns()
    names = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return _Option(
        tuple(action.option_strings),
        takes_value,
        values,
        takes_value and not values and any(part in names for part in _FILES),
        several,
        " ".join((action.help or "").split()).split(";")[0].split(". ")[0],
    )


def _columns() -> tuple[str, ...]:
    from corecast.cli.columns import HELP
    from corecast.report import overview, table_columns

    return tuple(dict.fromkeys((*table_columns.COLUMNS, *overview.COLUMNS, "all", HELP)))


def _cores() -> tuple[str, ...]:
    from corecast.machine import list_machines

    return (*(each.name for each in list_machines()), NATIVE)


_BASH_BEGINNING = """_corecast() {
  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
  local command="" word words="" values="" lists=""
  for word in "${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "$command/$word" in"""
_BASH_MIDDLE = """  esac
  if [[ -n $lists ]]; then
    local last="${current##*[,+]}"
    COMPREPLY=($(compgen -P "${current%"$last"}" -W "$lists" -- "$last"))
    return
  fi
  if [[ -n $values ]]; then COMPREPLY=($(compgen -W "$values" -- "$current")); return; fi
  case "$command" in"""
_BASH_END = """  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $current != -* ]]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _corecast corecast"""


def _bash(commands: list[_Command]) -> Iterator[str]:
    """One function. The words before the last tell the command; what may follow is a list for each command."""
    yield _BASH_BEGINNING
    for each in commands:
        if each.words:
            yield f"    '{each.path}') command='{each.path}' ;;"
    yield "    esac"
    yield "  done"
    yield '  case "$command:$before" in'
    for each in commands:
        for option in each.options:
            patterns = "|".join(f"{each.path}:{name}" for name in option.names)
            if option.paths:
                yield f'  {patterns}) COMPREPLY=($(compgen -f -- "$current")); return ;;'
            elif option.takes_value and option.several:
                yield f"  {patterns}) lists='{' '.join(option.values)}' ;;"
            elif option.takes_value:
                yield f"  {patterns}) values='{' '.join(option.values)}' ;;"
    yield _BASH_MIDDLE
    for each in commands:
        names = [name for option in each.options for name in option.names if name.startswith("--")]
        yield f"  '{each.path}') words='{' '.join([*(verb for verb, _ in each.verbs), *each.words_after, *names])}' ;;"
    yield _BASH_END


def _fish(commands: list[_Command]) -> Iterator[str]:
    for each in commands:
        below = " ".join(verb for verb, _ in each.verbs)
        seen = [f"__fish_seen_subcommand_from {word}" for word in each.words]
        here = " and ".join([*seen, f"not __fish_seen_subcommand_from {below}"] if below else seen)
        for verb, line in each.verbs:
            yield f"complete -c corecast -f -n {_quoted(here)} -a {verb} -d {_quoted(line)}"
        if each.words_after:
            yield f"complete -c corecast -f -n {_quoted(' and '.join(seen))} -a {_quoted(' '.join(each.words_after))}"
        for option in each.options:
            parts = ["complete -c corecast", f"-n {_quoted(' and '.join(seen) or here)}"]
            parts += [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
            if option.several:
                words = _quoted("printf '%s\\n' " + " ".join(option.values))
                parts.append(f"-x -a {_quoted(f'(__fish_complete_list , {words})')}")
            elif option.values:
                parts.append(f"-x -a {_quoted(' '.join(option.values))}")
            elif option.takes_value:
                parts.append("-r" if option.paths else "-x")
            yield " ".join([*parts, f"-d {_quoted(option.help)}"])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
