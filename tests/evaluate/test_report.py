"""Kinds of blocks, tables, figures and pages."""

from __future__ import annotations

import io
from array import array
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from corecast.evaluate import Cases, Evaluation, Setting, evaluate, predictions_csv, read_blocks, to_html, to_markdown
from corecast.evaluate.charts import figures
from corecast.evaluate.disagreement import search
from corecast.evaluate.pairs import pairs_of
from corecast.evaluate.predictors import find_predictor
from corecast.evaluate.predictors.ablations import steps
from corecast.evaluate.sections import Section, sections
from corecast.evaluate.traits import traits_of
from corecast.evaluate.workbook import write_excel, write_parquet
from corecast.machine import load_machine

KINDS = [
    # code, content, memory, length; mode unroll
    ("4801c3", "scalar", "registers", "1"),  # add rbx, rax
    ("c5fb58c1", "vector", "registers", "1"),  # vaddsd xmm0, xmm0, xmm1
    ("c5fb5804c6", "vector", "loads", "1"),  # vaddsd xmm0, xmm0, [rsi + 8*rax]
    ("488b06" * 3, "scalar", "loads", "3 to 4"),
    ("488906", "scalar", "stores", "1"),
    ("488b06488902", "scalar", "loads and stores", "2"),  # mov rax, [rsi]; mov [rdx], rax
    ("480106", "scalar", "memory chain", "1"),  # add [rsi], rax: its load waits for its store
    ("4801c3c5fb58c1", "mixed", "registers", "2"),
    ("06", "unreadable", "unreadable", "unreadable"),
]


def setting() -> Setting:
    return Setting(load_machine("skylake_x"), "unroll", 1)


def some_cases() -> Cases:
    codes = [code for code, *_ in KINDS] * 10
    cases = Cases(array("d", [1.0 + number % 7 for number in range(len(codes))]), codes, [], codes)
    cases.groups = ["a" if number % 3 else "b" for number in range(len(codes))]
    cases.weights = array("d", range(len(codes)))
    return cases


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate(
        some_cases(), setting(), {"bounds": "", "baseline": ""} | steps(["no-micro-fusion", "uniform-ports"])
    )


def section(evaluation: Evaluation, title: str) -> Section:
    return next(each for each in sections(evaluation) if each.title == title)


def test_each_block_has_its_kinds() -> None:
    codes = [code for code, *_ in KINDS]
    found = traits_of(
        Cases(array("d", [1.0] * len(codes)), codes, [""] * len(codes), codes), load_machine("skx"), "unroll"
    )
    for place, (code, content, memory, length) in enumerate(KINDS):
        labels = {facet: found.labels[facet][place] for facet in ("content", "memory", "length")}
        assert labels == {"content": content, "memory": memory, "length": length}, code
    assert found.labels["bottleneck"][0] == "dependency"
    assert list(found.by("length")) == ["1", "2", "3 to 4", "unreadable"]


def test_vectors_of_other_instruction_sets_are_known() -> None:
    for cpu, scalar, vector in (("neoverse_v2", "0000018b", "00d4614e"), ("sifive_p670", "33055500", "57854200")):
        cases = Cases(array("d", [1.0, 1.0]), [scalar, vector], ["", ""], [scalar, vector])
        assert traits_of(cases, load_machine(cpu), "unroll").labels["content"] == ["scalar", "vector"], cpu


def test_applications_by_tools_end_with_their_average(evaluation: Evaluation) -> None:
    """The layout of table 3 of the case study: MAPE and Kendall's tau of each tool side by side."""
    table = section(evaluation, "By application")
    assert table.head[:4] == ("application", "cases", "bounds MAPE", "bounds tau")
    names = [row[0] for row in table.rows]
    assert names == ["a", "b", "Average", "All"]
    of_a, of_b, average = (float(row[2]) for row in table.rows[:3])
    assert average == pytest.approx((of_a + of_b) / 2, abs=0.006)
    assert float(table.rows[3][2]) == pytest.approx(100 * evaluation.results[0].metrics.mape, abs=0.006)


def test_steps_of_an_ablation_build_the_model(evaluation: Evaluation) -> None:
    """The layout of table 4 of the case study."""
    table = section(evaluation, "Steps of the model")
    assert [row[0] for row in table.rows] == ["Baseline", "+ micro-fusion", "without uniform-ports"]
    assert evaluation.tools[-1].name == "simulate"
    assert len(evaluation.tools) == 3
    last = evaluate(some_cases(), setting(), ["simulate"]).results[0].metrics
    assert table.rows[-1][1] == f"{100 * last.mape:.2f}"


