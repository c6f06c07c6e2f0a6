"""What the user may choose about an analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from corecast.analysis.elements import Elements
from corecast.analysis.results import LoopMode, PortMode
from corecast.errors import InputError

UnknownPolicy = Literal["nearest", "skip", "error"]


@dataclass(frozen=True)
class AnalyzeOptions:
    ports: PortMode = "balanced"
    """Distribution of uops that the port bound and the prediction use; the result holds both."""
    unknown: UnknownPolicy = "nearest"
    """Instructions without data: counted as the nearest known form of the same mnemonic, left out, or an error."""
    mode: LoopMode | None = None
    """loop: a branch leads back to the start; unroll: copies follow each other. None: as the kernel says."""
    alignment: bool | None = None
    """Whether the kernel's addresses hold modulo 64, so that alignment has effects. None: for decoded code only."""
    elements: Elements | None = None
    """What an iteration works on; None: what the code says of vectors whose length it does not say."""

    def __post_init__(self) -> None:
        """Raises InputError where a choice is none of those that there are."""
        for name, value, kind in (
            ("ports", self.ports, PortMode),
            ("unknown", self.unknown, UnknownPolicy),
            ("mode", self.mode or "loop", LoopMode),
        ):
            if value not in get_args(kind):
                raise InputError(f"{name} is one of {', '.join(get_args(kind))}, not {value!r}")
