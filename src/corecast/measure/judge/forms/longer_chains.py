"""Latencies that hide behind throughput, and the longer chains that show them.

A chain that takes as long as the same instructions do when none waits for the form may be held up by ports and
microcode; its latency is then anything less. Helpers in a row make it longer, until it takes longer than they do. They
have to be such as take longer in a chain than side by side: of the kind where the chain starts, or general registers,
which leave the ports of vectors alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, inf

from corecast.dataclass import dataclass, replace
from corecast.errors import InputError
from corecast.measure.isa.forms import EndKind, Form
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.isa.link_table import Link
from corecast.measure.judge.forms.links import Links
from corecast.measure.plan.forms.chain_builder import NOWHERE
from corecast.measure.plan.forms.chains import Chain, by_itself, through_helpers, usual_links
from corecast.measure.questions.pairs import pairs
from corecast.measure.questions.roles import End
from corecast.measure.record.interval import Interval
from corecast.measure.record.measured import Latency
from corecast.measure.run.core import Core, Timing
from corecast.measure.thresholds import (
    INTERVAL_WHOLE,
    LONGER_APART,
    LONGER_APART_SHARE,
    LONGER_BESIDE,
    LONGER_BREAKER,
    LONGER_EXECUTED,
    LONGER_IN_GROUPS,
    LONGER_LEAST_DROP,
    LONGER_LEAST_GAIN,
    LONGER_MORE,
    LONGER_MOST_STEPS,
    LONGER_SAME,
    LONGER_SHADE,
    LONGER_STEPS_PAST_STORE,
)


@dataclass(frozen=True)
class Way:
    """Links with a place for more."""

    before: tuple[Link, ...]
    step: Link
    behind: tuple[Link, ...]

    def links(self, steps: int) -> tuple[Link, ...]:
        return (*self.before, self.step.repeated(steps), *self.behind)


def ways(form: Form, source: End, target: End) -> Iterator[Way]:
    """Where the chain is in a register first, and through general registers."""
    links = instruction_set(form.isa).LINKS
    usual = usual_links(form, source, target)
    place, kind = _first_register(usual, target)
    step = links.long_step(kind)
    if step is not None and kind not in NOWHERE:
        yield Way(usual[:place], step, usual[place:])
    general = links.long_step("general")
    if general is None or kind in ("general", *NOWHERE):
        return
    stored = usual[-1:] if source.kind == "memory" else ()
    end = stored[0].source if stored else source.kind
    behind = links.path("general", end, ())
    if usual[-1] not in behind and source.kind == "vector":  # which is to hold what it should
        special = [link for link in usual if link.source == link.target == "vector"]
        is_address = source.reads & {location for each in form.example.memory for location in (each.base, each.index)}
        behind = (*behind, *(replace(link, in_place=True) for link in (special if is_address else links.vector_value)))
    out = [links.path(kind, "general", ())]
    if kind in links.aside:  # through memory: forms that access it may keep those ports busy
        first = form.spelling.group > 1 and not form.example.memory
        out.insert(0 if first else 1, (links.aside[kind],))
    for each in out:
        yield Way((*usual[:place], *each), general, (*behind, *stored))


def _first_register(usual: Sequence[Link], target: End) -> tuple[int, EndKind]:
    """Before which helper a chain from the target is in a register first, and of which kind."""
    return (1, usual[0].target) if target.kind in NOWHERE else (0, target.kind)


def detour(form: Form, source: End, target: End) -> Way | None:
    """Past the ports of general registers, where the form's other micro-ops may be in the way of the first helpers."""
    links = instruction_set(form.isa).LINKS
    step = links.long_step("general")
    if step is None or target.kind not in ("general", "flags"):
        return None
    usual = usual_links(form, source, target)
    place = 0 if target.kind == "general" else 1
    return Way((*usual[:place], *links.there_and_back("general", "vector")), step, usual[place:])


