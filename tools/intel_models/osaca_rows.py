"""OSACA's Cascade Lake figures for AVX-512 forms without a VEX sibling: port usage measured by uops.info's authors.

LLVM's rows stay the frame (operands, masks, memory); uop counts and ports come from OSACA where it knows the form
without mask, rounding and broadcast.
"""

from __future__ import annotations

from collections.abc import Mapping

from corecast.machine.rows import Latency, Row

from .avx512 import LOAD_CYCLES, comparable, plain_form, register_form
from .llvm_rows import decode_of, merged
from .port_sets import Ports


def with_own_ports(rows: Mapping[str, Row], known: Mapping[str, Row], load: str) -> dict[str, Row]:
    """Derived EVEX rows with OSACA's ports of the core, where it knows the form without mask and memory."""
    result = dict(rows)
    for form, row in rows.items():
        plain, _, variant = form.partition(" @")
        own = known.get(register_form(plain_form(plain)))
        if variant == "same" or own is None or not own.ports or not row.ports or row.blocking:
            continue
        memory = tuple(use for use in row.ports if use[1] in (load, "p78", "p49"))
        compute = tuple(use for use in row.ports if use not in memory)
        usage = at_512_bits(own.ports) if is_wide(plain) else own.ports
        if sum(count for count, _ in usage) != sum(count for count, _ in compute) or integers_only(usage):
            continue
        ports = merged((*usage, *memory))
        if ports != row.ports:
            result[form] = row.with_(ports=ports, source=f"{own.source}(ports)+{row.source}")
    return result


def is_wide(form: str) -> bool:
    """Whether a form works on 512 bits."""
    return "zmm" in form or "m512" in form


def at_512_bits(ports: tuple[tuple[float, str], ...]) -> tuple[tuple[float, str], ...]:
    """Port 1 is closed, whatever an entry says that was made from a narrower one."""
    closed = {"p015": "p05", "p15": "p5", "p01": "p0"}
    return tuple((count, closed.get(name, name)) for count, name in ports)


def integers_only(ports: tuple[tuple[float, str], ...]) -> bool:
    """Whether a vector operation is said to run on ports that have no vector unit (OSACA's Sapphire Rapids)."""
    return any(set("6B") & set(name) for _, name in ports)


def rows_with_osaca_ports(known: Mapping[str, Row], model: Mapping[str, Row], core_ports: Ports) -> dict[str, Row]:
    """LLVM's AVX-512 rows with OSACA's ports, where both know the form."""
    rows: dict[str, Row] = {}
    for form, row in model.items():
        plain_key, _, variant = form.partition(" @")
        if not plain_key.startswith("v") or " " not in plain_key or row.blocking or not comparable(plain_key):
            continue
        plain = plain_form(plain_key)
        source = known.get(plain) or known.get(f"{plain} @indexed")
        if source is None or not source.ports or not row.uops:
            continue
        ports = merged(
            (count, core_ports.store_address_indexed if variant and name == core_ports.store_address else name)
            for count, name in (at_512_bits(source.ports) if is_wide(plain_key) else source.ports)
        )
        unfused = sum(count for count, _ in ports)
        joined = row.uops[1] - row.uops[0]  # pairs that LLVM's frame fuses
        fused = max(1.0, unfused - joined)
        rows[form] = row.with_(
            ports=ports,
            uops=(fused, unfused, fused),
            decode=decode_of(fused),
            latency=evened(row, largest_latency(plain, known) or largest_latency(plain, model)),
            flags=tuple(flag for flag in row.flags if flag != "microcoded" or fused > 4),
            source=f"{source.source}+{row.source}(operands)",
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
