"""Places in sorted lists."""

from __future__ import annotations

from corecast.hints import Sequence

_SHORT = 64
"""Keys that are all compared: `bisect`, an extension of Python's, takes longer to load."""


def places_up_to(key: int, keys: Sequence[int]) -> int:
    """How many of the keys, which are in ascending order, are not greater."""
    if len(keys) <= _SHORT:
        return sum(each <= key for each in keys)
    from bisect import bisect_right

    return bisect_right(keys, key)
