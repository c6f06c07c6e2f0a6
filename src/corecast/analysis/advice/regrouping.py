"""Chains of additions (or multiplications) in a recurrence, with the recurrence's operand added last.

`((r + a) + b) + c` waits for r three times; `r + ((a + b) + c)` once. The operands a, b and c must not depend on r in
the same iteration, and nothing else may read the sums in between. Floating point then rounds in another order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from corecast import _core
from corecast.analysis.advice.links import Kind, in_text, link_of, word
from corecast.analysis.advice.reductions import Line, reads_of, writes_of
from corecast.analysis.advice.registers import free_registers, names_of, rename
from corecast.analysis.advice.rewriting import Changed, Rewritten, assembled
from corecast.analysis.advice.unrolling import readers_of
from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast.asm.code import Isa

_PRODUCT = lazy_pattern(r"vfn?madd\d+\w+|fm(add|sub|la|ls)(\.[sd])?|fnmsub\.[sd]")
_NEGATIVE = lazy_pattern(r"v?sub[sp][sd]|vfnmadd\d+\w+|fsub(\.[sd])?|fm(sub|ls)|fnmsub\.[sd]")
_SUPPORTED = {
    "x86": lazy_pattern(r"v?(add|sub|mul)[sp][sd]|vfn?madd(132|213|231)[sp][sd]"),
    "aarch64": lazy_pattern(r"f(add|sub|mul|madd|msub|mla|mls)"),
    "riscv64": lazy_pattern(r"f(add|sub|mul|madd)\.[sd]|fnmsub\.[sd]"),
}


@dataclass(frozen=True)
class _Term:
    """What an instruction adds to the running value, takes from it, or multiplies it with."""

    place: int
    running: int
    """The register of the running value before it."""
    destination: int
    others: tuple[str, ...]
    """One operand, or the two whose product it is."""
    negative: bool


@dataclass(frozen=True)
class Regrouping:
    """A loop with the operands of recurrences put together first."""

    rewritten: Rewritten
    instructions: tuple[int, ...]
    """Those that were changed."""


def regroup(line: Line, chains: Sequence[Sequence[int]]) -> Regrouping | None:
    """The loop with the operands of some chains that do not belong to them put together first; None without any."""
    if line.branches_inside:
        return None
    writer = _Runs(line)
    changed: dict[int, list[Changed]] = {}
    for chain in chains:
        for run in writer.of(list(dict.fromkeys(chain))):
            if not any(term.place in changed for term in run):
                changed |= writer.changed(run) or {}
    if not changed:
        return None
    lines = [new for place, old in enumerate(line.instructions) for new in changed.get(place, [Changed(old)])]
    found = assembled(lines, line.isa)
    return Regrouping(found, tuple(sorted(changed))) if found is not None else None


class _Runs:
    """Runs of additions in chains, and what takes their place."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._readers = readers_of(line.instructions)
        self._taken: list[tuple[range, int]] = []
        """Places between which a register holds a new sum."""

    def of(self, chain: Sequence[int]) -> list[list[_Term]]:
        """Two and more instructions of the chain that do the same kind of operation, one after the other."""
        found: list[list[_Term]] = []
        kinds: list[tuple[Kind, str] | None] = []
        depends = self._reached(chain)
        for before, place in pairwise([chain[-1], *chain]):
            term, kind = self._term(before, place)
            others = reads_of(self._line.instructions[place]) - ({term.running} if term is not None else set())
            if term is not None and not self._is_apart(place, others, depends):
                term = None
            follows = found and found[-1] and found[-1][-1].place == before and before < place and kinds[-1] == kind
            if term is not None and follows and self._readers[before] == {place}:
                found[-1].append(term)
            else:
                found.append([term] if term is not None else [])
                kinds.append(kind)
        return [run for run in found if len(run) > 1]

    def _is_apart(self, place: int, others: set[int], depends: set[int]) -> bool:
        """Whether the other operands of an instruction come from elsewhere than the recurrence.

        They might be put together all the same, but code such as a compensated sum lives by their order.
        """
        instructions = self._line.instructions
        count = len(instructions)
        for register in others:
            before = (*range(place - 1, -1, -1), *range(count - 1, place - 1, -1))
            source = next((each for each in before if register in writes_of(instructions[each])), None)
            if source in depends:
                return False
        return True

    def _reached(self, chain: Sequence[int]) -> set[int]:
        """Instructions that depend on a chain, in this iteration or a later one."""
        found, waiting = set(chain), list(chain)
        while waiting:
            more = self._readers[waiting.pop()] - found
            found |= more
            waiting += more
        return found

    def _term(self, before: int, place: int) -> tuple[_Term | None, tuple[Kind, str] | None]:
        instructions, isa = self._line.instructions, self._line.isa
        instruction = instructions[place]
        if not _SUPPORTED[isa].fullmatch(word(instruction)) or "/m" in instruction.form or "{" in instruction.form:
            return None, None
        for register in writes_of(instructions[before]) & reads_of(instruction):
            link = link_of(instruction, register, isa)
            others = _others(instruction, register, isa)
            if link is not None and link.is_float and others:
                negative = _NEGATIVE.fullmatch(word(instruction)) is not None
                return _Term(place, register, link.destination, others, negative), (link.kind, link.element)
        return None, None

    def changed(self, run: Sequence[_Term]) -> dict[int, list[Changed]] | None:
        """New instructions in place of those of a run; None where a register is missing, or read by others."""
        first, last = run[0], run[-1]
        instructions, isa = self._line.instructions, self._line.isa
        places = {term.place for term in run}
        for place in range(first.place, last.place):
            if place not in places and first.running in writes_of(instructions[place]):
                return None
        if any(not self._is_dead(term, last) for term in run[:-1]):
            return None
        span = range(first.place, last.place + 1)
        busy = {register for other, register in self._taken if other.start < span.stop and span.start < other.stop}
        free = free_registers(instructions, isa, last.destination) + self._freed(run)
        free = [each for each in free if each not in busy]
        if not free:
            return None
        self._taken.append((span, free[0]))
        writer = _Writer(instructions[last.place], isa, last.destination, free[0])
        new = {first.place: writer.start(first, run[1], self._stays(first, run[1]))}
        for term in run[1:]:
            new[term.place] = writer.step(term, flipped=first.negative)
        new[last.place] += writer.end(first, last)
        return {place: [Changed(instructions[place], text) for text in texts] for place, texts in new.items()}

    def _freed(self, run: Sequence[_Term]) -> list[int]:
        """Registers that held sums in between, and that nothing else touches up to the end of the run."""
        first, last = run[0], run[-1]
        places = {term.place for term in run}
        others = [
            each
            for place, each in enumerate(self._line.instructions[first.place : last.place + 1], first.place)
            if place not in places
        ]
        kept = {first.running, last.destination}
        kept |= {reg for each in others for reg in reads_of(each) | writes_of(each)}
        kept |= {reg for term in run for reg in reads_of(self._line.instructions[term.place]) - {term.running}}
        return [term.destination for term in run[:-1] if term.destination not in kept]

    def _stays(self, first: _Term, second: _Term) -> bool:
        """Whether the first operand is a register that still holds it at the second instruction."""
        instruction = self._line.instructions[first.place]
        between = self._line.instructions[first.place + 1 : second.place]
        read = reads_of(instruction) - {first.running}
        return "[" not in first.others[0] and not any(read & writes_of(each) for each in between)

    def _is_dead(self, term: _Term, last: _Term) -> bool:
        """Whether what a register held of a sum in between is not missed behind the loop."""
        later = self._line.instructions[term.place + 1 :]
        if term.destination == last.destination or any(term.destination in writes_of(each) for each in later):
            return True
        behind = self._line.read_behind
        return behind is None or not behind(term.destination)


