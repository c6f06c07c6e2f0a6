"""The page in a real Chromium: paste, compile, compare, hover, zoom, undo, links, keyboard alone, accessibility."""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from browser import browsing, overflow, violations
from running_server import Running, running

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Debian's Chromium")

CHAIN = ".L1:\n vmulsd %xmm1, %xmm0, %xmm0\n addq $8, %rax\n cmpq %rcx, %rax\n jne .L1\n"
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here")


def until(page: Any, condition: str) -> None:
    """Waits until an expression is true. Playwright's own way needs `eval`, which the page forbids."""
    deadline = time.monotonic() + 30
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(30)


@dataclass
class Opened:
    """The page in a fresh window."""

    page: Any
    server: Running
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def until(self, condition: str) -> None:
        until(self.page, condition)

    def settled(self) -> None:
        """Waits until every answer is drawn."""
        self.page.wait_for_selector(".cards .card:not(.pending)")
        self.until("!document.querySelector('.card.pending')")

    def paste(self, text: str) -> None:
        self.page.click(".cm-content")
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)

    def figures(self) -> list[str]:
        found: list[str] = self.page.locator(".figure strong").all_inner_texts()
        return found

    def figure(self, value: str) -> None:
        """Waits for a forecast of so many cycles."""
        self.until(f"document.querySelector('.figure strong')?.textContent === {value!r}")

    def add_core(self, name: str) -> None:
        before = self.page.locator(".card").count()
        self.page.select_option("#add-core", name)
        self.until(f"document.querySelectorAll('.card').length === {before + 1}")
        self.settled()

    def only_core(self, name: str) -> None:
        """The page begins with this machine's core; whether a loop's counter is a chain there depends on it."""
        self.add_core(name)
        self.page.click("button[aria-label^='Remove']")
        self.until("document.querySelectorAll('.card').length === 1")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("serve")) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as found:
        yield found


def opened(browser: Any, server: Running, fragment: str = "", **options: Any) -> Opened:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
    context.set_default_timeout(30_000)
    page = context.new_page()
    found = Opened(page, server)
    page.on("pageerror", lambda error: found.problems.append(str(error)))
    page.on("console", lambda line: found.problems.append(line.text) if "Security" in line.text else None)
    page.on("request", lambda request: found.requests.append(request.url))
    page.goto(server.address + fragment)
    page.wait_for_selector(".cm-content")
    found.settled()
    return found


@pytest.fixture
def view(browser: Any, server: Running) -> Iterator[Opened]:
    found = opened(browser, server)
    try:
        found.page.evaluate("window.name = 'tested'")
        yield found
        assert found.problems == []
        assert [url for url in found.requests if not url.startswith((server.address, "data:"))] == []
    finally:
        found.page.context.close()


def test_pasted_assembly_is_analyzed(view: Opened) -> None:
    view.only_core("skylake_x")
    view.paste(CHAIN)
    view.figure("4.00")
    assert "dependenc" in view.page.inner_text(".cause")
    assert view.page.locator(".ports tbody tr").count() == 4
    status, answer = view.server.post("analyze", code=CHAIN, cpu="skylake_x")
    assert status == 200
    assert view.figures() == [answer["regions"][0]["view"]["value"]]


def test_every_part_is_there(view: Opened) -> None:
    view.only_core("skylake_x")
    parts = {part.get_attribute("data-part") for part in view.page.locator(".part").all()}
    assert parts >= {"advice", "reasons", "ports", "timeline", "occupancy", "graph", "roofline", "figures"}
    assert view.page.locator(".timeline .bar.run").count() > 4
    assert view.page.locator(".chart .curve").count() >= 3
    assert view.page.locator(".graph .node.carried").count() >= 1
    assert view.page.locator(".graph .arrow.carried").count() >= 1


@needs_gcc
def test_source_is_compiled_and_stands_beside_its_assembly(view: Opened) -> None:
    view.page.check(".segments input[value='c']")
    view.page.wait_for_selector(".part-source")
    view.settled()
    assert "sum += a[i] * b[i];" in view.page.inner_text(".part-source")
    assert view.page.locator(".cm-costs .cost").count() >= 1
    view.page.fill("#flags-0", "-O1 -march=haswell")
    view.page.keyboard.press("Enter")
    view.until("!document.querySelector('.part-ports')?.textContent.includes('zmm')")
    view.page.fill("#flags-0", "-o /tmp/elsewhere")
    view.page.keyboard.press("Enter")
    view.page.wait_for_selector(".problem")
    assert "not allowed" in view.page.inner_text(".problem")


@needs_gcc
def test_two_compilers_are_compared(view: Opened) -> None:
    view.page.check(".segments input[value='c']")
    view.page.wait_for_selector(".part-source")
    view.page.click("#add-compiler")
    view.page.fill("#flags-1", "-O1")
    view.page.keyboard.press("Enter")
    view.until("document.querySelectorAll('.card').length === 2")
    view.settled()
    assert "-O1" in view.page.locator(".card .under").nth(1).inner_text()


