"""Which method answers: simulation, or the static bounds. Command line, Python and bulk predictions all ask here."""

from __future__ import annotations

from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from corecast.machine.types import Machine

Method = Literal["simulate", "bounds"]
"""simulate: every micro-op, cycle by cycle. bounds: the highest of the static bounds."""
MethodChoice = Literal["auto", "simulate", "bounds"]
"""auto: simulate where the model describes the pipeline well enough, else bounds."""
METHOD_CHOICES: tuple[str, ...] = get_args(MethodChoice)


def chosen_method(machine: Machine, wanted: str = "auto") -> Method:
    """The method that answers for a core.

    A core can be simulated once its rename width, reorder buffer (or in-order issue) and load latency are known: what
    else is missing makes a simulation optimistic, but it never falls below the bounds (`assumptions` lists it).

    Raises:
        InputError: no such method, or a simulation is asked for of a core whose model lacks what it needs.
    """
    if wanted not in METHOD_CHOICES:
        raise InputError(f"the method is one of {', '.join(METHOD_CHOICES)}, not '{wanted}'")
    if wanted == "bounds":
        return "bounds"
    missing = machine.core.missing_for_simulation
    if wanted == "simulate" and missing:
        raise InputError(f"{machine.name} cannot be simulated: its model does not give {', '.join(missing)}")
    return "bounds" if missing else "simulate"


def assumptions(machine: Machine) -> tuple[str, ...]:
    """What a simulation of this core assumes for lack of data, one sentence each; empty where nothing is missing."""
    found = []
    for relative, keys in machine.assumed.items():
        found.append(f"as on {relative}, since unknown on {machine.name}: {_folded(keys)}")
    unlimited = machine.core.unlimited_in_simulation
    if unlimited:
        found.append(f"not limited, since of unknown size: {', '.join(unlimited)}")
    return tuple(found)


def _folded(keys: list[str]) -> str:
    """Keys by their table: "schedulers; 16 keys of front_end"."""
    tables: dict[str, list[str]] = {}
    for key in keys:
        tables.setdefault(key.partition(".")[0], []).append(key)
    return "; ".join(
        found[0] if len(found) == 1 else f"{len(found)} keys of {table}" for table, found in tables.items()
    )
