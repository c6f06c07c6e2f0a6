"""The innermost loops of decoded code, each as the straight line of one iteration."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from corecast.asm.cfg import ControlFlow, back_edges, branch_kinds, control_flow, predecessors
from corecast.asm.code import NO_TARGET, Code, CodeLabel, Function
from corecast.asm.idle_loops import is_idle
from corecast.dataclass import dataclass


@dataclass(frozen=True)
class Loop:
    """One innermost loop: the instructions of an iteration in the order in which they run.

    Branches inside are assumed to fall through; unconditional jumps are followed.
    """

    function: str
    label: CodeLabel | None
    """The label at the top."""
    indices: tuple[int, ...]
    """Instructions of one iteration; the lowest comes first."""
    warnings: tuple[str, ...] = ()
    skipped_blocks: int = 0
    """Basic blocks of the loop that this way through it leaves out."""


def find_loops(code: Code, functions: Sequence[Function] | None = None) -> list[Loop]:
    """Innermost loops of the given functions (default: all) in layout order.

    Left out are cycles that only a computed jump closes, and those of `idle_loops`.
    """
    kinds = branch_kinds(code)
    labels: dict[int, list[CodeLabel]] = {}
    for label in code.labels:
        labels.setdefault(label.index, []).append(label)
    loops = []
    for function in code.functions if functions is None else functions:
        # Only a branch backwards closes a loop: most functions of a program have none.
        if not any(function.first <= code.targets[i] <= i for i in range(function.first, function.end)):
            continue
        flow = control_flow(code, function, kinds)
        found = [
            _describe(code, function, flow, (body, path), labels, kinds)
            for body in _innermost(flow)
            if (path := _straightest(flow, body)) is not None
        ]
        found = [loop for loop in found if not is_idle(code, function, loop.indices)]
        loops += sorted(found, key=lambda loop: loop.indices[0])
    return loops


def _innermost(flow: ControlFlow) -> list[list[int]]:
    """Blocks, the header first, of each loop that holds no other loop."""
    edges: dict[int, list[int]] = {}
    for latch, header in back_edges(flow):
        edges.setdefault(header, []).append(latch)
    before = predecessors(flow)
    result = []
    for header, latches in edges.items():
        blocks: list[int] = []
        for latch in latches:
            blocks += _body(header, latch, edges, before) or ()
        if blocks:
            result.append([header, *sorted(set(blocks) - {header})])
    return result


def _body(header: int, latch: int, headers: dict[int, list[int]], before: list[list[int]]) -> list[int] | None:
    """Blocks that reach the latch without passing the header; None if another loop is among them."""
    body = [header]
    if latch == header:
        return body
    seen = {header, latch}
    stack = [latch]
    while stack:
        block = stack.pop()
        if block in headers:
            return None
        body.append(block)
        for previous in before[block]:
            if previous not in seen:
                seen.add(previous)
                stack.append(previous)
    return body


def _path(flow: ControlFlow, body: Sequence[int], backward: bool) -> list[int] | None:
    """Blocks of one iteration from the header on; None if the walk never closes.

    It falls through where the loop allows it, or with `backward` takes conditional branches that go back.
    """
    header = body[0]
    inside = set(body)
    path = [header]
    block = header
    while True:
        target = flow.targets[block]
        if target == header:
            return path
        if backward and target in inside and target <= block:
            block = target
        elif flow.falls_through[block] and block + 1 in inside:
            block += 1
        elif target in inside:
            block = target
        else:
            return None
        if block == header:
            return path
        if len(path) > len(inside):
            return None
        path.append(block)


def _straightest(flow: ControlFlow, body: Sequence[int]) -> list[int] | None:
    """The walk through the loop that falls through, or where that one needs jumps inside, one that does not; None where
    only computed jumps lead back to the header."""
    usual = _path(flow, body, backward=False) or _search(flow, body)
    if usual is None or _jumps(flow, usual):
        other = _path(flow, body, backward=True)
        if other is not None and not _jumps(flow, other):
            return other
    return usual


def _search(flow: ControlFlow, body: Sequence[int]) -> list[int] | None:
    """Any walk from the header back to it, fall-through first.

    A computed jump may lead to any of its cases, but nothing says that it leads back to the header: None where only
    that would close the loop.
    """
    header, inside = body[0], set(body)
    path: list[int] = []
    seen: set[int] = set()
    stack = [(header, 0)]
    while stack:
        block, depth = stack.pop()
        del path[depth:]
        if block in seen:
            if block == header and depth:
                return path
            continue
        seen.add(block)
        path.append(block)
        following = [block + 1] if flow.falls_through[block] else []
        following += [flow.targets[block]] if flow.targets[block] != NO_TARGET else []
        if flow.branches[block] == "indirect":
            following = [each for each in flow.successors[block] if each != header]
        stack += [(each, depth + 1) for each in reversed(following) if each in inside]
    return None


def _jumps(flow: ControlFlow, path: Sequence[int]) -> bool:
    """Whether unconditional jumps other than the one back to the lowest block are taken."""
    lowest = path.index(min(path))
    inside = (*path[lowest:], *path[:lowest])[:-1]
    return any(flow.branches[block] == "unconditional" for block in inside)


def _describe(
    code: Code,
    function: Function,
    flow: ControlFlow,
    walk: tuple[Sequence[int], Sequence[int]],
    labels: dict[int, list[CodeLabel]],
    kinds: Sequence[str],
) -> Loop:
    body, path = walk
    warnings = []
    indices = [index for block in path for index in range(flow.starts[block], flow.starts[block + 1])]
    lowest = indices.index(min(indices))
    indices = indices[lowest:] + indices[:lowest]
    inner = [(index, following) for index, following in pairwise(indices) if kinds[index] == "conditional"]
    for taken in (False, True):
        places = [index for index, following in inner if (following != index + 1) == taken]
        if places:
            outcome = "taken" if taken else "not taken"
            warnings.append(
                f"assumed {outcome}: {_count(len(places), 'branch')} inside the loop ({_places(code, places)})"
            )
    computed = [index for index in indices[:-1] if kinds[index] == "indirect"]
    if computed:
        warnings.append(f"assumed one target of {_count(len(computed), 'computed jump')} ({_places(code, computed)})")
    left = len(body) - len(set(path))
    if left:
        warnings.append(f"skipped {_count(left, 'basic block')} of the loop, off the main path")
    calls = [i for i in indices if kinds[i] == "call"]
    if calls:
        warnings.append(f"the loop calls functions ({_places(code, calls)}): what they cost is not included")
    names = {code.instructions[index].target for index in indices if code.targets[index] == indices[0]}
    here = labels.get(indices[0], [])
    label = next((label for label in here if label.target in names), here[-1] if here else None)
    return Loop(function.name, label, tuple(indices), tuple(warnings), left)


def _count(number: int, noun: str) -> str:
    plural = noun + ("es" if noun.endswith("ch") else "s")
    return f"1 {noun}" if number == 1 else f"{number} {plural}"


def _places(code: Code, indices: Sequence[int]) -> str:
    """Lines (or addresses) of instructions, the first four of them."""
    addresses = [code.address(index) for index in indices[:4]]
    dots = ", ..." if len(indices) > 4 else ""
    if addresses[0] is not None:
        return "at " + ", ".join(hex(address) for address in addresses if address is not None) + dots
    lines = ", ".join(str(code.instructions[index].line) for index in indices[:4])
    return f"line{'' if len(indices) == 1 else 's'} {lines}{dots}"