def test_several_cores_stand_side_by_side(view: Opened) -> None:
    view.add_core("skylake_x")
    view.add_core("haswell")
    view.until("document.querySelectorAll('.figure strong').length === 3")
    view.page.click("#column-1")
    assert view.page.get_attribute("#column-1", "aria-pressed") == "true"
    assert "skylake_x" in view.page.inner_text(".place")
    view.page.click("#show-all")
    assert view.page.locator(".lane").count() == 3
    assert view.page.locator(".lane .part-timeline").count() == 3
    tops = {box.bounding_box()["y"] for box in view.page.locator(".lane").all()}
    assert len(tops) == 1


def test_what_cannot_be_analyzed_says_why(view: Opened) -> None:
    view.add_core("apple_m1")
    view.page.wait_for_selector(".problem")
    assert "aarch64" in view.page.inner_text(".problem")
    view.paste("frobnicate %rax\n")
    view.until("document.querySelectorAll('.problem').length === 2")


def test_hovering_an_instruction_explains_it_and_lights_up_its_like(view: Opened) -> None:
    row = view.page.locator(".ports tbody tr").nth(2)
    row.hover()
    assert "form" in view.page.inner_text(".tooltip")
    assert "vfmadd132pd" in view.page.inner_text(".tooltip")
    assert view.page.locator(".graph .node.lit").count() == 1
    assert "vfmadd132pd" in view.page.inner_text(".cm-line.cm-lit")
    view.page.locator(".timeline .uop").first.hover()
    assert "retired" in view.page.inner_text(".tooltip")
    box = view.page.locator(".chart svg").bounding_box()
    view.page.locator(".chart svg").scroll_into_view_if_needed()
    box = view.page.locator(".chart svg").bounding_box()
    view.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30)
    assert "reorder buffer" in view.page.inner_text(".tooltip")


def test_the_timeline_zooms(view: Opened) -> None:
    def width() -> float:
        return float(view.page.get_attribute(".timeline svg", "width"))

    first = width()
    view.page.click("button[aria-label='Zoom in']")
    assert width() > first
    view.page.click(".part-timeline button:has-text('Fit')")
    assert width() == first
    view.page.focus(".scroll.timeline")
    view.page.keyboard.press("-")
    assert width() < first


def test_changes_are_undone_and_redone(view: Opened) -> None:
    view.add_core("skylake_x")
    view.settled()  # changes that follow each other at once are undone together
    view.paste(CHAIN)
    view.until("document.querySelectorAll('.ports tbody tr').length === 4")
    undo, redo = view.page.locator("button:has-text('Undo')"), view.page.locator("button:has-text('Redo')")
    undo.click()
    view.until("document.querySelector('.cm-content').textContent.includes('vfmadd132pd')")
    undo.click()
    view.until("document.querySelectorAll('.card').length === 1")
    redo.click()
    redo.click()
    view.until("document.querySelectorAll('.card').length === 2")
    view.until("document.querySelector('.cm-content').textContent.includes('vmulsd')")


def test_a_link_holds_the_state(view: Opened, browser: Any) -> None:
    view.add_core("skylake_x")
    view.paste(CHAIN)
    view.until("document.querySelectorAll('.ports tbody tr').length === 4")
    view.settled()
    view.page.wait_for_timeout(300)
    fragment = view.page.evaluate("location.hash")
    again = opened(browser, view.server, fragment)
    try:
        until(again.page, "document.querySelectorAll('.figure strong').length === 2")
        assert again.figures() == view.figures()
        assert "vmulsd" in again.page.inner_text(".cm-content")
    finally:
        again.page.context.close()


@pytest.mark.parametrize("fragment", ["#", "#x", "#AAAA", "#q1YqU7IyMtBRSlSyUkpUqgUA", "#" + "A" * 5000])
def test_a_broken_link_is_no_link(browser: Any, server: Running, fragment: str) -> None:
    found = opened(browser, server, fragment)
    try:
        assert found.problems == []
        assert len(found.figures()) == 1
    finally:
        found.page.context.close()


def test_hostile_text_is_shown_as_text(view: Opened) -> None:
    evil = "<img src=x onerror=alert(1)>"
    view.paste(f"# {evil}\n.L1:\n {evil}\n addq $1, %rax\n jne .L1\n")
    view.until("document.querySelector('.results').textContent.includes('<img')")
    assert view.page.locator(".results img").count() == 0


def focused(view: Opened) -> str:
    """What has the focus, as its name and its text."""
    found: str = view.page.evaluate(
        "(() => { const e = document.activeElement; return `${e.tagName} ${e.id} ${e.getAttribute('class') ?? ''} "
        "${e.getAttribute('aria-label') ?? ''} ${e.textContent.slice(0, 40)}` })()"
    )
    return found


