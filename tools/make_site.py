"""Builds the documentation as a site in build/site/html.

A warning is an error: a link that leads nowhere, a page in no menu, a docstring about a parameter that does not exist;
and so is anything that a page would load from the network.

    python tools/make_site.py

The menu is that of docs/README.md: a section for each of its headings, a page for each row of the table below it. Pages
keep their places (docs/measuring.md is docs/measuring.html), and what they link to is copied beside them.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "build" / "site"
SETTINGS = ROOT / "tools" / "docs_site"
FRONT = "README.md"
INDEX = "docs/README.md"
PLACE = '<div data-output="{}"></div>'
"""Where tools/docs_site/hooks.py puts an output of a notebook."""
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_ROW = re.compile(r"^\| \[([^]]+)\]\(([^)#]+)\) \|", re.MULTILINE)


def main() -> int:
    make_pages()
    command = [sys.executable, "-m", "mkdocs", "build", "--config-file", str(SITE / "mkdocs.yml")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
    wrong = [line for line in done.stderr.splitlines() if not line.startswith("INFO")]
    if done.returncode == 0:
        wrong = [f"{page.relative_to(SITE)}: loads {url}" for page, url in loaded_from_elsewhere(SITE / "html")]
    print("\n".join(wrong or [str((SITE / "html" / "index.html").relative_to(ROOT))]))
    return int(bool(wrong) or done.returncode != 0)


def make_pages() -> None:
    """Writes everything that MkDocs reads: pages, what they link to, outputs of notebooks, its configuration."""
    shutil.rmtree(SITE, ignore_errors=True)
    outputs: dict[str, list[str]] = {}
    names = reached(FRONT)
    for name in names:
        target = SITE / "pages" / _page(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".ipynb"):
            text, outputs[_page(name)] = notebook_page(ROOT / name)
            target.write_text(text, encoding="utf-8")
        elif name.endswith(".md"):
            text = (ROOT / name).read_text(encoding="utf-8")
            target.write_text(text.replace(".ipynb)", ".md)"), encoding="utf-8")
        else:
            shutil.copyfile(ROOT / name, target)
    shutil.copyfile(SETTINGS / "site.css", SITE / "pages" / "site.css")
    (SITE / "outputs.json").write_text(json.dumps(outputs), encoding="utf-8")
    (SITE / "mkdocs.yml").write_text(configuration(names), encoding="utf-8")


def reached(start: str) -> set[str]:
    """Files of the repository that a page leads to through links, itself among them."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += links(name) if name.endswith(".md") else ()
    return found


def links(name: str) -> Iterator[str]:
    """Files that a page links to."""
    for target in _LINK.findall(_FENCED.sub("", (ROOT / name).read_text(encoding="utf-8"))):
        file = target.partition("#")[0]
        if file and not re.match(r"[a-z]+:", file):
            yield str(((ROOT / name).parent / file).resolve().relative_to(ROOT))


def navigation() -> dict[str, list[tuple[str, str]]]:
    """Title and file of every row of the index, by section."""
    _, *parts = _SECTION.split((ROOT / INDEX).read_text(encoding="utf-8"))
    folder = (ROOT / INDEX).parent
    return {
        title: [(name, str((folder / file).resolve().relative_to(ROOT))) for name, file in _ROW.findall(text)]
        for title, text in zip(parts[::2], parts[1::2], strict=True)
    }


def configuration(names: set[str]) -> str:
    """MkDocs' settings with folders and menu. Pages that no row has (sources of a model) are named, so that the others
    that are forgotten get a warning."""
    settings: dict[str, Any] = {
        "INHERIT": str(SETTINGS / "mkdocs.yml"),
        "docs_dir": str(SITE / "pages"),
        "site_dir": str(SITE / "html"),
        "hooks": [str(SETTINGS / "hooks.py")],
        "nav": [
            {title: [{name[0].upper() + name[1:]: _page(file)} for name, file in rows]}
            for title, rows in navigation().items()
        ],
        "not_in_nav": "\n".join(["/facts/", "/src/", "/docs/README.md", "/docs/evaluation/"]),
    }
    return json.dumps(settings, indent=1) + "\n"  # which is YAML, too


def _page(name: str) -> str:
    return name.removesuffix(".ipynb") + ".md" if name.endswith(".ipynb") else name


def notebook_page(file: Path) -> tuple[str, list[str]]:
    """A notebook as Markdown with places for its outputs, and these as HTML."""
    parts: list[str] = []
    outputs: list[str] = []
    for cell in nbformat.read(file, as_version=4).cells:
        parts.append(cell.source if cell.cell_type == "markdown" else f"```python\n{cell.source}\n```")
        for output in cell.get("outputs", ()):
            parts.append(PLACE.format(len(outputs)))
            outputs.append(f'<div class="notebook-output">{_shown(output)}</div>')
    return "\n\n".join(parts) + "\n", outputs


def _shown(output: Any) -> str:
    data = output.get("data", {})
    if "text/html" in data:
        return str(data["text/html"])
    if "image/png" in data:
        return f'<img alt="plot" src="data:image/png;base64,{data["image/png"].strip()}">'
    return f"<pre>{html.escape(data.get('text/plain', output.get('text', '')))}</pre>"


class _Assets(HTMLParser):
    """Addresses that a browser loads when it shows a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        loads = found.get("src") or (found.get("href") if tag == "link" and found.get("rel") != "canonical" else None)
        self.addresses += [loads] if loads else []


def loaded_from_elsewhere(folder: Path) -> Iterator[tuple[Path, str]]:
    """Pages that load something from the network, with its address."""
    for page in sorted(folder.rglob("*.html")):
        for address in _Assets(page.read_text(encoding="utf-8")).addresses:
            if re.match(r"(https?:)?//", address):
                yield page, address
    for sheet in sorted(folder.rglob("*.css")):
        for address in re.findall(r"(?:url\(|@import )[\"']?(https?:[^\"')]+)", sheet.read_text(encoding="utf-8")):
            yield sheet, address


if __name__ == "__main__":
    sys.exit(main())
