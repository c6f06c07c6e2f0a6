"""Cortex-A76: what Neoverse N1, its sibling for servers, has; nothing is measured of the core itself."""

from __future__ import annotations

from . import common, neoverse_n1

CPU = "cortex-a76"
FAMILY = "family:neoverse_n1"
ORIGIN = neoverse_n1
"""Whose rows these are: they are verified there."""


def rows() -> common.Rows:
    """All rows of the model."""
    table = neoverse_n1.rows()
    return {form: row.with_(source=f"{FAMILY}:{row.source}", confidence="assumed") for form, row in table.items()}
