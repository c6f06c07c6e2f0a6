"""What helpers cost on a core: a system of equations over chains of them, measured when they are first asked for.

loops     links that lead back to where they started add up to the cycles of the loop
fences    `lfence; 8 steps; link; 8 steps`: the time from one fence to the next. It starts in one domain (general,
          vector, mask registers) and ends in another, so that it tells a link there from a link back, which no loop
          can: whatever is added to all links from one domain to another and taken from all links back leaves every
          loop the same.

A fence waits for everything before it to be executed. That costs the same whichever domain it happens in, as the
reorder buffer is one; how soon the first instruction behind the fence starts may differ between domains, and is an
unknown of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import ceil

from corecast.dataclass import dataclass, field
from corecast.measure.isa.forms import EndKind
from corecast.measure.isa.instruction_sets import InstructionSet, instruction_set
from corecast.measure.isa.link_table import Link, Place
from corecast.measure.judge.forms.system import System
from corecast.measure.plan.helpers import helper_kernel
from corecast.measure.plan.kernels import TimedKernel, unrolled_to_forward
from corecast.measure.record.interval import Interval
from corecast.measure.record.measured import Equation
from corecast.measure.rejection import CannotMeasureError, Reason, Rejection
from corecast.measure.run.core import Core
from corecast.measure.thresholds import (
    LINKS_FENCE_AGAIN,
    LINKS_FENCE_LOOKS,
    LINKS_FENCE_MOST,
    LINKS_FENCE_TOLERANCE,
    LINKS_IN_ORDER_CYCLES,
    LINKS_IN_ORDER_STEPS,
    LINKS_LEAST_LATENCY,
    LINKS_LOOKS_AGREE,
    LINKS_MOST_LOOKS,
    LINKS_STEP_TOLERANCE,
    LINKS_STEPS,
    LINKS_STORE_CYCLES,
)

BY_DEFINITION = "by definition"
BY_FENCES = "halfway between what fences allow"
FENCE_START = "fence to"
_REGISTERS = {"general": 8, "vector": 8}
"""In chains of links alone; a group of RISC-V's vectors can start there."""
_REGISTER = 3
"""Of the other kinds."""
_APART = {"general": 10}
"""Where a load is to lead nowhere; 0 of the other kinds."""
_TARGETS = {"general": (10, 11, 12, 13, 14), "vector": (10, 11, 12, 13, 14)}
_GROUPS, _OTHER_TARGETS = (16, 24), (4, 5, 6, 7)
"""Where independent links lead, by kind; of groups of RISC-V's vectors, and of the other kinds."""
_SCRATCH, _STORED_AT, _LOADED_AT, _ROOT, _MASK = 6, 7, 5, 9, 4


@dataclass
class Links:
    """What links cost on a core."""

    core: Core
    _known: dict[str, _LinkSystem] = field(default_factory=dict)
    """By setting."""
    equations: list[Equation] = field(default_factory=list)
    """All that were measured, in the order of measuring."""

    def cost(self, link: Link, setting: str = "") -> Interval:
        """What a link costs.

        Args:
            link: which.
            setting: what is executed before, once: of a form that needs one.

        Raises:
            CannotMeasureError: it cannot be measured on this core.
        """
        return self.total((link,), setting)

    def total(self, links: Sequence[Link], setting: str = "") -> Interval:
        """What links one after the other cost: known better than each by itself.

        Raises:
            CannotMeasureError: one of them cannot be measured on this core.
        """
        return self._system(setting).total(links)

    def rate(self, link: Link, setting: str = "") -> float:
        """Cycles from one to the next where they do not wait for each other; 0 where that is not known."""
        return self._system(setting).rate(link)

    @cached_property
    def in_order(self) -> bool:
        """Whether what waits for a result holds up what follows."""
        return self._system("").waits_in_order()

    def _system(self, setting: str) -> _LinkSystem:
        if setting not in self._known:
            self._known[setting] = _LinkSystem(self.core, setting, self.equations)
        return self._known[setting]


@dataclass
class _OpenFence:
    """A link and the way back whose times from fence to fence contradict what both take together, `loop`."""

    link: Link
    back: Link
    loop: float
    uses: int = 0


