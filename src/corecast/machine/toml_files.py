"""TOML files of models as text and as keys."""

from __future__ import annotations

from pathlib import Path

from corecast.errors import MachineModelError
from corecast.hints import Any, cast


def read_text(file: Path) -> str:
    """The text, without a mark in front. Raises MachineModelError where the file cannot be read as UTF-8."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise MachineModelError(error.strerror or "cannot be read", str(file)) from None
    except (UnicodeDecodeError, ValueError):
        raise MachineModelError("is not UTF-8 text", str(file)) from None


def parse_toml(text: str, file: Path) -> dict[str, Any]:
    """Raises MachineModelError where the text is no TOML."""
    from corecast import _core

    plain = _core.plain_toml(text)
    if plain is not None:
        return plain
    import sys
    from importlib import import_module

    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        return cast("dict[str, Any]", toml.loads(text))
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError
        raise MachineModelError(str(error), str(file)) from None
