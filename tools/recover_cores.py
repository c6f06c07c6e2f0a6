"""Eight simulated cores with random pipelines and port maps: what measuring them recovers, as a table.

    recover_cores.py -o benchmarks/recovery.csv

Each core is a model with other parameters, rules, latencies and ports (tests/random_cores.py), and is measured as
`corecast calibrate` and `corecast measure` do. Statuses: recovered; not told apart, where the core's times do not
depend on it; missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from random_cores import (
    BUFFERS,
    FORMS,
    QUICK,
    SEEDS,
    Recovered,
    random_core,
    recovered_forms,
    recovered_pipeline,
    recovered_ports,
    table,
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    found: list[Recovered] = []
    for seed in SEEDS:
        with tempfile.TemporaryDirectory() as folder:
            core = random_core(seed, Path(folder))
            found += recovered_pipeline(core, (*QUICK, *BUFFERS))
            found += recovered_forms(core, list(FORMS))
            found += recovered_ports(core, list(FORMS))
        print(f"core {seed}: {dict(Counter(each.status for each in found if each.core == seed))}", file=sys.stderr)
    arguments.output.write_text(table(found), encoding="utf-8")
    for kind in dict.fromkeys(each.kind for each in found):
        print(f"{kind}: {dict(Counter(each.status for each in found if each.kind == kind))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
