"""What the user may choose about an analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from corecast.analysis.elements import Elements
from corecast.analysis.results import LoopMode, PortMode

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
