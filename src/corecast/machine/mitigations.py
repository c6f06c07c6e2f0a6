"""Microcode mitigations of a core."""

from __future__ import annotations

from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.machine.types import Machine


def switched_on(machine: Machine) -> list[str]:
    """Names of the mitigations that are on."""
    return [name for name, value in machine.pipeline.get("mitigations", {}).items() if value is True]
