"""Graphs hold every instruction and dependency, mark the two paths and cannot be broken by what they show."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from corecast.report.graph import arrows, render_dot
from corecast.report.layout import COLUMNS, lay_out
from corecast.report.svg import render_svg
from report import factory
from report.factory import Parts, Row, edge, region

SVG = "{http://www.w3.org/2000/svg}"


def parse(*regions: factory.RegionResult) -> ElementTree.Element:
    return ElementTree.fromstring(render_svg(factory.analysis(*regions)))


def test_arrows_merge_parallel_dependencies() -> None:
    region = factory.gauss_seidel()
    twice = (*region.dependencies.edges, factory.edge(0, 2, 6, "flags", kind="flags"))
    region = replace(region, dependencies=replace(region.dependencies, edges=twice))
    arrow = next(a for a in arrows(region) if (a.producer, a.consumer) == (0, 2))
    assert (arrow.cycles, arrow.kind, arrow.locations) == (6, "flags", ("xmm2", "flags"))


def test_paths_are_marked_on_their_arrows_only() -> None:
    marked = {(a.producer, a.consumer): (a.on_critical_path, a.on_loop_carried) for a in arrows(factory.gauss_seidel())}
    assert marked[(0, 2)] == (True, False)
    assert marked[(3, 4)] == (True, True)
    assert marked[(6, 3)] == (False, True)
    assert marked[(1, 7)] == (False, False)


@pytest.mark.parametrize("count", [1, 10, 137, 400])
def test_layout_leads_every_dependency_of_a_pass_down(count: int) -> None:
    region = factory.large(max(10, count))
    found = arrows(region)
    layout = lay_out(region, found)
    assert len(set(layout.places)) == len(region.instructions)
    assert layout.columns <= COLUMNS
    for arrow in found:
        if arrow.distance == 0:
            assert layout.places[arrow.producer][0] < layout.places[arrow.consumer][0]


def test_svg_has_a_node_for_each_instruction_and_a_path_for_each_arrow() -> None:
    region = factory.gauss_seidel()
    root = parse(region)
    assert len([g for g in root.iter(f"{SVG}g") if g.get("class", "").startswith("node ")
                or g.get("class") == "node"]) == len(region.instructions)  # fmt: skip
    assert len([p for p in root.iter(f"{SVG}path") if p.get("data-p")]) == len(arrows(region))


def test_svg_stays_within_its_size() -> None:
    root = parse(factory.large(60))
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    for rect in root.iter(f"{SVG}rect"):
        assert float(rect.get("x", "0")) + float(rect.get("width", "0")) <= width
        assert float(rect.get("y", "0")) + float(rect.get("height", "0")) <= height


def test_svg_is_the_same_each_time() -> None:
    assert render_svg(factory.analysis(factory.large(80))) == render_svg(factory.analysis(factory.large(80)))


def test_svg_escapes_names_and_forbidden_characters() -> None:
    region = replace(factory.with_unknown(), name="</text><script>\x00\x1b")
    row = replace(region.instructions[0], text="<b>&\"'\x08 ]]>")
    region = replace(region, instructions=(row, *region.instructions[1:]))
    root = parse(region)
    assert not list(root.iter(f"{SVG}script"))
    assert "</text><script>" in "".join(root.itertext())


def test_svg_of_nothing_is_a_picture() -> None:
    assert parse().tag == f"{SVG}svg"
    assert parse(factory.region((), factory.Parts(("0",)))).tag == f"{SVG}svg"


def test_dot_quotes_what_it_shows() -> None:
    region = replace(factory.gauss_seidel(), name='a"b\\')
    text = render_dot(factory.analysis(region))
    assert text.startswith('digraph "a\\"b\\\\" {')
    assert len(re.findall(r"^  i\d+ \[", text, re.MULTILINE)) == len(region.instructions)
    assert len(re.findall(r"^  i\d+ -> i\d+ \[", text, re.MULTILINE)) == len(arrows(region))
    assert text.rstrip().endswith("}")


def test_one_cycle_is_singular() -> None:
    rows = (Row("a"), Row("b"))
    said = [
        arrow.label for arrow in arrows(region(rows, Parts(("0",), edges=(edge(0, 1, 1, "rax"), edge(1, 1, 2, "rbx")))))
    ]
    assert said == ["rax: 1 cycle", "rbx: 2 cycles"]
