"""Patterns of form keys, as commands and lists take them."""

from __future__ import annotations

import re
from collections.abc import Sequence


def matching_keys(tables: Sequence[Sequence[str]], pattern: str) -> list[str]:
    """Keys of any of the tables that fit, in the order of the tables.

    A pattern with `*` or `?` must fit the whole key. Else every word must occur in it, and where the first word is the
    mnemonic of some keys, only those are meant: `add` asks for add, not for vaddpd.
    """
    keys = list(dict.fromkeys(key for table in tables for key in table))
    lowered = as_key(pattern)
    if lowered in keys:
        return [key for key in keys if key == lowered or key.startswith(f"{lowered} @")]
    if is_wild(lowered):
        wild = re.escape(lowered).replace(r"\*", ".*").replace(r"\?", ".")
        fits = re.compile(wild).fullmatch
        return [key for key in keys if fits(key)]
    words = lowered.split()
    found = [key for key in keys if all(word in key for word in words)]
    named = [key for key in found if words and key.split(" ", 1)[0] == words[0]]
    return named or found


def as_key(pattern: str) -> str:
    """As form keys are written: small letters, a blank behind each comma between operands, none before."""
    form, variant, suffix = " ".join(pattern.lower().split()).partition(" @")
    return re.sub(r" ?, ?", ", ", form) + variant + suffix


def is_wild(pattern: str) -> bool:
    return "*" in pattern or "?" in pattern