@dataclass(frozen=True)
class LongerChains:
    """Of one form."""

    core: Core
    links: Links
    measured: Callable[[Chain], Latency]
    """The latency that a chain gives."""

    def unhidden(self, form: Form, latency: Latency, rate: float) -> Latency:
        """`rate`: cycles of an instance that waits for nothing."""
        if latency.cycles is None or rate <= 0:
            return latency
        source, target = next(
            pair for pair in pairs(form) if (pair[0].name, pair[1].name) == (latency.source, latency.target)
        )
        linked = latency.method == "linked"
        if _stores_beside(form, source, target):
            past = self._past_its_store(form, source, target, latency)
            if past is not latency:
                return past
        late = self._breaks_in_order(form, latency, (source, target))
        if not late and not self._may_be_held(form, latency, rate, (source, target)):
            return latency
        if linked:
            least = self._least(lambda: through_helpers(form, source, target, cut=True)) or rate
        else:
            least = max(rate, self._least(lambda: by_itself(form, source, target)) if _helped(latency) else 0.0)
        taken = latency.chain[1].cycles if linked else latency.cycles.high
        if not late and taken > least * (1 + _beside(form)):
            return latency
        hidden = taken <= max(least, rate) * (1 + LONGER_SAME)
        longer, free = self._longer(form, source, target, rate)
        if longer is None or longer.cycles is None:
            if hidden:
                return replace(latency, cycles=Interval(0.0, latency.cycles.high))
            return latency
        return _shorter(longer, latency, least=longer.cycles.low if free else 0.0)

    def _past_its_store(self, form: Form, source: End, target: End, latency: Latency) -> Latency:
        """With plain steps in front of the helper's store, until the form's own has left the ports."""
        try:
            usual = usual_links(form, source, target)
            place, kind = _first_register(usual, target)
            step = next(iter(instruction_set(form.isa).LINKS.within.get(kind, ())), None)
            if step is None or kind in NOWHERE:
                return latency
            links = (*usual[:place], step.repeated(LONGER_STEPS_PAST_STORE), *usual[place:])
            return _shorter(self.measured(through_helpers(form, source, target, links)), latency)
        except InputError:
            return latency

    def _breaks_in_order(self, form: Form, latency: Latency, pair: tuple[End, End]) -> bool:
        """Whether what keeps other operands apart waits for the chain, and the chain for it."""
        links = len(usual_links(form, *pair)) if latency.method == "linked" else 0
        return _helped(latency) > links and self.links.in_order

    def _may_be_held(self, form: Form, latency: Latency, rate: float, pair: tuple[End, End]) -> bool:
        """By what is known without another timing of the form."""
        assert latency.cycles is not None
        source, target = pair
        if latency.method != "linked":
            # Instances in each other's way take no whole number of cycles.
            beside = LONGER_SAME if target.name != "addr" and latency.cycles.whole else LONGER_BESIDE
            least = max(rate * (1 - LONGER_SAME), LONGER_EXECUTED)
            return least <= latency.cycles.high <= rate * (1 + beside) + _helped(latency)
        taken = latency.chain[1].cycles
        if taken < rate * (1 - LONGER_SAME):
            return False
        usual = usual_links(form, source, target)
        # A store counts as a cycle and a load as what is left, however long they keep their ports.
        through_memory = sum(self.links.rate(link, form.setting) for link in usual if link.of_memory)
        beside = _beside(form) if latency.cycles.whole else 2 * _beside(form)
        most = rate * (1 + beside) + _in_groups(form) + through_memory
        if latency.cycles.high > most:  # helpers take no longer side by side than in a chain
            return False
        aside = sum(self.links.rate(link, form.setting) for link in usual if not link.of_memory)
        return taken <= most + aside + LONGER_BREAKER * max(0, _helped(latency) - len(usual))

    def _least(self, make: Callable[[], Chain]) -> float:
        """What the instructions of a chain take where the form is in none; 0 where that cannot be measured."""
        try:
            timing = self.core.time(make().kernel)
        except InputError:
            return 0.0
        return timing.cycles if isinstance(timing, Timing) else 0.0

    def _longer(self, form: Form, source: End, target: End, rate: float) -> tuple[Latency | None, bool]:
        """The shortest latency that longer chains give, and whether that one is not held up."""
        best: tuple[Latency | None, bool] = (None, False)
        try:
            # Groups of registers keep each other's ports busy.
            for way in sorted(
                ways(form, source, target), key=lambda way: way.step.source != "general" and _in_groups(form)
            ):
                found, free = self._by_way(form, source, target, way, rate)
                if found is None or found.cycles is None:
                    continue
                if free:
                    return self._past_other_uops(form, source, target, found, rate), True
                if best[0] is None or best[0].cycles is None or found.cycles.high < best[0].cycles.high:
                    best = found, False
        except InputError:
            return best
        return best

    def _past_other_uops(self, form: Form, source: End, target: End, found: Latency, rate: float) -> Latency:
        """The same by a detour, where that takes less."""
        if found.cycles is None or (found.cycles.whole and found.cycles.high < LONGER_EXECUTED + 1):
            return found
        try:
            way = detour(form, source, target)
        except InputError:
            return found
        other, free = self._by_way(form, source, target, way, rate) if way is not None else (None, False)
        if other is None or other.cycles is None or not free or not is_shorter(other.cycles, found.cycles):
            return found
        return other

    def _by_way(self, form: Form, source: End, target: End, way: Way, rate: float) -> tuple[Latency | None, bool]:
        try:
            steps = self._steps(form, way, rate)
            if steps is None:
                return None, False
            found: dict[int, Latency] = {}
            for more in LONGER_MORE:
                found[steps + more] = self._measured(form, source, target, way, steps + more)
                if (cycles := found[steps + more].cycles) is not None and cycles.whole:
                    break
        except InputError:
            return None, False
        number = min(found, key=lambda each: _cycles(found[each]))
        shortest = found[number]
        if shortest.cycles is None:
            return None, False
        taken = shortest.chain[1].cycles
        links = way.links(number)
        late = self.links.in_order
        least = self._least(lambda: through_helpers(form, source, target, links, cut=True, late=late))
        least = max(least, rate)
        return shortest, taken > least + max(LONGER_APART, LONGER_APART_SHARE * least)

    def _measured(self, form: Form, source: End, target: End, way: Way, steps: int) -> Latency:
        return self.measured(through_helpers(form, source, target, way.links(steps), late=self.links.in_order))

    def _steps(self, form: Form, way: Way, rate: float) -> int | None:
        """Enough for a chain that takes longer than its instructions side by side."""
        each = self.links.cost(way.step, form.setting).low
        aside = self.links.rate(way.step, form.setting)
        gained = each - aside
        if gained < LONGER_LEAST_GAIN:
            return None
        others = sum(self.links.rate(link, form.setting) for link in (*way.before, *way.behind))
        shade = LONGER_SHADE if self.links.in_order else 0.0
        steps = ceil((rate * (1 + LONGER_BESIDE) + others + _in_groups(form) * (1 + LONGER_IN_GROUPS) + shade) / gained)
        return steps if steps <= LONGER_MOST_STEPS else None


