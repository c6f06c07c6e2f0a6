"""Reading YAML with PyYAML, which only importing needs: it is not a dependency of the rest."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

from corecast.errors import InputError
from corecast.hints import Any


def load_yaml(path: Path) -> Any:
    """The one document of a file.

    Raises:
        InputError: it is not YAML, or PyYAML is not installed.
        OSError: it cannot be read.
    """
    documents = list(load_documents(path))
    if len(documents) != 1:
        raise InputError(f"{len(documents)} YAML documents instead of one", str(path))
    return documents[0]


def load_documents(path: Path) -> Iterator[Any]:
    """Every document of a file; as `load_yaml`."""
    try:
        yaml = importlib.import_module("yaml")
    except ModuleNotFoundError:
        raise InputError("reading YAML needs PyYAML: pip install pyyaml", str(path)) from None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        with path.open(encoding="utf-8") as file:
            yield from yaml.load_all(file, loader)
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", str(path)) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        raise InputError(f"is not YAML: {problem}", str(path), mark.line + 1 if mark is not None else None) from None
    except (ValueError, RecursionError) as error:  # dates, numbers and nesting that PyYAML passes on
        raise InputError(f"is not YAML: {error}", str(path)) from None
