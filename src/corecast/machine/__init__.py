"""Machine models: what a core's pipeline and its instruction forms cost, read from data files.

load_machine("skylake_x")        a model by name or alias, or from a folder
list_machines()                  every model there is
host_machine()                   the model of this machine's own core
variant(machine, settings)       the same core with some keys of its pipeline.toml changed
"""

from __future__ import annotations

from corecast.machine.host import host_machine
from corecast.machine.loader import list_machines, load_machine
from corecast.machine.lookup import Lookup, look_up
from corecast.machine.types import FormRow, Machine, MachineInfo
from corecast.machine.variants import full_key, parse_settings, sharing_ports, variant

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
