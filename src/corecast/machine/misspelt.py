"""Keys of a pipeline.toml that nothing reads and that look like one that is read: `rob_entires`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_EDITS = 2
"""Letters that a slip of the pen changes at most. Keys that are kept for other uses differ by more from all that are
read: `flag_prf_entries` from `fp_prf_entries` by three."""


def misspelt_keys(pipeline: Mapping[str, Any], known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The keys, with dots, and what was meant: a key that is read and not there."""
    there = set(_paths(pipeline))
    missing = [key for key in known if key not in there]
    inner = {key.rpartition(".")[0] for key in known}
    for path in sorted(there - set(known) - inner):
        meant = next((key for key in missing if _is_near(path, key)), None)
        if meant is not None:
            yield path, meant


def _paths(table: Mapping[str, Any], before: str = "") -> Iterator[str]:
    for key, value in table.items():
        yield f"{before}{key}"
        if isinstance(value, Mapping):
            yield from _paths(value, f"{before}{key}.")


def _is_near(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > _EDITS:
        return False
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        above, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (left != right))
    return row[-1] <= _EDITS
