"""The self-contained report in a real Chromium, opened as a file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import corecast
from browser import ROOT, browsing, overflow, violations
from corecast.cli.main import main

EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as found:
        yield found


def opened(browser: Any, file: Path, **options: Any) -> Any:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
    page = context.new_page()
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda line: page.problems.append(line.text) if "Security" in line.text else None)
    page.on("request", lambda request: page.problems.append(request.url) if "data:" not in request.url else None)
    page.goto(file.as_uri())
    page.wait_for_selector(".region")
    return page


def written(folder: Path, *arguments: str) -> Path:
    file = folder / "report.html"
    assert main(["analyze", *arguments, "-o", str(file)]) == 0
    return file


def test_one_loop_has_all_parts(browser: Any, tmp_path: Path) -> None:
    page = opened(browser, written(tmp_path, str(EXAMPLES / "triad.gcc-O3.s"), "--cpu", "skylake_x"))
    try:
        assert page.inner_text(".figure strong") == "2.00"
        parts = {part.get_attribute("data-part") for part in page.locator(".part").all()}
        assert parts >= {"advice", "reasons", "ports", "timeline", "occupancy", "graph", "roofline", "figures"}
        page.locator(".ports tbody tr").first.hover()
        assert "vmovupd" in page.inner_text(".tooltip")
        assert page.locator(".ports th.limiting").all_inner_texts() == ["2", "3"]
        assert page.problems == [tmp_path.joinpath("report.html").as_uri()]
    finally:
        page.context.close()


def test_a_notebook_shows_the_page_in_a_frame_that_sees_nothing_of_it(browser: Any, tmp_path: Path) -> None:
    fragment = corecast.analyze(EXAMPLES / "triad.gcc-O3.s", "skylake_x")._repr_html_()
    file = tmp_path / "notebook.html"
    file.write_text(f"<!DOCTYPE html><meta charset=utf-8><title>n</title><p id=own>own</p>{fragment}", encoding="utf-8")
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    try:
        frame = page.frame_locator("iframe")
        frame.locator(".region").first.wait_for()
        assert frame.locator(".figure strong").first.inner_text() == "2.00"
        assert page.locator(".corecast > div").first.inner_text().startswith("triad")
        assert requests == [file.as_uri()]
    finally:
        page.context.close()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here")
def test_lines_of_the_source_are_shown(browser: Any, tmp_path: Path) -> None:
    source = str(EXAMPLES / "triad.c")
    page = opened(browser, written(tmp_path, source, "--compile", "gcc -O2 -march=haswell", "--cpu", "haswell"))
    try:
        assert "c[i] * d[i]" in page.inner_text(".part-source")
    finally:
        page.context.close()


def test_many_loops_are_listed_and_sorted(browser: Any, tmp_path: Path) -> None:
    file = written(tmp_path, str(EXAMPLES / "three_loops.gcc-O2.s"), "--cpu", "skylake_x", "--cpu", "zen4")
    page = opened(browser, file)
    try:
        assert page.locator(".overview tbody tr").count() == 6
        assert "Unknown" not in page.inner_text(".overview thead")
        page.click(".overview th button:has-text('Cycles')")
        cells = page.locator(".overview tbody td:nth-child(5)").all_inner_texts()
        assert [float(each) for each in cells] == sorted(map(float, cells), reverse=True)
        assert page.get_attribute(".overview th:nth-child(5)", "aria-sort") == "descending"
        page.locator(".overview tbody a").last.click()
        last = page.locator(".overview tbody a").last.get_attribute("href")
        assert page.evaluate(f"document.querySelector({last!r}).open")
        assert page.locator(f"{last} .ports tbody tr").count() > 2
    finally:
        page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Any, tmp_path: Path, scheme: str) -> None:
    file = written(tmp_path, str(EXAMPLES / "three_loops.gcc-O2.s"), "--cpu", "skylake_x")
    page = opened(browser, file, color_scheme=scheme)
    try:
        assert violations(page) == []
        assert overflow(page) <= 0
        page.set_viewport_size({"width": 800, "height": 900})
        assert violations(page) == []
        assert overflow(page) <= 0
    finally:
        page.context.close()
