"""Variants of the simulated machine that leave out one part of it, by name: keys of pipeline.toml and their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corecast.errors import InputError

ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "ideal-front-end": {"front_end.ideal": True},
    # Of the front end only the widths are left: no predecoder, decoders, uop cache, loop buffer, microcode sequencer.
    "simple-front-end": {"front_end.predecode_block_bytes": "unknown"},
    "no-jcc-erratum": {"front_end.dsb_branch_may_cross_or_end_at_32_byte_boundary": True},
    "no-loop-buffer-unrolling": {"front_end.lsd_unroll_ranges_from_to_factor": []},
    "no-macro-fusion": {"front_end.macro_fusion": False},
    "no-micro-fusion": {"rename.one_uop_per_slot": True},
    "no-move-elimination": {"rename.move_elimination_gpr_slots": 0, "rename.move_elimination_simd_slots": 0},
    "full-move-elimination": {"rename.move_elimination_gpr_slots": -1, "rename.move_elimination_simd_slots": -1},
    "uniform-ports": {"back_end.port_assignment": "in_turn"},
    "least-loaded-ports": {"back_end.port_assignment": "least_loaded"},
    "unlimited-scheduler": {"back_end.scheduler_entries": -1},
    "no-store-to-load-dependencies": {"memory.store_to_load_dependencies": False},
    "no-fast-pointer-chasing": {"memory.fast_pointer_chasing": False},
}


def steps(ablations: Sequence[str]) -> dict[str, str]:
    """Predictors that put a simulated core together, and what each adds to the one before it.

    The first lacks all of `ablations`; each that follows lacks one less, the last none.

    Raises:
        InputError: no such ablation.
    """
    for name in ablations:
        settings_of(name)
    found = {}
    for count in range(len(ablations) + 1):
        left_out = ";".join(ablations[count:])
        predictor = f"simulate:{left_out}" if left_out else "simulate"
        found[predictor] = _step(ablations[count - 1]) if count else "Baseline"
    return found


def settings_of(variant: str) -> dict[str, Any]:
    """The keys that a variant changes: an ablation's name or `KEY=VALUE`, several joined by `;`.

    Raises:
        InputError: no such ablation.
    """
    from corecast.machine import parse_settings

    settings: dict[str, Any] = {}
    for part in filter(None, variant.split(";")):
        if "=" in part:
            settings.update(parse_settings([part]))
        elif part in ABLATIONS:
            settings.update(ABLATIONS[part])
        else:
            raise InputError(f"no variant is called {part}: KEY=VALUE, or one of {', '.join(ABLATIONS)}")
    return settings


def _step(ablation: str) -> str:
    """What is there again: `no-macro-fusion` leaves out macro-fusion."""
    return f"+ {ablation.removeprefix('no-')}" if ablation.startswith("no-") else f"without {ablation}"
