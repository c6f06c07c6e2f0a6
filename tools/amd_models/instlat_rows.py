"""InstLatx64's figures of AMD's cores (tools/instlat), merged into the rows of other origins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amd_models.cores import AmdCore, is_vector
from corecast.machine import Machine
from corecast.machine.rows import Row
from instlat.fitting import Fitted, Target, fit
from instlat.read import Measured, measured
from own_measurements import parts as parts_of

ACCESSES = frozenset({"AGU", "LD", "LDV", "ST", "ST0"})
CORES = ("zen2", "zen3", "zen5")
"""Zen 4 has our own campaign."""


def fitted(
    core: AmdCore,
    rows: Mapping[str, Row],
    machine: Machine,
    others: Sequence[Mapping[str, Row]] = (),
    figures: Mapping[str, Measured] | None = None,
    origin: str = "",
) -> Fitted:
    """What the figures change of a core's rows.

    Args:
        rows: the best of each form.
        machine: the core's pipeline.
        others: rows of single origins, whose ports may fit better.
        figures: in place of InstLatx64's.
        origin: of those figures.
    """
    target = Target(
        origin=origin or f"instlatx64:{core.name}",
        machine=machine,
        parts=parts,
        accesses=ACCESSES,
        stores=frozenset({"ST", "ST0"}),
        sequencer="MS",
        measured_ports=lambda row: recorded(core, row, "ports"),
        measured_latency=lambda row: recorded(core, row, "latency"),
    )
    return fit(target, rows, measured(core.name) if figures is None else figures, others)


def recorded(core: AmdCore, row: Row, column: str) -> bool:
    """Whether a row's ports or latency were measured on the core."""
    return core.own_records and any(
        name == f"uops.info:{core.uops_name}" and (not listed or column in listed.split(","))
        for name, listed in parts_of(row.source)
    )


def parts(form: str, group: str) -> list[str]:
    """Pipes have roles, and no source says which part of a group another form has: only the group itself."""
    if group:
        return [group]
    return ["FP0123"] if is_vector(form) else ["ALU"]
