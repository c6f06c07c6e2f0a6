#!/usr/bin/env python3
"""Generate the x86 semantics overlay.

Two steps, each of which writes a checked-in file:
  facts  iced-x86 and llvm-mc -> src/corecast/isa/data/x86_semantics.tsv (needs both installed)
  code   that table           -> cpp/llvm/generated/x86_semantics.inc    (needs nothing)
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from x86_semantics.emit import inc_text, read_tsv, tsv_text

ROOT = Path(__file__).resolve().parent.parent
TSV = ROOT / "src/corecast/isa/data/x86_semantics.tsv"
INC = ROOT / "cpp/llvm/generated/x86_semantics.inc"


def write_facts(llvm_mc: str) -> int:
    """Write the table; return an exit code."""
    from importlib.metadata import version

    from x86_semantics.corrections import EXCLUDED
    from x86_semantics.llvm_spelling import llvm_version
    from x86_semantics.table import build_rows, collect

    collected = collect(llvm_mc)
    rows, conflicts = build_rows(collected.examples)
    unexplained = sorted(set(collected.missing) - set(EXCLUDED))
    for conflict in conflicts:
        print(f"same operands, different semantics: {conflict}", file=sys.stderr)
    for name in unexplained:
        print(f"not printed by LLVM, and no reason given: {name}", file=sys.stderr)
    TSV.parent.mkdir(parents=True, exist_ok=True)
    TSV.write_text(tsv_text(rows, version("iced-x86"), llvm_version(llvm_mc)), encoding="utf-8")
    print(f"{TSV.relative_to(ROOT)}: {len(rows)} rows from {len(collected.examples)} examples")
    return 1 if conflicts or unexplained else 0


def write_code() -> int:
    """Write the C++ array; return an exit code."""
    rows = read_tsv(TSV)
    INC.parent.mkdir(parents=True, exist_ok=True)
    INC.write_text(inc_text(rows), encoding="utf-8")
    print(f"{INC.relative_to(ROOT)}: {len(rows)} rows")
    return 0


def main() -> int:
    """Run the steps asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("facts", "code", "all"))
    parser.add_argument("--llvm-mc", default="llvm-mc-22", help="default: %(default)s")
    arguments = parser.parse_args()
    failed = write_facts(arguments.llvm_mc) if arguments.step in ("facts", "all") else 0
    return (write_code() if arguments.step in ("code", "all") else 0) or failed


if __name__ == "__main__":
    sys.exit(main())