@dataclass
class _LinkSystem:
    """Of one setting."""

    core: Core
    setting: str
    log: list[Equation]
    system: System = field(default_factory=System)
    _timed: dict[str, float | None] = field(default_factory=dict)
    """Cycles by code; None where it cannot be executed."""
    _asked: set[str] = field(default_factory=set)
    _open: dict[str, _OpenFence] = field(default_factory=dict)
    """By either link."""
    _totals: dict[tuple[str, ...], tuple[int, Interval]] = field(default_factory=dict)
    """Solutions, each with the number of equations that it is one of."""

    def total(self, links: Sequence[Link]) -> Interval:
        """What links one after the other cost: known better than each by itself.

        Raises:
            CannotMeasureError: one of them cannot be measured on this core.
        """
        if not links:
            return Interval(0.0, 0.0)
        for link in links:
            self._ask(link)
        names = tuple(sorted(link.name for link in links))
        count, known = self._totals.get(names, (-1, Interval(0.0, 0.0)))
        if count == len(self.system.equations):
            return known
        found = self.system.bounds({name: names.count(name) for name in names})
        if found is None:
            found = sum((self._by_itself(link) for link in links), Interval(0.0, 0.0))
        self._totals[names] = (len(self.system.equations), found)
        return found

    def rate(self, link: Link) -> float:
        """Cycles from one to the next where they do not wait for each other; 0 where that is not known."""
        in_groups = link.target == "vector" and self.setting
        registers: Sequence[int] = _GROUPS if in_groups else _TARGETS.get(link.target, _OTHER_TARGETS)
        place = Place(_STORED_AT, mask=_MASK) if link.of_memory else None
        lines = [link.text(self._set, _register(link.source), each, _SCRATCH, place) for each in registers]
        cycles = self._cycles(lines)
        return 0.0 if cycles is None else cycles / len(registers)

    def waits_in_order(self) -> bool:
        """Steps in a chain, one that waits for them, and others that wait for nothing: these take time
        where they cannot start sooner."""
        step, other = self._set.LINKS.long_step("general"), next(iter(self._set.LINKS.within.get("general", ())), None)
        if step is None or other is None:
            return False
        first, *rest = _TARGETS["general"]
        at = _register("general")
        chain = [self._text(step)] * LINKS_IN_ORDER_STEPS
        waiting = other.text(self._set, at, first, _SCRATCH)
        others = [other.text(self._set, _STORED_AT, each, _SCRATCH) for each in rest]
        alone, together = self._cycles(chain), self._cycles([*chain, waiting, *others])
        return alone is not None and together is not None and together > alone + LINKS_IN_ORDER_CYCLES

    def _ask(self, link: Link) -> None:
        """Adds the equations that tell of a link."""
        if link.name in self._asked:
            self._look_again(link)
            return
        self._asked.add(link.name)
        self.system.least[link.name] = LINKS_LEAST_LATENCY
        if link.source == link.target:
            self._chain_of_one(link)
        elif link.of_memory:
            self._memory(link)
        else:
            self._between(link)

    def _chain_of_one(self, link: Link) -> None:
        """A link behind itself; where as many side by side take as long, one in a chain of steps that take longer."""
        alone, rate = self._cycles([self._text(link)]), self.rate(link)
        held = alone is not None and not link.in_place and alone <= rate * (1 + LINKS_STEP_TOLERANCE)
        way = self._way_around(link) if held else None
        if way is None:
            self._loop([link])
            return
        there, step, back = way
        for each in (*there, step, *back):
            self._ask(each)
        gained = self._by_itself(step).low - self.rate(step)
        aside = rate + sum(self.rate(each) for each in (*there, *back))
        self._loop([link, *there, *[step] * ceil((aside + 1) / gained), *back])

    def _way_around(self, link: Link) -> tuple[tuple[Link, ...], Link, tuple[Link, ...]] | None:
        """From where a link ends to where it starts, with a step that takes longer in a chain than side by side. Of
        groups of registers, which keep each other's ports busy, through a general one."""
        links = self._set.LINKS
        kind: EndKind = "general" if self.setting and link.source == "vector" else link.source
        step = links.long_step(kind)
        if step is None or step == link:
            return None
        self._ask(step)
        if self._by_itself(step).low - self.rate(step) < LINKS_LEAST_LATENCY:
            return None
        if kind == link.source:
            return (), step, ()
        there = links.aside.get(link.source) or links.path(link.source, kind, ())[0]
        return (there,), step, links.path(kind, link.source, ())

    def _between(self, link: Link) -> None:
        back = self._set.LINKS.way_back(link)
        for each in (link, back):
            self._asked.add(each.name)
            self.system.least[each.name] = LINKS_LEAST_LATENCY
        self._loop([link, back])
        around = self._cycles([self._text(link), self._text(back)])
        if around is not None and around > 2 * LINKS_LEAST_LATENCY + LINKS_STEP_TOLERANCE:  # else each takes the least
            self._fence(link, back, around)

    def _memory(self, link: Link) -> None:
        """A store counts as one cycle, as in machine models; the load that its data are forwarded to takes the rest."""
        kind = link.target if link.source == "memory" else link.source
        store, load = self._set.LINKS.store_and_load(kind, link.width)
        for each in (store, load):
            self._asked.add(each.name)
            self.system.least[each.name] = LINKS_LEAST_LATENCY
        links, lines = self._longer_than_rate(kind, store, load)
        self._add(links, lines)
        definition = Equation({store.name: 1}, LINKS_STORE_CYCLES, BY_DEFINITION)
        self.log.append(definition)
        self.system.add(definition)

    def _longer_than_rate(self, kind: EndKind, store: Link, load: Link) -> tuple[Sequence[Link], list[str]]:
        """A loop through memory; with steps besides, where stores and loads of many registers start so seldom that the
        loop would take as long if they did not wait for each other."""
        register = _register(kind)
        chained, apart = (self._through_memory(store, load, register, end) for end in (register, _APART.get(kind, 0)))
        step = next(iter(self._set.LINKS.within.get(kind, ())), None)
        cycles, rate = self._cycles(chained, forwards=True), self._cycles(apart, forwards=True)
        if step is None or cycles is None or rate is None or cycles > rate * (1 + LINKS_STEP_TOLERANCE):
            return (store, load), chained
        self._ask(step)
        count = ceil((rate + 1) / self._by_itself(step).low)
        return (store, load, *[step] * count), [*chained, *[step.text(self._set, register, register)] * count]

    def _through_memory(self, store: Link, load: Link, source: int, target: int) -> list[str]:
        return [
            self._set.breaker("general", _STORED_AT, _ROOT),
            store.text(self._set, source, 0, _SCRATCH, Place(_STORED_AT, mask=_MASK)),
            self._set.breaker("general", _LOADED_AT, _ROOT),  # not the register of the store: see chain_builder.py
            load.text(self._set, 0, target, _SCRATCH, Place(_LOADED_AT, mask=_MASK)),
        ]

    def _loop(self, links: Sequence[Link]) -> None:
        self._add(links, [self._text(link) for link in links])

    def _fence(self, link: Link, back: Link, loop: float) -> None:
        """Adds the times from fence to fence through a link and through the way back, where they make sense.

        `loop` is what both take together.

        Steps take whole cycles, and both times together are those of the steps and of the loop of both links. What
        shares the core delays fences more than chains: then all are timed once more, and the least of each counts.
        """
        there, here = self._set.LINKS.step(link.source), self._set.LINKS.step(link.target)
        if there is None or here is None or not self._set.FENCE:
            return
        self._ask(there)
        self._ask(here)
        paths = {
            "there": ([there] * LINKS_STEPS, [link], [here] * LINKS_STEPS),
            "back": ([here] * LINKS_STEPS, [back], [there] * LINKS_STEPS),
            "stay": ([there] * LINKS_STEPS, [], [there] * LINKS_STEPS),
            "stay there": ([here] * LINKS_STEPS, [], [here] * LINKS_STEPS),
        }
        best: dict[str, float] = {}
        for _ in range(LINKS_FENCE_LOOKS):
            for name, path in paths.items():
                cycles = self._cycles(
                    [self._set.FENCE, *(self._text(each) for part in path for each in part)], anew=True
                )
                if cycles is None:
                    return
                best[name] = min(cycles, best.get(name, cycles))
            around = best["there"] + best["back"] - best["stay"] - best["stay there"]
            if abs(around - loop) <= LINKS_FENCE_TOLERANCE:
                break
        if abs(around - loop) > LINKS_FENCE_MOST:
            fence = self._open.get(link.name) or _OpenFence(link, back, loop)
            self._open[link.name] = self._open[back.name] = fence
            return
        for each in (link, back):
            self._open.pop(each.name, None)
        steps = (self._step_cycles(there, best["stay"]), self._step_cycles(here, best["stay there"]))
        # What takes one cycle may be done later than its result is there: then one domain would be ahead of the other.
        if 0 in steps or (steps[0] == 1) != (steps[1] == 1):
            return
        halfway = _halfway(best, steps, loop)
        if halfway is not None:
            self._append((link,), ["; ".join(map(self._text, (link, back))), BY_FENCES], halfway)
            return
        for name, path in paths.items():
            links = [each for part in path for each in part]
            lines = [self._set.FENCE, *map(self._text, links)]
            self._append(links, lines, best[name], _start_of(links[0].source))

    def _look_again(self, link: Link) -> None:
        """At fences that were disturbed."""
        fence = self._open.get(link.name)
        if fence is None:
            return
        fence.uses += 1
        if fence.uses in LINKS_FENCE_AGAIN:
            self._fence(fence.link, fence.back, fence.loop)

    def _step_cycles(self, step: Link, fenced: float) -> int:
        """What a step takes; 0 where that is not a whole number, or a fence does not wait for the steps before it."""
        alone = self._cycles([self._text(step)])
        if alone is None or abs(alone - round(alone)) > LINKS_STEP_TOLERANCE or fenced <= 2 * LINKS_STEPS * alone + 1:
            return 0
        return round(alone)

    def _add(self, links: Sequence[Link], lines: Sequence[str]) -> None:
        cycles = self._cycles(lines, forwards=any(link.of_memory for link in links))
        if cycles is not None:
            self._append(links, lines, cycles)

    def _append(self, links: Sequence[Link], lines: Sequence[str], cycles: float, start: str = "") -> None:
        terms: dict[str, int] = {start: 1} if start else {}
        for link in links:
            terms[link.name] = terms.get(link.name, 0) + 1
        self.log.append(Equation(terms, cycles, "; ".join(lines)))
        self.system.add(self.log[-1])

    def _by_itself(self, link: Link) -> Interval:
        """From its loop alone: each link takes a cycle at least."""
        loops = [equation for equation in self.system.equations if equation.terms.get(link.name) == 1]
        if not loops:
            raise CannotMeasureError(Reason.HELPER_UNKNOWN, link.name)
        best = min(loops, key=lambda equation: sum(equation.terms.values()))
        rest = sum(best.terms.values()) - 1
        low = LINKS_LEAST_LATENCY if rest else best.cycles
        return Interval(low, max(low, best.cycles - rest * LINKS_LEAST_LATENCY))

    @property
    def _set(self) -> InstructionSet:
        return instruction_set(self.core.isa)

    def _text(self, link: Link) -> str:
        return link.text(self._set, _register(link.source), _register(link.target), _SCRATCH)

    def _cycles(self, lines: Sequence[str], anew: bool = False, forwards: bool = False) -> float | None:
        text = "\n".join(lines)
        if anew or text not in self._timed:
            kernel = helper_kernel(self.core.isa, lines, self.setting)
            self._timed[text] = self._time(unrolled_to_forward(kernel) if forwards else kernel)
        return self._timed[text]

    def _time(self, kernel: TimedKernel) -> float | None:
        """The least of several stable looks: all that is measured with a helper depends on it."""
        seen: list[float] = []
        last = 0.0
        for _ in range(LINKS_MOST_LOOKS):
            timing = self.core.time(kernel)
            if isinstance(timing, Rejection):
                return None
            last = timing.cycles
            if timing.stable:
                seen.append(timing.cycles)
                least = sorted(seen)[:2]
                if len(least) == 2 and least[1] - least[0] <= LINKS_LOOKS_AGREE * least[0]:
                    return min(seen)
        return min(seen, default=last)


