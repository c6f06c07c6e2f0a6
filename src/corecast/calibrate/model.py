"""The folder of a calibrated model."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from corecast.calibrate.draft import LISTS, TABLE, Draft
from corecast.dataclass import dataclass, field
from corecast.files.atomic import write_whole
from corecast.hints import Any
from corecast.machine.inherit import FORMAT
from corecast.machine.rows import write_rows
from corecast.machine.search import PIPELINE
from corecast.machine.toml_text import assignment
from corecast.machine.validation import Validation

NAME = "model"


@dataclass(frozen=True)
class Origin:
    """Where the figures of a model come from."""

    cpu: str
    """That was measured."""
    start: str
    """Name or folder of the model that it adds to."""
    date: str
    measured: frozenset[str]
    """Keys of pipeline.toml that an experiment measured; the others were chosen by error."""
    validated: Sequence[Validation]
    confirmed: Mapping[str, Any] = field(default_factory=dict)
    """Measured parameters that are as the start model has them."""
    not_assumed: Sequence[str] = ()
    """Hidden models that the start model assumes parameters from."""


def write_model(folder: Path, draft: Draft, origin: Origin) -> None:
    """Writes the model; pipeline.toml last, so that there is the old model or the new one.

    Raises:
        OSError: something cannot be written.
    """
    if draft.rows:
        comments = (f"Measured on {origin.cpu}, {origin.date}; made by `corecast calibrate`.",)
        write_rows(folder / "forms" / TABLE, comments, draft.rows)
    write_whole(folder / "SOURCES.md", sources_text(NAME, draft, origin))
    write_whole(folder / PIPELINE, model_text(NAME, draft, origin, folder))


def model_text(name: str, draft: Draft, origin: Origin, folder: Path | None = None) -> str:
    """pipeline.toml. `folder`: of the model, where the start model is a folder, too."""
    start = origin.start
    if folder is not None and os.sep in start:
        start = os.path.relpath(start, folder)
    head: dict[str, Any] = {
        "format": FORMAT,
        "name": name,
        "title": f"{origin.cpu}, calibrated",
        "pipeline_of": start,
        "forms": [TABLE] if draft.rows else [],
        "forms_of": start,
    }
    own = draft.with_settings({**origin.confirmed, **draft.settings}).own_keys()
    head |= {key: own.pop(key) for key in tuple(own) if isinstance(own[key], list)}
    lines = [f"# Made by `corecast calibrate` on {origin.date}. Whatever is missing here comes from the start model."]
    lines += [assignment(key, value) for key, value in head.items()]
    for each in origin.validated:
        lines += ["", "[[validated]]"]
        facts = {"kind": each.kind, "blocks": each.blocks, "mape_percent": each.mape_percent}
        facts |= {"date": each.date, "source": each.source, "method": each.method}
        lines += [assignment(key, value) for key, value in facts.items() if value not in (None, "")]
    if origin.not_assumed:
        lines += ["", "[assumed]", *(assignment(name, []) for name in origin.not_assumed)]
    for table, keys in own.items():
        lines += ["", f"[{table}]", *_assignments(keys, table, origin)]
    return "\n".join(lines) + "\n"


def _assignments(keys: Mapping[str, Any], table: str, origin: Origin) -> list[str]:
    lines = []
    for name, value in keys.items():
        if isinstance(value, Mapping):
            lines += [assignment(name, dict(value))]
            continue
        measured = f"{table}.{name}" in origin.measured
        how = "measured by" if measured else "chosen by error in"
        facts = {
            "source": f"{how} corecast calibrate on {origin.cpu}, {origin.date}",
            "confidence": "measured" if measured else "derived",
        }
        lines.append(assignment(name, {"value": value, **facts}))
    return lines


def sources_text(name: str, draft: Draft, origin: Origin) -> str:
    """SOURCES.md."""
    changed = [key for key in draft.settings if key.partition(":")[0] not in LISTS]
    measured = [key for key in changed if key in origin.measured]
    chosen = [key for key in changed if key not in origin.measured]
    errors = "".join(f"- Error on code that was held back: {each.text}.\n" for each in origin.validated)
    command = f"`corecast calibrate` on {origin.cpu}, {origin.date}"
    return f"""# {name}: where the figures come from

| id | what it is | gives |
|---|---|---|
| `corecast:measured` | {command} | latencies and throughputs of {len(draft.rows)} forms |
| `{os.path.basename(origin.start)}` | the machine model that it started from | all else |

- Parameters that experiments measured: {", ".join(f"`{key}`" for key in measured) or "none"}.
- Parameters chosen by error on timed code: {", ".join(f"`{key}`" for key in chosen) or "none"}.
{errors}"""
