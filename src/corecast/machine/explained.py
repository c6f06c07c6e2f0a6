"""Findings of the verifier that a model explains: `explained.tsv` in its folder says why such a row is right.

Columns, separated by tabs: the kind of the finding, the form (`*` stands for any text), and the reason. Lines with `#`
in front are comments. An explanation counts for the rows of the tables it lies beside, whatever model has them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from corecast.dataclass import dataclass
from corecast.errors import MachineModelError
from corecast.machine.toml_files import read_text

FILE = "explained.tsv"
HEADER = ("kind", "form", "reason")


@dataclass(frozen=True)
class Explanation:
    """Why findings of one kind, of the forms that a pattern names, are not mistakes."""

    kind: str
    form: str
    reason: str
    file: str
    line: int

    def covers(self, kind: str, form: str) -> bool:
        pattern = ".*".join(map(re.escape, self.form.split("*")))
        return kind == self.kind and re.fullmatch(pattern, form) is not None


def read_explanations(folder: Path, kinds: Collection[str]) -> list[Explanation]:
    """The explanations of a model's folder, none where it has no such file.

    Raises:
        MachineModelError: a line has not three columns, or names no kind of `kinds`.
    """
    file = folder / FILE
    if not file.is_file():
        return []
    found = []
    lines = [(number, line) for number, line in enumerate(read_text(file).splitlines(), 1) if line.strip()]
    for number, line in lines:
        cells = tuple(cell.strip() for cell in line.split("\t"))
        if line.startswith("#") or cells == HEADER:
            continue
        if len(cells) != len(HEADER) or not all(cells):
            raise MachineModelError("a line is a kind, a form and a reason, separated by tabs", str(file), number)
        if cells[0] not in kinds:
            raise MachineModelError(f"kind must be one of {', '.join(kinds)}, not '{cells[0]}'", str(file), number)
        found.append(Explanation(cells[0], cells[1], cells[2], str(file), number))
    return found
