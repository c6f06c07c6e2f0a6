"""Measuring one form: its reciprocal throughput, and the latency of each operand pair."""

from __future__ import annotations

from collections.abc import Sequence

from corecast.dataclass import replace
from corecast.errors import InputError
from corecast.measure.isa.forms import RARE, Form
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.isa.x86.x87 import is_x87
from corecast.measure.judge.forms.links import Links
from corecast.measure.judge.forms.longer_chains import LongerChains
from corecast.measure.judge.forms.paced import paced
from corecast.measure.judge.forms.x87 import measure_x87
from corecast.measure.plan.forms.chains import Chain, chain, same_register, through_helpers
from corecast.measure.plan.forms.throughput import Instances, instances
from corecast.measure.plan.kernels import TimedKernel, is_dense
from corecast.measure.questions.pairs import pairs
from corecast.measure.questions.roles import End, ends
from corecast.measure.record.interval import Interval
from corecast.measure.record.measured import FormMeasurement, Latency, Throughput
from corecast.measure.rejection import NOT_ALLOWED, Reason, Rejection, rejection_of
from corecast.measure.run.core import Core, Outcome, Timing
from corecast.measure.thresholds import (
    FORMS_IDIOM,
    FORMS_IN_FLIGHT,
    FORMS_MERGE,
    FORMS_QUICK_CYCLES,
    FORMS_SLOTS_BOUND,
    FORMS_UNHIDDEN_CYCLES,
    LONGER_EXECUTED,
    LONGER_SAME,
    THROUGHPUT_EVERY,
    THROUGHPUT_FEWER,
)


