"""A calibrated model as one of those that come with the package: for maintainers, in a checkout."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from corecast.calibrate.model import NAME
from corecast.calibrate.run import REPORT
from corecast.dataclass import dataclass
from corecast.errors import InputError, UnknownCpuError
from corecast.files.atomic import write_whole
from corecast.hints import Any
from corecast.machine import load_machine
from corecast.machine.loader import find_name
from corecast.machine.search import PIPELINE, same_name
from corecast.machine.toml_text import assignment

_DATA = Path("src") / "corecast" / "machine" / "data"


@dataclass(frozen=True)
class Adopted:
    """What became of a calibrated model."""

    folder: Path
    to_do: Sequence[str]


def adopt(calibration: Path, name: str, aliases: Sequence[str], checkout: Path, *, replace: bool = False) -> Adopted:
    """Copies a calibrated model into a checkout.

    Raises:
        InputError: there is no finished calibration, or no checkout; there is a model of that name, or one with that
            alias.
        MachineModelError: the model cannot be read.
        OSError: it cannot be written.
    """
    source = calibration / NAME
    report = calibration / REPORT
    if not (source / PIPELINE).is_file() or not report.is_file():
        raise InputError("holds no finished calibration: `corecast calibrate -o` makes one", str(calibration))
    data = checkout / _DATA
    if not data.is_dir():
        raise InputError(f"is not a checkout of corecast: it has no {_DATA}", str(checkout))
    wanted = same_name(name)
    if not wanted.replace("_", "").isalnum():
        raise InputError(f"'{name}' is not a valid model name: use letters, digits and _")
    document: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    target = data / wanted
    if target.exists() and not replace:
        raise InputError("there is a model of that name: --replace overwrites it", str(target))
    for alias in (name, *aliases):
        _require_free(alias, wanted)
    base = load_machine(source).info.pipeline_of
    if "/" in base or same_name(base) == wanted:
        raise InputError(f"the model builds on {base}: calibrate from a shipped model of another name first")
    text = _renamed((source / PIPELINE).read_text(encoding="utf-8"), wanted, aliases)
    if target.exists():
        shutil.rmtree(target)
    target.mkdir()
    if (source / "forms").is_dir():
        shutil.copytree(source / "forms", target / "forms")
    sources = (source / "SOURCES.md").read_text(encoding="utf-8").replace(f"# {NAME}:", f"# {wanted}:", 1)
    write_whole(target / "SOURCES.md", sources)
    write_whole(target / PIPELINE, text)
    load_machine(target)
    return Adopted(target, _to_do(wanted, document))


def _require_free(alias: str, wanted: str) -> None:
    try:
        other = find_name(alias)
    except UnknownCpuError:
        return
    if other != wanted:
        raise InputError(f"'{alias}' is a name of {other} already")


def _renamed(text: str, name: str, aliases: Sequence[str]) -> str:
    lines = []
    for line in text.splitlines():
        if line == assignment("name", NAME):
            lines += [assignment("name", name), *([assignment("aliases", list(aliases))] if aliases else [])]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def _to_do(name: str, document: dict[str, Any]) -> list[str]:
    told = [
        f"machine/recognize/cores.tsv: how to tell this core apart, with model {name}",
        f"title of {name}/pipeline.toml: the core's own name in place of the CPU's",
        "CHANGELOG.md; tools/freeze.py --update for its predictions; tools/refresh_docs.py for lists of cores",
    ]
    missing = [each["name"] for each in document["properties"] if each["value"] is None]
    if missing:
        told.append(f"not measured: {', '.join(missing)}")
    waiting = [kind["title"] for kind in document["kinds"].values() if not kind["held"]]
    if waiting:
        told.append(f"not validated: {', '.join(waiting)}")
    return told
