"""TOML files of models as text and as keys."""

from __future__ import annotations

import os

from corecast.errors import MachineModelError
from corecast.hints import Any, cast


def read_text(file: str | os.PathLike[str]) -> str:
    """The text, without a mark in front. Raises MachineModelError where the file cannot be read as UTF-8."""
    try:
        with open(file, encoding="utf-8") as stream:
            return stream.read().removeprefix("\ufeff")
    except OSError as error:
        raise MachineModelError(error.strerror or "cannot be read", str(file)) from None
    except (UnicodeDecodeError, ValueError):
        raise MachineModelError("is not UTF-8 text", str(file)) from None


def parse_toml(text: str, file: str | os.PathLike[str]) -> dict[str, Any]:
    """Raises MachineModelError where the text is not TOML."""
    from corecast import _core

    plain = _core.plain_toml(text)
    if plain is not None:
        return plain
    import sys

    from corecast.hints import import_module

    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        return cast("dict[str, Any]", toml.loads(text))
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError
        raise MachineModelError(str(error), str(file)) from None
