"""Which files of a report's folder an evaluation wrote: only those are replaced."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from corecast.errors import InputError
from corecast.evaluate.page import GENERATOR

_HEAD_BYTES = 1000
_TAIL_BYTES = 1 << 20


def require_ours(folder: Path, formats: Sequence[str]) -> None:
    """Raises InputError where a report in these formats would replace a file that no evaluation wrote."""
    for name in formats:
        for pattern in _FILES[name]:
            for path in folder.glob(pattern):
                if not _is_ours(path, _MARKS[path.suffix]):
                    raise InputError(
                        "no evaluation wrote this file: move it away, or name another folder for the report", str(path)
                    )


_FILES: Mapping[str, tuple[str, ...]] = {
    "html": ("report.html",),
    "md": ("evaluation.md", "figures/*.svg"),
    "json": ("evaluation.json",),
    "csv": ("metrics.csv", "predictions.csv"),
    "parquet": ("predictions.parquet",),
    "xlsx": ("evaluation.xlsx",),
}


def _is_ours(path: Path, is_marked: Callable[[Path], bool]) -> bool:
    return path.is_file() and (path.stat().st_size == 0 or is_marked(path))


def _begins(pattern: bytes) -> Callable[[Path], bool]:
    def check(path: Path) -> bool:
        with path.open("rb") as stream:
            return re.search(pattern, stream.read(_HEAD_BYTES)) is not None

    return check


def _ends(mark: bytes) -> Callable[[Path], bool]:
    def check(path: Path) -> bool:
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - _TAIL_BYTES))
            return mark in stream.read()

    return check


def _is_our_workbook(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as book:
            return GENERATOR.encode() in book.read("docProps/core.xml")
    except (zipfile.BadZipFile, KeyError):
        return False


_MARKS: Mapping[str, Callable[[Path], bool]] = {
    ".html": _begins(rb'<meta name="generator" content="corecast evaluate">'),
    ".md": _begins(rb"\A# [0-9,]+ (blocks|kernels)"),
    ".svg": _begins(rb'\A<svg [^>]*data-generator="corecast evaluate"'),
    ".json": _begins(rb'\A\{\s*"schema": "corecast-evaluation/'),
    ".csv": _begins(rb"\A(predictor,by,group,cases|(hex|file),group,measured_cycles)"),
    ".parquet": _ends(GENERATOR.encode()),
    ".xlsx": _is_our_workbook,
}
