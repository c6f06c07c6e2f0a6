#!/usr/bin/env python3
"""Write the parameters of shipped models as JSON, for the tests in C++: python tools/dump_pipelines.py OUT

As they count: what models inherit and assume is in it. scripts/build --tests and scripts/sanitize call it before they
run the tests, so that these never see other parameters than users do.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from corecast.files.whole import write_whole
from corecast.machine.inherit import read_pipeline

MACHINES = Path(__file__).resolve().parent.parent / "src" / "corecast" / "machine" / "data"


def main() -> int:
    """Write the file; return an exit code."""
    (out,) = sys.argv[1:]
    cores = sorted(folder.name for folder in MACHINES.iterdir() if (folder / "pipeline.toml").is_file())
    pipelines = {core: read_pipeline(MACHINES / core)[0] for core in cores}
    write_whole(Path(out), json.dumps(pipelines, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
