"""Port usage of forms by interference with the blocking instructions of a core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corecast.dataclass import dataclass, field, replace
from corecast.errors import InputError
from corecast.measure.judge.ports.blocking import Blocking
from corecast.measure.judge.ports.conflicts import Conflict, Conflicts, Profile
from corecast.measure.judge.ports.full_speed import FullSpeed, most_telling
from corecast.measure.judge.ports.solve import Equation, Solution, solve
from corecast.measure.judge.ports.usage import PortSet, Usage, port_bound, total
from corecast.measure.plan.ports.templates import template
from corecast.measure.rejection import Reason, Rejection, rejection_of
from corecast.measure.run.core import Core
from corecast.measure.run.readings import Readings
from corecast.measure.thresholds import PORTS_MOST_DOUBTED, PORTS_SLOWER, PORTS_STRANGE, SOLVE_NOTHING


@dataclass(frozen=True)
class PortMeasurement:
    """Port usage of one form, with what it follows from."""

    form: str
    usage: dict[PortSet, float] | None
    """Port cycles by port set; None where there is no value."""
    alternatives: tuple[dict[PortSet, float], ...] = ()
    """Other mappings that explain the conflicts as well."""
    blocking_cycles: float | None = None
    """The form repeats no faster than this, though its ports would allow it: a divider, say."""
    hidden_uops: int = 0
    """Uops that the front end hides, and that the slots which the form takes tell of; part of the usage where only
    one hidden set is known."""
    notes: tuple[str, ...] = ()
    """What stays open."""
    profile: Profile | None = None
    conflicts: tuple[Conflict, ...] = ()
    full_speeds: tuple[FullSpeed, ...] = ()
    claims: tuple[dict[PortSet, float], ...] = ()
    """Usages that somebody else tells of, which were put to the test, too."""
    refuted: tuple[dict[PortSet, float], ...] = ()
    """Claims of a usage with which the form could not have been as fast as it was, among blockers."""
    rejection: Rejection | None = None


@dataclass
class PortMeter:
    """Measures forms on a core whose blocking instructions are known."""

    readings: Readings
    blocking: Blocking
    conflicts: Conflicts = field(init=False)

    def __post_init__(self) -> None:
        self.conflicts = Conflicts(self.readings, self.blocking)

    @property
    def core(self) -> Core:
        return self.readings.core

    def measure(self, form: str, claims: Sequence[Usage] = ()) -> PortMeasurement:
        """Never raises for what cannot be measured: the measurement tells.

        Args:
            form: its key.
            claims: usages that somebody else tells of, which are no less to be put to the test than those found here.
        """
        return replace(self._measured(form, claims), claims=tuple(map(dict, claims)))

    def _measured(self, form: str, claims: Sequence[Usage]) -> PortMeasurement:
        try:
            profile = self.conflicts.profile(template(form, self.core.isa))
        except InputError as error:
            return PortMeasurement(form, None, rejection=rejection_of(error))
        found, missing = self._against(profile, self.blocking.blockers)
        strange = [each for each in found if _is_more(each.pressure, each, profile.alone_cycles)]
        missing += [(each.ports, Rejection(Reason.BEYOND_PORTS)) for each in strange]
        notes = [f"{self.blocking.set_name(ports)}: {why.message}" for ports, why in missing]
        if not found:
            why = missing[0][1] if missing else Rejection(Reason.NOTHING_AGAINST)
            return PortMeasurement(form, None, notes=tuple(notes), profile=profile, rejection=why)
        made = profile.template
        depends = made.depends
        solutions, speeds = self._solved(profile, found, [each for each in found if each not in strange], claims, notes)
        if not solutions:
            return PortMeasurement(
                form, None, notes=tuple(notes), profile=profile, conflicts=tuple(found), full_speeds=speeds,
                rejection=Rejection(Reason.UNEXPLAINED),
            )  # fmt: skip
        unseen = [why for _, why in missing if why.reason is not Reason.HIDDEN]
        if not solutions[0].usage and unseen:
            return PortMeasurement(
                form, None, notes=tuple(notes), profile=profile, conflicts=tuple(found), full_speeds=speeds,
                rejection=unseen[0],
            )  # fmt: skip
        usages = _distinct(self._with_unseen_store(profile, solution.usage) for solution in solutions)
        best, hidden = self._with_hidden(profile, usages[0], notes)
        slower = None if depends else self._slower(profile, best)
        refuted = tuple(dict(claim) for claim in claims if not _is_possible(claim, found, speeds))
        return PortMeasurement(
            form, best, tuple(usages[1:]), slower, hidden, tuple(notes), profile, tuple(found), speeds, refuted=refuted
        )

    def _solved(
        self,
        profile: Profile,
        found: list[Conflict],
        explained: list[Conflict],
        claims: Sequence[Usage],
        notes: list[str],
    ) -> tuple[list[Solution], tuple[FullSpeed, ...]]:
        """What explains the conflicts, and is not refuted at full speed: as long as a mixture could do that to the best
        of them, or tell another one or a claim from it, it is measured."""
        equations = [self._equation(each) for each in explained]
        blockers = {ports: each for ports, each in self.blocking.blockers.items() if not self.blocking.hidden(ports)}
        done: dict[PortSet, FullSpeed | None] = {}
        solutions: list[Solution] = []
        while True:
            speeds = tuple(each for each in done.values() if each is not None)
            every = solve(equations, self.blocking.visible, profile.alone_cycles, profile.template.depends, speeds)
            if not every and solutions:
                notes.append("faster than ports allow at full speed, which explains nothing else")
                return solutions, speeds
            solutions = self._like(profile, found, every)
            if not solutions:
                return solutions, speeds
            usages = [*(solution.usage for solution in solutions[:PORTS_MOST_DOUBTED]), *claims]
            ports = most_telling(usages, profile.alone_cycles, blockers, done)
            if ports is None:
                return solutions, speeds
            try:
                done[ports] = self.conflicts.at_full_speed(profile, ports)
            except InputError:
                done[ports] = None

    def _against(
        self, profile: Profile, blockers: Iterable[PortSet]
    ) -> tuple[list[Conflict], list[tuple[PortSet, Rejection]]]:
        """Conflicts, and of the other sets why there is none."""
        found: list[Conflict] = []
        missing = []
        for ports in sorted(blockers, key=len, reverse=True):
            if any(ports < each.ports and each.pressure < SOLVE_NOTHING for each in found):
                continue  # what takes nothing of a set takes nothing of a part of it
            try:
                found.append(self.conflicts.of(profile, ports))
            except InputError as error:
                missing.append((ports, rejection_of(error)))
        return found, missing

    def _equation(self, conflict: Conflict) -> Equation:
        own = {}
        for ports, blocker in self.blocking.blockers.items():
            if len(blocker.usage) > 1 or blocker.weight != 1:
                continue
            try:
                own[ports] = self.conflicts.own(blocker, conflict.ports, conflict.shape)
            except InputError:
                continue
            if _is_more(own[ports], conflict, port_bound(blocker.usage)):
                own[ports] = float(ports <= conflict.ports)
        return Equation(conflict.ports, conflict.pressure, conflict.tolerance, own, conflict.most)

    def _like(self, profile: Profile, found: list[Conflict], solutions: list[Solution]) -> list[Solution]:
        """Those of blockers that keep the same others waiting for something else than ports, where there are any."""
        unlike = [self._unlike(profile, found, solution) for solution in solutions]
        return [each for each, count in zip(solutions, unlike, strict=True) if count == min(unlike)]

    def _unlike(self, profile: Profile, found: list[Conflict], solution: Solution) -> int:
        count = 0
        for each in found:
            strange = False
            for ports in solution.usage:
                blocker = self.blocking.blockers.get(ports)
                if blocker is None:
                    continue
                try:
                    own = self.conflicts.own(blocker, each.ports, each.shape)
                except InputError:
                    continue
                strange |= _is_more(own, each, port_bound(blocker.usage))
            count += strange != _is_more(each.pressure, each, profile.alone_cycles)
        return count

    def _with_unseen_store(self, profile: Profile, usage: Mapping[PortSet, float]) -> dict[PortSet, float]:
        """What a store takes of sets that nothing blocks, as the plain store does."""
        found = dict(usage)
        store = self.blocking.stores.get(profile.template.stored_kind)
        if not profile.template.is_store or store is None:
            return found
        seen = {ports: count for ports, count in store.items() if ports in self.blocking.blockers}
        stores = min((usage.get(ports, 0.0) // count for ports, count in seen.items()), default=0.0)
        if stores:
            for ports in store.keys() - seen.keys() - usage.keys():
                found[ports] = stores * store[ports]
        return found

    def _with_hidden(
        self, profile: Profile, usage: dict[PortSet, float], notes: list[str]
    ) -> tuple[dict[PortSet, float], int]:
        """Slots that no conflict explains are uops of sets that the front end hides."""
        hidden = [ports for ports in self.blocking.sets if self.blocking.hidden(ports)]
        if not hidden:
            return usage, 0
        names = " or ".join(self.blocking.set_name(ports) for ports in hidden)
        seen = sum(count for ports, count in usage.items() if ports in self.blocking.blockers)
        count = round(profile.slots - seen)
        if count <= 0:
            if profile.template.is_load or profile.template.is_store:
                notes.append(f"uops of {names} that share a slot with others cannot be seen")
            return usage, 0
        notes.append(f"{count} of {names} by the slots of the front end, which hides conflicts there")
        return total([(usage, 1), ({hidden[0]: 1.0}, count)]), count

    def _slower(self, profile: Profile, usage: dict[PortSet, float]) -> float | None:
        front_end = self.blocking.front_end
        least = max(port_bound(usage), profile.slots / front_end.width if front_end.binds else 0.0)
        return profile.alone_cycles if profile.alone_cycles > least * (1 + PORTS_SLOWER) + 0.05 else None


def _is_possible(usage: Usage, conflicts: Iterable[Conflict], speeds: Iterable[FullSpeed]) -> bool:
    return all(each.allows(usage) for each in conflicts) and all(each.allows(usage) for each in speeds)


def _is_more(pressure: float, conflict: Conflict, alone_cycles: float) -> bool:
    """Of a set's ports a form takes no more than it does alone: where it keeps a blocker waiting for longer, it does so
    by something else, as wide vectors that close a port to others."""
    return pressure > PORTS_STRANGE * len(conflict.ports) * alone_cycles + conflict.tolerance


def _distinct(usages: Iterable[dict[PortSet, float]]) -> list[dict[PortSet, float]]:
    found: list[dict[PortSet, float]] = []
    for usage in usages:
        if usage not in found:
            found.append(usage)
    return found
