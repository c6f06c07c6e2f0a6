"""Variants of the simulated machine that leave out one part of it, by name: keys of pipeline.toml and their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corecast.errors import InputError
from corecast.hints import Any

ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "ideal-front-end": {"rename.ideal_supply": True},
    # Of the front end only the widths are left: no predecoder, decoders, uop cache, loop buffer, microcode sequencer.
    "simple-front-end": {"predecode.block_bytes": "unknown"},
    "no-jcc-erratum": {"uop_cache.excludes_branch_at_block_end": True},
    "no-loop-buffer-unrolling": {"loop_buffer.copies": []},
    "no-macro-fusion": {"fusion.enabled": False},
    "no-micro-fusion": {"rename.one_uop_per_slot": True},
    "no-move-elimination": {"move_elimination.general_slots": 0, "move_elimination.vector_slots": 0},
    "full-move-elimination": {
        "move_elimination.general_slots": "unlimited",
        "move_elimination.vector_slots": "unlimited",
    },
    "uniform-ports": {"port_choice.policy": "in_turn"},
    "least-loaded-ports": {"port_choice.policy": "least_loaded"},
    "unlimited-scheduler": {"scheduler.entries": "unlimited"},
    "no-store-to-load-dependencies": {"store_forwarding.enforced": False},
    "no-fast-pointer-chasing": {"pointer_chasing.fast": False},
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
