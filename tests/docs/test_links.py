"""Links between pages lead somewhere."""

from __future__ import annotations

import re

import pytest

from docs import pages

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


def anchors(text: str) -> set[str]:
    """What links to headings are called, as GitHub makes them."""
    headings = _HEADING.findall(_FENCED.sub("", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", pages.pages())
def test_links_lead_to_files_and_headings_that_exist(page: str) -> None:
    path = pages.ROOT / page
    text = _FENCED.sub("", path.read_text(encoding="utf-8"))
    lost = []
    for target in _LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, heading = target.partition("#")
        file = path.parent / name if name else path
        inside = file.exists() and file.resolve().is_relative_to(pages.ROOT)
        if not inside or (heading and heading not in anchors(file.read_text(encoding="utf-8"))):
            lost.append(target)
    assert lost == []


def test_every_page_of_the_documentation_is_listed_in_its_index() -> None:
    index = (pages.ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    listed = {target.partition("#")[0] for target in _LINK.findall(index)}
    written = {str(path.relative_to(pages.ROOT / "docs")) for path in (pages.ROOT / "docs").rglob("*.md")}
    assert written - {"README.md"} <= listed
