"""The parts of tools/make_intervals.py: what was measured, how a class gets its interval, and the tables."""
