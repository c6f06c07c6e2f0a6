"""Experiments on pairs of instructions: what shares a slot, and what hands its result on later."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from corecast.calibrate.experiment import Experiment
from corecast.hints import Any
from corecast.machine.types import Machine

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


_LOGIC, _TESTS_OF_CONSTANTS = ("test", "and", "or", "xor"), ("test r*, i*", "test al, i*")


def _late_flags(start: Machine) -> Iterator[dict[str, Any]]:
    """What takes flags of logic makes a cycle later what it makes of its other inputs; where rename takes both in one
    cycle, or everywhere, but of tests of constants in loops alone, or not at all."""
    if any(rule.get("through") == "flags" for rule in start.pipeline.get("rules", ())):
        return
    late: dict[str, Any] = {"effect": "delay", "through": "flags", "delays": "other_inputs", "cycles": 1}
    late["consumer"] = {"mnemonics": ["cmov*", "set*"]}
    most = {**late, "producer": {"mnemonics": list(_LOGIC), "except": list(_TESTS_OF_CONSTANTS)}}
    constants = {**late, "producer": {"mnemonics": list(_TESTS_OF_CONSTANTS)}}
    yield {"rules:flags": [{**late, "same_group": True, "producer": {"mnemonics": list(_LOGIC)}}]}
    for more in ([], [{**constants, "loops_only": True}], [constants]):
        yield {"rules:flags": [most, *more]}


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
        tuple(
            3 * each
            for each in (
                ("test eax, eax", "setne r12b"), ("cmp eax, ecx", "setne r12b"), ("test r8d, r8d", "cmove rbx, rsi"),
                ("cmp r8, r9", "cmove rbx, rsi"), ("and r8d, r9d", "cmovs rbx, rsi"),
                ("add r8d, r9d", "cmovs rbx, rsi"), ("test al, 8", "setne r12b"), ("test r8d, 8", "cmovne rbx, rsi"),
            )
        ),
        ("85c0480f45de", "39c8480f45de", "a808480f45de"),
        options=_late_flags,
    ),
)  # fmt: skip
