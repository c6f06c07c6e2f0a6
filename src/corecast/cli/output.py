"""Where results go: standard output, or a file that is written atomically."""

from __future__ import annotations

import os
import sys

from corecast.cli.output_check import check_target
from corecast.hints import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    import argparse

_SUFFIXES = {
    ".html": "html",
    ".htm": "html",
    ".json": "json",
    ".svg": "svg",
    ".dot": "dot",
    ".gv": "dot",
    ".csv": "csv",
}


def add_output_options(parser: argparse._ActionsContainer, formats: Sequence[str]) -> None:
    """--format, which is None where it is not given, and --output."""
    parser.add_argument("--format", choices=formats, help="default: by the suffix of the output, else text")
    parser.add_argument("-o", "--output", metavar="OUT", help="output file (written atomically)")


def chosen_format(given: str | None, target: str | None, formats: Sequence[str]) -> str:
    """The format that was given, else the one that the output's suffix means, else text."""
    if given is not None or target is None:
        return given or "text"
    meant = _SUFFIXES.get(os.path.splitext(target)[1].lower(), "text")
    return meant if meant in formats else "text"


def write_result(text: str, target: str | None, inputs: Sequence[str] = (), errors: str = "replace") -> None:
    """Writes UTF-8 to `target`, or to standard output where that is None or "-".

    Args:
        text: everything there is to write.
        target: a file; an existing one is replaced only once all is written.
        inputs: files that were read: none of them may be the target.
        errors: what happens to characters that cannot be encoded.

    Raises:
        InputError: the target is an input.
        OSError: it cannot be written; the old content of a file is still there then.
    """
    if target is None or target == "-":
        _to_stdout(text, errors)
        return
    from corecast.files.atomic import naming, replacing

    check_target(target, inputs)
    content = text.encode("utf-8", errors)
    if os.path.exists(target) and not os.path.isfile(target):
        with naming(target), open(target, "wb") as stream:  # a device or a pipe cannot be replaced
            stream.write(content)
        return
    with replacing(target) as stream:
        stream.write(content)


def write_json(document: object, target: str | None = None, inputs: Sequence[str] = ()) -> None:
    """As write_result(), laid out for people too."""
    import json

    write_result(json.dumps(document, indent=2, ensure_ascii=False) + "\n", target, inputs)


def _to_stdout(text: str, errors: str) -> None:
    stream = sys.stdout
    buffer = getattr(stream, "buffer", None)
    if buffer is None:  # a stand-in without bytes beneath
        stream.write(text)
        return
    stream.flush()
    encoding = stream.encoding if errors == "backslashreplace" else "utf-8"
    buffer.write(text.encode(encoding or "utf-8", errors))
    buffer.flush()
