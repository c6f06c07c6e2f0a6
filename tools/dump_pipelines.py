#!/usr/bin/env python3
"""Write the parameters of shipped models as text, for the tests in C++: python tools/dump_pipelines.py OUT

As they count: what models inherit and assume is in it. scripts/build --tests and scripts/sanitize call it before they
run the tests, so that these never see other parameters than users do. A line holds the steps to a value (#0 is the
first item of a list), then its type and the value, separated by tabs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from corecast.files.atomic import write_whole
from corecast.machine.inherit import read_pipeline

MACHINES = Path(__file__).resolve().parent.parent / "src" / "corecast" / "machine" / "data"


def lines(value: Any, steps: tuple[str, ...]) -> Iterator[str]:
    """A line for each value below these steps.

    Raises:
        ValueError: a text that holds a tab or goes over several lines.
    """
    inner = (
        list(value.items())
        if isinstance(value, Mapping)
        else [(f"#{place}", each) for place, each in enumerate(value)]
        if isinstance(value, list)
        else None
    )
    if inner:
        for step, each in inner:
            yield from lines(each, (*steps, step))
        return
    kind = {bool: "b", int: "n", float: "n", str: "t", list: "l", dict: "d"}[type(value)]
    text = "" if inner is not None else str(value)
    if set("\t\n") & set(text):
        raise ValueError(f"{'.'.join(steps)}: a tab or a line break")
    yield "\t".join((*steps, kind + text)) + "\n"


def main() -> int:
    """Write the file; return an exit code."""
    (out,) = sys.argv[1:]
    cores = sorted(folder.name for folder in MACHINES.iterdir() if (folder / "pipeline.toml").is_file())
    write_whole(
        Path(out), "".join(line for core in cores for line in lines(read_pipeline(MACHINES / core)[0], (core,)))
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