class FormMeter:
    """Measures forms on a core; what helpers cost is found once."""

    def __init__(self, core: Core, links: Links | None = None) -> None:
        self.core = core
        """What kernels are timed on."""
        self.links = links or Links(core)
        """What helpers cost there."""

    def measure(self, form: Form, *, rare: bool = True) -> FormMeasurement:
        """Never raises for what cannot be measured: each part tells its own error.

        Args:
            rare: whether with operands, too, that are rare in code.
        """
        if form.isa == "x86" and is_x87(form.key):
            return FormMeasurement(form.key, *measure_x87(self.core, form))
        found = self._measure(form)
        if found.illegal:
            return found
        others = [each for each in instruction_set(form.isa).other_values(form) if rare or each not in RARE]
        return replace(found, others={each: self._measure(replace(form, values=each)) for each in others})

    def _measure(self, form: Form) -> FormMeasurement:
        try:
            single = instances(form)
        except InputError as error:
            return FormMeasurement(form.key, Throughput(None, rejection=rejection_of(error)), self._latencies(form, {}))
        timing = self.core.time(single.kernel)
        if isinstance(timing, Rejection) and timing.reason in (Reason.ILLEGAL, *NOT_ALLOWED):
            return FormMeasurement(form.key, _failed(single, timing, ((single.kernel, timing),)), ())
        own: dict[str, float] = {}
        latencies = self._latencies(form, own)
        throughput = self._throughput(form, single, timing, own)
        # With the helpers that chains have, too.
        rate = timing.cycles / single.count if isinstance(timing, Timing) else 0.0
        longer = LongerChains(self.core, self.links, lambda made: self._latency(form, made, {}))
        unhidden = (longer.unhidden(form, each, rate) for each in latencies)
        return FormMeasurement(form.key, throughput, tuple(paced(self.core, each) for each in unhidden))

    def _latencies(self, form: Form, own: dict[str, float]) -> tuple[Latency, ...]:
        """`own` gets the latency of each operand to itself: what a cross chain, and throughput, cannot be faster
        than."""
        found = []
        every = pairs(form)
        for source, target in sorted(every, key=lambda pair: pair[0] != pair[1]):
            latency = self._latency(form, chain_of(form, source.name, target.name), own)
            if latency.method == "cross" and latency.cycles is not None:
                crossing = len(latency.kernels) == 1 and not latency.cycles.whole
                if crossing or not latency.cycles.exact:
                    latency = self._beside_own_chain(form, source, target, latency)
            if source == target and latency.cycles is not None:
                own[source.name] = latency.cycles.high
            found.append(latency)
        order = {(source.name, target.name): index for index, (source, target) in enumerate(every)}
        return tuple(sorted(found, key=lambda latency: order[latency.source, latency.target]))

    def _latency(self, form: Form, made: Chain | Latency, own: dict[str, float]) -> Latency:
        if isinstance(made, Latency):
            return made
        names = (made.source.name, made.target.name)
        timing = self.core.time(made.kernel)
        tried = ((made.kernel, timing),)
        if isinstance(timing, Rejection):
            return Latency(*names, None, made.method, kernels=tried, rejection=timing)
        try:
            cost = self.links.total(made.links, form.setting)
            helpers = tuple((link.name, self.links.cost(link, form.setting)) for link in made.links)
        except InputError as error:
            return Latency(*names, None, made.method, kernels=tried, rejection=rejection_of(error))
        low = timing.cycles / made.instances - cost.high
        high = timing.cycles / made.instances - cost.low
        floor = own.get(made.target.name, 0.0) if made.method == "cross" else 0.0
        if timing.cycles <= floor * (1 + LONGER_SAME):
            low = 0.0  # the operand's own chain is as long: it hides the other
        found = Latency(*names, Interval(max(0.0, low), max(0.0, high)), made.method, helpers, tried)
        if made.method == "cross" and low > 0 and not Interval(low, high).whole and floor > 0:
            return self._in_one_register(form, made, found, floor)
        return found

    def _beside_own_chain(self, form: Form, source: End, target: End, cross: Latency) -> Latency:
        """A chain through helpers in place of a cross chain that the target's own hides, or gets in the way of."""
        try:
            other = self._latency(form, through_helpers(form, source, target), {})
        except InputError:
            return cross
        if other.cycles is None or not other.cycles.exact or cross.cycles is None:
            return cross
        if cross.cycles.exact and not LONGER_EXECUTED <= other.cycles.high < cross.cycles.high * (1 - LONGER_SAME):
            return cross
        return replace(other, kernels=(*other.kernels, *cross.kernels))

    def _in_one_register(self, form: Form, made: Chain, cross: Latency, own: float) -> Latency:
        """Instances that wait for each other in turns may get in each other's way, and no whole number of cycles says
        so: then the chain through one register counts where it is shorter."""
        other = same_register(form, made.source, made.target)
        if other is None or cross.cycles is None:
            return cross
        timing = self.core.time(other.kernel)
        least, most = own * FORMS_IDIOM, cross.cycles.high * (1 - LONGER_SAME)
        if isinstance(timing, Rejection) or not least <= timing.cycles < most:
            return cross
        tried = ((other.kernel, timing), *cross.kernels)
        return replace(cross, cycles=Interval(timing.cycles, timing.cycles), kernels=tried)

    def _throughput(self, form: Form, single: Instances, timing: Outcome, own: dict[str, float]) -> Throughput:
        longest = max((own.get(end.name, 0.0) for end in ends(form) if end.slot is not None), default=0.0)
        try:
            chained = isinstance(timing, Timing) and 0 < timing.cycles <= longest * (1 + LONGER_SAME)
            if chained and single.count > 0:
                single = instances(form, break_own=True)  # the registers' own chains were what took the time
                timing = self.core.time(single.kernel)
            found = self._without_helpers(form, single, timing, own)
            return self._unless_faster_sparse(form, single, found, own)
        except InputError as error:
            return Throughput(None, rejection=rejection_of(error))

    def _unless_faster_sparse(
        self, form: Form, single: Instances, found: Throughput, own: dict[str, float]
    ) -> Throughput:
        """With longer encodings, where decoders may be what took the time."""
        if (
            found.cycles is None
            or not is_dense(single.kernel)
            or not FORMS_SLOTS_BOUND <= found.cycles.high < FORMS_UNHIDDEN_CYCLES
        ):
            return found
        sparse = instances(form, break_own=_own_broken(form, single), sparse=True)
        timing = self.core.time(sparse.kernel)
        if isinstance(timing, Rejection) or timing.cycles / sparse.count >= found.cycles.high * (1 - LONGER_SAME):
            return found
        other = self._without_helpers(form, sparse, timing, own, sparse=True)
        if other.cycles is None or other.cycles.high >= found.cycles.high * (1 - LONGER_SAME):
            return found
        return replace(other, kernels=(*other.kernels, *found.kernels))

    def _fastest(self, form: Form, single: Instances, timing: Timing, *, sparse: bool) -> Throughput:
        """Of several numbers of instances."""
        tried: list[tuple[TimedKernel, Timing]] = [(single.kernel, timing)]
        best, cycles = single, timing.cycles / single.count
        for most in THROUGHPUT_FEWER:
            if (
                single.count <= most
                or cycles >= FORMS_UNHIDDEN_CYCLES
                or (cycles < FORMS_QUICK_CYCLES and len(tried) > 1)
            ):
                break
            other = instances(form, most=most, sparse=sparse)
            second = self.core.time(other.kernel)
            if isinstance(second, Rejection):
                break
            fewer = second.cycles / other.count
            if (second.stable or not tried[0][1].stable) and fewer < cycles * (1 - LONGER_SAME):
                best, cycles = other, fewer
                tried.insert(0, (other.kernel, second))
            else:
                tried.append((other.kernel, second))
        return Throughput(Interval(cycles, cycles), best.count, kernels=tuple(tried))

    def _without_helpers(
        self, form: Form, single: Instances, timing: Outcome, own: dict[str, float], *, sparse: bool = False
    ) -> Throughput:
        tried: list[tuple[TimedKernel, Outcome]] = [(single.kernel, timing)]
        if isinstance(timing, Rejection):
            return _failed(single, timing, tried)
        if not single.broken:
            return self._fastest(form, single, timing, sparse=sparse)
        own_broken = _own_broken(form, single)
        double = instances(form, breakers=2, break_own=own_broken, sparse=sparse)
        second = self.core.time(double.kernel)
        tried.append((double.kernel, second))
        if isinstance(second, Rejection):
            return _failed(single, second, tried)
        cycles = _bounds(timing.cycles / single.count, second.cycles / double.count)
        merging = {end.name for end in ends(form) if end.merges}
        latencies = [own.get(name, FORMS_MERGE if name in merging else 0.0) for name in single.broken]
        if cycles.low < cycles.high and not own_broken and all(latencies) and single.count >= THROUGHPUT_EVERY:
            few, twice = (
                instances(form, breakers=breakers, every=THROUGHPUT_EVERY, sparse=sparse) for breakers in (1, 2)
            )
            timings = [self.core.time(each.kernel) for each in (few, twice)]
            tried += [(each.kernel, timing) for each, timing in zip((few, twice), timings, strict=True)]
            taken = [timing.cycles / few.count for timing in timings if isinstance(timing, Timing)]
            if len(taken) == len(timings):
                with_few, with_twice = taken
                if THROUGHPUT_EVERY * max(latencies) <= FORMS_IN_FLIGHT * with_few:
                    fewer = _bounds(with_few, with_twice)
                    high = min(cycles.high, fewer.high)
                    cycles = Interval(min(max(cycles.low, fewer.low), high), high)
        found = Throughput(cycles, single.count, single.broken, tuple(tried))
        if not own_broken and 0 < max(latencies) <= cycles.high * (1 + LONGER_SAME):
            return self._unless_faster_unbroken(form, found, cycles, sparse=sparse)
        return found

    def _unless_faster_unbroken(self, form: Form, helped: Throughput, cycles: Interval, *, sparse: bool) -> Throughput:
        """Where a chain may take no longer than the helpers that break it: microcode starts at its own pace, and what
        stands in front of it may cost more than two of the same do."""
        plain = instances(form, breakers=0, sparse=sparse)
        timing = self.core.time(plain.kernel)
        if isinstance(timing, Rejection):
            return helped
        alone = timing.cycles / plain.count
        if alone >= cycles.high * (1 - LONGER_SAME):
            return helped
        return Throughput(Interval(alone, alone), plain.count, (), ((plain.kernel, timing), *helped.kernels))


def _own_broken(form: Form, made: Instances) -> bool:
    """Whether operands have breakers whose registers change from instance to instance."""
    return any(end.name in made.broken and end.slot is not None for end in ends(form))


def _bounds(helped: float, twice: float) -> Interval:
    """Cycles without helpers, from those with some and with twice as many."""
    more = twice - helped
    return Interval(helped if more <= LONGER_SAME * helped else max(0.0, helped - more), helped)


def _failed(single: Instances, why: Rejection, tried: Sequence[tuple[TimedKernel, Outcome]]) -> Throughput:
    return Throughput(None, single.count, single.broken, tuple(tried), why)


def chain_of(form: Form, source: str, target: str) -> Chain | Latency:
    """The chain of a pair, or the latency that says why there is none."""
    first, second = next(pair for pair in pairs(form) if (pair[0].name, pair[1].name) == (source, target))
    try:
        return chain(form, first, second)
    except InputError as error:
        return Latency(source, target, None, rejection=rejection_of(error))
