"""What the models that come with the package may weigh."""

from __future__ import annotations

from corecast.machine.search import PACKAGED

MOST_BYTES = 13_000_000
"""With the extension (20 MB) the installed package stays below 35 MB."""
MOST_BYTES_OF_A_MODEL = 1_500_000
"""Granite Rapids: 14,000 forms that were measured on it, most with ports of their own."""


def test_the_models_stay_small() -> None:
    sizes = {path: path.stat().st_size for path in PACKAGED.rglob("*") if path.is_file()}
    largest = sorted(sizes, key=lambda path: -sizes[path])[:5]
    assert sum(sizes.values()) < MOST_BYTES, f"largest: {[f'{path}: {sizes[path]}' for path in largest]}"


def test_no_model_is_large() -> None:
    sizes = {folder.name: sum(path.stat().st_size for path in folder.rglob("*")) for folder in PACKAGED.iterdir()}
    assert max(sizes.values()) < MOST_BYTES_OF_A_MODEL, max(sizes, key=lambda name: sizes[name])


def test_shipped_tables_are_sorted_by_key() -> None:
    """Sorted tables need no index when a model is loaded."""
    for table in PACKAGED.glob("*/forms/*.tsv"):
        lines = [line for line in table.read_bytes().splitlines() if not line.startswith((b"#", b"@"))]
        keys = [line.partition(b"\t")[0] for line in lines[1:]]
        assert keys == sorted(keys), str(table)
