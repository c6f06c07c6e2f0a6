"""Writes into README.md and the other pages what the commands they show give now, and says which pages changed.

    python tools/refresh_docs.py [PAGE...]      all pages where none is named

Read the difference before committing it: an error message is output too.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from docs import pages


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="*", help="below the repository's root; default: all")
    for page in parser.parse_args().page or pages.pages():
        text, changed = pages.refreshed(page)
        if changed:
            (pages.ROOT / page).write_text(text, encoding="utf-8")
        for shown in changed:
            print(f"{page}:{shown.line}: {' '.join(shown.command.split())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
