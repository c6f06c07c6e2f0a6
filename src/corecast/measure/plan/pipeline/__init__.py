"""Kernels that show widths, sizes of buffers and fused pairs."""
