"""Finding and loading machine models.

A model is a folder with `pipeline.toml` and `forms/*.tsv` (`machine/search.py` says where they lie), or what LLVM's
scheduling models say of a CPU that there is no model of (`machine/llvm/kept.py`).
"""

from __future__ import annotations

import os

from corecast.errors import MachineModelError, UnknownCpuError, did_you_mean
from corecast.hints import TYPE_CHECKING, Any, Callable, Sequence, cast
from corecast.machine.inherit import read_head, read_pipeline
from corecast.machine.search import PIPELINE, folders_called, model_folders, normal, same_name
from corecast.machine.types import Isa, Machine, MachineInfo
from corecast.machine.validation import validations

if TYPE_CHECKING:
    from pathlib import Path

_ISAS = ("x86", "aarch64", "riscv64")


def load_machine(name: str | Path) -> Machine:
    """The model of that name or alias (case, `-` and `_` do not matter), or the one in that folder.

    A string that contains a path separator is a folder too. A CPU that only LLVM names gets LLVM's scheduling model;
    `Machine.info.notes` says so.

    Raises:
        UnknownCpuError: no model has that name.
        MachineModelError: a file of the model is missing or wrong.
    """
    if not isinstance(name, str) or os.sep in name:
        return _load(normal(name))
    try:
        return _load(_folder_of(name))
    except UnknownCpuError:
        from corecast.machine.llvm.kept import model_of_cpu

        made = model_of_cpu(name)
        if made is None:
            raise
        return _load(str(made.folder), made.notes)


def list_machines(broken: Callable[[MachineModelError], None] | None = None) -> list[MachineInfo]:
    """Every model there is, by name.

    Args:
        broken: called for models that cannot be read, which are left out then.

    Raises:
        MachineModelError: a model's pipeline.toml cannot be read, and there is no `broken`.
    """
    found: dict[str, MachineInfo] = {}
    for folder in model_folders():
        try:
            info = _info(read_head(folder), folder)
        except MachineModelError as error:
            if broken is None:
                raise
            broken(error)
            continue
        found.setdefault(info.name, info)
    return [found[name] for name in sorted(found)]


def find_name(name: str) -> str:
    """The name of the model that `name` or an alias stands for.

    Raises:
        UnknownCpuError: no model has that name.
    """
    folder = _folder_of(name)
    return _info(read_head(folder), folder).name


def _names(info: MachineInfo) -> set[str]:
    return {same_name(alias) for alias in (info.name, *info.aliases)}


def _folder_of(name: str) -> str:
    for folder in folders_called(name):
        return folder
    known = []
    wanted = same_name(name)
    for folder in model_folders():
        info = _info(read_head(folder), folder)
        known.append(info.name)
        if wanted in _names(info):
            return folder
    raise UnknownCpuError(f"no machine model is called '{name}'{_suggestion(wanted, known)}")


def _suggestion(wanted: str, known: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)
    return did_you_mean(near) or ("; `corecast cpus` lists them" if known else "; there are no models at all")


def _info(head: dict[str, Any], folder: str, notes: tuple[str, ...] = ()) -> MachineInfo:
    file = os.path.join(folder, PIPELINE)
    for key in ("name", "isa"):
        if key not in head:
            raise MachineModelError(f"{key} is missing", file)
    for key in ("name", "isa", "title", "vendor", "llvm_cpu"):
        if not isinstance(head.get(key, ""), str):
            raise MachineModelError(f"{key} must be a string", file)
    if head["isa"] not in _ISAS:
        raise MachineModelError(f"isa must be one of {', '.join(_ISAS)}, not '{head['isa']}'", file)
    own = os.path.basename(os.path.realpath(folder))
    if same_name(own) != same_name(head["name"]):
        from corecast.machine.faults import located

        raise located("name", f'name is "{head["name"]}", but the folder is {own}', [folder])
    return MachineInfo(
        name=head["name"],
        title=head.get("title", head["name"]),
        vendor=head.get("vendor", ""),
        isa=cast(Isa, head["isa"]),
        aliases=_strings(head, "aliases", file),
        place=folder,
        validation=validations(head),
        pipeline_of=str(head.get("pipeline_of", "")),
        notes=notes,
    )


def _strings(head: dict[str, Any], key: str, file: str) -> tuple[str, ...]:
    values = head.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise MachineModelError(f"{key} must be a list of strings", file)
    return tuple(values)


def _load(folder: str, notes: tuple[str, ...] = ()) -> Machine:
    pipeline, tables = read_pipeline(folder)
    return build(_info(pipeline, folder, notes), pipeline, tables)


def build(info: MachineInfo, pipeline: dict[str, Any], tables: Sequence[str | Path]) -> Machine:
    """The machine of a parsed pipeline.toml, with form tables in order of precedence.

    Raises:
        MachineModelError: a value is not what it must be, or a table cannot be read.
    """
    from corecast import _core

    files = tuple([str(table) for table in tables])
    place = os.path.join(info.place, PIPELINE)
    try:
        core = _core.Machine(pipeline, files, place)
    except MachineModelError as error:
        from corecast.machine.faults import raise_faults, raise_located
        from corecast.machine.inherit import chain_of

        folders = [folder for _, folder in chain_of(info.place, head_only=True)]
        raise_faults(pipeline, folders)
        if error.line is None and error.file == place:
            raise_located(error, folders)
        raise
    return Machine(info, pipeline, files, core)
