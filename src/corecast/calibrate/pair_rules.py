"""Experiments on pairs of instructions: what shares a slot, and what hands its result on later."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from corecast.calibrate.experiment import Experiment
from corecast.hints import Any
from corecast.machine.types import Machine
from corecast.measure.export.model import known_row

_WIDTHS = ("r32", "r64")
_BINARY, _UNARY, _SHIFTS = ("add", "sub", "and", "or", "xor"), ("inc", "dec", "neg", "not"), ("shl", "shr", "sar")
_FUSED: dict[str, Any] = {"access": "none", "max_uops": 1, "changes_copy": True}


def _fused_moves(_start: Machine) -> Iterator[dict[str, Any]]:
    """A move between registers, and what changes the register that it has copied something to, in one slot of a loop;
    loads and moves of vectors likewise."""
    for with_loads, with_vectors in product((False, True), (False, True)):
        yield {"rules:moves": [*_copies(), *(_loads() if with_loads else ()), *(_vectors() if with_vectors else ())]}


def _copies() -> Iterator[dict[str, Any]]:
    for width in _WIDTHS:
        operations = [f"{name} {width}, {other}" for name in _BINARY for other in (width, "i8", "i32")]
        operations += [f"{name} {width}" for name in _UNARY]
        operations += [f"{name} {width}, {count}" for name in (*_SHIFTS, "rol", "ror") for count in ("i8", "1")]
        yield {
            "effect": "fuse",
            "loops_only": True,
            "producer": {"mnemonics": [f"mov {width}, {width}"]},
            "consumer": {"mnemonics": operations, **_FUSED},
        }


def _loads() -> Iterator[dict[str, Any]]:
    for width in _WIDTHS:
        operations = [f"{name} {width}, {width}" for name in (*_BINARY, "imul")]
        yield {
            "effect": "fuse",
            "producer": {"mnemonics": [f"mov {width}, m{width[1:]}"]},
            "consumer": {"mnemonics": [*operations, f"neg {width}"], **_FUSED},
        }


def _vectors() -> Iterator[dict[str, Any]]:
    moves = ("movaps", "movapd", "movups", "movupd", "movdqa", "movdqu")
    yield {
        "effect": "fuse",
        "loops_only": True,
        "producer": {"mnemonics": [f"{name} xmm, xmm" for name in moves]},
        "consumer": {"mnemonics": ["* xmm, xmm", "* xmm, xmm, i8", "* xmm, i8"], **_FUSED},
    }


_PLAIN_LOGIC = ("test", "and", "or", "xor")
_LOGIC = (*_PLAIN_LOGIC, "andn", "blsi", "blsmsk", "blsr")
_TESTS_OF_CONSTANTS = ("test r*, i*", "test al, i*")
_APART = ("nop",) * 5


def _late_flags(start: Machine) -> Iterator[dict[str, Any]]:
    """What takes flags of logic makes a cycle later all that it makes, or what it makes of its other inputs; where
    rename takes both in one cycle, or everywhere; perhaps but for tests of constants."""
    if any(rule.get("through") == "flags" for rule in start.pipeline.get("rules", ())):
        return
    late: dict[str, Any] = {"effect": "delay", "through": "flags", "cycles": 1}
    late["consumer"] = {"mnemonics": ["cmov*", "set*"]}
    exceptions: tuple[dict[str, Any], ...] = ({}, {"except": list(_TESTS_OF_CONSTANTS)})
    for delays, where, but in product(("result", "other_inputs"), ({"same_group": True}, {}), exceptions):
        rule = {**late, "delays": delays, **where, "producer": {"mnemonics": list(_LOGIC), **but}}
        for latencies in ({}, _with_result(start)) if delays == "result" else ({},):
            yield {"rules:flags": [rule], **latencies}


def _with_result(start: Machine) -> dict[str, Any]:
    """Flags of logic as early as its result, where the start model has them later: who measured them by what takes them
    late has counted that as theirs. Second bytes of registers take what they take."""
    row = known_row("and r64, r64", start)
    cycles = {each.destination: each.cycles for each in (row and row.latency) or () if each.source == "1"}
    if cycles.get("flags", 0) <= cycles.get("1", 0):
        return {}
    operands = (f"{width}, {other}" for width in ("r8", *_WIDTHS) for other in (width, "i*"))
    forms = (f"{name} {each}" for each in (*operands, "al, i*") for name in _PLAIN_LOGIC)
    return {f"changes.latency.{form}": cycles["1"] for form in forms}


def _through_flags(first: str, second: str) -> Iterator[tuple[str, ...]]:
    """Chains through flags that these make, at once or in the next group: what they take beyond others depends on who
    made the flags, whatever the latency of the form that takes them."""
    for between in ((), _APART):
        yield (first, *between, "cmovne rbx, rsi")
        yield (second, *between, "setc al")


def _each(count: int, first: str, second: str) -> tuple[str, ...]:
    """So many pairs, each on a separate register."""
    texts = ((first, second) for _ in range(count))
    return tuple(text.format(r=8 + place, v=4 + place) for place, pair in enumerate(texts) for text in pair)


PAIR_EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "fused moves",
        (
            _each(6, "mov r{r}, r14", "add r{r}, r15"),
            _each(6, "mov r{r}d, r14d", "and r{r}d, 8"),
            _each(6, "mov r{r}, r14", "neg r{r}"),
            _each(4, "mov r{r}, r14", "shl r{r}, 3"),
            _each(4, "mov r{r}, qword ptr [rsi + 8*{v}]", "add r{r}, r14"),
            _each(4, "mov r{r}d, dword ptr [rsi + 8*{v}]", "neg r{r}d"),
            _each(6, "movaps xmm{v}, xmm1", "andps xmm{v}, xmm2"),
            _each(6, "movdqa xmm{v}, xmm1", "paddd xmm{v}, xmm2"),
            _each(6, "mov r{r}, r14", "lea r{r}, [r{r} + 1]"),
        ),
        options=_fused_moves,
    ),
    Experiment(
        "flags of logic",
        (
            *(
                3 * each
                for each in (
                    ("test eax, eax", "setne r12b"), ("cmp eax, ecx", "setne r12b"),
                    ("test r8d, r8d", "cmove rbx, rsi"), ("cmp r8, r9", "cmove rbx, rsi"),
                    ("and r8d, r9d", "cmovs rbx, rsi"), ("add r8d, r9d", "cmovs rbx, rsi"),
                    ("test al, 8", "setne r12b"), ("test r8d, 8", "cmovne rbx, rsi"),
                )
            ),
            ("test eax, eax", "setne r12b", "nop"), ("test eax, eax", "setne r12b", "nop", "nop"),
            ("test eax, eax", "setne r12b", "nop", "nop", "nop"),
            *_through_flags("test rbx, rbx", "or eax, 1"),
        ),
        options=_late_flags,
        references=tuple(_through_flags("cmp rbx, r14", "add eax, 1")),
        beyond=(*((),) * 11, *((place,) for place in range(4))),
    ),
)  # fmt: skip
