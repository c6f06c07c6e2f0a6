"""Parameters that experiments leave open, and the values that are tried on timed code.

Each option changes few keys of pipeline.toml. Values are those of cores that exist, near the start model's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from string import digits

from corecast.dataclass import dataclass
from corecast.hints import Any
from corecast.machine.trees import UNKNOWN
from corecast.machine.types import Machine

_NEARBY: dict[str, tuple[float, ...]] = {
    "rename.width": (-2, -1, 1, 2),
    "retire.width": (-2, -1, 1, 2),
    "decode.width": (-2, -1, 1, 2),
    "uop_cache.width": (-2, -1, 1, 2, 4),
    "store_forwarding.latency_cycles": (-2, -1, 1, 2),
    "store_forwarding.vector_latency_cycles": (-2, -1, 1, 2),
    "loads.latency_cycles": (-1, 1),
    "loads.vector_latency_cycles": (-2, -1, 1, 2),
    "loads.vector_operand_latency_cycles": (-2, -1, 1, 2),
    "stores.per_cycle": (-1, 1),
}
"""Steps from the start model's value."""
_VALUES: dict[str, tuple[Any, ...]] = {
    "fetch.bytes_per_cycle": (16, 32, 64),
    "fetch.taken_branches_per_cycle": (0.5, 1, 2),
    "loads.complex_address_cycles": (0, 1),
    "uop_cache.entries_per_cycle": (1, 2),
    "vectors.bits": (256, 512),
    "fusion.blocked_branch_offset_mod_64": (UNKNOWN, 0),
}
_SWITCHES = (
    "loop_buffer.enabled",
    "loop_buffer.holds_stack_changes",
    "decode.macro_fusible_may_use_last_decoder",
    "fusion.enabled",
    "stack_engine.enabled",
    "stack_engine.synchronization",
    "rename.micro_fusion",
    "uop_cache.entry_crosses_lines",
    "uop_cache.line_change_costs",
    "memory_renaming.own_relative",
    "derive.zmm_ports",
)
_RENAMING = "rename_memory"
UNITS = "units:"
"""How names of options begin that change how many there are."""


@dataclass(frozen=True)
class Option:
    """Values of some keys that are tried together."""

    name: str
    settings: dict[str, Any]


def options(start: Machine) -> list[Option]:
    """What is tried, the parameters that decide the most first."""
    found = [
        *_nearby(start),
        *_memory_renaming(start),
        *_load_ports(start),
        *_more_units(start),
        *_write_port(start),
        *_schedulers(start),
        *_values(start),
        *_switches(start),
    ]
    return [each for each in found if each.settings]


def _nearby(start: Machine) -> Iterator[Option]:
    for key, steps in _NEARBY.items():
        before = start.parameter(key)
        for step in steps if isinstance(before, (int, float)) else ():
            after = before + step
            if after >= 1:
                yield Option(f"{key} {after:g}", {key: int(after) if after == int(after) else after})


def _values(start: Machine) -> Iterator[Option]:
    for key, values in _VALUES.items():
        before = start.parameter(key)
        for value in values:
            if value == UNKNOWN:
                if before is not None:
                    yield Option(f"{key} {UNKNOWN}", {key: UNKNOWN})
            elif value != before and (before is not None or key != "uop_cache.entries_per_cycle"):
                yield Option(f"{key} {value:g}", {key: value})


def _switches(start: Machine) -> Iterator[Option]:
    for key in _SWITCHES:
        before = start.parameter(key)
        for value in (True, False):
            if before != value and (before is not None or _is_known(start, key)):
                yield Option(f"{key} {'on' if value else 'off'}", {key: value})


def _is_known(start: Machine, key: str) -> bool:
    """Whether the unit is there at all: what a model does not have cannot be switched."""
    table = key.partition(".")[0]
    return isinstance(start.pipeline.get(table), dict) or table in ("fusion", "stack_engine", "rename")


def _memory_renaming(start: Machine) -> Iterator[Option]:
    """Loads that get what was stored before without executing."""
    has = any(rule.get("effect") == _RENAMING for rule in start.pipeline.get("rules", ()))
    if has:
        yield Option("memory renaming off", {"without_rules": [_RENAMING]})
        return
    rules = [
        {"effect": _RENAMING, "consumer": {"access": "update", "width_bytes": [4, 8]}},
        {
            "effect": _RENAMING,
            "consumer": {
                "access": "load", "sets_flags": False, "extends": False, "vector": False, "width_bytes": [4, 8]
            },
        },
    ]  # fmt: skip
    for cycles in (0, 1):
        yield Option(f"memory renaming, {cycles} cycles", {"rules": rules, "memory_renaming.latency_cycles": cycles})


def _write_port(start: Machine) -> Iterator[Option]:
    """A port of the first-level cache that takes one store a cycle, or several into one block."""
    if start.parameter("stores.write_unit") is not None:
        return
    for size in (0, 16, 32, 64):
        settings: dict[str, Any] = {"units.WRITE": {}, "stores.write_unit": "WRITE", "stores.joined_block_bytes": size}
        yield Option(f"stores.write_unit, blocks of {size} bytes", settings)


