#!/usr/bin/env python3
"""Generate from src/corecast/machine/parameters.tsv what C++ and the documentation need of it.

cpp/machine/pipeline/generated/parameters.hpp  structs with the members that the table names
cpp/machine/pipeline/generated/parameters.cpp  their reader, the table for checks, what a simulation needs
docs/parameters.md                 the reference, below its introduction
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corecast.machine.parameters import parameters
from parameter_table.cpp import header_text, source_text
from parameter_table.reference import with_reference

ROOT = Path(__file__).resolve().parent.parent
HEADER = ROOT / "cpp/machine/pipeline/generated/parameters.hpp"
SOURCE = ROOT / "cpp/machine/pipeline/generated/parameters.cpp"
PAGE = ROOT / "docs/parameters.md"


def generated() -> dict[Path, str]:
    """The text of each file."""
    table = list(parameters().values())
    page = PAGE.read_text(encoding="utf-8")
    return {HEADER: header_text(table), SOURCE: source_text(table), PAGE: with_reference(page, table)}


def main() -> int:
    """Write the files that change; return an exit code."""
    for path, text in generated().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:  # else C++ would be compiled again
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
