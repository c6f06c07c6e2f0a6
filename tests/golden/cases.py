"""Golden cases: one behaviour a file, the input `NAME.s` beside the whole output `NAME.expected`.

The input says in a comment how it is analyzed: `corecast: --cpu skylake_x --lines 3-9`. Where the input is no text,
`NAME.command` says it, the file included: `corecast: objects/loops.o --cpu zen4`; other verbs than `analyze` stand
before the colon: `corecast lookup: vaddpd --cpu zen4`; `$TMP` is a folder that goes away. `REPORTS` are reports of
hand-made results: their expectation changes only when a report's form does, never with the machine models.

    python tests/golden/regenerate.py [NAME...]     rewrites the expectations
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [path for path in (str(FOLDER.parent),) if path not in sys.path]

_OPTIONS = re.compile(r"corecast(?:[ \t]+([\w-]+))?:[ \t]*([^\r\n]*)")


def names() -> list[str]:
    return sorted(path.stem for pattern in ("*.s", "*.command") for path in FOLDER.glob(pattern)) + sorted(REPORTS)


def expected_path(name: str) -> Path:
    return FOLDER / f"{name}.expected"


def output(name: str) -> str:
    """What the case gives now: standard output, then messages and exit code where there are any."""
    if name in REPORTS:
        return REPORTS[name]()
    source = FOLDER / f"{name}.s"
    given = [source.name] if source.exists() else []
    path = source if given else FOLDER / f"{name}.command"
    options = _OPTIONS.search(path.read_text(encoding="utf-8"))
    if options is None:
        raise ValueError(f"{path.name} has no comment 'corecast: OPTIONS'")
    with tempfile.TemporaryDirectory() as folder:
        arguments = [word.replace("$TMP", folder) for word in shlex.split(options[2])]
        return run([options[1] or "analyze", *given, *arguments]).replace(folder, "$TMP")


def run(arguments: list[str]) -> str:
    """Runs the command line in this folder, so that messages name files alike everywhere."""
    from corecast import __version__
    from corecast.cli.main import main

    out, err = io.StringIO(), io.StringIO()
    with _inside(FOLDER), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code: object = main(arguments)
        except SystemExit as stop:
            code = stop.code
    told = out.getvalue().replace(__version__, "VERSION")
    if err.getvalue():
        told += f"--- stderr\n{err.getvalue()}"
    if code != 0:
        told += f"--- exit {code}\n"
    return told


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _text() -> str:
    from corecast.report.text import render_text
    from report import factory

    return render_text(
        factory.analysis(factory.gauss_seidel(), factory.with_unknown(), warnings=("no --cpu given: skylake_x",))
    )


def _wide() -> str:
    from corecast.report.text import render_text
    from report import factory

    return render_text(factory.analysis(factory.wide(17)))


REPORTS: dict[str, Callable[[], str]] = {"report_two_regions": _text, "report_folded_ports": _wide}
