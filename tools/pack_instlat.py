#!/usr/bin/env python3
"""Pack InstLatx64's figures of forms that have a key into facts/instlatx64.

    tools/pack_instlat.py FOLDER

FOLDER holds CORE.tsv.gz: a line that names the dump and the processor, a header, and rows of isa, instruction, latency
and reciprocal throughput in cycles. Every name is rendered to text, assembled, and given the form that comes out; of
several that share a form the first counts.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import lzma
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import facts
from corecast.convert.importers.x86_text import assemble_each
from instlat.names import example
from instlat.read import CORES, HEADER, SAME


def pack(path: Path) -> tuple[list[str], int]:
    """Lines of a packed file, and how many rows have no form."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        title = next(file).strip()
        rows = [(example(row["instruction"]), row) for row in csv.DictReader(file, delimiter="\t")]
    instructions = assemble_each([rendered[0] if rendered else "nonsense" for rendered, _ in rows])
    found: dict[str, str] = {}
    for (rendered, row), instruction in zip(rows, instructions, strict=True):
        if instruction is None or rendered is None:
            continue
        form = instruction.form + (SAME if rendered[1] else "")
        latency, throughput = row["latency_cycles"], row["reciprocal_throughput_cycles"]
        found.setdefault(form, f"{form}\t{latency}\t{throughput}")
    return [title, HEADER, *(found[form] for form in sorted(found))], len(rows) - len(found)


def main() -> int:
    """Pack the files of all cores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="of CORE.tsv.gz")
    arguments = parser.parse_args()
    for core in CORES:
        lines, lost = pack(arguments.folder / f"{core}.tsv.gz")
        packed = facts.FOLDER / f"instlatx64/{core}.tsv.xz"
        packed.write_bytes(lzma.compress(("\n".join(lines) + "\n").encode(), preset=9 | lzma.PRESET_EXTREME))
        print(f"{core}: {len(lines) - 2} forms, {lost} rows without one; {packed.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
