"""Where results go: standard output, or a file that is written atomically."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from corecast.cli.output_check import check_target
from corecast.files.atomic import naming, replacing
from corecast.hints import TYPE_CHECKING, BinaryIO

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


@contextmanager
def result_stream(target: str | None, inputs: Sequence[str] = ()) -> Iterator[BinaryIO]:
    """A stream of bytes to `target`, or to standard output where that is None or "-".

    A file appears, or is replaced, when the `with` block ends; not where that ends with an exception. Pipes, devices
    and standard output get what is written at once.

    Raises:
        InputError: the target is an input, or a folder.
        OSError: it cannot be written; the old content of a file is still there then.
    """
    if target is None or target == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    check_target(target, inputs)
    if os.path.exists(target) and not os.path.isfile(target):
        with naming(target), open(target, "wb") as stream:
            yield stream
        return
    with replacing(target) as stream:
        yield stream


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
