"""InstLatx64's figures of Intel's cores (tools/instlat), merged into the rows of records, relatives and models."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from corecast.machine import Machine
from corecast.machine.rows import Row, first_wins
from instlat.fitting import Fitted, Target, fit, placed
from instlat.read import measured

from . import mitigations
from .cores import Core
from .family import crosses
from .port_sets import Ports

ORIGIN = "instlatx64"
_VECTOR = re.compile(r"\b[xyz]?mm\b")


def fitted(
    core: Core, rows: Mapping[str, dict[str, Row]], machine: Machine, others: Sequence[Mapping[str, Row]]
) -> tuple[dict[str, dict[str, Row]], Fitted]:
    """The tables with what the figures change, each row in the file that it had.

    Args:
        rows: by file, of all other origins.
        machine: the core's pipeline.
        others: rows of single origins, whose ports may fit better.
    """
    files = [file for file in core.forms if file in rows]
    best = first_wins(*(rows[file].values() for file in files))
    for form in rows.get(mitigations.TABLE, ()):  # with the microcode of another day
        del best[form]
    target = Target(
        origin=f"{ORIGIN}:{core.instlat}",
        machine=machine,
        parts=lambda form, group: parts(core.ports, form, group),
        accesses=frozenset(
            {core.ports.load, core.ports.store_address, core.ports.store_address_indexed, core.ports.store_data, "p23"}
        ),
        stores=frozenset({core.ports.store_data}),
        sequencer="SERIAL",
        measured_ports=lambda row: recorded(core, row) and "rule:class" not in row.source,
        measured_latency=lambda row: recorded(core, row),
        skipped=lambda row, cycles: core.more_wide_units_than_measured and "zmm" in row.form,
    )
    found = fit(target, best, measured(core.instlat), others)
    return placed(rows, files, found), found


def recorded(core: Core, row: Row) -> bool:
    """Whether somebody measured the row's form on a core of this kind."""
    own = row.source.startswith("uops.info") and not core.relative and "rule:evex" not in row.source
    return (own and "skylake_x_measured(rule)" not in row.source) or row.source.endswith("skylake_x_measured")


def parts(ports: Ports, form: str, group: str) -> list[str]:
    """Parts of a group of ports that an instruction may be limited to, the group itself first, the smallest last.

    Where ports have no distinct roles (E-cores, Lion Cove) the first ones stand for as many as there are. Those of
    other cores have, and no source says which: only the group itself. Of no group: that of all such operations.
    """
    if not ports.groups:
        return [group] if group else ["p05" if "zmm" in form else "p015" if _VECTOR.search(form) else ports.alu]
    if not group:
        return ["V0123" if "V0123" in ports.groups else "FP"] if _VECTOR.search(form) else ["ALU"]
    names = {members: name for name, members in ports.groups.items()}
    found = [group]
    if group == "V0123":
        return [group, "V01", "V23", "V0", "V2"]
    if group == "ALU" and "SHIFT" in ports.groups:
        found.append("SHIFT")
        group = "SHIFT"
    if group == "SHIFT" and crosses(form):
        return [*found, "P5"]  # of older cores port 5 moves between register files, port 1 has the slow operations
    members = ports.members(group) if group in ports.groups else tuple(group.split("|"))
    for count in range(len(members) - 1, 0, -1):
        part = members[:count]
        found.append(names.get(part, "|".join(part)))
    return found
