"""What the user may choose about an analysis."""

from __future__ import annotations

from corecast.analysis.elements import Elements
from corecast.analysis.results import LoopMode, PortMode
from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.hints import Literal, get_args
from corecast.machine.method import MethodChoice

UnknownPolicy = Literal["bound", "nearest", "skip", "error"]


@dataclass(frozen=True)
class AnalyzeOptions:
    """How code is analyzed. Raises InputError on construction where a choice does not exist."""

    ports: PortMode = "balanced"
    """Distribution of uops that the port bound and the prediction use; the result holds both."""
    unknown: UnknownPolicy = "bound"
    """Instructions without data. bound: only their slot in rename counts, so that the forecast is a lower bound, and
    there is none where they are too many; nearest: they cost what the nearest known form of the same operation costs;
    skip: as bound, however many there are; error: an UnknownFormError."""
    alias: str = "none"
    """Accesses through different registers. none: they never meet; same: pointers that advance by the same step hold
    the same address; else pairs of registers that are equal at the start of every iteration: "rdi=rsi,rbx=rax+8"."""
    mode: LoopMode | None = None
    """loop: a branch leads back to the start; unroll: copies follow each other. None: as the kernel says."""
    alignment: bool | None = None
    """Whether the kernel's addresses hold modulo 64, so that alignment has effects. None: for decoded code only."""
    elements: Elements | None = None
    """Elements processed per iteration; None: what the code says of vectors whose length it does not say."""
    method: MethodChoice = "auto"
    """auto: simulate where the core's model allows it; simulate; bounds: the static figures alone."""
    timeline: int = 0
    """Iterations whose micro-ops are recorded cycle by cycle, at most 1,000; 0: none. Needs a simulation."""
    timeline_from: int | None = None
    """The first of them, from 0; None: where the steady state begins."""
    memory: tuple[str, ...] = ()
    """Where loads find their data, as `--memory` says it: ("l2",), ("x1=l2", "l1:0.9,l2:0.1"); empty: first level."""
    bandwidth: tuple[str, ...] = ()
    """What can be streamed, as `--bandwidth` says it: ("25.6GB/s",); empty: any amount."""
    clock: str | None = None
    """Of the core: "2.5GHz"."""
    ecm: bool = False
    """Operations, bytes and the terms of ECM and roofline models, too; always with a bandwidth."""

    def __post_init__(self) -> None:
        """Raises InputError where a choice is none of those that there are."""
        for name, value, kind in (
            ("ports", self.ports, PortMode),
            ("unknown", self.unknown, UnknownPolicy),
            ("mode", self.mode or "loop", LoopMode),
            ("method", self.method, MethodChoice),
        ):
            if value not in get_args(kind):
                raise InputError(f"{name} is one of {', '.join(get_args(kind))}, not {value!r}")
