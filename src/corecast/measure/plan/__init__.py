"""Kernels whose time answers a question; nothing is timed here."""
