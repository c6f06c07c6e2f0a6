"""Form tables are what their generators make of the facts in the repository: one small model of each kind."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corecast import _core

ROOT = Path(__file__).resolve().parents[2]
DATA = Path("src/corecast/machine/data")
GENERATED_WITH = "22"
"""LLVM's version that the tables name as a source."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what generators read and write: they find it beside themselves."""
    root = tmp_path_factory.mktemp("tree")
    (root / "facts").symlink_to(ROOT / "facts")
    shutil.copytree(ROOT / "tools", root / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.mark.skipif(
    not _core.llvm_version.startswith(f"{GENERATED_WITH}."), reason=f"tables are made with LLVM {GENERATED_WITH}"
)
@pytest.mark.parametrize(
    ("command", "model"),
    [
        ("make_intel_models.py --only", "nehalem"),
        ("make_amd_models.py --only", "zen2"),
        ("make_arm_models.py", "thunderx2"),
        ("make_riscv_models.py", "sifive_p550"),
    ],
)
def test_a_model_is_what_its_generator_makes(tree: Path, command: str, model: str) -> None:
    pytest.importorskip("iced_x86")
    program, *options = command.split()
    made = tree / DATA / model
    shutil.copytree(ROOT / DATA / model, made)
    for table in (made / "forms").iterdir():
        table.write_text("")
    done = subprocess.run(
        [sys.executable, str(tree / "tools" / program), *options, model], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert tables(made) == tables(ROOT / DATA / model)


def tables(folder: Path) -> dict[str, bytes]:
    return {table.name: table.read_bytes() for table in (folder / "forms").iterdir()}
