"""The pictures above long tables are those of the tables."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import pytest

from corecast.report.bars import Bars, bars_svg
from docs.pages import ROOT

_SVG = "{http://www.w3.org/2000/svg}"


def test_pictures_are_those_of_todays_tables() -> None:
    done = subprocess.run([sys.executable, "tools/plot_tables.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}run tools/plot_tables.py"


@pytest.mark.parametrize("stacked", [True, False])
def test_bars_are_as_long_as_their_values(stacked: bool) -> None:
    bars = Bars("a < b", ("one", "two"), [("x & y", [2.0, 4.0]), ("z", [1.0, None])], stacked, " %")
    root = ElementTree.fromstring(bars_svg(bars))
    drawn = [each for each in root.iter(f"{_SVG}rect") if each.get("class") != "paper"][2:]
    widths = [float(each.attrib["width"]) for each in drawn]
    assert [width / widths[0] for width in widths] == pytest.approx([1.0, 2.0, 0.5], abs=0.01)
    starts = [float(each.attrib["x"]) for each in drawn]
    assert (starts[1] > starts[0]) is stacked
    texts = [each.text for each in root.iter(f"{_SVG}text")]
    assert {"a < b", "x & y", "one", "two"} <= set(texts)
