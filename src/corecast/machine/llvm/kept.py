"""Models of CPUs that LLVM names and nobody has made a model of: LLVM's scheduling model, made at first use and kept.

Kept below XDG_CACHE_HOME (or ~/.cache), by versions of corecast and LLVM: making one takes some seconds.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from hashlib import sha256
from pathlib import Path

from corecast.dataclass import dataclass
from corecast.files.atomic import write_whole
from corecast.hints import TYPE_CHECKING
from corecast.machine.search import PIPELINE, same_name, user_folder

if TYPE_CHECKING:
    from corecast.machine.llvm.model import LlvmCpu

_SUMS = "checksums.json"
"""Beside the model: what is damaged on disk is made anew."""


@dataclass(frozen=True)
class MadeModel:
    """Where the model lies, and what a user of it should be told."""

    folder: Path
    notes: tuple[str, ...]


def model_of_cpu(name: str) -> MadeModel | None:
    """LLVM's model of a CPU, None where LLVM has none for it."""
    from corecast.machine.llvm.model import find_llvm_cpu

    cpu = find_llvm_cpu(name)
    if cpu is None:
        return None
    folder = _cache() / cpu.isa / same_name(cpu.name)
    if not _is_whole(folder):
        folder = _make(cpu, folder)
    return MadeModel(folder, cpu.notes)


def _cache() -> Path:
    from corecast import __version__, _core

    return Path(user_folder("XDG_CACHE_HOME", ".cache")) / f"models-{__version__}.2-llvm{_core.llvm_version}"


def _make(cpu: LlvmCpu, folder: Path) -> Path:
    """Writes the model beside its place and renames: readers see all of it or nothing."""
    from corecast.machine.llvm.model import import_llvm
    from corecast.machine.making.model_files import write_new_model

    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(dir=folder.parent))
    except OSError:  # nothing can be kept there
        beside = Path(tempfile.mkdtemp(prefix="corecast-model-"))
    made = beside / same_name(cpu.name)
    write_new_model(made, same_name(cpu.name), import_llvm(cpu.name, cpu.isa))
    write_whole(made / _SUMS, json.dumps(_sums(made)))
    shutil.rmtree(folder, ignore_errors=True)  # a damaged one
    try:
        os.rename(made, folder)
        beside.rmdir()
    except OSError:  # another process was faster, or the folder cannot be kept
        return folder if _is_whole(folder) else made
    return folder


def _is_whole(folder: Path) -> bool:
    """Whether the model there is as it was written."""
    try:
        return bool(json.loads((folder / _SUMS).read_bytes()) == _sums(folder))
    except (OSError, ValueError, RecursionError):
        return False


def _sums(folder: Path) -> dict[str, str]:
    """A hash of each file that figures come from."""
    files = [folder / PIPELINE, *sorted((folder / "forms").iterdir())]
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in files}
