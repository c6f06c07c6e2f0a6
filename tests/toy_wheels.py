"""A toy wheel of corecast, with what a real one must have."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from corecast import _core

TABLE = "corecast/machine/data/toy/forms/own.tsv"
MODULE = "corecast/_core.abi3.so"
INFO = "corecast-1.dist-info"


def contents() -> dict[str, bytes]:
    root = Path(__file__).resolve().parents[1]
    module = Path(_core.__file__).with_name("_qemu_blocks.so")  # the smallest that we have
    if not module.exists():
        pytest.skip("wheels are checked on Linux")
    return {
        "corecast/__init__.py": b"VALUE = 1\n",
        TABLE: b"form\tports\n" * 1000,
        MODULE: module.read_bytes(),
        f"{INFO}/licenses/LICENSE": b"text",
        f"{INFO}/licenses/THIRD_PARTY_LICENSES": (root / "THIRD_PARTY_LICENSES").read_bytes(),
        f"{INFO}/METADATA": b"Name: corecast\n",
        f"{INFO}/RECORD": b"",
    }


def write(path: Path, files: Mapping[str, bytes], year: int = 2020) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), content)
    return path
