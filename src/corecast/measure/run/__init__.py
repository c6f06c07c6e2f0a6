"""Kernels are timed: `Core` is what they run on, `Timing` what comes of it."""
