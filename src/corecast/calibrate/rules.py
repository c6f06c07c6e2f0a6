"""The experiments on rules of x86 pipelines: kernels, and what may explain their times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

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
    """Macro-ops that an entry holds, and whether entries go on from line to line."""
    if start.parameter("uop_cache.entry_uops") is None:
        return
    for uops, crosses in product((4, 6, 8, 9, 12), (False, True)):
        sizes = {"uop_cache.entry_uops": uops, "uop_cache.width": uops}
        yield {**sizes, "uop_cache.entry_crosses_lines": crosses}


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


def _joined_schedulers(start: Machine) -> Iterator[dict[str, Any]]:
    """One scheduler for all integer micro-ops in place of several: how they are spread over several is not known."""
    every = start.parameter("schedulers") or []
    alus = set(start.parameter("ports.integer_alu") or ())
    joined = [each for each in every if alus & set(each["ports"])]
    if len(joined) > 1:
        ports = [port for each in joined for port in each["ports"]]
        one = {"ports": ports, "entries": sum(each["entries"] for each in joined)}
        yield {"schedulers": [one, *(each for each in every if each not in joined)]}


_RENAMED = "rename_memory"


def _memory_renaming(start: Machine) -> Iterator[dict[str, Any]]:
    """Loads that take what was stored before without executing: of updates, of plain loads, of all with an index."""
    if any(rule.get("effect") == _RENAMED for rule in start.pipeline.get("rules", ())):
        yield {"without_rules": [_RENAMED]}
        return
    plain = {"access": "load", "sets_flags": False, "extends": False, "vector": False, "width_bytes": [4, 8]}
    consumers: tuple[list[dict[str, Any]], ...] = (
        [],
        [plain],
        [{"access": "load", "indexed": True, "width_bytes": [4, 8]}, {**plain, "indexed": False}],
    )
    for others, cycles, most in product(consumers, (0, 1), (None, 16, 24, 32)):
        every = [{"access": "update", "width_bytes": [4, 8]}, *others]
        rules = [{"effect": _RENAMED, "consumer": consumer} for consumer in every]
        limit = {} if most is None else {"memory_renaming.predicted_loads": most}
        yield {"rules": rules, "memory_renaming.latency_cycles": cycles, **limit}


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

_SHARED_ALUS = (
    "add r9, r10; xor r13, r10; lea r9, [r13 + 1]",
    "mov qword ptr [rsi + 64], r8; mov r12, qword ptr [rsi + 8]; sub r10, r9; lea r8, [r10 + 1]; shl r8, 3",
    "lea r9, [r8 + 1]; add r8, qword ptr [rsi]; add r9, qword ptr [rsi]; mov r9, qword ptr [rsi + 8]",
    "test r12, r8; add r10, r10; add r12, qword ptr [rsi]",
    "add r13, 1; sub r10, r13; add r12, qword ptr [rsi]",
    "xor r9, r8; shl r12, 3; xor r11, r9; add r12, qword ptr [rsi]; sub r10, r12; xor r8, r10; xor r9, r9",
    "add r8, qword ptr [rsi]; add r11, 1; mov r10, qword ptr [rsi + 8]; xor r10, r11; add r13, r10",
    "xor r12, r13; add r9, r9; lea r9, [r10 + 1]; add r8, r10; xor r8, r11; xor r9, r8; "
    "mov r10, qword ptr [rsi + 8]",
    "add r9, r10; add r13, qword ptr [rsi]; sub r11, r13; shl r10, 3",
    "add r13, qword ptr [rsi]; sub r9, r10; test r13, r12",
    "test r8, r10; add r11, r11; shl r13, 3; lea r8, [r11 + 1]",
    "xor r8, r10; sub r8, r12; xor r12, r13; sub r11, r10; add r12, r8; shl r9, 3; sub r9, r11",
    "mov r12, qword ptr [rsi + 8]; add r10, 1; mov qword ptr [rsi + 64], r10; xor r9, r10; test r9, r10; "
    "mov qword ptr [rsi + 64], r9",
    "add r8, r13; add r13, 1; imul r10, r12; test r10, r11; mov qword ptr [rsi + 64], r8; lea r10, [r13 + 1]",
    "mov r13, qword ptr [rsi + 8]; add r12, 1; mov qword ptr [rsi + 64], r11; mov r10, qword ptr [rsi + 8]; "
    "lea r13, [r12 + 1]",
    "test r11, r13; mov r12, qword ptr [rsi + 8]; mov r13, qword ptr [rsi + 8]; add r11, 1",
)  # fmt: skip
"""Of 500 random loops those that several schedulers and one in their place tell apart the most, on a model of Zen 3."""

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
        "integer schedulers",
        tuple(tuple(text.split("; ")) for text in _SHARED_ALUS),
        options=_joined_schedulers,
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
            ("mov rax, qword ptr [rax + 4*rcx]", "xor ecx, ecx"),
            ("mov rax, qword ptr [rax + rcx + 8]", "xor ecx, ecx"),
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
)  # fmt: skip
"""In the order in which they are decided: what comes later builds on what came before."""
