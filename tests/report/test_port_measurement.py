"""Port measurements as text and as records."""

from __future__ import annotations

from corecast import load_machine
from corecast.measure import SimulatedCore
from corecast.measure.judge.ports import PortMeter, Readings, known_blocking, port_record
from corecast.report.port_measurement import blocking_text, ports_text


def test_text_and_record_tell_usage_and_evidence() -> None:
    readings = Readings(SimulatedCore(load_machine("skylake_x")))
    meter = PortMeter(readings, known_blocking(readings, load_machine("skylake_x")))
    measured = meter.measure("vmulpd ymm, ymm, m256")
    text = ports_text(measured, meter.blocking)
    assert "1*p01+1*LOAD" in text
    assert "of LOAD: 2 with 16 x mov r32, m32" in text
    assert "nothing    of " in text
    assert "ports as in skylake_x; 4.0 slots a cycle" in blocking_text(meter.blocking, meter.core)
    assert all(
        conflict.reading.kernel.texts[0] in ports_text(measured, meter.blocking, True)
        for conflict in measured.conflicts
    )
    record = port_record(measured, meter)
    assert record["kind"] == "ports"
    assert record["usage"] == [{"ports": ["0", "1"], "cycles": 1.0}, {"ports": ["2", "3"], "cycles": 1.0}]
    assert {conflict["blocker"] for conflict in record["conflicts"]} >= {"mov r32, m32"}
    assert all(conflict["kernel"]["hex"] and conflict["timing"]["samples"] for conflict in record["conflicts"])
