"""Streams of an A64FX from the first-level cache: loops after their sources, cycles a vector from measurements."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

FITTED_KIB = (8.0, 45.0)
"""Sizes of all arrays: larger than what a call costs shows, smaller than the cache."""
NEAR_VECTORS = 8
"""That an address reaches from one register: its offset is -8 to 7 vectors."""
INDEXED_VECTORS = 2
"""Up to so many of an array have separate bases, and the index in common."""
FAR = 10
"""Register, of the first array, that points beyond those."""
STREAMS = {"copy": (1, 1), "init": (0, 1), "init2": (0, 2), "load": (1, 0), "load2": (2, 0), "sum": (1, 0),
           "stream": (2, 1)}  # fmt: skip
"""Arrays that are read, and written."""
FEWEST = 5
"""Sizes for a slope."""


def measured(file: Path) -> Iterator[tuple[str, float]]:
    """The loop and its cycles per iteration, for each kernel and unroll factor: the slope over the sizes."""
    points: dict[tuple[str, int], list[tuple[float, float]]] = {}
    with file.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if row["kernel"] in STREAMS and FITTED_KIB[0] <= float(row["size_kB"]) <= FITTED_KIB[1]:
                vectors = float(row["elements"]) / 8
                key = row["kernel"], int(row["unroll"])
                points.setdefault(key, []).append((vectors, vectors * float(row["cycles_per_vector"])))
    for (kernel, unroll), found in points.items():
        if len(found) >= FEWEST:
            yield loop(kernel, unroll), unroll * _slope(found)


def _slope(points: list[tuple[float, float]]) -> float:
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    covariance = sum((x - middle_x) * (y - middle_y) for x, y in points)
    return covariance / sum((x - middle_x) * (x - middle_x) for x, _ in points)


def loop(kernel: str, unroll: int) -> str:
    """Assembly of a loop as GCC makes it of the kernels' intrinsics: one or two vectors are addressed by the index,
    more by pointers that move on. Sums and loads, whose sums were deleted, take their predicate from another one."""
    reads, writes = STREAMS[kernel]
    lines = [".L1:"]
    for array in range(reads + writes):
        if unroll > NEAR_VECTORS:
            lines.append(f"add x{FAR + array}, x{array}, #{64 * NEAR_VECTORS}")
    for vector in range(unroll):
        lines += [
            f"ld1d {{z{_register(vector, array)}.d}}, p0/z, {_address(unroll, vector, array)}" for array in range(reads)
        ]
        result = 31 if not reads else _register(vector, reads - 1)
        if kernel == "stream":
            result = 15
            lines += ["movprfx z15, z31", f"fmad z15.d, p0/m, z{_register(vector, 0)}.d, z{_register(vector, 1)}.d"]
        if kernel == "sum":
            lines.append(f"fadd z{vector}.d, p0/m, z{vector}.d, z{_register(vector, 0)}.d")
        for array in range(writes):
            lines.append(f"st1d {{z{result}.d}}, p0, {_address(unroll, vector, reads + array)}")
    if unroll > INDEXED_VECTORS:
        lines += [f"add x{array}, x{array}, #{64 * unroll}" for array in range(reads + writes)]
    lines.append(f"add x8, x8, #{8 * unroll}")
    if kernel in ("load", "sum") and unroll > INDEXED_VECTORS:
        return "\n".join([*lines, "whilelo p1.d, x8, x9", "mov p0.b, p1.b", "b.any .L1"])
    return "\n".join([*lines, "whilelo p0.d, x8, x9", "b.any .L1"])


def _register(vector: int, array: int) -> int:
    return 16 + (2 * vector + array) % 15


def _address(unroll: int, vector: int, array: int) -> str:
    if unroll <= INDEXED_VECTORS:
        return f"[x{array + FAR * vector}, x8, lsl #3]"
    far, near = divmod(vector, NEAR_VECTORS)
    return f"[x{FAR + array if far else array}, #{near}, mul vl]"
