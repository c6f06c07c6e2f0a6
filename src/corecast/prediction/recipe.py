"""A machine model as it travels to another process: its name and what was changed, and a fingerprint of all of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from corecast.dataclass import dataclass, field, replace
from corecast.errors import CorecastError, InputError
from corecast.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corecast.machine import Machine


@dataclass(frozen=True)
class MachineRecipe:
    """Enough to build the same machine where the same models are installed, or where its folder can be read."""

    name: str
    folder: str
    fingerprint: str
    pipeline: Mapping[str, Any] = field(compare=False, repr=False)
    is_variant: bool = False

    @classmethod
    def of(cls, machine: Machine) -> MachineRecipe:
        folder = str(machine.info.folder)
        return cls(machine.name, folder, fingerprint_of(machine), dict(machine.pipeline), machine.is_variant)

    def machine(self) -> Machine:
        """The machine, here.

        Raises:
            InputError: the models here are others than where the recipe was made.
        """
        return _built(self)


@lru_cache(maxsize=8)
def _built(recipe: MachineRecipe) -> Machine:
    from corecast.machine import load_machine
    from corecast.machine.loader import build

    for origin in (recipe.name, Path(recipe.folder)):
        try:
            base = load_machine(origin)
        except CorecastError:
            continue
        machine = build(base.info, dict(recipe.pipeline), base.tables)
        if fingerprint_of(machine) == recipe.fingerprint:
            return replace(machine, is_variant=recipe.is_variant)
    raise InputError(
        f"the model of {recipe.name} is another one here, or is missing: the same corecast must be installed"
    )


def fingerprint_of(machine: Machine) -> str:
    """A hash of everything that predictions depend on: corecast's version, the pipeline's values, the form tables."""
    from hashlib import sha256

    from corecast import __version__
    from corecast.files.compressed import present, read_bytes

    digest = sha256(f"{__version__}\n{_canonical(machine.pipeline)}".encode())
    for table in machine.tables:
        digest.update(read_bytes(present(Path(table))) + b"\0")
    return digest.hexdigest()


def _canonical(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{_canonical(value[key])}" for key in sorted(value)) + "}"
    return repr(value)
