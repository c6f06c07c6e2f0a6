"""Simulation of a core, cycle by cycle: every micro-op from fetch to retirement."""

from corecast.analysis.results import SimulationResult
from corecast.simulate.kernels import is_modelled, simulate_kernel

__all__ = ["SimulationResult", "is_modelled", "simulate_kernel"]
