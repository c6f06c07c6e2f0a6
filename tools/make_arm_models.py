"""Writes the form tables of the Arm models (not A64FX, which has a separate generator).

    python tools/make_arm_models.py [NAME ...]

Reads facts/. Needs llvm-mc of the LLVM that the extension was built with. The same
input gives the same files; pipeline.toml and SOURCES.md are written by hand.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from arm_models import (
    apple_m1,
    apple_m1_e,
    common,
    cortex_a72,
    cortex_a76,
    instruction_sets,
    neoverse_n1,
    neoverse_n2,
    neoverse_v1,
    neoverse_v2,
    neoverse_v3,
    thunderx2,
    tsv110,
    verify,
)
from arm_models.examples import examples
from corecast.machine.rows import write_compact

MACHINES = Path(__file__).resolve().parent.parent / "src" / "corecast" / "machine" / "data"
CORES = {
    "apple_m1": apple_m1, "apple_m1_e": apple_m1_e, "cortex_a72": cortex_a72, "cortex_a76": cortex_a76,
    "neoverse_n1": neoverse_n1, "neoverse_n2": neoverse_n2, "neoverse_v1": neoverse_v1, "neoverse_v2": neoverse_v2,
    "neoverse_v3": neoverse_v3, "thunderx2": thunderx2, "tsv110": tsv110,
}  # fmt: skip
COMMENTS = {
    "measured.tsv": "Forms with at least one measured figure; the source column says which.",
    "llvm.tsv": "Forms as documented: LLVM's scheduling model, corrected where SOURCES.md says.",
    "family.tsv": "Forms as another core of the family has them; the source column says which.",
}


def _verify(names: Sequence[str], count: int) -> int:
    """Compare and tell; 1 where a difference is not explained."""
    failed = False
    for name in names:
        if origin := getattr(CORES[name], "ORIGIN", None):
            print(f"{name}: all rows are those of {origin.CPU}")
            continue
        compared, differences = verify.verify(name, CORES[name], count)
        print(f"{name}: {compared} figures compared, {len(differences)} differences that SOURCES.md does not explain")
        for difference in differences:
            print(f"  {difference}")
        failed = failed or bool(differences)
    return int(failed)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the form tables of the Arm models.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CORES)}; all by default")
    parser.add_argument(
        "--verify", type=int, metavar="N", help="write nothing; compare N random forms of each core with their sources"
    )
    options = parser.parse_args()
    if options.verify is not None:
        sys.exit(_verify(options.names or list(CORES), options.verify))
    for name in options.names or CORES:
        rows = CORES[name].rows()
        coded = ((each.form, each.code) for each in examples() if each.form in rows)
        for form in instruction_sets.missing(name, CORES[name].CPU, coded):
            del rows[form]
        for file, part in common.split(rows).items():
            if not part:
                continue
            comments = (COMMENTS[file], "Made by tools/make_arm_models.py; do not edit.")
            print(name, file, write_compact(MACHINES / name / "forms" / file, comments, part))


if __name__ == "__main__":
    main()
