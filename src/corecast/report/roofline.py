"""A loop beside the ceilings of its own instructions."""

from __future__ import annotations

from corecast.analysis.results import Ecm


def roofline(ecm: Ecm | None) -> dict[str, float | None] | None:
    """Operations per byte and per cycle, and bytes per cycle; None where the loop computes or moves nothing."""
    if ecm is None or not ecm.work.flops or not ecm.work.bytes:
        return None
    work = ecm.work
    return {
        "intensity": work.intensity,
        "flops_per_cycle": ecm.flops_per_cycle,
        "compute": work.flops / ecm.overlapping_cycles if ecm.overlapping_cycles else None,
        "l1_bytes_per_cycle": work.bytes / ecm.transfer_cycles if ecm.transfer_cycles else None,
        "memory_bytes_per_cycle": work.bytes / ecm.memory_cycles if ecm.memory_cycles else None,
    }
