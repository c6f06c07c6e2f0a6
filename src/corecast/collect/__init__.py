"""Collecting: the basic blocks that programs execute, or that an object holds.

    PROGRAM -> callgrind or QEMU -> Executed: instructions of a module with counts -> cut -> Block -> BlockStore

A backend runs the program and yields what ran of each module; everything after that is the same for all of them.
"""

from __future__ import annotations

from corecast.collect.blocks import COLUMNS, Block, Reasons
from corecast.collect.program import Backend, Program, RunOptions, find_program
from corecast.collect.run import Collection, collect_object, collect_program

__all__ = [
    "COLUMNS",
    "Backend",
    "Block",
    "Collection",
    "Program",
    "Reasons",
    "RunOptions",
    "collect_object",
    "collect_program",
    "find_program",
]
