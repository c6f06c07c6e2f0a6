"""The conda recipe asks for what pyproject.toml asks for."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from corecast.machine.toml_files import parse_toml

ROOT = Path(__file__).resolve().parents[2]
RECIPE = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
PROJECT = parse_toml((ROOT / "pyproject.toml").read_text(encoding="utf-8"), "pyproject.toml")


def test_the_version_is_the_projects() -> None:
    assert f'version: "{PROJECT["project"]["version"]}"' in RECIPE


def test_what_is_needed_is_the_same() -> None:
    for needed in (*PROJECT["build-system"]["requires"], *PROJECT["project"]["dependencies"]):
        name, bound = re.match(r"([\w-]+)([^;]*)", needed).groups()  # type: ignore[union-attr]
        assert f" {name} {bound}\n" in RECIPE, needed


def test_llvm_is_the_one_that_is_tested() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    from wheels.build import newest_llvm

    assert f"- llvmdev {newest_llvm()}.*" in RECIPE
