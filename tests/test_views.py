"""Results in notebooks: HTML fragments, one-line texts, pandas tables and matplotlib plots."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from importlib import import_module
from typing import Any

import pytest

import corecast
from corecast import evaluate, explore
from corecast.analysis import AnalyzeOptions
from corecast.analysis.analysis_result import AnalysisResult
from corecast.dataclass import replace
from corecast.errors import InputError, MissingPackageError
from corecast.evaluate.predictors import Setting
from corecast.report.fragment import block, table
from corecast.views import Viewed, optional_package, view_of

TEXT = """
.L1: vmovsd (%rdi,%rax,8), %xmm1
     vaddsd %xmm1, %xmm0, %xmm0
     incq %rax
     cmpq %rax, %rsi
     jne .L1
"""
BLOCKS = ["4801c3", "480fafd8", "0f"]


def analysis() -> AnalysisResult:
    return corecast.analyze(TEXT, "skylake_x", AnalyzeOptions(timeline=2, ecm=True))


def exploration() -> explore.Exploration:
    kernel = corecast.Kernel.from_text(TEXT, isa="x86")
    sweeps = explore.parse_sweeps(["reorder_buffer.entries=32,64,128"])
    machine = corecast.load_machine("skylake_x")
    return explore.explore(machine, [explore.Subject("sum", kernel)], sweeps, explore.factorial(sweeps), jobs=1)


def evaluation() -> evaluate.Evaluation:
    cases = evaluate.Cases()
    for code, cycles in (("4801c3", 1.0), ("480fafd8", 3.1), ("480fafd84801c3", 4.0)):
        cases.measured.append(cycles)
        cases.names.append(code)
        cases.groups.append("")
        cases.codes.append(code)
    setting = Setting(corecast.load_machine("skylake_x"))
    return evaluate.evaluate(cases, setting, ["simulate"])


RESULTS: dict[str, Callable[[], Any]] = {
    "AnalysisResult": analysis,
    "RegionResult": lambda: analysis().regions[0],
    "SimulationResult": lambda: analysis().regions[0].simulated,
    "Timeline": lambda: analysis().regions[0].simulated.timeline,
    "Ecm": lambda: analysis().regions[0].ecm,
    "Predictions": lambda: corecast.predict(BLOCKS, "skylake_x"),
    "Exploration": exploration,
    "Evaluation": evaluation,
}
each_result = pytest.mark.parametrize("name", RESULTS)


class Fragment(HTMLParser):
    """What a fragment asks of its surroundings, and whether its elements close."""

    VOID = ("img", "br", "meta", "link")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.tags: set[str] = set()
        self.pages: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for key, value in attrs:
            if key in ("src", "href"):
                self.addresses.append(value or "")
            if key == "srcdoc":
                self.pages.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@each_result
def test_every_result_shows_itself_in_a_fragment_that_needs_nothing_else(name: str) -> None:
    found = Fragment(RESULTS[name]()._repr_html_())
    assert found.open == []
    assert not found.tags & {"script", "style", "html", "body"}, "a fragment must not touch the notebook"
    assert all(address.startswith("data:image/svg+xml") for address in found.addresses)
    for page in found.pages:
        assert page.startswith("<!DOCTYPE html>")
        assert re.search("color-scheme: ?light dark", page)


@each_result
def test_text_is_one_short_line(name: str) -> None:
    text = repr(RESULTS[name]())
    assert text.startswith(f"<{name}")
    assert "\n" not in text
    assert len(text) < 200


@each_result
def test_tables_have_a_row_for_each_part(name: str) -> None:
    pytest.importorskip("pandas")
    result = RESULTS[name]()
    frame = result.to_pandas()
    rows = {
        "AnalysisResult": lambda: len(result.regions),
        "RegionResult": lambda: len(result.instructions),
        "SimulationResult": lambda: len(result.ranked_stalls),
        "Timeline": lambda: len(result.uops),
        "Ecm": lambda: 1,
        "Predictions": lambda: len(BLOCKS),
        "Exploration": lambda: len(result.points),
        "Evaluation": lambda: len(result.cases),
    }
    assert len(frame) == rows[name]() > 0
    assert len(set(frame.columns)) == len(frame.columns)


@each_result
def test_plots_return_the_axes_that_they_drew_on(name: str) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    pyplot = import_module("matplotlib.pyplot")
    result = RESULTS[name]()
    try:
        axes = result.plot()
        assert axes.has_data()
        assert axes.get_title() or axes.get_xlabel()
        figure, own = pyplot.subplots()
        assert result.plot(ax=own) is own
        figure.savefig("/dev/null", format="png")
    finally:
        pyplot.close("all")


def test_table_values_are_those_of_the_result() -> None:
    pytest.importorskip("pandas")
    result = analysis()
    row = result.to_pandas().iloc[0]
    assert row.cycles_per_iteration == result.regions[0].cycles_per_iteration == pytest.approx(4.0)
    assert row.bottleneck == "dependency"
    frame = result.regions[0].to_pandas()
    ports = frame.filter(regex="^port_").sum()
    assert list(ports) == pytest.approx(list(result.regions[0].ports.totals))
    assert frame.stall_cycles.sum() < 4.0
    blocks = corecast.predict(BLOCKS, "skylake_x").to_pandas()
    assert list(blocks.status) == ["ok", "ok", "error"]
    assert blocks.cycles.isna().tolist() == [False, False, True]
    assert list(exploration().to_pandas()["reorder_buffer.entries"]) == [32, 64, 128]


def test_an_exploration_draws_the_kinds_that_it_can() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    found = exploration()
    assert found.plot(objective="ipc").get_ylabel() == "ipc"
    assert found.plot(kind="roofline").get_xscale() == "log"
    with pytest.raises(InputError, match="2 keys"):
        found.plot(kind="heatmap")
    import_module("matplotlib.pyplot").close("all")


def test_results_without_values_say_what_is_missing() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    with pytest.raises(InputError, match="no block has a prediction"):
        corecast.predict(["0f"], "skylake_x").plot()
    assert "0 blocks" in corecast.predict([], "skylake_x")._repr_html_()
    import_module("matplotlib.pyplot").close("all")


def test_a_region_without_a_forecast_has_none_anywhere() -> None:
    known = analysis()
    result = replace(known, regions=(replace(known.regions[0], withheld=True),))
    assert "no forecast" in repr(result.regions[0])
    assert "no forecast" in result._repr_html_()
    pytest.importorskip("pandas")
    assert result.to_pandas().cycles_per_iteration.isna().all()


def test_texts_of_the_user_are_escaped() -> None:
    fragment = block("<b>&", table(["<i>", "n"], [("<script>alert(1)</script>", 1.5)]))
    found = Fragment(fragment)
    assert not found.tags & {"b", "i", "script"}
    assert "&lt;script&gt;" in fragment


def test_long_tables_are_cut_and_say_so() -> None:
    fragment = table(["n"], [(number,) for number in range(100)], most=10)
    assert fragment.count("<tr>") == 11
    assert "90 more rows" in fragment


def test_a_missing_package_is_one_clear_message(monkeypatch: pytest.MonkeyPatch) -> None:
    result = corecast.predict(BLOCKS, "skylake_x")
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingPackageError, match=r"tables need pandas: pip install 'corecast\[notebook\]'"):
        result.to_pandas()
    with pytest.raises(ImportError, match=r"plots need matplotlib: pip install 'corecast\[notebook\]'"):
        result.plot()
    with pytest.raises(MissingPackageError, match="no_such_package"):
        optional_package("no_such_package.part", "tests", "notebook")


def test_the_extra_exists() -> None:
    from importlib.metadata import metadata

    assert "notebook" in (metadata("corecast").get_all("Provides-Extra") or [])


@pytest.mark.parametrize(("name", "view"), corecast.VIEWS.items())
def test_every_view_is_a_module_of_a_result_class(name: str, view: str) -> None:
    module, _, kind = name.rpartition(".")
    cls = getattr(import_module(module), kind)
    assert issubclass(cls, Viewed)
    assert view_of(cls) is import_module(view)
    assert all(callable(getattr(view_of(cls), function)) for function in ("html", "table", "draw"))


def test_a_class_without_a_view_is_an_error() -> None:
    with pytest.raises(LookupError, match="Viewed has no view"):
        view_of(Viewed)


def test_results_load_neither_views_nor_packages() -> None:
    code = "import sys, corecast; corecast.analyze('4801c3', 'haswell'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"pandas", "numpy", "matplotlib", "corecast.report", "corecast.report.views.analysis"}
