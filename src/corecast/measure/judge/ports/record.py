"""Port measurements as records (corecast.measure.record.file)."""

from __future__ import annotations

from collections.abc import Mapping

from corecast.hints import Any
from corecast.measure.judge.ports.blocking import Blocking
from corecast.measure.judge.ports.meter import PortMeasurement, PortMeter
from corecast.measure.judge.ports.usage import PortSet
from corecast.measure.record.file import head
from corecast.measure.run.entries import kernel_entry, reason_entry, rounded, timing_entry


def port_record(measured: PortMeasurement, meter: PortMeter) -> dict[str, Any]:
    """Everything that was measured of the ports of one form."""
    blocking = meter.blocking
    profile = measured.profile
    return {
        **head("ports", meter.core),
        "form": measured.form,
        "names": blocking.origin or None,
        "usage": None if measured.usage is None else _usage(measured.usage, blocking),
        "alternatives": [_usage(usage, blocking) for usage in measured.alternatives],
        "blocking_cycles": None if measured.blocking_cycles is None else rounded(measured.blocking_cycles),
        "hidden_uops": measured.hidden_uops,
        "slots": None if profile is None else rounded(profile.slots),
        "alone_cycles": None if profile is None else rounded(profile.alone_cycles),
        "claims": [_usage(usage, blocking) for usage in measured.claims],
        "refuted": [_usage(usage, blocking) for usage in measured.refuted],
        "notes": list(measured.notes),
        **reason_entry(measured.rejection),
        "conflicts": [
            {
                "ports": _ports(each.ports, blocking),
                "blocker": each.blocker.template.key,
                "blockers": each.shape.blockers,
                "instances": each.shape.instances,
                "pressure": rounded(each.pressure),
                "repeats": each.reading.repeats,
                "kernel": kernel_entry(each.reading.kernel),
                "timing": timing_entry(each.reading.timing),
            }
            for each in measured.conflicts
        ],
        "full_speed": [
            {
                "ports": _ports(each.blocker.ports, blocking),
                "blocker": each.blocker.template.key,
                "blockers": each.blockers,
                "instances": each.instances,
                "repeats": each.reading.repeats,
                "kernel": kernel_entry(each.reading.kernel),
                "timing": timing_entry(each.reading.timing),
            }
            for each in measured.full_speeds
        ],
    }


def _usage(usage: Mapping[PortSet, float], blocking: Blocking) -> list[dict[str, Any]]:
    rows = sorted(usage.items(), key=lambda item: (len(item[0]), _ports(item[0], blocking)))
    return [{"ports": _ports(ports, blocking), "cycles": rounded(cycles)} for ports, cycles in rows]


def _ports(ports: PortSet, blocking: Blocking) -> list[str]:
    return [port for port in blocking.order if port in ports]
