"""Arrow, which is optional: asked for where a file is Parquet, with one message where it is missing."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from corecast.errors import InputError
from corecast.hints import Any


def is_parquet(file: str | Path) -> bool:
    return str(file).lower().endswith((".parquet", ".pq"))


def import_arrow() -> Any:
    """Raises InputError: pyarrow is not installed."""
    return _import("pyarrow")


def import_parquet() -> Any:
    """Raises InputError: pyarrow is not installed."""
    return _import("pyarrow.parquet")


def _import(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise InputError("Parquet files need pyarrow: pip install 'corecast[parquet]'") from None
