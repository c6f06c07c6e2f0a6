"""Experiments on loads and stores: banks, writes, memory renaming."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from corecast.calibrate.choices import members_of
from corecast.calibrate.experiment import Experiment, limits, one_of, unset
from corecast.hints import Any
from corecast.machine.types import Machine

_RENAMED = "rename_memory"


def _memory_renaming(start: Machine) -> Iterator[dict[str, Any]]:
    """Loads that take what was stored before without executing: of updates, of plain loads, of all with an index, all
    but those that fill up with zeros, or those without an index from stores without one."""
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
    sets = [[{"effect": _RENAMED, "consumer": consumer} for consumer in every] for every in consumers]
    limited = limits(start, "memory_renaming.predicted_loads", 16, 24, 32, _MANY_LOADS)
    for rules, cycles, limit in product((*sets, *_direct()), (0, 1), limited):
        yield {**dropped, "rules": rules, "memory_renaming.latency_cycles": cycles, **limit}


_EXECUTED = (
    "movsx*", "cmov*", "adc", "sbb", "adcx", "adox", "mul", "mulx", "pdep", "pext", "shlx", "shrx", "sarx", "rorx",
    "andn", "bls*", "bzhi", "bextr", "cmp r*", "cmp m*, r*", "test m*, r*",
)  # fmt: skip
"""Loads whose operation takes more than the loaded register and a constant, or fills up with its sign."""


def _direct() -> Iterator[list[dict[str, Any]]]:
    """Neither the store nor the load has an index: whatever the operation, of updates those by a constant; of 4 and 8
    bytes, or of bytes, too; perhaps but for operations that need more than what was stored."""
    widths: tuple[dict[str, Any], ...] = ({"width_bytes": [4, 8]}, {"width_bytes": [1, 4, 8]})
    load = {"indexed": False, "pc_relative": False, "register_update": False, "begins_pair": False}
    for width, exceptions in product(widths, ({}, {"except": list(_EXECUTED)})):
        consumer = {**load, **width, **exceptions}
        yield [{"effect": _RENAMED, "producer": {"indexed": False, **width}, "consumer": consumer}]


_MANY_LOADS = 1000
"""More than a loop of experiments has."""


def _straight_line(start: Machine) -> Iterator[dict[str, Any]]:
    """Which addresses are known where nothing has predicted them: all that are made of the same registers, those
    relative to the stack pointer, or none."""
    yield from ({"memory_renaming.only_stack_known": only} for only in (True, False))
    predicted = start.parameter("memory_renaming.predicted_loads") or _MANY_LOADS
    yield {"memory_renaming.only_predicted": True, "memory_renaming.predicted_loads": predicted}


def _last_run(start: Machine) -> Iterator[dict[str, Any]]:
    """Whether what a store wrote before it ran last is renamed, too, where loads are predicted."""
    if start.parameter("memory_renaming.predicted_loads"):
        yield from one_of("memory_renaming.last_run_only", True, False)(start)


def _one_group(start: Machine) -> Iterator[dict[str, Any]]:
    """Forwarding in a loop that is one group of rename, where it depends on what waits."""
    if start.parameter("store_forwarding.latency_by_waiting"):
        yield from one_of("store_forwarding.one_group_latency_cycles", *(half / 2 for half in range(6, 23)))(start)


def _port(start: Machine) -> dict[str, Any]:
    """Of the first-level cache, for writes."""
    has = start.parameter("stores.write_unit") is not None
    return {} if has else {"units.WRITE": {}, "stores.write_unit": "WRITE"}


def _write_port(start: Machine) -> Iterator[dict[str, Any]]:
    """A port that writes a store a cycle, or several into one block."""
    yield from ({**_port(start), "stores.joined_block_bytes": size} for size in (0, 16, 32, 64))


def _store_pairs(start: Machine) -> Iterator[dict[str, Any]]:
    """Not all consecutive stores to one block are written at once, but two to one line."""
    for size in (16, 32, 64):
        paired = {"stores.paired_line_bytes": size, "stores.paired_bases_aligned": True}
        yield {**_port(start), "stores.joined_block_bytes": 0, **paired}


def _banks(start: Machine) -> Iterator[dict[str, Any]]:
    """Of the first-level cache, each of which serves few loads a cycle; or none."""
    yield from unset(start, "loads.bank_bytes", "loads.banks", "loads.bank_reads")
    for reads, size, count in product((2, 1), (4, 8, 16), (16, 8)):
        yield {"loads.bank_bytes": size, "loads.banks": count, "loads.bank_reads": reads}


def _load_ports(start: Machine) -> Iterator[dict[str, Any]]:
    """Whether micro-ops of all load ports take them by turns."""
    turns: list[list[str]] | None = start.parameter("port_choice.alternating")
    loads = list(members_of(start, start.parameter("loads.ports")))
    if turns is None or not loads:
        return
    others = [ports for ports in turns if ports != loads]
    yield {"port_choice.alternating": others if loads in turns else [loads, *others]}


def _loads(text: str, *places: int) -> tuple[str, ...]:
    return tuple(text.format(place=place, i=8 + number) for number, place in enumerate(places))


_QUAD, _DOUBLE = "mov r{i}, qword ptr [rsi + {place}]", "mov r{i}d, dword ptr [rsi + {place}]"
_BYTE = "movzx r{i}d, byte ptr [rsi + {place}]"


def _pairs(count: int, *texts: str) -> tuple[str, ...]:
    """So many times these instructions, each time in another line."""
    return tuple(text.replace("{line}", str(64 * place)) for place in range(count) for text in texts)


_FORWARD = ("mov qword ptr [rsi + {line}], rax", "mov rax, qword ptr [rsi + {line}]")
_COPIED = ("mov r13, rsi", "add dword ptr [r13], 1")
"""Of an address in a register that was just written, a load has to be predicted."""
_STORED = ("mov qword ptr [rsi + 128], rdx", "mov qword ptr [rsi + 256], rdx")
_LOCKED = tuple(("xor eax, eax", f"{name} qword ptr [rsi], rax") for name in ("xchg", "lock add", "lock xadd"))
"""Each with a new value: what it takes as a chain, its row says."""


MEMORY_EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "banks of loads",
        (
            *(_loads(_QUAD, *places) for places in ((0, 64, 128), (0, 64, 136), (0, 8, 16), (0, 32, 64), (0, 64))),
            *(_loads(_DOUBLE, *places) for places in ((0, 4, 64), (0, 64, 128), (0, 4, 8), (0, 64, 132))),
            *(_loads(_BYTE, *places) for places in ((0, 1, 2), (0, 4, 8), (0, 64, 130))),
        ),
        options=_banks,
    ),
    Experiment(
        "ports of loads",
        tuple(
            ("mov rax, qword ptr [rax + 8]", *(f"mov r{number}, qword ptr [{place}]" for number, place in others))
            for others in (
                ((8, "rsi + 32"), (9, "rax + 272")),
                ((8, "rsi + 32"), (9, "rsi + 48"), (10, "rax + 272")),
                ((8, "rax + 16"),),
                ((8, "rax + 24"), (9, "rax + 48"), (10, "rsi + 32"), (11, "rsi + 40")),
                ((8, "rsi + 24"), (9, "rax + 48"), (10, "rsi + 32"), (11, "rax + 56"), (12, "rsi + 16")),
            )
        ),
        options=_load_ports,
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
        "pairs of stores",
        tuple(
            tuple(f"mov qword ptr [rsi + {place}], rax" for place in places)
            for places in ((0, 16), (0, 32), (0, 8, 16, 64), (0, 8, 16, 24, 32, 64), (0, 8, 64, 72), (0, 64, 8, 72))
        ),
        options=_store_pairs,
    ),
    Experiment(
        "waits of locked instructions",
        tuple((*_STORED[:count], *locked) for locked in _LOCKED for count in (1, 2)),
        options=one_of("stores.locked_wait_cycles", *range(13)),
        references=_LOCKED,
        beyond=tuple((place,) for place in range(len(_LOCKED)) for _ in (1, 2)),
    ),
    Experiment(
        "memory renaming",
        (
            ("add dword ptr [rsi], 1",),
            ("add qword ptr [rsi + 8], rdx",),
            ("add byte ptr [rsi], 1",),
            *(_pairs(count, *_FORWARD) for count in (1, 2, 20)),
            *(_pairs(count, *_COPIED) for count in (4, 20, 28, 40)),
            ("mov qword ptr [rsi], rax", "add rax, qword ptr [rsi]"),
            ("mov qword ptr [rsi], rax", "movzx eax, byte ptr [rsi]"),
            ("movsxd rax, dword ptr [rsi]", "mov qword ptr [rsi], rax"),
            ("cmovne rax, qword ptr [rsi]", "mov qword ptr [rsi], rax"),
            ("shlx rax, qword ptr [rsi], rcx", "mov qword ptr [rsi], rax"),
            ("mov qword ptr [rsi + rcx], rax", "mov rax, qword ptr [rsi + rcx]", "xor ecx, ecx"),
        ),
        options=_memory_renaming,
    ),
    Experiment(
        "memory renaming in straight-line code",
        decoded=("83650001", "48830701", "836e0801", "488906488b06", "48894608488b4608", "4889442408488b442408"),
        options=_straight_line,
    ),
    Experiment(
        "memory renaming of earlier runs",
        on_arrays=tuple(
            (f"mov rax, qword ptr [rsi + {8 * runs}]", "sub rsi, 8", *between, "mov qword ptr [rsi], rax")
            for runs, between in product((0, 1, 2, 3), ((), ("add rax, 1",), ("imul rax, rdx",)))
        ),
        options=_last_run,
    ),
    Experiment(
        "memory renaming of relative updates",
        (
            ("add dword ptr [rip + 4096], 1",),
            ("add qword ptr [rip + 4096], 1", "mov rdi, qword ptr [rsi + 8]", "mov ecx, 19"),
            ("sub dword ptr [rip + 4096], edx", "lea rcx, [rdx + 3]"),
        ),
        options=one_of("memory_renaming.own_relative", True, False),
    ),
    Experiment(
        "store forwarding",
        tuple(
            ("mov rax, qword ptr [rsi + rcx]", operation, "mov qword ptr [rsi + rcx], rax", "xor ecx, ecx")
            for operation in ("add rax, 1", "imul rax, rdx", "bswap rax", "not rax")
        ),
        ("83650001", "48830701", "410fb7450083e0fb6641894500", "488b064883c001488906"),
        one_of("store_forwarding.latency_cycles", *(half / 2 for half in range(6, 21))),
    ),
    Experiment(
        "store forwarding in one group",
        tuple(
            (text, *others)
            for text in ("add qword ptr [rsi], 1", "sub dword ptr [rsi], edx")
            for others in (
                ("cmp rbx, qword ptr [rsi + 64]",), ("test byte ptr [rsi + 64], 1",),
                ("mov rbx, qword ptr [rsi + 64]",), ("mov rdi, rbx",), ("cmp rbx, qword ptr [rsi + 64]", "nop"), (),
            )
        ),
        options=_one_group,
    ),
    Experiment(
        "updates",
        (
            ("add byte ptr [rsi], 1",),
            ("or byte ptr [rsi], 1",),
            ("add word ptr [rsi], 1",),
            ("sub byte ptr [rsi + 8], cl",),
        ),
        options=one_of("store_forwarding.update_latency_cycles", *(half / 2 for half in range(6, 17))),
    ),
)  # fmt: skip
