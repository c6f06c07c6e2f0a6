"""Trying outputs before the work starts: nobody loses hours of work to a misspelt folder or a full disk."""

from __future__ import annotations

import os
import stat

from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Callable, Mapping, Sequence

if TYPE_CHECKING:
    import argparse


_INPUTS = ("file", "files", "static", "records")
"""Options and arguments that name what a verb reads, where they are not among its outputs."""
_FILE = {"output": "file"}


def check_outputs(arguments: argparse.Namespace) -> None:
    """Tries what a verb is going to write. `arguments.outputs` maps names of options to the kind of output: file,
    folder or records; without it there is one file, `output`.

    Raises:
        InputError: an output is an input, a folder, something that must not be replaced, or has no name.
        OSError: it cannot be written; with its name.
    """
    outputs: Mapping[str, str] = getattr(arguments, "outputs", _FILE)
    inputs = [path for name in _INPUTS if name not in outputs for path in _paths(getattr(arguments, name, None))]
    named = {name: target for name in outputs if (target := getattr(arguments, name, None)) is not None}
    if len({os.path.realpath(target) for target in named.values()}) < len(named):
        raise InputError("one file cannot be two outputs", next(iter(named.values())))
    for name, target in named.items():
        if target != "-" or outputs[name] != "file":
            check_target(target, inputs, may_be_folder=outputs[name] == "folder")
            _CHECKS[outputs[name]](target)


def check_target(target: str, inputs: Sequence[str], *, may_be_folder: bool = False) -> None:
    """Raises InputError where an output has no name, is an input or a folder."""
    if not target:
        raise InputError("the name of the output is empty")
    for path in inputs:
        if os.path.exists(path) and os.path.exists(target) and os.path.samefile(path, target) and _is_kept(path):
            raise InputError("the output would overwrite the input", target)
    if os.path.isdir(target) and not may_be_folder:
        raise InputError("the output is a folder", target)


def _is_kept(path: str) -> bool:
    """Whether a file holds what is written: a terminal may be input and output."""
    return os.path.isfile(path)


def _paths(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _try_file(target: str) -> None:
    """Makes the file that the output will be written to, beside its place, and removes it."""
    from corecast.files.atomic import naming, replacing

    if not os.path.exists(target) or os.path.isfile(target):
        with replacing(target, dry=True):
            return
    if stat.S_ISFIFO(os.stat(target).st_mode):  # who opens and closes it ends it for its reader
        return
    with naming(target), open(target, "wb", buffering=0) as stream:
        stream.write(b"")


def _try_folder(target: str) -> None:
    """The folder, or the nearest that exists above it, takes files."""
    from corecast.files.atomic import naming, replacing

    place = os.path.abspath(target)
    while not os.path.lexists(place):
        place = os.path.dirname(place)
    if not os.path.isdir(place):
        raise InputError("is not a folder", place)
    with naming(target), replacing(os.path.join(place, "try"), dry=True):
        pass


def _try_records(target: str) -> None:
    from corecast.measure.record.file import check_records

    check_records(target)


_CHECKS: Mapping[str, Callable[[str], None]] = {"file": _try_file, "folder": _try_folder, "records": _try_records}
