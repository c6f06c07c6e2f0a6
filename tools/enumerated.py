"""The instruction forms that LLVM knows, listed once a process: the list takes seconds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from corecast import _core


@cache
def forms(isa: str) -> Sequence[_core.EnumeratedForm]:
    """Every form of an ISA with an example."""
    return tuple(_core.enumerate_forms(isa))
