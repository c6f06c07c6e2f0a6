"""The page needs nothing from elsewhere, links rows and boxes, and shows hostile text as text."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from corecast.report.html import render_html
from report import factory

VOID = {"meta", "br", "link", "img", "input"}


class Page(HTMLParser):
    """Checks that tags balance, and collects ids and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.shown = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")
            if name in ("src", "href", "action") and not (value or "").startswith("#"):
                self.addresses.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.shown += data


def page(*regions: factory.RegionResult) -> Page:
    return Page(render_html(factory.analysis(*regions)))


def test_tags_balance_and_ids_are_unique() -> None:
    found = page(factory.gauss_seidel(), factory.with_unknown(), factory.wide(24))
    assert len(found.ids) == len(set(found.ids))


def test_every_link_leads_to_a_place_of_the_page() -> None:
    found = page(factory.gauss_seidel(), factory.with_unknown())
    assert found.links
    assert {link[1:] for link in found.links} <= set(found.ids)


def test_nothing_is_fetched() -> None:
    text = render_html(factory.analysis(factory.gauss_seidel()))
    assert page(factory.gauss_seidel()).addresses == []
    assert "http:" not in text
    assert "https:" not in text
    assert "@import" not in text
    assert "url(#" in text
    assert text.count("url(") == text.count("url(#")


def test_rows_and_boxes_are_linked_both_ways() -> None:
    found = page(factory.gauss_seidel())
    for index in range(9):
        assert f"#r0-n{index}" in found.links
        assert f"#r0-i{index}" in found.links


def test_hostile_text_is_shown_as_text() -> None:
    evil = "</td></script><script>alert(1)</script><img src=x onerror=alert(1)>\x00"
    region = factory.gauss_seidel()
    row = replace(region.instructions[0], text=evil, form=evil + '" onmouseover="x', note=evil)
    region = replace(region, name=evil, instructions=(row, *region.instructions[1:]), warnings=(evil,))
    found = page(region)
    assert found.tags.count("script") == 1
    assert "img" not in found.tags
    assert "<img src=x onerror=alert(1)>" in found.shown


def test_contents_only_for_several_regions() -> None:
    assert "nav" not in page(factory.gauss_seidel()).tags
    assert "nav" in page(factory.gauss_seidel(), factory.with_unknown()).tags


def test_hover_details_name_form_source_and_confidence() -> None:
    text = render_html(factory.analysis(factory.gauss_seidel()))
    assert 'data-form="inc r15"' in text
    assert 'data-latency="5 cycles"' in text
    assert 'data-confidence="measured"' in text