def test_executions_weigh() -> None:
    cases = Cases(
        array("d", [1, 4]), ["4801c3", "480fafc0"], ["", ""], ["4801c3", "480fafc0"], weights=array("d", [9, 1])
    )
    weighted = evaluate(cases, setting(), ["bounds"]).results[0].weighted[""]  # 1 and 3 cycles
    assert weighted.mape == pytest.approx(0.1 * 0.25)
    assert weighted.total_error == pytest.approx((9 * 1 + 1 * 3) / (9 * 1 + 1 * 4) - 1)
    assert weighted.coverage == 1


def test_pairs_are_ordered_by_their_difference(evaluation: Evaluation) -> None:
    found = pairs_of(evaluation)
    assert [pair.mean for pair in found] == sorted((pair.mean for pair in found), reverse=True)
    assert {frozenset((pair.first.name, pair.second.name)) for pair in found} == {
        frozenset(names) for names in (("bounds", "baseline"), ("bounds", "simulate"), ("baseline", "simulate"))
    }


def test_figures_are_well_formed_and_told_apart(evaluation: Evaluation) -> None:
    found = list(figures(evaluation))
    assert len({figure.name for figure in found}) == len(found) == 1 + 2 * 3
    for figure in found:
        assert ElementTree.fromstring(figure.svg).tag.endswith("svg")
    curves = ElementTree.fromstring(found[0].svg)
    assert len(curves.findall("{http://www.w3.org/2000/svg}polyline")) == 3


class Balance(HTMLParser):
    """Whether what is opened is closed, and nothing is fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not {name for name, _ in attrs} & {"src", "href"}
        if tag not in ("meta", "rect", "line", "path", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "line", "path", "polyline"):
            assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(evaluation: Evaluation) -> None:
    page = to_html(evaluation, 2, "0")
    balance = Balance()
    balance.feed(page)
    assert not balance.open
    assert "Weighted by execution counts" in page
    assert "What is not covered" in page
    assert to_markdown(evaluation, 2).count("## Largest errors of") == 3


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("hex,cycles,app\n" + '4801c3,1,"<script>|`x`"\n480fafc0,3,"<script>|`x`"\n4801d8,1,b\n' * 20)
    lines = path.read_text().splitlines()
    path.write_text(
        "\n".join(dict.fromkeys([*lines, *(f"4801{number:02x}48ffc0,1,<script>" for number in range(0xC0, 0xF0))]))
    )
    found = evaluate(read_blocks(path), setting(), ["bounds"])
    assert "<script>" not in to_html(found, 1, "0")


def test_parquet_and_excel_hold_what_the_csv_file_holds(evaluation: Evaluation) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    pytest.importorskip("xlsxwriter", reason="XlsxWriter is not installed")
    expected = "".join(predictions_csv(evaluation)).splitlines()
    stream = io.BytesIO()
    write_parquet(evaluation, stream)
    table = parquet.read_table(io.BytesIO(stream.getvalue()))
    assert table.column_names == expected[0].split(",")
    assert table.num_rows == len(expected) - 1
    assert table.column("bounds_cycles").to_pylist()[8] is None
    assert str(table.column("bounds_cycles").to_pylist()[0]) == expected[1].split(",")[4]
    book = io.BytesIO()
    write_excel(evaluation, book)
    assert book.getvalue().startswith(b"PK")


def test_disagreements_come_down_to_the_instruction_that_causes_them() -> None:
    """The baseline knows no dependencies: what is left is a chain, and no shorter one."""
    machine = load_machine("skylake_x")
    codes = ["480fafc0", "4801c34889d1", "4889ca480fafc04889f7", "4889f14889d7"]
    cases = Cases(array("d", [1.0] * 4), codes, [""] * 4, codes)
    predictors = [find_predictor(name, setting()) for name in ("bounds", "baseline")]
    found = search(cases, predictors, machine, 40)
    assert found
    assert found == search(cases, predictors, machine, 40)
    assert any(each.lines == ("imul rax, rax",) for each in found)
    for each in found:
        assert abs(each.first_cycles - each.second_cycles) / ((each.first_cycles + each.second_cycles) / 2) > 0.5
