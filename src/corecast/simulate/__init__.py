"""Simulation of a core, cycle by cycle: every micro-op from fetch to retirement."""

from corecast.analysis.simulated import SimulationResult, StallShare, Timeline, TimelineCycle, TimelineUop
from corecast.simulate.kernels import simulate_kernel

__all__ = [
    "SimulationResult",
    "StallShare",
    "Timeline",
    "TimelineCycle",
    "TimelineUop",
    "simulate_kernel",
]
