"""Rewrites the expectations of the golden cases, all or those named, and says which changed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from golden import cases


def main() -> int:
    for name in sys.argv[1:] or cases.names():
        path = cases.expected_path(name)
        before = path.read_text(encoding="utf-8") if path.exists() else None
        now = cases.output(name)
        if now != before:
            path.write_text(now, encoding="utf-8")
            print("new" if before is None else "changed", path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
