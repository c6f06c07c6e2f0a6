"""The files of a model as an import writes them: form table, SOURCES.md with what origins disagree on, pipeline.toml.

pipeline.toml is written last: until then there is no model, or the old one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from corecast.errors import InputError
from corecast.files.atomic import write_whole
from corecast.machine.making.imported import Imported, pipeline_text
from corecast.machine.making.merge import Merged
from corecast.machine.rows import write_rows
from corecast.machine.search import PIPELINE

SHOWN = 100
"""Conflicts that SOURCES.md lists; all of them stand in a table beside it."""


def write_new_model(folder: Path, name: str, imported: Imported) -> None:
    """A model that holds the imported figures alone.

    Raises:
        InputError: the origin does not give the ports or the width.
        OSError: something cannot be written.
    """
    if not imported.pipeline.ports or imported.pipeline.dispatch_width is None:
        lacking = "ports" if not imported.pipeline.ports else "dispatch width (--dispatch-width)"
        raise InputError(
            f"{imported.origin} does not give the {lacking} of the core: name the model that it adds to with "
            "--extends, or import into an existing one"
        )
    folder.mkdir(parents=True, exist_ok=True)
    write_rows(folder / "forms" / imported.file, comments(imported), imported.rows.values())
    merged = Merged(imported.rows, len(imported.rows), ())
    write_whole(folder / "SOURCES.md", f"# {name}: where the figures come from\n\n{section(imported, merged)}")
    write_whole(folder / PIPELINE, pipeline_text(name, imported.isa, imported, [imported.file]))


def comments(imported: Imported) -> Sequence[str]:
    """The head of a form table."""
    return (f"From {imported.origin}.", "Made by `corecast import`; SOURCES.md says what was left out.")


def section(imported: Imported, merged: Merged, file: str | None = None) -> str:
    """The part of SOURCES.md that tells of one import."""
    counts = Counter(row.confidence for row in merged.rows.values())
    told = ", ".join(f"{count} {confidence}" for confidence, count in sorted(counts.items()))
    lines = [
        f"## forms/{file or imported.file}",
        "",
        f"From {imported.origin}: {imported.entries} entries, {len(imported.rows)} forms. Rows here: "
        f"{len(merged.rows)} ({told or 'none'}), {merged.added} of them of forms that the model did not have.",
    ]
    lines += [f"- {note}" for note in imported.notes]
    if imported.unmapped:
        reasons = Counter(_kind(reason) for _, reason in imported.unmapped)
        shown = "; ".join(f"{count} times: {reason}" for reason, count in reasons.most_common(5))
        lines.append(f"- {len(imported.unmapped)} entries gave no form ({shown})")
    if merged.conflicts:
        columns = Counter(conflict.column for conflict in merged.conflicts)
        shown = ", ".join(f"{count} {column}" for column, count in columns.most_common())
        lines += [
            "",
            f"### Conflicts: {len(merged.conflicts)} ({shown})",
            "",
            "| form | column | kept | source | not used | source |",
            "|---|---|---|---|---|---|",
        ]
        lines += [f"| {' | '.join(_cells(str(conflict)))} |" for conflict in merged.conflicts[:SHOWN]]
        if len(merged.conflicts) > SHOWN:
            lines.append(f"\nThe first {SHOWN}; all of them: conflicts/{file or imported.file}.")
    return "\n".join(lines) + "\n"


def _kind(reason: str) -> str:
    return reason.partition(":")[0]


def _cells(line: str) -> list[str]:
    return [cell.replace("|", "\\|") for cell in line.split("\t")]


def write_conflicts(folder: Path, file: str, merged: Merged) -> None:
    """What SOURCES.md has no room for."""
    if len(merged.conflicts) > SHOWN:
        header = "form\tcolumn\tkept\tkept_source\tdropped\tdropped_source\n"
        write_whole(folder / "conflicts" / file, header + "".join(f"{conflict}\n" for conflict in merged.conflicts))