def _stores_beside(form: Form, source: End, target: End) -> bool:
    """Whether the form stores what it made of loaded data just when a helper stores what it gave to a register: on
    the same ports."""
    updates = any(access.read for access in form.example.memory) and any(access.write for access in form.example.memory)
    return updates and source.kind == "memory" and target.kind != "memory"


def _shorter(longer: Latency, latency: Latency, least: float | None = None) -> Latency:
    """The latency of the longer chain with the kernels of both, where it is less; else the usual chain confirms it."""
    if longer.cycles is None or latency.cycles is None or not is_shorter(longer.cycles, latency.cycles):
        return latency
    low = longer.cycles.low if least is None else least
    found = Interval(low, longer.cycles.high)
    return replace(longer, cycles=found, kernels=(*longer.kernels, *latency.kernels))


def _cycles(latency: Latency) -> float:
    return inf if latency.cycles is None else latency.cycles.high


def _in_groups(form: Form) -> int:
    """Cycles for what keeps other operands apart where those are groups of registers."""
    return 2 * form.spelling.group if form.spelling.group > 1 else 0


def _beside(form: Form) -> float:
    return LONGER_IN_GROUPS if form.spelling.group > 1 else LONGER_BESIDE


def _helped(latency: Latency) -> int:
    """Instructions for each of the form's that keep its other operands apart."""
    instances = 2 if latency.method == "cross" else 1
    return max(0, len(latency.kernels[0][0].texts) // instances - 1)


def is_shorter(longer: Interval, cycles: Interval) -> bool:
    """Whether a longer chain's latency is less than what the usual one gave by more than helpers are uncertain."""
    drop = cycles.high - longer.high
    noticed = drop > min(cycles.high * LONGER_SAME, 2 * INTERVAL_WHOLE)
    return drop >= LONGER_LEAST_DROP or (noticed and longer.high >= LONGER_EXECUTED and longer.whole)
