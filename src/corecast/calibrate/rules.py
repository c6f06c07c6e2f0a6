"""The experiments on rules of x86 pipelines: kernels, and what may explain their times."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from corecast.calibrate.choices import members_of
from corecast.dataclass import dataclass
from corecast.hints import Any
from corecast.machine.types import Machine

Options = Callable[[Machine], Iterator[dict[str, Any]]]
"""Settings that may explain the times, for a start model; each excludes the others."""


def _none(_start: Machine) -> Iterator[dict[str, Any]]:
    yield from ()


@dataclass(frozen=True)
class Experiment:
    """Kernels that tell one rule."""

    name: str
    loops: tuple[tuple[str, ...], ...] = ()
    """Bodies of loops."""
    decoded: tuple[str, ...] = ()
    """Code that is timed from the decoders, as hexadecimal bytes."""
    options: Options = _none

    @property
    def kernels(self) -> tuple[str, ...]:
        """Texts of all."""
        return (*("; ".join(body) for body in self.loops), *self.decoded)


def _repeated(count: int, *texts: str) -> tuple[str, ...]:
    """So many instructions, of these by turns; {i} numbers registers r8 to r13, {v} xmm4 to xmm9."""
    return tuple(
        texts[place % len(texts)].replace("{i}", str(8 + place % 6)).replace("{v}", str(4 + place % 6))
        for place in range(count)
    )


def _one(key: str, *values: Any) -> Options:
    """One parameter, with these values."""

    def options(start: Machine) -> Iterator[dict[str, Any]]:
        yield from ({key: value} for value in values if value != start.parameter(key))

    return options


def _op_cache(start: Machine) -> Iterator[dict[str, Any]]:
    """Macro-ops that an entry holds, and whether entries go on from line to line; or that a read of two entries takes,
    which goes on into the next line after one."""
    if start.parameter("uop_cache.entry_uops") is None:
        return
    for uops, crosses in product((4, 6, 8, 9, 12), (False, True)):
        sizes = {"uop_cache.entry_uops": uops, "uop_cache.width": uops}
        yield {**sizes, "uop_cache.entry_crosses_lines": crosses}
    for uops in (4, 6, 8):
        sizes = {"uop_cache.entry_uops": uops, "uop_cache.width": 2 * uops, "uop_cache.short_read_uops": uops}
        yield {**sizes, "uop_cache.entry_crosses_lines": False}


def _decoders(_start: Machine) -> Iterator[dict[str, Any]]:
    """Bytes that are fetched in a cycle, and instructions that are for the first decoder."""
    for fetched, longest in product((16, 32, 64), (None, 7, 8, 10)):
        limit = {} if longest is None else {"decode.first_decoder_bytes": longest}
        yield {"fetch.bytes_per_cycle": fetched, **limit}


def _pair_ports(start: Machine) -> Iterator[dict[str, Any]]:
    """Groups of integer ports, for pairs that write a register."""
    alus = set(start.parameter("ports.integer_alu") or ())
    groups: Mapping[str, Sequence[str]] = start.pipeline.get("ports", {}).get("groups", {})
    yield from ({"fusion.register_pair_ports": list(ports)} for ports in groups.values() if set(ports) < alus)


def _integer_schedulers(start: Machine) -> Iterator[dict[str, Any]]:
    """How dispatch chooses among several: not at all, as if they were one; by what takes no room; or spread, by which
    of them look emptier."""
    every = start.parameter("schedulers") or []
    alus = [port for port in start.ports if port in (start.parameter("ports.integer_alu") or ())]
    several = [each for each in every if set(alus) & set(each["ports"])]
    if len(several) < 2:
        return
    ports = [port for each in several for port in each["ports"]]
    one = {"ports": ports, "entries": sum(each["entries"] for each in several)}
    not_spread: dict[str, Any] = {}
    if start.parameter("rename.spread_ports") is not None:
        not_spread = {"rename.spread_ports": []}
        yield not_spread
    yield {**not_spread, "schedulers": [one, *(each for each in every if each not in several)]}
    addresses = list(members_of(start, start.parameter("loads.ports")))
    for lag, release, most, backlog in product((1, 2, 3), (0, 7), (None, 4), (0, 50)):
        limit = {} if most is None else {"rename.spread_addresses_per_cycle": most}
        yield {
            "rename.spread_ports": alus,
            "rename.spread_address_ports": addresses,
            "rename.spread_lag_cycles": lag,
            "rename.spread_release_cycles": release,
            "rename.spread_backlog_cycles": backlog,
            **limit,
        }


_RENAMED = "rename_memory"


def _memory_renaming(start: Machine) -> Iterator[dict[str, Any]]:
    """Loads that take what was stored before without executing: of updates, of plain loads, of all with an index, or
    all but those that fill up with zeros."""
    dropped = {}
    if any(rule.get("effect") == _RENAMED for rule in start.pipeline.get("rules", ())):
        dropped = {"without_rules": [_RENAMED]}
        yield dropped
    update = {"access": "update", "width_bytes": [4, 8]}
    plain = {"access": "load", "sets_flags": False, "extends": False, "vector": False, "width_bytes": [4, 8]}
    consumers: tuple[list[dict[str, Any]], ...] = (
        [update],
        [update, plain],
        [update, {"access": "load", "indexed": True, "width_bytes": [4, 8]}, {**plain, "indexed": False}],
        [{"except": ["movzx *"], "vector": False}],
    )
    for every, cycles, most in product(consumers, (0, 1), (None, 16, 24, 32, 1000)):
        rules = [{"effect": _RENAMED, "consumer": consumer} for consumer in every]
        limit = {} if most is None else {"memory_renaming.predicted_loads": most}
        yield {**dropped, "rules": rules, "memory_renaming.latency_cycles": cycles, **limit}


def _write_port(start: Machine) -> Iterator[dict[str, Any]]:
    """A port that writes a store a cycle, or several into one block."""
    has = start.parameter("stores.write_unit") is not None
    port = {} if has else {"units.WRITE": {}, "stores.write_unit": "WRITE"}
    yield from ({**port, "stores.joined_block_bytes": size} for size in (0, 16, 32, 64))


def _nop(length: int) -> str:
    """A no-operation of 8 to 15 bytes."""
    return "66" * (length - 8) + "0f1f840000000000"


def _pairs(count: int, *texts: str) -> tuple[str, ...]:
    """So many times these instructions, each time in another line."""
    return tuple(text.replace("{line}", str(64 * place)) for place in range(count) for text in texts)


_FORWARD = ("mov qword ptr [rsi + {line}], rax", "mov rax, qword ptr [rsi + {line}]")
_COPIED = ("mov r13, rsi", "add dword ptr [r13], 1")
"""Of an address in a register that was just written, a load has to be predicted."""

_OPERATIONS = (
    "add {a}, {b}", "sub {a}, {b}", "xor {a}, {b}", "test {a}, {b}", "add {a}, 1", "lea {a}, [{b} + 1]", "shl {a}, 3",
    "imul {a}, {b}", "add {a}, qword ptr [rsi]", "mov {a}, qword ptr [rsi + 8]", "mov qword ptr [rsi + 64], {a}",
)  # fmt: skip
_LEAST_OPERATIONS, _MOST_OPERATIONS = 3, 8
_RANDOM_LOOPS = 48


def _random_loops() -> tuple[tuple[str, ...], ...]:
    """Dependent integer operations. All of them count, not those that tell two models apart the most: what none of the
    models knows would show in those above all."""
    chance = random.Random(_RANDOM_LOOPS)
    registers = [f"r{number}" for number in range(8, 14)]
    return tuple(
        tuple(
            chance.choice(_OPERATIONS).format(a=chance.choice(registers), b=chance.choice(registers))
            for _ in range(chance.randint(_LEAST_OPERATIONS, _MOST_OPERATIONS))
        )
        for _ in range(_RANDOM_LOOPS)
    )


EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "taken branches",
        (("xor r8d, r8d",), _repeated(2, "xor r{i}d, r{i}d")),
        options=_one("fetch.taken_branches_per_cycle", 0.5, 1, 2),
    ),
    Experiment(
        "entries of the op cache",
        (
            *(_repeated(count, "xor r{i}d, r{i}d") for count in (5, 7, 8, 10, 12, 14, 16, 17, 20, 26)),
            *(_repeated(count, "vxorps xmm{v}, xmm{v}, xmm{v}") for count in (8, 13, 15, 17, 20, 26)),
            *(_repeated(count, "nop dword ptr [rax + rax + 512]") for count in (6, 9)),
        ),
        options=_op_cache,
    ),
    Experiment("decoders", decoded=tuple(map(_nop, range(8, 16))), options=_decoders),
    Experiment(
        "ports of fused pairs",
        (("cmovc r8, r14", "cmovc r9, r14"), _repeated(4, "mov r{i}d, 1")),
        options=_pair_ports,
    ),
    Experiment(
        "addresses on the stack",
        (
            ("push rax", "add rsp, 8"), ("push rax", "lea rsp, [rsp + 8]"),
            ("push rax", "mov rdx, qword ptr [rsp]", "pop rcx"), ("push rax", "mov rdx, rsp", "pop rcx"),
        ),
        options=_one("stack_engine.offset_in_addresses", True, False),
    ),
    Experiment(
        "complex addresses",
        (
            ("mov rax, qword ptr [rax]",), ("mov rax, qword ptr [rax + 8]",),
            ("mov rax, qword ptr [rax + 4*rcx]", "and ecx, 0"),
            ("mov rax, qword ptr [rax + rcx + 8]", "and ecx, 0"),
        ),
        options=_one("loads.complex_address_cycles", 0, 1),
    ),
    Experiment(
        "writes of stores",
        (
            *(("mov qword ptr [rsi], rax", f"mov qword ptr [rsi + {apart}], rax") for apart in (8, 16, 32, 64)),
            tuple(f"mov qword ptr [rsi + {8 * place}], rax" for place in range(8)),
            tuple(f"mov qword ptr [rsi + {64 * place}], rax" for place in range(4)),
        ),
        options=_write_port,
    ),
    Experiment(
        "memory renaming",
        (
            ("add dword ptr [rsi], 1",), ("add qword ptr [rsi + 8], rdx",), ("add byte ptr [rsi], 1",),
            *(_pairs(count, *_FORWARD) for count in (1, 2, 20)),
            *(_pairs(count, *_COPIED) for count in (4, 20, 28, 40)),
            ("mov qword ptr [rsi], rax", "add rax, qword ptr [rsi]"),
            ("mov qword ptr [rsi], rax", "movzx eax, byte ptr [rsi]"),
            ("mov qword ptr [rsi + rcx], rax", "mov rax, qword ptr [rsi + rcx]", "xor ecx, ecx"),
        ),
        options=_memory_renaming,
    ),
    Experiment(
        "updates",
        (
            ("add byte ptr [rsi], 1",), ("or byte ptr [rsi], 1",), ("add word ptr [rsi], 1",),
            ("sub byte ptr [rsi + 8], cl",),
        ),
        options=_one("store_forwarding.update_latency_cycles", 3, 4, 5, 6, 7, 8),
    ),
    Experiment("integer schedulers", _random_loops(), options=_integer_schedulers),
)  # fmt: skip
"""In the order in which they are decided: what comes later builds on what came before."""
