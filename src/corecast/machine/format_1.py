"""pipeline.toml of format 1, read as format 2: other names, and rules that were separate keys.

`machine/parameters.tsv` lists the names of then; here is what else changed. What is not a key of either format stays
where it is, so that the check of keys names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from corecast.hints import Any
from corecast.machine.parameters import format_1_names, parameters
from corecast.machine.trees import EVIDENCE, put, taken_out, value_of

TABLES = ("front_end", "back_end")
"""Tables that only format 1 has."""
_POLICIES: Mapping[str, Mapping[str, Any]] = {
    "six_port": {
        "policy": "rotating",
        "alternating": [["2", "3"]],
        "waiting_limit_uops": 3,
        "slot_orders": {"0": ["0", "5", "1", "0"], "1": ["1", "5", "0", "1"], "5": ["5", "1", "0", "5"]},
    },
    "eight_port": {"policy": "paired_slots", "alternating": [["2", "3"]], "waiting_limit_uops": 3},
    "ten_port": {
        "policy": "ranked",
        "alternating": [["2", "3"], ["4", "9"], ["7", "8"]],
        "waiting_limit_uops": 5,
        "first_choice_slot": 4,
        "second_choice_slot": 3,
    },
    "at_dispatch": {"policy": "at_issue"},
}
"""What the names of port choices stood for."""
_SLOT_FREED = {"one_left_without_move": "one_left_in_idle_cycle"}
_ITEMS = {"uop_cache.entry_limits": {"mops": "uops"}, "schedulers": {"dispatches_per_cycle": "accepts_per_cycle"}}
"""Keys of the tables in a list that have other names."""
_WIDE_UOP_CACHE = 6
"""Micro-ops a cycle from which on format 1 took it that a uop cache pays for a change of its line."""
_GENERAL_WIDTHS = [4, 8]
"""Bytes of the accesses of general registers that all such cores rename."""


class TwoNamesError(ValueError):
    """A parameter that a file gives under two of its names. `names`: those."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{second} and {first} are one parameter: give it once")
        self.names = (first, second)


