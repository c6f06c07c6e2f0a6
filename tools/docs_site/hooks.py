"""What MkDocs calls when it has made a page of Markdown.

A notebook's outputs are put in here, since Markdown would take them apart; and code in tables loses the backslash that
GitHub needs before a bar.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_CELL = re.compile(r"<td[^>]*>.*?</td>", re.DOTALL)
_PLACE = re.compile(r'<div data-output="(\d+)"></div>')


def on_page_content(text: str, page: Any, config: Any, files: Any) -> str:
    """The page's HTML as it is shown."""
    file = Path(config["config_file_path"]).with_name("outputs.json")
    outputs = json.loads(file.read_text(encoding="utf-8")).get(page.file.src_uri, [])
    text = _CELL.sub(lambda found: found[0].replace("\\|", "|"), text)
    return _PLACE.sub(lambda found: outputs[int(found[1])], text)
