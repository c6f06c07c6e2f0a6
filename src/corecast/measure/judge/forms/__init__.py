"""Throughput and latencies of forms, and what helpers cost."""
