"""An experiment on a rule of a pipeline: kernels, and the settings that may explain their times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from corecast.dataclass import dataclass
from corecast.hints import Any
from corecast.machine.parameters import parameters
from corecast.machine.trees import UNKNOWN
from corecast.machine.types import Machine

Options = Callable[[Machine], Iterator[dict[str, Any]]]
"""Settings that may explain the times, for a start model; each excludes the others."""


def no_options(_start: Machine) -> Iterator[dict[str, Any]]:
    yield from ()


@dataclass(frozen=True)
class Experiment:
    """Kernels that tell one rule."""

    name: str
    loops: tuple[tuple[str, ...], ...] = ()
    """Bodies of loops."""
    decoded: tuple[str, ...] = ()
    """Code that is timed from the decoders, as hexadecimal bytes."""
    options: Options = no_options
    further: tuple[Options, ...] = ()
    """More settings that may explain what is left, each on top of the best of those before."""
    references: tuple[tuple[str, ...], ...] = ()
    """Bodies of loops whose times are taken off those of others: what they take by themselves, rows of forms say."""
    beyond: tuple[tuple[int, ...], ...] = ()
    """For each of `loops`, the places of its references; all none where this is empty."""
    most_left: float = 0.6
    """The part of the error without a setting that it leaves at most: less where so much is open that some of it
    explains anything."""
    placed: tuple[tuple[str, ...], ...] = ()
    """Bodies of loops that begin a page of code: of what depends on places in code, or on addresses relative to it."""
    on_arrays: tuple[tuple[str, ...], ...] = ()
    """Bodies of loops whose pointers move on over arrays. What they take may vary by itself."""

    @property
    def kernels(self) -> tuple[str, ...]:
        """Texts of all."""
        loops, others = (*self.loops, *self.references), (*self.placed, *self.on_arrays)
        return (*map("; ".join, loops), *self.decoded, *map("; ".join, others))

    def beyond_references(self, cycles: Sequence[float | None]) -> list[float | None]:
        """What loops take beyond their references, then what all other code takes, from the times of all kernels."""
        references = cycles[len(self.loops) : len(self.loops) + len(self.references)]
        found = []
        for place, whole in enumerate(cycles[: len(self.loops)]):
            parts = [references[other] for other in (self.beyond[place] if self.beyond else ())]
            found.append(None if whole is None or None in parts else whole - sum(filter(None, parts)))
        return [*found, *cycles[len(self.loops) + len(self.references) :]]

    def compared(self, cycles: Sequence[float | None]) -> list[float | None]:
        """Times of the kernels that count: of those without references."""
        return [*cycles[: len(self.loops)], *cycles[len(self.loops) + len(self.references) :]]


def repeated(count: int, *texts: str) -> tuple[str, ...]:
    """So many instructions, of these by turns; {i} numbers registers r8 to r13, {v} xmm4 to xmm9."""
    return tuple(
        texts[place % len(texts)].replace("{i}", str(8 + place % 6)).replace("{v}", str(4 + place % 6))
        for place in range(count)
    )


def one_of(key: str, *values: Any) -> Options:
    """One parameter: without it, where the start model has it, or with one of these values."""

    def options(start: Machine) -> Iterator[dict[str, Any]]:
        if not any(_is_default(key, value) for value in values):
            yield from unset(start, key)
        yield from ({key: value} for value in values if value != start.parameter(key))

    return options


def unset(start: Machine, *keys: str) -> Iterator[dict[str, Any]]:
    """The model without some keys, where the start model has one of them: the core may lack what they describe. Of
    settings that explain times as well, those that come first count: this one belongs before others."""
    known = [key for key in keys if start.parameter(key) is not None and not _is_required(key)]
    if known:
        yield dict.fromkeys(known, UNKNOWN)


def limits(start: Machine, key: str, *values: Any) -> tuple[dict[str, Any], ...]:
    """What goes with other settings: nothing, none of a limit that the start model has, or a limit of so much."""
    return ({}, *unset(start, key), *({key: value} for value in values))


def _is_required(key: str) -> bool:
    known = parameters().get(key)
    return known is None or known.default == "required"


def _is_default(key: str, value: Any) -> bool:
    """Whether it is what counts without the key."""
    known = parameters().get(key)
    if known is None:
        return False
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return known.default == f"{value:g}"
    return known.default == ("none" if value == [] else str(value).lower())
