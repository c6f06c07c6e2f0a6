"""Measuring: cycles of kernels on this host, or on a simulated core that stands in for one.

    asm.Kernel -> timed_kernel() -> TimedKernel -> Core.time() -> Timing -> records
    form key -> parse_form() -> Form -> chains, throughput: kernels -> FormMeter -> FormMeasurement -> records

A `Core` is what kernels are timed on: `HostCore` is the machine that this program runs on, `SimulatedCore` a machine
model. Whatever is inferred from timings works on both.
"""

from __future__ import annotations

from corecast.measure.isa.forms import Form
from corecast.measure.judge.forms.meter import FormMeter
from corecast.measure.plan.kernels import StartValues, TimedKernel, timed_kernel
from corecast.measure.questions.keys import parse_form
from corecast.measure.record.file import SCHEMA, form_record, kernel_record
from corecast.measure.record.interval import Interval
from corecast.measure.record.measured import FormMeasurement, Latency, Throughput
from corecast.measure.rejection import Reason, Rejection
from corecast.measure.run.core import Core, Timing
from corecast.measure.run.host import HostCore, host_core
from corecast.measure.run.simulated import Noise, SimulatedCore

__all__ = [
    "SCHEMA",
    "Core",
    "Form",
    "FormMeasurement",
    "FormMeter",
    "HostCore",
    "Interval",
    "Latency",
    "Noise",
    "Reason",
    "Rejection",
    "SimulatedCore",
    "StartValues",
    "Throughput",
    "TimedKernel",
    "Timing",
    "form_record",
    "host_core",
    "kernel_record",
    "parse_form",
    "timed_kernel",
]
