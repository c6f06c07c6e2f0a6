"""The site of the documentation: its menu, notebooks in it, and that its pages load nothing from the network.

`scripts/check docs` builds it, strictly.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from docs.pages import ROOT

pytest.importorskip("nbformat")


@contextmanager
def tools() -> Iterator[Any]:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        yield import_module("make_site")
    finally:
        sys.path.remove(str(ROOT / "tools"))


def test_every_page_of_docs_has_a_place_in_the_menu() -> None:
    with tools() as site:
        menu = {file for rows in site.navigation().values() for _, file in rows}
        reached = site.reached(site.FRONT)
    written = {str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*") if path.suffix in (".md", ".ipynb")}
    hidden = {name for name in written if name.startswith("docs/evaluation/zen4") or name == "docs/README.md"}
    assert written - hidden <= menu
    assert menu <= reached


def test_the_menu_follows_the_way_of_a_user() -> None:
    with tools() as site:
        assert list(site.navigation()) == [
            "Start",
            "Predict",
            "Explain",
            "Measure",
            "Models",
            "Reference",
            "Contribute",
        ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('<script src="https://cdn.example/x.js"></script>', ["https://cdn.example/x.js"]),
        ('<link rel="stylesheet" href="//fonts.example/a.css">', ["//fonts.example/a.css"]),
        ('<img src="http://example.org/a.png">', ["http://example.org/a.png"]),
        ('<a href="https://example.org/">read</a><img src="data:image/png;base64,AA"><script src="a.js"></script>', []),
    ],
)
def test_what_a_page_would_load_is_found(tmp_path: Path, text: str, found: list[str]) -> None:
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    with tools() as site:
        assert [address for _, address in site.loaded_from_elsewhere(tmp_path)] == found


def test_outputs_of_a_notebook_stay_apart_from_its_markdown(tmp_path: Path) -> None:
    outputs = [{"output_type": "display_data", "metadata": {}, "data": {"text/html": "<b>*x*</b>"}}]
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# Title"},
        {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 1, "source": "x", "outputs": outputs},
    ]
    file = tmp_path / "n.ipynb"
    file.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
    with tools() as site:
        text, shown = site.notebook_page(file)
    assert text == '# Title\n\n```python\nx\n```\n\n<div data-output="0"></div>\n'
    assert shown == ['<div class="notebook-output"><b>*x*</b></div>']


def test_a_broken_link_is_an_error(tmp_path: Path) -> None:
    """The settings are strict: MkDocs ends with an error where a page or a heading does not exist."""
    pytest.importorskip("mkdocs")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# One\n\n[two](two.md) [three](#three)\n", encoding="utf-8")
    settings = (ROOT / "tools" / "docs_site" / "mkdocs.yml").read_text(encoding="utf-8")
    own = settings.partition("theme:")[0] + "theme: mkdocs\nplugins: []\n"
    own += "validation:" + settings.partition("validation:")[2].partition("plugins:")[0]
    (tmp_path / "mkdocs.yml").write_text(own, encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--config-file", str(tmp_path / "mkdocs.yml")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0
    assert "'two.md'" in done.stderr
    assert "'#three'" in done.stderr


def test_hooks_put_outputs_in_and_take_backslashes_out_of_cells(tmp_path: Path) -> None:
    from importlib.util import module_from_spec, spec_from_file_location
    from types import SimpleNamespace

    spec = spec_from_file_location("site_hooks", ROOT / "tools" / "docs_site" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    hooks = module_from_spec(spec)
    spec.loader.exec_module(hooks)
    (tmp_path / "outputs.json").write_text(json.dumps({"n.md": ["<b>3</b>"]}), encoding="utf-8")
    page = SimpleNamespace(file=SimpleNamespace(src_uri="n.md"))
    text = '<td><code>A\\|B</code></td><p>\\|</p><div data-output="0"></div>'
    config = {"config_file_path": str(tmp_path / "mkdocs.yml")}
    assert hooks.on_page_content(text, page, config, None) == "<td><code>A|B</code></td><p>\\|</p><b>3</b>"
