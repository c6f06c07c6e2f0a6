"""A loop in a loop as one straight line: the inner one's instructions as often as it runs."""

from __future__ import annotations

from corecast.dataclass import replace
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corecast.asm.kernel import Kernel

_Item = TypeVar("_Item")
MOST_INSTRUCTIONS = 20_000


def inner_part(outer: Kernel, loops: Sequence[Kernel]) -> range:
    """Where the only loop that lies within an outer one has its instructions.

    Args:
        outer: text chosen by its lines.
        loops: the innermost loops of the same text.

    Raises:
        InputError: none of them, or several, lie within it.
    """
    lines = [instruction.line for instruction in outer.instructions]
    inside = []
    for loop in loops:
        own = {instruction.line for instruction in loop.instructions}
        if own and own <= set(lines) and len(own) < len(lines):
            inside.append(own)
    if len(inside) != 1:
        raise InputError(
            f"{outer.name}: a nest has one loop within the chosen lines, here there are {len(inside)}",
            outer.file or None,
        )
    places = [place for place, line in enumerate(lines) if line in inside[0]]
    return range(places[0], places[-1] + 1)


def repeated(outer: Kernel, part: range, times: int) -> Kernel:
    """The outer loop with that part of it so many times in a row, its branches passed each time.

    Raises:
        InputError: fewer than one time, or too much code.
    """
    if times < 1:
        raise InputError(f"an inner loop runs at least once, not {times} times", outer.file or None)
    if len(outer.instructions) + len(part) * (times - 1) > MOST_INSTRUCTIONS:
        raise InputError(f"{times} times {len(part)} instructions are too many", outer.file or None)

    return replace(
        outer,
        instructions=_stretched(outer.instructions, part, times),
        source_lines=_stretched(outer.source_lines, part, times),
        statements=_stretched(outer.statements, part, times),
    )


def _stretched(items: tuple[_Item, ...], part: range, times: int) -> tuple[_Item, ...]:
    if not items:
        return items
    return items[: part.start] + items[part.start : part.stop] * times + items[part.stop :]
