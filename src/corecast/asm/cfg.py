"""Control flow of decoded code: basic blocks of one function and its back edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from corecast.asm.code import NO_TARGET, Code, Function
from corecast.dataclass import dataclass

_branch = attrgetter("branch")


@dataclass(frozen=True)
class ControlFlow:
    """Blocks in layout order: block b holds the instructions `starts[b]` up to, without, `starts[b + 1]`."""

    starts: Sequence[int]
    """One more than there are blocks."""
    successors: Sequence[tuple[int, ...]]
    """Fall-through first, then the branch target."""
    falls_through: Sequence[bool]
    targets: Sequence[int]
    """Block that a block's last branch goes to, NO_TARGET where none."""
    branches: Sequence[str]
    """Kind of a block's last instruction (Instruction.branch)."""

    def __len__(self) -> int:
        return len(self.successors)


def branch_kinds(code: Code) -> list[str]:
    """Instruction.branch of every instruction."""
    return list(map(_branch, code.instructions))


def control_flow(code: Code, function: Function, kinds: Sequence[str]) -> ControlFlow:
    """Blocks of one function. Calls fall through; branches out of the function have no successor in it, and neither
    have NOPs behind a jump that nothing leads to."""
    first, end = function.first, function.end
    targets = code.targets
    leaders = {first}
    reached = set()
    padded = set()
    for index in range(first, end):
        kind = kinds[index]
        if kind != "none" and kind != "call":
            leaders.add(index + 1)
            if first <= targets[index] < end:
                reached.add(targets[index])
            if kind != "conditional" and (after := _after_padding(code, index + 1, end)) > index + 1:
                leaders.add(after)
                padded.add(index + 1)
    leaders |= reached
    padded -= reached
    leaders.discard(end)
    starts = sorted(leaders)
    block_of = {start: block for block, start in enumerate(starts)}
    starts.append(end)
    count = len(starts) - 1
    successors: list[tuple[int, ...]] = []
    falls: list[bool] = []
    block_targets: list[int] = []
    block_kinds: list[str] = []
    for block in range(count):
        last = starts[block + 1] - 1
        kind = kinds[last]
        runs = starts[block] not in padded
        falls.append(runs and kind in ("none", "call", "conditional") and block + 1 < count)
        target = block_of.get(targets[last], NO_TARGET) if kind in ("conditional", "unconditional") else NO_TARGET
        block_targets.append(target)
        block_kinds.append(kind)
        following = (block + 1,) if falls[-1] else ()
        successors.append((*following, target) if target != NO_TARGET and target not in following else following)
    if "indirect" in block_kinds:
        cases = [block for block in range(1, count) if starts[block] not in padded]
        _add_jump_tables(cases, successors, block_kinds)
    return ControlFlow(starts, successors, falls, block_targets, block_kinds)


def _after_padding(code: Code, index: int, end: int) -> int:
    """The first instruction from `index` on that is not a NOP: behind a jump those only align what follows."""
    while index < end and code.instructions[index].form.startswith("nop"):
        index += 1
    return index


def _add_jump_tables(blocks: Sequence[int], successors: list[tuple[int, ...]], kinds: Sequence[str]) -> None:
    """Let indirect jumps go wherever nothing else goes: the cases of a jump table follow a branch that ends a block."""
    reached = {block for following in successors for block in following}
    cases = tuple(block for block in blocks if block not in reached)
    for block, kind in enumerate(kinds):
        if kind == "indirect":
            successors[block] = cases


def back_edges(flow: ControlFlow) -> Iterator[tuple[int, int]]:
    """(latch, header) of the edges that close a cycle in a depth-first walk from the entry.

    In code that structured languages compile to these are the back edges of the natural loops. Blocks that nothing
    reaches (entries of a fragment, targets of computed jumps) are walked from as well, in layout order.
    """
    new, open_, done = 0, 1, 2
    state = [new] * len(flow)
    for root in range(len(flow)):
        if state[root] != new:
            continue
        state[root] = open_
        stack = [(root, iter(flow.successors[root]))]
        while stack:
            block, following = stack[-1]
            for successor in following:
                if state[successor] == open_:
                    yield block, successor
                elif state[successor] == new:
                    state[successor] = open_
                    stack.append((successor, iter(flow.successors[successor])))
                    break
            else:
                state[block] = done
                stack.pop()


def predecessors(flow: ControlFlow) -> list[list[int]]:
    """Blocks that go to each block."""
    result: list[list[int]] = [[] for _ in range(len(flow))]
    for block, following in enumerate(flow.successors):
        for successor in following:
            result[successor].append(block)
    return result
