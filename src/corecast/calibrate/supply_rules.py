"""Experiments on decoders and uop cache where places in code, or addresses relative to it, count."""

from __future__ import annotations

from collections.abc import Iterator

from corecast.calibrate.experiment import Experiment, one_of
from corecast.hints import Any
from corecast.machine.types import Machine


def _behind_uop_cache(start: Machine) -> Iterator[dict[str, Any]]:
    """Empty cycles where the decoders go on with a loop that begins in the uop cache: one whose branch keeps its last
    block out of it."""
    if start.parameter("uop_cache.excludes_branch_at_block_end"):
        yield from one_of("uop_cache.to_decoders_cycles", 0, 1, 2, 3, 4)(start)


def _crossed_half(start: Machine) -> Iterator[dict[str, Any]]:
    """What such loops lose that a uop cache of blocks delivers."""
    if start.parameter("uop_cache.block_bytes") is not None:
        yield from one_of("uop_cache.crossed_half_cycles", *(step / 20 for step in range(21)))(start)


def _unlaminated(start: Machine) -> Iterator[dict[str, Any]]:
    if start.parameter("rename.micro_fusion") is not False:
        yield from one_of("rename.relative_unlaminated", True, False)(start)


_LENGTHS = {
    "nop": 1,
    "mov rdx, rdi": 3,
    "lea rbx, [rdi + 8]": 4,
    "mov eax, 3": 5,
    "lea rcx, [rdi + 512]": 7,
}
"""Bytes of instructions that read nothing of each other."""


def _of_bytes(length: int, *texts: str) -> tuple[str, ...]:
    """These by turns, as long as they fit, then no-operations."""
    found: list[str] = []
    left = length
    while _LENGTHS[text := texts[len(found) % len(texts)]] <= left:
        found.append(text)
        left -= _LENGTHS[text]
    return (*found, *("nop" for _ in range(left)))


_MIXES = (("mov eax, 3", "lea rbx, [rdi + 8]"), ("lea rcx, [rdi + 512]", "mov rdx, rdi", "lea rbx, [rdi + 8]"))
_BEFORE_BRANCH = (90, 92, 94, 122, 123, 126, 128)
"""Bytes: with some the branch of the loop, or what fuses with it, crosses the border of a block of 32."""
_RELATIVE = (
    "cmp rax, qword ptr [rip + 4096]", "test dword ptr [rip + 4096], ecx", "andn rax, rcx, qword ptr [rip + 4096]",
    "mov rax, qword ptr [rip + 4096]",
)  # fmt: skip
_BESIDE = (2, 3, 4, 5, 6, 10)

SUPPLY_EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "decoders behind the uop cache",
        placed=tuple(_of_bytes(length, *mix) for mix in _MIXES for length in _BEFORE_BRANCH),
        options=_behind_uop_cache,
    ),
    Experiment(
        "instructions across halves of a block",
        placed=(
            ("mov eax, 3", "mov ecx, 5", "lea rdx, [rdi + 640]", "mov r8, rdi"),
            ("mov eax, 3", "lea rcx, [rdi + 512]", "mov r8d, 7", "mov esi, edi"),
            ("lea rcx, [rdi + 512]", "mov eax, 3", "lea rdx, [rdi + 640]", "mov r8, rsi"),
            # The fourth one instead, or none; another instruction more; two bytes more behind it.
            ("mov eax, 3", "mov rcx, rsi", "mov r8d, 7", "mov edi, 5"),
            ("mov eax, 3", "mov ecx, 5", "mov r8d, 7", "mov esi, edi"),
            ("mov eax, 3", "lea rcx, [rdi + 512]", "mov r8d, 7", "mov esi, edi", "nop"),
            ("mov eax, 3", "mov ecx, 5", "lea rdx, [rdi + 640]", "lea r8, [rdi + 640]"),
        ),
        options=_crossed_half,
    ),
    Experiment(
        "slots of data relative to the instruction",
        placed=tuple((text, *("nop" for _ in range(count))) for text in _RELATIVE for count in _BESIDE),
        options=_unlaminated,
    ),
)
