"""The page needs nothing from elsewhere, holds the document with its words, and shows hostile text as text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from corecast.report.html import render_html
from report import factory

VOID = {"meta", "br", "link", "img", "input"}
NAME_SPACE = "http://www.w3.org/2000/svg"
"""A name, which nobody fetches."""


class Page(HTMLParser):
    """Checks that tags balance, and collects ids, addresses and what scripts and styles hold."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.policy = ""
        self.held: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href", "action") and not (value or "").startswith(("#", "data:")):
                self.addresses.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            self.held.append(data)

    @property
    def documents(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = next(json.loads(text) for text in self.held if text.startswith("["))
        return found


def page(*regions: factory.RegionResult) -> Page:
    return Page(render_html(factory.analysis(*regions)))


def test_tags_balance_and_ids_are_unique() -> None:
    found = page(factory.gauss_seidel(), factory.with_unknown(), factory.wide(24))
    assert len(found.ids) == len(set(found.ids))


def test_nothing_is_fetched() -> None:
    text = render_html(factory.analysis(factory.gauss_seidel()))
    assert page(factory.gauss_seidel()).addresses == []
    assert set(re.findall(r"https?:[^\s\"'`]+", text)) <= {NAME_SPACE}
    assert "@import" not in text
    assert set(re.findall(r"url\((.)", text)) <= {"#"}
    for word in ("fetch(", "XMLHttpRequest", "WebSocket", "eval(", "innerHTML"):
        assert word not in text


def test_the_policy_lets_only_what_the_file_holds_run() -> None:
    found = page(factory.gauss_seidel())
    assert found.policy.startswith("default-src 'none'")
    for held in found.held:
        digest = base64.b64encode(hashlib.sha256(held.encode()).digest()).decode()
        assert (f"'sha256-{digest}'" in found.policy) != held.startswith("[")


def test_words_and_figures_are_those_of_the_other_reports() -> None:
    region = factory.gauss_seidel()
    view = page(region).documents[0]["regions"][0]["view"]
    assert view["value"] == f"{region.prediction.cycles_per_iteration:.2f}"
    assert view["bottleneck"].startswith("loop-carried dependency")
    assert [row["text"] for row in view["table"]["rows"]] == [row.text for row in region.instructions]
    assert len(view["graph"]["nodes"]) == len(region.instructions)
    assert any(arrow["carried"] for arrow in view["graph"]["arrows"])


def test_what_hovering_shows_names_form_source_and_confidence() -> None:
    first = page(factory.gauss_seidel()).documents[0]["regions"][0]
    row = first["instructions"][1]
    assert (row["form"], row["source"], row["confidence"]) == ("inc r15", "test", "measured")
    assert first["view"]["table"]["rows"][0]["latency"] == "5"


def test_ports_are_said_to_limit_only_where_they_bind() -> None:
    bound = page(factory.gauss_seidel()).documents[0]["regions"][0]
    assert not bound["view"]["table"]["binding"]
    wide = page(factory.wide(24)).documents[0]["regions"][0]
    assert wide["view"]["table"]["binding"] == (wide["bottleneck"] == "ports")


def test_hostile_text_is_held_as_text() -> None:
    evil = "</td></script><script>alert(1)</script><img src=x onerror=alert(1)>\x00<!--"
    region = factory.gauss_seidel()
    row = replace(region.instructions[0], text=evil, form=evil + '" onmouseover="x', note=evil)
    region = replace(region, name=evil, instructions=(row, *region.instructions[1:]), warnings=(evil,))
    found = page(region)
    assert found.tags.count("script") == 2
    assert "img" not in found.tags
    shown = found.documents[0]["regions"][0]["view"]["table"]["rows"][0]["text"]
    assert shown == evil.replace("\x00", "\N{REPLACEMENT CHARACTER}")


def test_without_scripts_the_text_report_is_there() -> None:
    text = render_html(factory.analysis(factory.gauss_seidel()))
    silent = text[text.index("<noscript>") : text.index("</noscript>")]
    assert "8.00 cycles, static bounds; chain of lines 13, 14, 16; remedy: none" in silent


def test_lines_of_the_source_stand_beside_the_instructions() -> None:
    region = factory.gauss_seidel()
    row = replace(region.instructions[0], source_line="sweep.c:2")
    other = replace(region.instructions[1], source_line="gone.c:1")
    region = replace(region, instructions=(row, other, *region.instructions[2:]))
    text = render_html(factory.analysis(region), {"sweep.c": "void f() {\n  a[i] = b[i];\n}\n"})
    assert Page(text).documents[0]["regions"][0]["view"]["source"] == {"sweep.c:2": "a[i] = b[i];"}