def _load_ports(start: Machine) -> Iterator[Option]:
    """Fewer ports for loads."""
    for key in ("loads.ports", "loads.vector_ports"):
        members = members_of(start, start.parameter(key))
        for count in range(len(members) - 1, 0, -1):
            kept = list(members[:count])
            spread = {f"ports.spread.{port}": kept for port in members[count:]}
            yield Option(f"{key} {'|'.join(kept)}", spread)


def _more_units(start: Machine) -> Iterator[Option]:
    """More ALUs, and one more load port, each beside one that there is: what may run there may run on it, too."""
    by_kind: list[Option] = []
    alus: Sequence[str] = start.parameter("ports.integer_alu") or ()
    loads = members_of(start, start.parameter("loads.ports"))
    for more_alus, more_loads in product(range(3), range(2)):
        beside = [*alus[:more_alus], *loads[len(loads) - more_loads :]]
        if not beside or len(beside) < more_alus + more_loads or len(set(beside)) < len(beside):
            continue
        twins = _twins(start, beside)
        settings: dict[str, Any] = {f"ports.spread.{port}": [port, twin] for port, twin in twins.items()}
        settings["ports.names"] = [*start.parameter("ports.names"), *twins.values()]
        if more_alus:
            settings["ports.integer_alu"] = [*alus, *(twins[port] for port in alus[:more_alus])]
        if schedulers := start.parameter("schedulers"):
            settings["schedulers"] = [
                {**each, "ports": [*each["ports"], *(twins[port] for port in each["ports"] if port in twins)]}
                for each in schedulers
            ]
        name = f"{UNITS} {len(alus) + more_alus} ALUs, {len(loads) + more_loads} load ports"
        yield Option(name, settings)
        addresses = [port for load in loads for port in settings.get(f"ports.spread.{load}", [load])]
        if joined := _joined_schedulers(start, settings.get("schedulers", ()), addresses):
            by_kind.append(Option(f"{name}, schedulers by kind", {**settings, **joined}))
    yield from by_kind  # there may be no time for all


_SPREADING = "rename.spread_ports", "rename.spread_address_ports", "rename.spread_addresses_per_cycle"


def _joined_schedulers(
    start: Machine, schedulers: Sequence[dict[str, Any]], addresses: Sequence[str]
) -> dict[str, Any]:
    """Where operations are spread over schedulers that addresses share: one for operations and one for addresses."""
    spread: Sequence[str] = start.parameter(_SPREADING[0]) or ()
    shared = [each for each in schedulers if {*each["ports"]} & {*spread, *addresses}]
    operations = [port for each in shared for port in each["ports"] if port not in addresses]
    if not spread or not operations:
        return {}
    entries = sum(each["entries"] for each in shared)
    kinds = [{"ports": ports, "entries": entries} for ports in (operations, list(addresses))]
    unset = {key: UNKNOWN for key in _SPREADING if start.parameter(key) is not None}
    return {**unset, "schedulers": [*kinds, *(each for each in schedulers if each not in shared)]}


def _schedulers(start: Machine) -> Iterator[Option]:
    """Where the start model has one for all ports: one each for operations, loads and stores."""
    loads = members_of(start, start.parameter("loads.ports"))
    stores = [*members_of(start, start.parameter("stores.address_ports"))]
    stores += [*members_of(start, start.parameter("stores.data_ports"))]
    others = [port for port in start.parameter("ports.names") or () if port not in (*loads, *stores)]
    if start.parameter("schedulers") or not (loads and stores and others) or set(loads) & set(stores):
        return
    for sizes in ((64, 40, 32), (97, 70, 38), (160, 70, 60)):
        pairs = zip((others, loads, stores), sizes, strict=True)
        found = [{"ports": list(ports), "entries": size} for ports, size in pairs]
        yield Option(f"schedulers {'|'.join(map(str, sizes))}", {"schedulers": found})


def _twins(start: Machine, ports: Sequence[str]) -> dict[str, str]:
    """A new name for each of these ports: the next number of its kind."""
    names = [*start.parameter("ports.names")]
    found: dict[str, str] = {}
    for port in ports:
        kind = port.rstrip(digits)
        numbers = [int(name.removeprefix(kind)) for name in names if _is_of(kind, name)]
        found[port] = f"{kind}{max(numbers, default=0) + 1}"
        names.append(found[port])
    return found


def _is_of(kind: str, name: str) -> bool:
    return name.startswith(kind) and name.removeprefix(kind).isdigit()


def members_of(start: Machine, usage: Any) -> Sequence[str]:
    """The ports of a usage of one micro-op: those of a group, or, where names are single letters, of `p23A`."""
    if not isinstance(usage, str) or "+" in usage:
        return ()
    count, _, group = usage.partition("*")
    if count != "1":
        return ()
    members: Sequence[str] = start.parameter(f"ports.groups.{group}") or group.split("|")
    if group.startswith("p") and set(group[1:]) <= set(start.ports):
        members = list(group[1:])
    return members if set(members) <= set(start.ports) else ()
