"""The experiments on rules of x86 pipelines: kernels, and what may explain their times."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from corecast.calibrate.choices import members_of
from corecast.calibrate.experiment import Experiment, limits, one_of, repeated
from corecast.calibrate.memory_rules import MEMORY_EXPERIMENTS
from corecast.calibrate.pair_rules import PAIR_EXPERIMENTS
from corecast.calibrate.plain_rules import PLAIN_EXPERIMENTS
from corecast.calibrate.port_rules import PORT_EXPERIMENTS
from corecast.calibrate.slot_rules import SLOT_EXPERIMENTS
from corecast.calibrate.supply_rules import SUPPLY_EXPERIMENTS
from corecast.calibrate.vector_rules import VECTOR_EXPERIMENTS
from corecast.hints import Any
from corecast.machine.types import Machine

_SUPPLY_COST = "supply_cost"


def _loop_buffer(start: Machine) -> Iterator[dict[str, Any]]:
    """Whether loops come from a loop buffer, with how many copies in a fill of it, and whether the start model's rules
    hold on what supplies them otherwise."""
    costs = any(rule.get("effect") == _SUPPLY_COST for rule in start.pipeline.get("rules", ()))
    freed: tuple[dict[str, Any], ...] = ({}, {"without_rules:supply": [_SUPPLY_COST]} if costs else {})
    enabled, width = start.parameter("loop_buffer.enabled"), start.parameter("rename.width")
    buffers: list[dict[str, Any]] = [{}]
    if enabled is not None and width is not None:
        buffers += [{"loop_buffer.enabled": False}, {"loop_buffer.enabled": True}]
        buffers += [
            {"loop_buffer.enabled": True, "loop_buffer.copies": _copies(int(width), slots)}
            for slots in (24, 48, 72, 96, 120, 144)
        ]
    for buffer, free in product(buffers, freed):
        if buffer or free:
            yield {**buffer, **free}


_LARGEST_LOOP = 200
"""Slots of a loop that a loop buffer may hold."""


def _copies(most: int, slots: int) -> list[list[int]]:
    """As many copies as so many slots hold, up to a number with which every loop fills whole groups."""
    found: list[list[int]] = []
    for size in range(1, _LARGEST_LOOP):
        count = max(1, min(most, slots // size))
        if found and found[-1][2] == count:
            found[-1][1] = size
        else:
            found.append([size, size, count])
    return found


def _supplied_loops() -> tuple[tuple[str, ...], ...]:
    """Of no-operations: short ones, and long ones that reach into further lines."""
    short = (repeated(count, "nop") for count in (5, 11, 14, 17, 20, 23, 33, 39, 45, 60))
    long = (repeated(count, "nop dword ptr [rax + rax + 512]") for count in (7, 10, 15, 20, 28, 40))
    return (*short, *long)


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


def _decoders(start: Machine) -> Iterator[dict[str, Any]]:
    """Bytes that are fetched in a cycle, and instructions that are for the first decoder."""
    for fetched, limit in product((16, 32, 64), limits(start, "decode.first_decoder_bytes", 7, 8, 10)):
        yield {"fetch.bytes_per_cycle": fetched, **limit}


def _predecoder(start: Machine) -> Iterator[dict[str, Any]]:
    """Instructions whose length is found in a cycle, how many wait for the decoders, and that one of these alone takes
    those of several micro-ops."""
    if start.parameter("predecode.block_bytes") is None:
        return
    for width, entries in product((5, 6, 8, 10), (20, 25, 50, 70)):
        sizes = {"predecode.width": width, "instruction_queue.entries": entries}
        yield {**sizes, "decode.complex_decoders": 1}


_MOVE, _OTHER_MOVE, _LEA, _CONSTANT = "4989c4", "4889f7", "488d7208", "b9e8030000"
_SWAP, _CONDITIONAL = "480fc8", "480f46c1"
"""Of two micro-ops on many cores: bswap rax; cmovbe rax, rcx."""


def _of_lengths() -> tuple[str, ...]:
    """Code of short instructions that lie otherwise in every block of bytes, and with one of several micro-ops."""
    short = (
        (_LEA, _MOVE), (_MOVE, _OTHER_MOVE, _LEA), (_LEA, _LEA, _MOVE), (_CONSTANT, _MOVE, _OTHER_MOVE),
        (_CONSTANT, _LEA, _MOVE, _OTHER_MOVE), (_MOVE, _CONSTANT, _OTHER_MOVE, _LEA, _LEA), (_MOVE, _OTHER_MOVE),
        (_LEA,), (_SWAP, _OTHER_MOVE), (_OTHER_MOVE, _CONDITIONAL, _CONSTANT, _OTHER_MOVE),
        (_SWAP, _CONSTANT, _LEA, _LEA, _LEA),
    )  # fmt: skip
    return tuple("".join(each) for each in short)


def _stack(start: Machine) -> Iterator[dict[str, Any]]:
    """Whether the loop buffer takes loops that change the stack pointer."""
    if start.parameter("loop_buffer.enabled") is not None:
        yield from one_of("loop_buffer.holds_stack_changes", True, False)(start)


def _stack_loops() -> tuple[tuple[str, ...], ...]:
    pushes = (
        ("push rax", "pop rcx"), ("push rax", "mov r8, rsp", "pop rcx"), ("push rax", "lea r8, [rsp + 8]", "pop rcx"),
        ("sub rsp, 8", "push rax", "pop rcx", "add rsp, 8"),
    )  # fmt: skip
    return tuple((*each, *repeated(count, "nop")) for each in pushes for count in (5, 7, 9, 12))


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
    limited = limits(start, "rename.spread_addresses_per_cycle", 4)
    for lag, release, limit, backlog in product((1, 2, 3), (0, 7), limited, (0, 50)):
        yield {
            "rename.spread_ports": alus,
            "rename.spread_address_ports": addresses,
            "rename.spread_lag_cycles": lag,
            "rename.spread_release_cycles": release,
            "rename.spread_backlog_cycles": backlog,
            **limit,
        }


def _nop(length: int) -> str:
    """A no-operation of 8 to 15 bytes."""
    return "66" * (length - 8) + "0f1f840000000000"


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


_CONSTANTS = (200, 480, 720, 960, 1000, 1400, 2000)

EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "taken branches",
        (("xor r8d, r8d",), repeated(2, "xor r{i}d, r{i}d")),
        options=one_of("fetch.taken_branches_per_cycle", 0.5, 1, 2),
    ),
    Experiment("predecoder", decoded=_of_lengths(), options=_predecoder),
    Experiment("loop buffer", _supplied_loops(), options=_loop_buffer),
    Experiment(
        "entries of the op cache",
        (
            *(repeated(count, "xor r{i}d, r{i}d") for count in (5, 7, 8, 10, 12, 14, 16, 17, 20, 26)),
            *(repeated(count, "vxorps xmm{v}, xmm{v}, xmm{v}") for count in (8, 13, 15, 17, 20, 26)),
            *(repeated(count, "nop dword ptr [rax + rax + 512]") for count in (6, 9)),
        ),
        options=_op_cache,
    ),
    Experiment("decoders", decoded=tuple(map(_nop, range(8, 16))), options=_decoders),
    Experiment(
        "ports of fused pairs",
        (("cmovc r8, r14", "cmovc r9, r14"), repeated(4, "mov r{i}d, 1")),
        options=_pair_ports,
    ),
    *PAIR_EXPERIMENTS,
    Experiment(
        "added constants",
        tuple(
            (*(f"add r8, {constant}" for _ in range(4)), *repeated(4, "nop"))
            for constant in (100, *_CONSTANTS)
        ),
        options=one_of("rename.largest_added_constant", 127, *_CONSTANTS),
    ),
    Experiment("changes of the stack pointer", _stack_loops(), options=_stack),
    Experiment(
        "pops that look like others",
        decoded=("415c4889f74989c4", "5b4889f74989c4", "415c4889f7b9e8030000", "415e4889f7b9e8030000"),
        options=one_of("decode.pop5c_is_complex", True, False),
    ),
    Experiment(
        "addresses on the stack",
        (
            ("push rax", "add rsp, 8"), ("push rax", "lea rsp, [rsp + 8]"),
            ("push rax", "mov rdx, qword ptr [rsp]", "pop rcx"), ("push rax", "mov rdx, rsp", "pop rcx"),
        ),
        options=one_of("stack_engine.offset_in_addresses", True, False),
    ),
    Experiment(
        "complex addresses",
        (
            ("mov rax, qword ptr [rax]",), ("mov rax, qword ptr [rax + 8]",),
            ("mov rax, qword ptr [rax + 4*rcx]", "and ecx, 0"),
            ("mov rax, qword ptr [rax + rcx + 8]", "and ecx, 0"),
        ),
        options=one_of("loads.complex_address_cycles", 0, 1),
    ),
    *MEMORY_EXPERIMENTS,
    Experiment(
        "addresses relative to the instruction",
        decoded=("833d0010000000", "48890500100000", "c7050010000001000000", "488905001000008bc8", "3905001000008bc8"),
        options=one_of("decode.relative_is_complex", True, False),
    ),
    Experiment("integer schedulers", _random_loops(), options=_integer_schedulers),
    *SUPPLY_EXPERIMENTS,
    *SLOT_EXPERIMENTS,
    *PORT_EXPERIMENTS,
    *VECTOR_EXPERIMENTS,
    *PLAIN_EXPERIMENTS,
)  # fmt: skip
"""In the order in which they are decided: what comes later builds on what came before."""