def tab_to(view: Opened, pattern: str, most: int = 80) -> None:
    for _ in range(most):
        view.page.keyboard.press("Tab")
        if re.search(pattern, focused(view)):
            return
    raise AssertionError(f"Tab never comes to {pattern}, but to {focused(view)}")


def test_the_keyboard_alone_suffices(view: Opened) -> None:
    view.page.keyboard.press("Tab")
    assert "Skip to the results" in focused(view)
    tab_to(view, r"^INPUT choice")
    view.page.keyboard.press("ArrowRight")
    view.page.wait_for_selector(".compilers, .notice")
    view.page.keyboard.press("ArrowLeft")
    view.until("!document.querySelector('.compilers')")
    tab_to(view, "^SELECT add-core")
    view.page.keyboard.type("Intel Sky")
    view.page.keyboard.press("Enter")
    view.until("document.querySelectorAll('.card').length === 2")
    view.settled()
    assert "add-core" in focused(view)
    tab_to(view, "cm-content")
    view.page.keyboard.press("Control+End")
    view.page.keyboard.type("# end")
    tab_to(view, "column-1")
    view.page.keyboard.press("Enter")
    assert view.page.get_attribute("#column-1", "aria-pressed") == "true"
    assert "column-1" in focused(view)
    tab_to(view, "Dependencies")
    view.page.keyboard.press("Enter")
    assert "Dependencies" in focused(view)
    tab_to(view, "^g  node")
    view.page.keyboard.press("Enter")
    assert focused(view).startswith("TR")
    view.page.keyboard.press("Control+z")
    view.until("!document.querySelector('.cm-content').textContent.includes('# end')")


def test_arrow_keys_move_through_rows_and_boxes(view: Opened) -> None:
    view.page.locator(".ports tbody tr").first.focus()
    view.page.keyboard.press("ArrowDown")
    view.page.keyboard.press("ArrowDown")
    assert "vfmadd132pd" in focused(view)
    assert "vfmadd132pd" in view.page.inner_text(".tooltip")
    view.page.keyboard.press("End")
    assert "jne" in focused(view)
    view.page.keyboard.press("Tab")
    assert not focused(view).startswith("TR")
    view.page.locator(".graph .node").first.focus()
    view.page.keyboard.press("ArrowRight")
    assert view.page.locator(".graph .node").nth(1).evaluate("node => node === document.activeElement")


def test_focus_stays_where_it_is_when_answers_come(view: Opened) -> None:
    view.only_core("skylake_x")
    row = view.page.locator(".ports tbody tr").nth(2)
    view.page.evaluate("document.querySelector('.chains').open = true")
    row.focus()
    view.page.evaluate("document.querySelector('.cards').dataset.old = 'yes'")
    view.page.select_option("#option-unknown", "skip", force=True)
    row.focus()
    view.until("!document.querySelector('.cards').dataset.old")
    view.settled()
    assert focused(view).startswith("TR")
    assert view.page.evaluate("document.querySelector('.chains').open")


def test_no_part_of_a_drawing_is_a_stop_for_tab_but_the_boxes_of_the_graph(view: Opened) -> None:
    stops = []
    for _ in range(90):
        view.page.keyboard.press("Tab")
        stops.append(focused(view))
    assert any(re.match("g  node", stop) for stop in stops)
    assert [stop for stop in stops if re.match(r"(g|rect|path|svg) (?! node)", stop)] == []


def test_the_theme_is_chosen(view: Opened) -> None:
    def paper() -> str:
        found: str = view.page.evaluate("getComputedStyle(document.body).backgroundColor")
        return found

    button = view.page.locator("button:has-text('Theme')")
    button.click()
    light = paper()
    button.click()
    assert button.inner_text() == "Theme: dark"
    assert paper() != light
    view.page.reload()
    view.page.wait_for_selector("button:has-text('Theme: dark')")
    assert paper() != light


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800])
def test_axe_finds_nothing(browser: Any, server: Running, scheme: str, width: int) -> None:
    found = opened(browser, server, color_scheme=scheme)
    try:
        found.page.set_viewport_size({"width": width, "height": 900})
        found.page.click(".options summary")
        assert violations(found.page) == []
        found.add_core("skylake_x")
        found.add_core("apple_m1")
        assert violations(found.page) == []
        found.page.click("#show-all")
        assert violations(found.page) == []
        assert overflow(found.page) <= 0
    finally:
        found.page.context.close()


def test_the_first_answer_comes_with_the_editor(view: Opened, tmp_path: Path) -> None:
    assert view.figures()
    sizes = view.page.evaluate(
        "performance.getEntriesByType('resource').reduce((sum, entry) => sum + entry.decodedBodySize, 0)"
    )
    assert sizes < 2_000_000
