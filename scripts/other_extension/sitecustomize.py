"""With this folder in PYTHONPATH, Python loads corecast._core from CORECAST_EXTENSION; the installed one stays."""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location


class OtherExtension:
    """Goes before the finders that know the installed module."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != "corecast._core":
            return None
        return spec_from_file_location(name, os.environ["CORECAST_EXTENSION"])


sys.meta_path.insert(0, OtherExtension)  # type: ignore[arg-type]
