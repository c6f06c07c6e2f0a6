"""Machine models: what a core's pipeline and its instruction forms cost, read from data files.

load_machine("skylake_x")        a model by name or alias, or from a folder
list_machines()                  every model there is
host_machine()                   the model of this machine's own core
variant(machine, settings)       the same core with some keys of its pipeline.toml changed
"""

from __future__ import annotations

from corecast.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corecast.machine.host import host_machine as host_machine
    from corecast.machine.loader import list_machines as list_machines
    from corecast.machine.loader import load_machine as load_machine
    from corecast.machine.lookup import Lookup as Lookup
    from corecast.machine.lookup import look_up as look_up
    from corecast.machine.types import FormRow as FormRow
    from corecast.machine.types import Machine as Machine
    from corecast.machine.types import MachineInfo as MachineInfo
    from corecast.machine.variants import full_key as full_key
    from corecast.machine.variants import parse_settings as parse_settings
    from corecast.machine.variants import sharing_ports as sharing_ports
    from corecast.machine.variants import variant as variant

__all__ = [
    "FormRow",
    "Lookup",
    "Machine",
    "MachineInfo",
    "full_key",
    "host_machine",
    "list_machines",
    "load_machine",
    "look_up",
    "parse_settings",
    "sharing_ports",
    "variant",
]

# Most users of this package need a part of it.
_HOME = {
    **dict.fromkeys(("list_machines", "load_machine"), "loader"),
    **dict.fromkeys(("FormRow", "Machine", "MachineInfo"), "types"),
    **dict.fromkeys(("Lookup", "look_up"), "lookup"),
    **dict.fromkeys(("full_key", "parse_settings", "sharing_ports", "variant"), "variants"),
    "host_machine": "host",
}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corecast.hints import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