class _Writer:
    """Texts of the new instructions, with a register for the sum of the operands."""

    def __init__(self, like: _core.Instruction, isa: Isa, destination: int, free: int) -> None:
        self._isa = isa
        self._free = free
        name = word(like)
        self._multiplies = name.lstrip("v").startswith(("mul", "fmul"))
        self._vex = isa == "x86" and name.startswith("v")
        self._end = name[-2:] if isa == "x86" else name[name.find(".") :] if isa == "riscv64" else ""
        text = _operands(like.text)[0]
        self._destination = text
        self._sum = rename(text, isa, destination, free)
        self._left = self._sum
        """What the next operand is added to."""

    def start(self, first: _Term, second: _Term, stays: bool) -> list[str]:
        if len(first.others) == 2:
            return [self._three("mul", self._sum, *first.others)]
        fused_in_place = len(second.others) == 2 and (self._isa == "x86" or "." in self._sum)
        if stays and not fused_in_place and (self._vex or self._isa != "x86"):
            self._left = first.others[0]
            return []
        return [self._copy(first.others[0])]

    def step(self, term: _Term, flipped: bool) -> list[str]:
        negative, left = term.negative != flipped, self._left
        self._left = self._sum
        if len(term.others) == 1:
            name = "mul" if self._multiplies else "sub" if negative else "add"
            return [self._three(name, self._sum, left, term.others[0])]
        return [self._fused(negative, left, *term.others)]

    def end(self, first: _Term, last: _Term) -> list[str]:
        name = "mul" if self._multiplies else "sub" if first.negative else "add"
        running = rename(self._destination, self._isa, last.destination, first.running)
        if self._isa == "x86" and not self._vex and first.running != last.destination:
            return [f"movaps {self._destination}, {running}", f"{name}{self._end} {self._destination}, {self._sum}"]
        return [self._three(name, self._destination, running, self._sum)]

    def _three(self, name: str, to: str, left: str, right: str) -> str:
        if self._isa == "x86":
            if self._vex:
                return f"v{name}{self._end} {to}, {left}, {right}"
            return f"{name}{self._end} {to}, {right}"
        return f"f{name}{self._end} {to}, {left}, {right}"

    def _fused(self, negative: bool, addend: str, left: str, right: str) -> str:
        if self._isa == "x86":
            return f"vf{'n' if negative else ''}madd231{self._end} {self._sum}, {left}, {right}"
        if self._isa == "riscv64":
            return f"f{'nmsub' if negative else 'madd'}{self._end} {self._sum}, {left}, {right}, {addend}"
        if "." in self._sum:
            return f"fml{'s' if negative else 'a'} {self._sum}, {left}, {right}"
        return f"fm{'sub' if negative else 'add'} {self._sum}, {left}, {right}, {addend}"

    def _copy(self, source: str) -> str:
        vex = "v" if self._vex else ""
        if self._isa == "x86":
            if "[" not in source:
                return f"{vex}movaps {self._sum}, {source}"
            return f"{vex}mov{self._end if self._end in ('sd', 'ss') else 'u' + self._end} {self._sum}, {source}"
        if self._isa == "riscv64":
            return f"fmv{self._end} {self._sum}, {source}"
        if "." in self._sum:
            whole = [re.sub(r"\.\w+", ".16b", each) for each in (self._sum, source)]
            return f"mov {whole[0]}, {whole[1]}"
        return f"fmov {self._sum}, {source}"


def _others(instruction: _core.Instruction, running: int, isa: Isa) -> tuple[str, ...]:
    """Texts of the operands other than the running value and the destination."""
    texts = _operands(instruction.text)
    replaced = next(operand.read for operand in instruction.operands if in_text(operand))
    names = names_of(isa, running)
    held = [place for place, text in enumerate(texts) if (place > 0 or replaced) and text.split(".")[0] in names]
    others = [text for place, text in enumerate(texts) if place not in held and (place > 0 or replaced)]
    if len(held) != 1 or len(others) != (2 if _PRODUCT.fullmatch(word(instruction)) else 1):
        return ()
    return tuple(sorted(others, key=lambda text: "[" in text))


def _operands(text: str) -> list[str]:
    return re.split(r", (?![^\[]*\])", text.partition(" ")[2])
