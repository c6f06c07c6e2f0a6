"""Decoded code of one file, whatever it came from: what markers, loop finding and region selection read."""

from __future__ import annotations

from corecast.asm.places import places_up_to
from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING, Callable, Literal, Sequence, cached_property
from corecast.isa.spelling import ISAS as ISAS
from corecast.isa.spelling import Isa as Isa

if TYPE_CHECKING:
    from corecast import _core

Origin = Literal["text", "object", "hex", "source"]
NO_TARGET = -1


@dataclass(frozen=True)
class CodeLabel:
    """A label; `index` counts the instructions before it, `line` is 0 where there is no text."""

    name: str
    index: int
    line: int = 0
    target: str = ""
    """What branches call it: the assembler gives local numbers (`1:`) other names."""


@dataclass(frozen=True)
class Function:
    """Instructions `first` up to, without, `end`, that stand under the label `name` ("" before the first one)."""

    name: str
    first: int
    end: int
    line: int = 0


@dataclass(frozen=True)
class MarkerEvent:
    """A start or end marker; the region begins with, or ends before, the instruction at `index`."""

    index: int
    family: Literal["bytes", "osaca", "mca"]
    begins: bool
    name: str = ""
    line: int = 0


@dataclass(frozen=True)
class SourceMap:
    """High-level source positions: entry i holds from `keys[i]` (line of text or address) up to the next key."""

    keys: Sequence[int] = ()
    values: Sequence[str] = ()

    def at(self, key: int) -> str:
        """`file:line` in force at `key`, "" where none is known."""
        position = places_up_to(key, self.keys) - 1
        return self.values[position] if position >= 0 else ""


@dataclass(frozen=True)
class Code:
    """Instructions in layout order with everything that the choice of regions needs.

    `targets[i]` is the index of the instruction that the direct branch i goes to, NO_TARGET for everything else.
    """

    isa: Isa
    file: str
    origin: Origin
    instructions: Sequence[_core.Instruction]
    targets: Sequence[int]
    labels: Sequence[CodeLabel] = ()
    functions: Sequence[Function] = ()
    markers: Callable[[], Sequence[MarkerEvent]] = tuple
    source_line: Callable[[int], str] = lambda index: ""
    statement: Callable[[int], str] = lambda index: ""
    """An instruction as the text spells it, "" where there is no text or one statement makes several instructions."""
    address: Callable[[int], int | None] = lambda index: None
    """Address of an instruction in an object file, None for text."""
    problems: Sequence[tuple[int, str]] = ()
    """(line, warning) of every line that could not be read, in order; line 0 belongs to the whole file."""
    again: Callable[[int, int], Code] | None = None
    """For a part of a large file, which is not to be kept: decodes the code from one address to another anew."""

    @cached_property
    def _first_of_functions(self) -> list[int]:
        return [function.first for function in self.functions]

    def function_at(self, index: int) -> Function | None:
        """The function that instruction `index` stands in."""
        position = places_up_to(index, self._first_of_functions) - 1
        if position < 0 or index >= self.functions[position].end:
            return None
        return self.functions[position]


def functions_between(labels: Sequence[CodeLabel], names: frozenset[str] | set[str], count: int) -> list[Function]:
    """Cut the instructions 0 to `count` at the labels that are functions.

    `names` are known to be functions; where it is empty every label without a local prefix is taken for one.
    """
    starts: list[CodeLabel] = []
    for label in labels:
        if label.name in names if names else is_global_name(label.name):
            if starts and starts[-1].index == label.index:
                continue
            starts.append(label)
    functions = [Function("", 0, starts[0].index if starts else count)] if not starts or starts[0].index > 0 else []
    for position, label in enumerate(starts):
        end = starts[position + 1].index if position + 1 < len(starts) else count
        functions.append(Function(label.name, label.index, end, label.line))
    return [function for function in functions if function.end > function.first]


def is_global_name(name: str) -> bool:
    """Whether a label looks like a function rather than like a compiler's local label."""
    if not name or name[0] in ".$@\\" or name[0].isdigit():
        return False
    return not (name[0] == "L" and (name[1:2].isdigit() or name.startswith(("LBB", "LFB", "LFE", "LVL", "LC", "Ltmp"))))
