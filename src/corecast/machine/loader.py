"""Finding and loading machine models.

A model is a folder with `pipeline.toml` and `forms/*.tsv`. Models come with the package; further ones are looked for in
the folders of the environment variable CORECAST_MACHINES (separated like PATH) and in `corecast/machines` below
XDG_DATA_HOME (or ~/.local/share). A model of the user's own hides one of the same name that comes with the package.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from corecast.errors import MachineModelError, UnknownCpuError
from corecast.machine.types import Isa, Machine, MachineInfo

FORMAT = 1
_ISAS = ("x86", "aarch64", "riscv64")


def load_machine(name: str | Path) -> Machine:
    """The model of that name or alias (case, `-` and `_` do not matter), or the one in that folder.

    A string that contains a path separator is a folder too.

    Raises:
        UnknownCpuError: no model has that name.
        MachineModelError: a file of the model is missing or wrong.
    """
    if isinstance(name, Path) or os.sep in name:
        return _load(Path(name))
    return _load(_folder_of(name))


def list_machines() -> list[MachineInfo]:
    """Every model there is, by name.

    Raises:
        MachineModelError: a model's pipeline.toml cannot be read.
    """
    found: dict[str, MachineInfo] = {}
    for folder in _model_folders():
        info = _info(_read_head(folder), folder)
        found.setdefault(info.name, info)
    return [found[name] for name in sorted(found)]


def find_name(name: str) -> str:
    """The name of the model that `name` or an alias stands for.

    Raises:
        UnknownCpuError: no model has that name.
    """
    folder = _folder_of(name)
    return _info(_read_head(folder), folder).name


def same_name(name: str) -> str:
    """A name's spelling for comparisons: `Skylake-AVX512` and `skylake_avx512` are one."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def _search_path() -> Iterator[Path]:
    for entry in os.environ.get("CORECAST_MACHINES", "").split(os.pathsep):
        if entry:
            yield Path(entry)
    data_home = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    yield Path(data_home) / "corecast" / "machines"
    yield Path(__file__).parent / "data"


def _model_folders() -> Iterator[Path]:
    for place in _search_path():
        if place.is_dir():
            yield from sorted(entry for entry in place.iterdir() if (entry / "pipeline.toml").is_file())


def _folder_of(name: str) -> Path:
    wanted = same_name(name)
    for place in _search_path():  # most names are those of folders: no file needs reading
        if wanted and (place / wanted / "pipeline.toml").is_file():
            return place / wanted
    known = []
    for folder in _model_folders():
        info = _info(_read_head(folder), folder)
        known.append(info.name)
        if wanted in {same_name(alias) for alias in (info.name, *info.aliases)}:
            return folder
    raise UnknownCpuError(f"no machine model is called '{name}'{_suggestion(wanted, known)}")


def _suggestion(wanted: str, known: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return hint or ("; `corecast cpus` lists them" if known else "; there are no models at all")


def _read_head(folder: Path) -> dict[str, Any]:
    """The keys before the first table of pipeline.toml: name, title, aliases. Reading on takes far longer."""
    text = _read_text(folder / "pipeline.toml")
    lines = []
    for line in text.splitlines(keepends=True):
        if line.startswith("["):
            break
        lines.append(line)
    return _parse("".join(lines), folder / "pipeline.toml")


def _read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise MachineModelError(error.strerror or "cannot be read", str(file)) from None
    except UnicodeDecodeError:
        raise MachineModelError("is not UTF-8 text", str(file)) from None


def _parse(text: str, file: Path) -> dict[str, Any]:
    import sys
    from importlib import import_module

    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        return cast("dict[str, Any]", toml.loads(text))
    except ValueError as error:  # TOMLDecodeError is one
        raise MachineModelError(str(error), str(file)) from None


def _info(head: dict[str, Any], folder: Path) -> MachineInfo:
    file = str(folder / "pipeline.toml")
    for key in ("name", "isa"):
        if not isinstance(head.get(key), str):
            raise MachineModelError(f"{key} is missing", file)
    if head["isa"] not in _ISAS:
        raise MachineModelError(f"isa must be one of {', '.join(_ISAS)}, not '{head['isa']}'", file)
    if head.get("format", FORMAT) != FORMAT:
        raise MachineModelError(f"format {head['format']} is not known to this version (it reads {FORMAT})", file)
    aliases = head.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise MachineModelError("aliases must be a list of strings", file)
    return MachineInfo(
        name=head["name"],
        title=str(head.get("title", head["name"])),
        vendor=str(head.get("vendor", "")),
        isa=cast(Isa, head["isa"]),
        aliases=tuple(aliases),
        folder=folder,
    )


def _load(folder: Path) -> Machine:
    file = folder / "pipeline.toml"
    pipeline = _parse(_read_text(file), file)
    return build(_info(pipeline, folder), pipeline)


def build(info: MachineInfo, pipeline: dict[str, Any]) -> Machine:
    """The machine of a parsed pipeline.toml, with the form tables of its folder.

    Raises:
        MachineModelError: a value is not what it must be, or a table cannot be read.
    """
    from corecast import _core

    file = info.folder / "pipeline.toml"
    forms = pipeline.get("forms", [])
    if not isinstance(forms, list) or not all(isinstance(name, str) for name in forms):
        raise MachineModelError("forms must be a list of file names", str(file))
    tables = [str(info.folder / "forms" / name) for name in forms]
    return Machine(info, pipeline, _core.Machine(pipeline, tables, str(file)))
