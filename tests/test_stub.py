"""The extension's type stub is generated; a binding that changes without it would let mypy check against the past."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import corecast


def test_stub_is_what_the_extension_says(tmp_path: Path) -> None:
    fresh = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "corecast._core", "-o", str(fresh)]
    subprocess.run(command, check=True, capture_output=True)
    committed = Path(corecast.__file__).with_name("_core.pyi")
    assert committed.read_text(encoding="utf-8") == fresh.read_text(encoding="utf-8"), "run scripts/build --stubs"
