"""OSACA's Cascade Lake figures for AVX-512 forms without a VEX sibling: port usage measured by uops.info's authors.

LLVM's rows stay the frame (operands, masks, memory); uop counts and ports come from OSACA where it knows the form
without mask, rounding and broadcast.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from corecast.machine.importers.osaca import rows_from_osaca
from corecast.machine.importers.rows import Latency, Row

from .avx512 import LOAD_CYCLES, comparable, plain_form, register_form
from .llvm_rows import decode_of, merged

SOURCE = "osaca0.7.1:csx"


def port_name(names: tuple[str, ...]) -> str:
    """OSACA's port list -> ours; its "0DV" is the divider, its "2D" and "3D" count the loads a second time."""
    if any(name.endswith("DV") for name in names):
        return "unit:DIV"
    return "" if any(name.endswith("D") for name in names) else "p" + "".join(names)


def rows_with_osaca_ports(path: Path, model: Mapping[str, Row]) -> dict[str, Row]:
    """LLVM's AVX-512 rows with OSACA's ports, where both know the form.

    Raises:
        MachineModelError: the file is no machine file of OSACA.
    """
    known = rows_from_osaca(path, SOURCE, port_name).rows
    rows: dict[str, Row] = {}
    for form, row in model.items():
        plain_key, _, variant = form.partition(" @")
        if not plain_key.startswith("v") or " " not in plain_key or row.blocking or not comparable(plain_key):
            continue
        plain = plain_form(plain_key)
        source = known.get(plain) or known.get(f"{plain} @indexed")
        if source is None or not source.ports or not row.uops:
            continue
        ports = merged((count, "p23" if variant and name == "p237" else name) for count, name in source.ports)
        unfused = sum(count for count, _ in ports)
        joined = row.uops[1] - row.uops[0]  # pairs that LLVM's frame fuses
        fused = max(1.0, unfused - joined)
        rows[form] = row.with_(
            ports=ports,
            uops=(fused, unfused, fused),
            decode=decode_of(fused),
            latency=evened(row, largest_latency(plain, known) or largest_latency(plain, model)),
            flags=tuple(flag for flag in row.flags if flag != "microcoded" or fused > 4),
            source=f"{SOURCE}+{row.source}(operands)",
        )
    return rows


def largest_latency(form: str, rows: Mapping[str, Row]) -> float:
    """Latency of the form with registers only, 0 where there is none."""
    row = rows.get(register_form(form))
    return max((pair.cycles for pair in row.latency or ()), default=0.0) if row is not None else 0.0


def evened(row: Row, cycles: float) -> tuple[Latency, ...] | None:
    """The row's pairs with one latency of the operation: LLVM's differ between a form and its masked self."""
    if row.latency is None or not cycles:
        return row.latency
    return tuple(
        Latency(pair.source, pair.destination, cycles + (LOAD_CYCLES if pair.source in ("addr", "index") else 0))
        for pair in row.latency
    )