def as_format_2(keys: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of one file of format 1 as those of format 2.

    Raises:
        TwoNamesError: a parameter has two names in the file.
    """
    found: dict[str, Any] = {**head_as_format_2(keys), "format": 2}
    found = _renamed(found)
    found = _port_choice(found)
    found = _line_changes(found)
    rules: list[dict[str, Any]] = []
    dropped: list[str] = []
    for effect, make in (("absorb", _nops), ("fuse", _pairs), ("delay", _delays), ("rename_memory", _renamed_loads)):
        found, made = make(found)
        if made is not None:
            rules += made
            dropped.append(effect)
    if dropped:
        found["rules"] = rules
    if dropped and "pipeline_of" in found:  # lists took the place of inherited ones
        found["without_rules"] = dropped
    if isinstance(found.get("assumed"), Mapping):
        found["assumed"] = {relative: _current_keys(listed) for relative, listed in found["assumed"].items()}
    return found


def head_as_format_2(keys: Mapping[str, Any]) -> dict[str, Any]:
    """`keys` with what they say of other models: format 1 had one key, `extends`, for parameters and form tables."""
    found = dict(keys)
    if "extends" not in found:
        return found
    base = found.pop("extends")
    own = found.get("forms_of")
    return {**found, "pipeline_of": base, "forms_of": base if own is None else [own, base]}


def current_key(key: str) -> str:
    """The key of format 2 for one of either format; `!` in front of one that says the opposite."""
    names = format_1_names()
    if key in names:
        return names[key]
    for older, newer in names.items():  # a key inside a table or a list: memory.late_loads.0.share
        if key.startswith(f"{older}."):
            inner = key.removeprefix(older).split(".")
            renames = _ITEMS.get(newer, {})
            return newer + ".".join(renames.get(part, part) for part in inner)
    return key


def _current_keys(listed: Any) -> Any:
    return (
        [current_key(key).lstrip("!") if isinstance(key, str) else key for key in listed]
        if isinstance(listed, list)
        else listed
    )


def _renamed(keys: dict[str, Any]) -> dict[str, Any]:
    named: dict[str, str] = {}
    evidence: dict[str, dict[str, Any]] = {}
    for older, signed in format_1_names().items():
        value = value_of(keys, older)
        if value is None:
            continue
        newer = signed.lstrip("!")
        if newer in named or value_of(keys, newer) is not None:
            raise TwoNamesError(named.get(newer, newer), older)
        named[newer] = older
        table = older.partition(".")[0]
        evidence.setdefault(newer.partition(".")[0], _evidence(keys.get(table)))
        keys = taken_out(keys, older)
        if signed.startswith("!") and isinstance(value, bool):
            value = not value
        keys = put(keys, newer, _current_items(newer, _unlimited(newer, value)))
    for table, found in evidence.items():
        if isinstance(keys.get(table), dict):
            keys[table] = {**keys[table], **{name: each for name, each in found.items() if name not in keys[table]}}
    return {name: value for name, value in keys.items() if not _is_used_up(name, value)}


def _is_used_up(name: str, value: Any) -> bool:
    """Whether nothing but evidence is left of a table of format 1."""
    return name in TABLES and isinstance(value, dict) and not value.keys() - {*EVIDENCE}


def _evidence(table: Any) -> dict[str, Any]:
    if not isinstance(table, Mapping):
        return {}
    return {name: table[name] for name in EVIDENCE if name in table}


def _unlimited(key: str, value: Any) -> Any:
    known = parameters().get(key)
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "unlimited" if number and value == -1 and known is not None and known.default == "unlimited" else value


def _current_items(key: str, value: Any) -> Any:
    names = _ITEMS.get(key)
    if names is None or not isinstance(value, list):
        return value
    return [
        {names.get(name, name): each for name, each in item.items()} if isinstance(item, Mapping) else item
        for item in value
    ]


def _port_choice(keys: dict[str, Any]) -> dict[str, Any]:
    freed = value_of(keys, "move_elimination.general_slot_freed")
    if freed in _SLOT_FREED:
        keys = put(keys, "move_elimination.general_slot_freed", _SLOT_FREED[freed])
    policy = value_of(keys, "port_choice.policy")
    settings = _POLICIES.get(policy, {}) if isinstance(policy, str) else {}
    for name, value in settings.items():
        keys = put(keys, f"port_choice.{name}", value)
    return keys


def _line_changes(keys: dict[str, Any]) -> dict[str, Any]:
    width = value_of(keys, "uop_cache.width")
    wide = isinstance(width, (int, float)) and width >= _WIDE_UOP_CACHE
    predecodes = value_of(keys, "predecode.block_bytes") is not None
    return put(keys, "uop_cache.line_change_costs", True) if wide and predecodes else keys


_Made = tuple[dict[str, Any], list[dict[str, Any]] | None]
"""The keys that are left, and the rules made of those that are not; None where there were none."""


def _pairs(keys: dict[str, Any]) -> _Made:
    pairs = value_of(keys, "fusion.pairs")
    if not isinstance(pairs, list) or not all(map(_is_pair, pairs)):
        return keys, None  # the check of keys says what is wrong
    evidence = _evidence(keys["fusion"])
    left = taken_out(keys, "fusion.pairs")
    rest = {name: value for name, value in left.get("fusion", {}).items() if name not in EVIDENCE}
    left = {**left, "fusion": rest} if rest else {name: value for name, value in left.items() if name != "fusion"}
    left = {name: value for name, value in left.items() if name != "fusion" or value}
    return left, [{**rule, **evidence} for pair in pairs for rule in _rules_of(pair)]


def _is_pair(pair: Any) -> bool:
    known = {"first", "second", "first_memory", "first_immediate_memory", "rip_relative", "into_copy"}
    return isinstance(pair, Mapping) and {"first", "second"} <= pair.keys() <= known | {*EVIDENCE}


def _rules_of(pair: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if pair.get("into_copy") is not True:
        producer: dict[str, Any] = {"mnemonics": pair["first"]}
        if pair.get("first_memory", True) is False:
            producer["access"] = "none"
        else:
            producer |= {} if pair.get("first_immediate_memory") else {"memory_and_immediate": False}
            producer |= {} if pair.get("rip_relative") else {"pc_relative": False}
        yield {"effect": "fuse", "producer": producer, "consumer": {"mnemonics": pair["second"]}, **_evidence(pair)}
        return
    consumer = {"mnemonics": pair["second"], "access": "none", "max_uops": 1, "changes_copy": True}
    loads = [_has_memory(each) for each in pair["first"]] if isinstance(pair["first"], list) else []
    if not all(loads):  # copies of registers are joined in loops alone
        only = {"access": "none"} if any(load is not False for load in loads) else {}
        yield {
            "effect": "fuse",
            "loops_only": True,
            "producer": {"mnemonics": pair["first"], **only},
            "consumer": consumer,
            **_evidence(pair),
        }
    if any(load is not False for load in loads):
        only = {} if all(loads) else {"access": "load"}
        producer = {"mnemonics": pair["first"], **only}
        yield {"effect": "fuse", "producer": producer, "consumer": consumer, **_evidence(pair)}


def _has_memory(name: Any) -> bool | None:
    """Whether the instructions of a name read memory: a whole key tells, a mnemonic does not (None)."""
    if not isinstance(name, str) or " " not in name:
        return None
    return any(operand.startswith("m") and operand[1:].isdecimal() for operand in name.replace(",", " ").split()[1:])


def _nops(keys: dict[str, Any]) -> _Made:
    nops = value_of(keys, "fusion.nops")
    if not isinstance(nops, list):
        return keys, None
    rest = taken_out(keys, "fusion.nops")
    rule = {"effect": "absorb", "producer": {"vector": False, "max_uops": 1}, "consumer": {"mnemonics": nops}}
    return rest, [rule]


def _delays(keys: dict[str, Any]) -> _Made:
    rename = keys.get("rename")
    if not isinstance(rename, Mapping):
        return keys, None
    rules: list[dict[str, Any]] = []
    if "slow_flags_from" in rename or "slow_flags_to" in rename:
        rules.append(
            {
                "effect": "delay",
                "through": "flags",
                "delays": "other_inputs",
                "cycles": rename.get("slow_flags_cycles", 1),
                "producer": {"mnemonics": rename.get("slow_flags_from", [])},
                "consumer": {"mnemonics": rename.get("slow_flags_to", [])},
            }
        )
    if "late_constants_to" in rename:
        rules.append(
            {
                "effect": "delay",
                "cycles": rename.get("late_constants_cycles", 2),
                "producer": {"added_by_renaming": True},
                "consumer": {"mnemonics": rename["late_constants_to"]},
            }
        )
    gone = ("slow_flags_from", "slow_flags_to", "slow_flags_cycles", "late_constants_to", "late_constants_cycles")
    left = {name: value for name, value in rename.items() if name not in gone}
    return {**keys, "rename": left}, rules or None


def _renamed_loads(keys: dict[str, Any]) -> _Made:
    memory = keys.get("memory")
    table = memory if isinstance(memory, Mapping) else {}
    kind = table.get("memory_mirroring")
    if kind not in (None, "full", "stack", "moves", "alone"):
        return keys, None  # the check of keys finds it
    if kind is None and value_of(keys, "memory_renaming.latency_cycles") is None:
        return keys, None
    excepted = table.get("memory_mirroring_except", [])
    rest = {name: value for name, value in table.items() if not name.startswith("memory_mirroring")}
    left = {**keys, "memory": rest} if rest else {name: value for name, value in keys.items() if name != "memory"}
    return left, [_with_exceptions(rule, excepted) for rule in _MIRRORING[kind or "full"]]


def _with_exceptions(rule: Mapping[str, Any], excepted: Sequence[str]) -> dict[str, Any]:
    consumer = {**rule["consumer"], **({"except": excepted} if excepted else {})}
    return {"effect": "rename_memory", **rule, "consumer": consumer}


_ALONE = {"indexed": False, "pc_relative": False, "register_update": False, "begins_pair": False}
_MIRRORING: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "full": [{"same_width": True, "consumer": {"pc_relative": False, "width_bytes": _GENERAL_WIDTHS}}],
    "stack": [],  # was read and not modelled
    "moves": [
        {"consumer": {"access": "update", "width_bytes": _GENERAL_WIDTHS}},
        {"consumer": {"access": "load", "indexed": True, "width_bytes": _GENERAL_WIDTHS}},
        {
            "consumer": {
                "access": "load",
                "indexed": False,
                "sets_flags": False,
                "extends": False,
                "width_bytes": _GENERAL_WIDTHS,
            }
        },
    ],
    "alone": [
        {"producer": {"indexed": False}, "consumer": {**_ALONE, "width_bytes": _GENERAL_WIDTHS}},
        {"producer": {"indexed": False, "width_bytes": [1, 4, 8]}, "consumer": {**_ALONE, "width_bytes": [1]}},
    ],
}
