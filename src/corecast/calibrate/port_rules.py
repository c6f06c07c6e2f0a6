"""Experiments on ports: which slot takes which of two ports, and what rename adds but flags are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from corecast.calibrate.experiment import Experiment, Options, one_of
from corecast.hints import Any
from corecast.machine.types import Machine
from corecast.measure.export.model import known_row, members


def ports_of(form: str, start: Machine) -> list[str]:
    """Of a form of one micro-op, in the model's order."""
    row = known_row(form, start)
    if row is None or row.ports is None or len(row.ports) != 1:
        return []
    found = members(start, row.ports[0][1])
    return [port for port in start.ports if port in found]


_OTHERS = (0, 1, 2, 3)
_COUNTED = (1, 2, 3, 4, 5, 6)
_LIMITS = (3, 4, 5, 6)


def _slot_ranks(slots: int) -> Options:
    """Which of the two ports of shifts each slot of a group takes: that of its rank, with so many slots before it left
    out of account where they choose from other ports, and with so much that still counts as waiting; or, whatever is
    before it, the one with less to do, as the first slot does, or the other one. Shifts alone do not tell a pattern
    from its opposite, in which most go where most are waiting."""

    def options(start: Machine) -> Iterator[dict[str, Any]]:
        ports = ports_of("shl r64, i8", start)
        ranked = start.parameter("port_choice.slot_ranks") is not None
        if not ranked or start.parameter("rename.width") != slots or len(ports) != 2:
            return
        known: Sequence[dict[str, Any]] = start.parameter("port_choice.set_ranks") or ()
        others = [each for each in known if set(each["ports"]) != set(ports)]
        for before, counted, limit in product(_OTHERS, _COUNTED, _LIMITS):
            yield {
                "port_choice.set_ranks": others,
                "port_choice.slots_of_others": before,
                "port_choice.counted_cycles": counted,
                "port_choice.waiting_limit_uops": limit,
            }
        for ranks in product((0, 1), repeat=slots - 1):
            yield {"port_choice.set_ranks": [*others, {"ports": ports, "ranks": [0, *ranks]}]}

    return options


def _among_nops(slots: int, places: Sequence[int]) -> tuple[str, ...]:
    """A loop of so many slots, the last one its branch, with shifts in some of them."""
    return tuple(f"shl r{8 + place}, 3" if place in places else "nop" for place in range(slots - 1))


_SHORT_LOOPS = (
    ("shl rcx, 3",), ("shl rcx, 3", "nop"), ("nop", "shl rcx, 3"), ("shl rcx, 3", "nop", "nop"),
    ("nop", "shl rcx, 3", "nop"), ("nop", "nop", "shl rcx, 3"), ("shl rcx, 3", "cmp rdx, rdi"),
    ("add rcx, rdx", "cmp rdi, rcx"), ("add rcx, rdx", "add r8, rdx", "cmp rdi, rcx"),
    ("add rcx, rdx", "cmp rdi, r9", "cmp rdi, r9", "cmp rdi, r9"),
    ("cmp rdi, r9", "add rcx, rdx", "cmp rdi, r9", "cmp rdi, r9"),
)  # fmt: skip


def _ports_by_slot(slots: int) -> Experiment:
    """One or two shifts, beside a branch that needs a port of theirs, in loops of one group, and in shorter ones, where
    every shift comes to several slots and waits."""
    places = range(slots - 1)
    loops = [*((place,) for place in places), *combinations(places, 2)]
    bodies = (*(_among_nops(slots, each) for each in loops), *_SHORT_LOOPS)
    return Experiment(f"ports of {slots} slots", bodies, options=_slot_ranks(slots))


def _added_flags(start: Machine) -> Iterator[dict[str, Any]]:
    """Whether a port makes the flags of what rename adds."""
    key = "ports.added_flags"
    yield {key: list(start.parameter("ports.integer_alu") or ())}
    if start.parameter(key):
        yield {key: []}


def _avoided(start: Machine) -> Iterator[dict[str, Any]]:
    """Whether what could choose leaves the port alone that moves to general registers keep busy."""
    ports = ports_of("vmovd r32, xmm", start)
    if start.parameter("port_choice.slot_ranks") is not None and len(ports) == 1:
        yield from one_of("port_choice.avoided_where_full", [], ports)(start)


_FULL = (
    "vmovd ecx, xmm1",
    "vpmovmskb ecx, ymm1",
    "vucomiss xmm1, xmm2",
    "vrcpps xmm1, xmm2",
    "vpmuludq xmm0, xmm1, xmm2",
)
"""What makes general registers or flags, or vectors, mostly on one port alone."""
_CHOOSING = (
    ("nop",), ("nop",) * 2, ("nop",) * 3, ("nop",) * 4, ("mov r8d, 1",) * 3, ("lea r8, [r9 + r10]",),
    ("lea r8, [r9 + r10]", "lea r11, [r9 + r10]"), ("test rdx, rdx",) * 2,
)  # fmt: skip


def _long_results(start: Machine) -> Iterator[dict[str, Any]]:
    """Results of a cycle give way to those of multiplications on their port, and to second ones on a few."""
    ports = ports_of("imul r64, r64, i8", start)
    if start.parameter("port_choice.policy") not in (None, "at_issue") or not ports:
        return
    alus = [port for port in start.ports if port in (start.parameter("ports.integer_alu") or ())]
    keys = ("ports.long_result", "ports.second_result")
    for second in ((), *combinations(alus, 2), tuple(alus)):
        for first in ([], ports) if not second else [ports]:
            yield dict(zip(keys, (first, list(second)), strict=True))


def _leas(count: int) -> tuple[str, ...]:
    return tuple(f"lea r{9 + place}, [r14 + r15]" for place in range(count))


_WIDTHS = (5, 6, 8)
"""Slots of a group on cores of Intel that choose ports by slot: from Ice Lake, Golden Cove and Lion Cove."""

PORT_EXPERIMENTS: tuple[Experiment, ...] = (
    *map(_ports_by_slot, _WIDTHS),
    Experiment(
        "ports that are full",
        tuple((text, *others) for text in _FULL for others in _CHOOSING),
        options=_avoided,
    ),
    Experiment(
        "what gives way to multiplications",
        tuple(
            (product, *others)
            for product in ("imul rbx, rcx, 5", "mulx rax, rbx, rcx")
            for others in (
                *(_leas(count) for count in (1, 2, 3, 4)), ("cmovc r8, rsi",), ("test rsi, rsi",) * 10,
                ("lea r8, [r12 + 1]", "add rbx, rdi", "and esi, 64"),
            )
        ),
        options=_long_results,
    ),
    Experiment(
        "flags of what rename adds",
        (
            ("add r8, 8", *_leas(4)), ("lea r8, [r8 + 8]", *_leas(4)),
            ("add r8, 8", *_leas(5)), ("lea r8, [r8 + 8]", *_leas(5)),
            ("add r8, 8", "add r8, 8", *_leas(4)), ("sub r8, 8", *_leas(3)),
        ),
        ("4983c0084f8d0c3e4f8d143e4f8d1c3e4f8d243e4f8d2c3e", "4d8d40084f8d0c3e4f8d143e4f8d1c3e4f8d243e4f8d2c3e"),
        _added_flags,
    ),
)  # fmt: skip