def _register(kind: EndKind) -> int:
    return _REGISTERS.get(kind, _REGISTER)


def _start_of(kind: EndKind) -> str:
    return f"{FENCE_START} {kind}"


def _halfway(fenced: dict[str, float], steps: tuple[int, int], loop: float) -> float | None:
    """What a link takes where fences contradict that they end alike in all domains.

    With ends alike a link that starts where it leads from, with starts alike one that ends where it leads to makes the
    difference between both domains' steps. Where the first gives it, or the way back, less than a cycle, the truth is
    taken to lie in the middle of what both allow: so do uops.info's tables. None where the first makes sense.
    """
    between = fenced["there"] - LINKS_STEPS * sum(steps)
    ends_alike = between - (fenced["stay"] - 2 * LINKS_STEPS * steps[0])
    starts_alike = between - (fenced["stay there"] - 2 * LINKS_STEPS * steps[1])
    least, most = LINKS_LEAST_LATENCY - 0.25, loop - LINKS_LEAST_LATENCY + 0.25
    if least <= ends_alike <= most or abs(ends_alike - starts_alike) < 2 * LINKS_LEAST_LATENCY:
        return None
    low, high = (min(max(each, LINKS_LEAST_LATENCY), loop - LINKS_LEAST_LATENCY) for each in (ends_alike, starts_alike))
    return (low + high) / 2
