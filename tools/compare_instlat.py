#!/usr/bin/env python3
"""Compare form tables with InstLatx64's figures in facts/instlatx64: rows within a tenth, inherited ones included.

tools/compare_instlat.py [--worst N] [MODEL...]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corecast.machine import load_machine
from instlat.agreement import CORES_OF, agreement
from instlat.read import measured

DATA = Path(__file__).resolve().parent.parent / "src/corecast/machine/data"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="default: all that were measured")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list the N largest differences of each")
    arguments = parser.parse_args()
    for model in arguments.models or CORES_OF:
        found = agreement(load_machine(DATA / model), measured(CORES_OF[model]))
        shares = (f"{kind} {found.compared[kind]:5} {100 * found.share(kind):5.1f} %" for kind in found.compared)
        print(f"{model:16} {CORES_OF[model]:13} {'   '.join(shares)}")
        worst = sorted(found.differences, key=lambda each: -abs(each.ours_cycles / each.measured_cycles - 1))
        for difference in worst[: arguments.worst]:
            print(f"    {difference}   {difference.row.source}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
