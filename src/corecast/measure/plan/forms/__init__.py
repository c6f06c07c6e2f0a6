"""Kernels for the throughput and the latencies of one form."""
