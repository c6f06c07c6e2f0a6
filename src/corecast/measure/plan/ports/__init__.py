"""Kernels that mix instances of several forms."""
