"""Port usage by interference: what forms need of the ports, from throughputs alone.

    Machine -> known_blocking() -> Blocking -> PortMeter.measure() -> PortMeasurement -> port_record()
               found_blocking() ----^

A blocking instruction keeps a port set busy; what a form takes of the set is the time that it adds (`conflicts`); the
smallest mapping that explains all conflicts is the form's port usage (`solve`). Works on any `Core`, of any instruction
set.
"""

from __future__ import annotations

from corecast.measure.judge.ports.blocking import Blocker, Blocking, FrontEnd
from corecast.measure.judge.ports.conflicts import Conflict
from corecast.measure.judge.ports.discover import found_blocking
from corecast.measure.judge.ports.meter import PortMeasurement, PortMeter
from corecast.measure.judge.ports.record import port_record
from corecast.measure.judge.ports.siblings import known_blocking
from corecast.measure.run.readings import Reading, Readings

__all__ = [
    "Blocker",
    "Blocking",
    "Conflict",
    "FrontEnd",
    "PortMeasurement",
    "PortMeter",
    "Reading",
    "Readings",
    "found_blocking",
    "known_blocking",
    "port_record",
]
