"""Calibration: this machine, or a simulated core, becomes a validated model within a time budget.

Calibration(folder, options, bench).run()    all steps; a run that was stopped resumes
text_of(document)                            the report for people
adopt(folder, data, ...)                     a calibrated model as one of the package's own
"""

from __future__ import annotations

from corecast.calibrate.adopt import Adopted, adopt
from corecast.calibrate.bench import Bench, HostBench, SimulatedBench
from corecast.calibrate.plan import Options
from corecast.calibrate.run import Calibration
from corecast.calibrate.summary import text_of

__all__ = ["Adopted", "Bench", "Calibration", "HostBench", "Options", "SimulatedBench", "adopt", "text_of"]
