"""Experiments on what takes slots, decoders and entries of schedulers, and on results of integer operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from corecast.calibrate.choices import members_of
from corecast.calibrate.experiment import Experiment, Options, one_of, repeated
from corecast.hints import Any
from corecast.machine.types import Machine
from corecast.measure.export.model import known_row, members

_LONG_ADDED = "rules:shifts of sums"


_ALL = 64
"""More than rename takes in a cycle."""


def _unlaminated(start: Machine) -> Iterator[dict[str, Any]]:
    """Of what rename takes in a cycle only the first few may become two slots."""
    yield from one_of("rename.unlaminated_entries", 1, 2, 3, 4, 5, _ALL)(start)


def _prefixes(start: Machine) -> Iterator[dict[str, Any]]:
    """Cycles that a prefix costs which changes the length of what follows."""
    if start.parameter("predecode.block_bytes") is not None:
        yield from one_of("predecode.length_changing_prefix_cycles", 0, 1, 2, 3, 4, 5, 6, 11)(start)


def _shared_results(start: Machine) -> Iterator[dict[str, Any]]:
    """Results leave the port of multiplications one a cycle."""
    key = "ports.shared_general_result"
    row = known_row("imul r64, r64, i8", start)
    if row is not None and row.ports and len(row.ports) == 1:
        ports = members(start, row.ports[0][1])
        yield {key: [port for port in start.ports if port in ports]}
    if start.parameter(key):
        yield {key: []}


_TESTS = (
    "bt", "btc", "btr", "bts", "bswap", "bzhi", "cwd", "cdq", "cqo", "movd", "movq", "vmovd", "vmovq", "pinsr*",
    "vpinsr*", "cvtsi2s*", "vcvtsi2s*", "vpbroadcast*", "kmov*",
)  # fmt: skip
_SHIFTS = ("shl", "shr", "sar", "rol", "ror", "shlx", "shrx", "sarx", "rorx", "bextr")


def _sums_of_renaming(start: Machine) -> Iterator[dict[str, Any]]:
    """What cannot add the constant that rename left takes longer; shifts may keep their port meanwhile."""
    if any(rule.get("producer", {}).get("added_by_renaming") for rule in start.pipeline.get("rules", ())):
        return
    for cycles, kept in product((1, 2), (0, 1)):
        late = {"effect": "delay", "cycles": cycles, "producer": {"added_by_renaming": True}}
        shifts = {**late, "consumer": {"mnemonics": list(_SHIFTS)}} | ({"port_cycles": kept} if kept else {})
        yield {_LONG_ADDED: [shifts, {**late, "consumer": {"mnemonics": list(_TESTS)}}]}
        yield {_LONG_ADDED: [shifts]}


_OPERATIONS, _LOADS, _STORES = 97, 70, 38
"""Entries to begin with: each is then told by an experiment of its own."""


_SIZES = (
    14,
    16,
    18,
    20,
    22,
    24,
    28,
    32,
    38,
    44,
    48,
    52,
    56,
    60,
    64,
    67,
    70,
    73,
    76,
    80,
    84,
    88,
    93,
    97,
    101,
    105,
    109,
    113,
    128,
    160,
)


def _operation_entries(start: Machine) -> Iterator[dict[str, Any]]:
    """Micro-ops that wait for what they operate on: with everything else, or in a scheduler of operations."""
    loads = list(members_of(start, start.parameter("loads.ports")))
    written = [members_of(start, start.parameter(f"stores.{name}_ports")) for name in ("address", "data")]
    stores = list(dict.fromkeys(port for ports in written for port in ports))
    others = [port for port in start.parameter("ports.names") or () if port not in (*loads, *stores)]
    if start.parameter("schedulers") or not (loads and stores and others) or set(loads) & set(stores):
        return
    for entries in _SIZES:
        sizes = ((others, entries), (loads, _LOADS), (stores, _STORES))
        yield {"schedulers": [{"ports": ports, "entries": size} for ports, size in sizes]}


def _entries_of(key: str) -> Options:
    """The scheduler that has these ports with other sizes, or two, of these ports and of its others, or one for each of
    its ports."""

    def options(start: Machine) -> Iterator[dict[str, Any]]:
        every: Sequence[Mapping[str, Any]] = start.parameter("schedulers") or ()
        ports = list(members_of(start, start.parameter(key)))
        mine = [each for each in every if ports and set(ports) <= set(each["ports"])]
        if start.parameter("port_choice.policy") != "ranked" or len(mine) != 1:
            return
        (whole,) = mine
        rest = [port for port in whole["ports"] if port not in ports]
        splits = [[whole["ports"]], [ports, rest] if rest else [[port] for port in ports]]
        place = list(every).index(whole)
        for parts, size in product(splits, _SIZES):
            made = [{**whole, "ports": part, "entries": size} for part in parts]
            yield {"schedulers": [*every[:place], *made, *every[place + 1 :]]}

    return options


_FIRST, _SECOND = ("mov rax, qword ptr [rax]",) * 10, ("imul rbx, rbx",) * 16
"""Chains of about the same length."""
_JOINED = ("mov rcx, rbx", "and rcx, 0", "add rax, rcx", "mov rdx, rax", "and rdx, 0", "or rbx, rdx")
"""Neither goes on before both have ended."""


def _waiting(name: str, text: str, counts: Sequence[int], options: Options) -> Experiment:
    """So many of what waits for the first chain: the second one runs beside it, as where nothing waits, while they all
    find an entry."""
    bodies = tuple((*_FIRST, *repeated(count, text), *_SECOND, *_JOINED) for count in counts)
    alone = (*_FIRST, *_SECOND, *_JOINED)
    return Experiment(name, bodies, (), options, references=(alone,), beyond=((0,),) * len(bodies))


SLOT_EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "length-changing prefixes",
        decoded=("6681f93412", "6681f934124889f7", "6681f934124889f74989c44889f7", "4989c466054e04488d7208"),
        options=_prefixes,
    ),
    Experiment(
        "the last decoder",
        decoded=(
            "4989c54839c74c0f4def909090", "4989c54885ff0f94c1909090", "4989c54839c7904c0f4def9090",
            "4989c54839c74811d1909090", "4989c54883c7010f94c1909090",
        ),
        options=one_of("decode.macro_fusible_may_use_last_decoder", True, False),
    ),
    Experiment(
        "synchronization of the stack pointer",
        tuple(("push rax", "push rcx", "add rsp, 16", *repeated(count, "nop")) for count in (8, 9, 11, 14, 17)),
        options=one_of("stack_engine.synchronization", True, False),
    ),
    Experiment(
        "entries that become two slots",
        tuple(
            ("xor ecx, ecx", f"vpabsd xmm4, xmmword ptr [rsi{index}]", *repeated(count, "nop"))
            for index in (" + rcx", "") for count in (0, 1, 2, 3, 4, 6)
        ) + tuple(
            ("xor ecx, ecx", *repeated(count, "nop"), *(f"vpabsd xmm{v}, xmmword ptr [rsi + rcx]" for v in (4, 5)))
            for count in (1, 2, 3)
        ),
        options=_unlaminated,
    ),
    Experiment(
        "results of one port",
        (
            ("imul rcx, rdx, 5", *repeated(2, "add rax, r8")), ("imul rcx, rdx, 5", *repeated(3, "add rax, r8")),
            ("popcnt rcx, rdx", *repeated(2, "add rax, r8")), ("imul rcx, rdx, 5", *repeated(4, "add rax, r8")),
            ("mov rcx, rdx", *repeated(2, "add rax, r8")),
        ),
        options=_shared_results,
    ),
    Experiment(
        "sums of rename",
        (
            tuple(text.format(i=8 + place) for place in range(5) for text in ("lea r{i}, [rdx - 64]", "shr r{i}, 6")),
            tuple(text.format(i=8 + place) for place in range(5) for text in ("mov r{i}, rdx", "shr r{i}, 6")),
            ("lea rcx, [rdx - 64]", "shr rcx, 6", "lea rcx, [rdx - 64]", "shr rcx, 6"),
            ("mov rcx, rdx", "shr rcx, 6", "mov rcx, rdx", "shr rcx, 6"),
            ("add r8, 8", "rol r8, 3"), ("add r8, 8", "bswap r8"), ("add r8, 8", "imul r8, r9"),
        ),
        options=_sums_of_renaming,
    ),
    _waiting(
        "entries for operations",
        "test rax, rax",
        (30, 60, 75, 84, 90, 96, 102, 106, 110, 125, 150),
        _operation_entries,
    ),
    _waiting(
        "entries for loads",
        "mov r{i}, qword ptr [rax + 8]",
        (20, 40, 50, 58, 62, 66, 70, 78, 95, 120),
        _entries_of("loads.ports"),
    ),
    _waiting(
        "entries for stores",
        "mov dword ptr [rax + 1024], ebx",
        (10, 20, 28, 34, 40, 44, 48, 54, 70),
        _entries_of("stores.address_ports"),
    ),
)  # fmt: skip
