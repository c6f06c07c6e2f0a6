"""Executes the notebooks of the documentation, and writes their outputs where they changed.

    python tools/refresh_notebooks.py [--check] [NOTEBOOK...]

With --check nothing is written; what a cell shows and what it gives now is compared, and the exit code is 1 where they
differ. Pictures of plots are compared by kind alone, for their pixels depend on the fonts of the machine; of pages in
frames the data are compared, not the scripts and styles around them, which have separate tests.
"""

from __future__ import annotations

import argparse
import difflib
import html
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
_FRAME = re.compile(r'srcdoc="([^"]*)"')
_ASSETS = re.compile(r"<(script|style)>.*?</\1>|<meta[^>]*>", re.DOTALL)
_WIDTH = 200
"""Characters of a difference that are shown: pages in frames are long lines."""
_METADATA = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all in docs")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 where outputs differ")
    arguments = parser.parse_args()
    changed = False
    for path in arguments.notebooks or sorted(ROOT.glob("docs/**/*.ipynb")):
        before = nbformat.read(path, as_version=4)
        after = executed(before, path.parent)
        differences = list(compare(before, after))
        changed |= bool(differences)
        told = [line[:_WIDTH] for line in differences]
        print("\n".join([f"{path.name}: {'changed' if differences else 'as it is'}", *told]))
        if differences and not arguments.check:
            nbformat.write(after, path)
    return int(arguments.check and changed)


def executed(notebook: Any, folder: Path) -> Any:
    """A copy of the notebook with the outputs that its cells give now."""
    os.environ["PYTHONWARNINGS"] = "ignore"  # of the kernel's own packages
    copy = nbformat.from_dict(notebook)
    manager = KernelManager(kernel_name="python3", transport="ipc")  # no port that others can reach
    manager.connection_file = str(Path(tempfile.mkdtemp(prefix="corecast-kernel-")) / "kernel")
    try:
        NotebookClient(copy, manager, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    finally:
        manager.shutdown_kernel(now=True)
        shutil.rmtree(Path(manager.connection_file).parent)
    copy.metadata = nbformat.from_dict(_METADATA)
    for cell in copy.cells:
        cell.metadata = nbformat.from_dict({})
    return copy


def compare(before: Any, after: Any) -> Iterator[str]:
    """Lines of differences, cell by cell."""
    for number, (old, new) in enumerate(zip(before.cells, after.cells, strict=True)):
        shown, now = ("\n".join(_shown(cell)).splitlines() for cell in (old, new))
        yield from difflib.unified_diff(shown, now, f"cell {number}, shown", f"cell {number}, now", lineterm="", n=1)


def _shown(cell: Any) -> Iterator[str]:
    for output in cell.get("outputs", ()):
        if output.output_type == "stream":
            yield output.text
        elif output.output_type == "error":
            yield f"{output.ename}: {output.evalue}"
        else:
            for kind, value in sorted(output.data.items()):
                yield f"[{kind}]" if kind.startswith("image/") else f"[{kind}] {_comparable(kind, value)}"


def _comparable(kind: str, value: str) -> str:
    """HTML without the scripts and styles of pages in frames."""
    if kind != "text/html":
        return value
    return _FRAME.sub(lambda found: _ASSETS.sub("", html.unescape(found[1])), value)


if __name__ == "__main__":
    sys.exit(main())
