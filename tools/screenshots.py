"""Takes the pictures of docs/serve.md anew, in a real Chromium: `tools/screenshots.py`. Needs `scripts/web setup`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browser import browsing  # noqa: E402
from running_server import running  # noqa: E402

SOURCE = """double dot(const double *restrict a, const double *restrict b, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server, browsing() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 860}, color_scheme="light")
        page.goto(server.address)
        page.wait_for_selector(".cm-content")
        page.check(".segments input[value='c']")
        page.wait_for_selector(".part-source")
        page.fill("#flags-0", "-O3 -ffast-math -march=haswell")
        page.keyboard.press("Enter")
        page.select_option("#add-core", "skylake_x")
        page.wait_for_timeout(1500)
        page.click("h1")
        page.screenshot(path=ROOT / "docs" / "serve.png")
        page.check(".segments input[value='asm']")
        page.wait_for_timeout(1000)
        page.click("#column-1")
        page.emulate_media(color_scheme="dark")
        page.wait_for_timeout(500)
        page.evaluate("document.querySelector('.part-timeline').scrollIntoView()")
        page.wait_for_timeout(300)
        page.screenshot(path=ROOT / "docs" / "serve-timeline.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
