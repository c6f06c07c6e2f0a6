"""What generators of form tables need of a model's pipeline.toml, which is written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from corecast.machine.inherit import read_head, read_pipeline
from corecast.machine.loader import build
from corecast.machine.rows import Row, write_rows
from corecast.machine.search import PIPELINE
from corecast.machine.types import Machine, MachineInfo


def machine_of_rows(folder: Path, rows: Iterable[Row]) -> Machine:
    """The model in a folder with these rows in place of its form tables."""
    pipeline, _ = read_pipeline(folder)
    info = MachineInfo(pipeline["name"], pipeline["title"], pipeline["vendor"], pipeline["isa"], (), str(folder))
    with TemporaryDirectory() as place:
        table = Path(place) / "rows.tsv"
        write_rows(table, (), rows)
        return build(info, pipeline, [table])


def check_forms(folder: Path, files: Sequence[str]) -> None:
    """End the program where `forms` of a pipeline.toml does not list the tables that were written."""
    if read_head(folder).get("forms") != list(files):
        written = ", ".join(f'"{file}"' for file in files)
        raise SystemExit(f"{folder / PIPELINE}: the tables that were written need forms = [{written}]")
