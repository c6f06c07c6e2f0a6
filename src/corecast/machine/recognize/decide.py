"""Which core it is, from its number, its features and the sizes of its caches.

A hypervisor may report another number and hide features, but it cannot add what the core does not have. So a core is
ruled out by a feature that is seen and that it lacks, or by a cache of another size; a feature that is not seen rules
out nothing. The core that the number names counts where it is not ruled out. Else it is the core, of those that are
left, of which the fewest features are missing.

The sizes of caches count only where some core fits them: hypervisors invent them, too. Of parts with several kinds of
cores they do not count: the caches may be those of the other kind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from corecast.dataclass import dataclass
from corecast.hints import Literal
from corecast.machine.recognize.seen import Host
from corecast.machine.recognize.table import NOT_OF_CORES, CoreRow, cores_of, features

Basis = Literal["number", "features", "caches", "none"]
Certainty = Literal["sure", "likely", "unsure", "unknown"]
MOST_TOLD = 3
"""Features that a sentence names, those first that the fewest cores have."""


@dataclass(frozen=True)
class Candidate:
    """A core, and what speaks against it."""

    core: CoreRow
    named: bool
    """By the number."""
    alien: tuple[str, ...]
    """Titles of features that are seen and that it lacks, those first that the fewest cores have."""
    sizes: Mapping[str, int]
    """KiB of the caches that have another size than its own, as far as caches count."""
    missing: tuple[str, ...]
    """Titles of features that it has and that are not seen."""

    @property
    def is_kept(self) -> bool:
        return not self.alien and not self.sizes

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is ruled out, in words."""
        found = [f"it has no {_joined(self.alien[:MOST_TOLD], ' or ')}"] if self.alien else []
        for cache, size in self.sizes.items():
            own = " or ".join(size_text(each) for each in self.core.sizes[cache])
            found.append(f"its {cache} has {own}, not {size_text(size)}")
        return tuple(found)


@dataclass(frozen=True)
class Recognition:
    """What is known of a machine's core."""

    host: Host
    candidates: tuple[Candidate, ...]
    """Every core of its vendor."""
    choice: CoreRow | None
    """None where the number is not known: the core may be newer than the table."""
    basis: Basis
    certainty: Certainty
    equals: tuple[CoreRow, ...] = ()
    """Cores with other models that fit as well."""
    contradiction: str = ""
    """One sentence, where the number says something else than features and caches."""

    @property
    def named(self) -> tuple[CoreRow, ...]:
        """By the number."""
        return tuple(each.core for each in self.candidates if each.named)

    @property
    def kept(self) -> tuple[Candidate, ...]:
        """Candidates that are not ruled out, the likeliest first."""
        return tuple(sorted((each for each in self.candidates if each.is_kept), key=_rank))


def recognize(host: Host) -> Recognition:
    """Which core of the table it is."""
    table = tuple(cores_of(host.vendor).values())
    candidates = _candidates(table, host, with_sizes=not host.is_hybrid)
    if not any(each.is_kept for each in candidates):
        candidates = _candidates(table, host, with_sizes=False)
    kept = sorted((each for each in candidates if each.is_kept), key=_rank)
    named = [each for each in candidates if each.named]
    found = Recognition(host, tuple(candidates), None, "none", "unknown")
    if not named:
        return found
    if any(each.named for each in kept):
        return _with(found, next(each for each in kept if each.named).core, "number", "sure")
    if not kept:
        return _with(found, named[0].core, "number", "unsure", contradiction=_unheard_of(named[0]))
    return _overruled(found, named[0], kept)


def _candidates(table: Sequence[CoreRow], host: Host, with_sizes: bool) -> list[Candidate]:
    seen = host.features - NOT_OF_CORES
    spread = _spread(table)
    found = []
    for core in table:
        known = {cache: size for cache in core.sizes if (size := host.size_kib(cache)) is not None}
        wrong = {cache: size for cache, size in known.items() if size not in core.sizes[cache]}
        found.append(
            Candidate(
                core=core,
                named=core.is_named(host.number, host.stepping),
                alien=_titles(seen - core.features, spread),
                sizes=wrong if with_sizes else {},
                missing=_titles(core.features - seen, spread),
            )
        )
    return found


def _rank(candidate: Candidate) -> tuple[bool, int]:
    return not candidate.named, len(candidate.missing)


def _with(
    found: Recognition,
    core: CoreRow,
    basis: Basis,
    certainty: Certainty,
    equals: tuple[CoreRow, ...] = (),
    contradiction: str = "",
) -> Recognition:
    return Recognition(found.host, found.candidates, core, basis, certainty, equals, contradiction)


def _overruled(found: Recognition, named: Candidate, kept: Sequence[Candidate]) -> Recognition:
    """The number names a core that it cannot be."""
    best = kept[0]
    equal = [
        each.core for each in kept if len(each.missing) == len(best.missing) and each.core.model != best.core.model
    ]
    basis: Basis = "features" if named.alien else "caches"
    certainty: Certainty = "sure" if basis == "features" else "likely"
    if any(each.core.model != best.core.model for each in kept):
        certainty = "unsure" if equal else "likely"
    cores_said = " or ".join(core.title for core in (best.core, *equal))
    evidence = _evidence(named)
    verb = "say" if len(evidence) > 1 else "says"
    sentence = f"the number says {named.core.title}, but {_joined(evidence)} {verb} {cores_said}"
    return _with(found, best.core, basis, certainty, tuple(equal), sentence)


def _unheard_of(named: Candidate) -> str:
    lacking = _joined(named.alien[:MOST_TOLD], " or ")
    return f"the number says {named.core.title}, which has no {lacking}; no known core fits"


def _evidence(named: Candidate) -> list[str]:
    """What speaks against the core that the number names."""
    return [*named.alien[:MOST_TOLD], *(f"a {size_text(size)} {cache}" for cache, size in named.sizes.items())]


def size_text(kib: int) -> str:
    """64 KiB, 2 MiB."""
    return f"{kib / 1024:g} MiB" if kib >= 1024 else f"{kib} KiB"


def _spread(table: Iterable[CoreRow]) -> dict[str, int]:
    """Cores that have a feature, by its name."""
    found: dict[str, int] = {}
    for core in table:
        for name in core.features:
            found[name] = found.get(name, 0) + 1
    return found


def _titles(names: Collection[str], spread: Mapping[str, int]) -> tuple[str, ...]:
    """Each title once, those first that the fewest cores have."""
    order = list(features())
    ranked = sorted(names, key=lambda name: (spread.get(name, 0), order.index(name)))
    return tuple(dict.fromkeys(features()[name] for name in ranked))


def _joined(words: Sequence[str], last: str = " and ") -> str:
    return last.join(filter(None, (", ".join(words[:-1]), *words[-1:])))
