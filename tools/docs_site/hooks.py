"""What MkDocs calls: a notebook's outputs are put into its page behind Markdown, which would take them apart."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_PLACE = re.compile(r'<div data-output="(\d+)"></div>')


def on_page_content(text: str, page: Any, config: Any, files: Any) -> str:
    """The page's HTML with the outputs in their places."""
    file = Path(config["config_file_path"]).with_name("outputs.json")
    outputs = json.loads(file.read_text(encoding="utf-8")).get(page.file.src_uri, [])
    return _PLACE.sub(lambda found: outputs[int(found[1])], text)
