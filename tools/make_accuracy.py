"""Writes docs/accuracy.md: every predictor's errors on measured blocks and kernels, ablations, and a peer's cycles.

python tools/make_accuracy.py --data FOLDER [-o FILE]

FOLDER holds the measurements (skx_dev_*.csv, kernels/, kernels_skx_dev.csv). The C++ tests hold the part about
synthetic blocks to be exact.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from accuracy import blocks, kernels, overview, vectors
from corecast import __version__

PAGE = Path(__file__).resolve().parent.parent / "docs" / "accuracy.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("-o", "--output", type=Path, default=PAGE, metavar="FILE")
    arguments = parser.parse_args()
    data: Path = arguments.data.resolve()  # the tables of kernels are linked from elsewhere
    text = "\n".join(_page(data)).rstrip() + "\n"
    arguments.output.write_text(text, encoding="utf-8")


def _page(folder: Path) -> Iterator[str]:
    yield from ("# How accurate the predictions are", "")
    yield f"Made by `python tools/make_accuracy.py --data FOLDER` with corecast {__version__}. Errors are relative"
    yield "to the measurement, over the answers that count (coverage); in brackets 95 % bootstrap intervals; tau is"
    yield "Kendall's, both sides rounded to 0.01 cycles. [evaluate](evaluate.md) defines every figure and name."
    yield ""
    yield from overview.sections(folder)
    yield from blocks.sections(folder)
    yield from vectors.sections()
    yield from kernels.sections(folder)


if __name__ == "__main__":
    main()
