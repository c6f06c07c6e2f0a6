"""Whether a block's timing is accepted, and why not."""

from __future__ import annotations

from corecast.dataclass import dataclass
from corecast.hints import Literal

Mode = Literal["loop", "unroll"]

REASONS = {
    "row": "the row has too many cells, or its address is not a number",
    "hex": "no code, or not hexadecimal",
    "size": "more than 32 KiB of code",
    "undecodable": "bytes that are not instructions",
    "foreign": "code of another instruction set than this machine's",
    "branch": "a branch inside",
    "system": "a system call, a trap, or an instruction for the system only",
    "illegal": "an instruction that this machine does not have",
    "no_amx": "CPUID names no AMX tiles, or not the extension of AMX that it needs",
    "amx_refused": "the system does not let programs use AMX tiles, or they cannot be configured",
    "tile_setup": "it changes the configuration of AMX tiles",
    "relative": "addresses relative to the instruction that copies of it cannot keep",
    "reserved": "registers that the system keeps for itself",
    "counter": "no register is free to count a loop's iterations",
    "gather": "addresses in vector registers",
    "page_split": "an access crosses a page",
    "unaligned": "an access crosses a line of the cache, or is not aligned as the instruction asks",
    "aliasing": "a load meets a store only because of the values that registers happen to have here",
    "forwarding": "a load takes a part from a store, and a part from memory",
    "memory": "addresses that no program can have, or more pages than the cache can hold",
    "division": "a division by zero, or one whose result is too large",
    "flags": "it changes the flag that steps through it",
    "x87": "the stack of x87 overflows or underflows",
    "subnormal": "arithmetic meets subnormal numbers",
    "timeout": "it does not end in time",
    "unstable": "repeated measurements do not agree",
    "spread": "the quartiles of its samples are more than 5 % apart",
    "visits": "no two of four visits, apart in time, agree within 2 %",
    "too_fast": "fewer cycles than the core's width allows",
    "disturbed": "the core was never idle",
    "failed": "the measurement itself failed",
}
"""By their names in the column `rejected`."""


@dataclass(frozen=True)
class Verdict:
    """Cycles of the core for one execution of a block, or why there are none."""

    cycles: float | None = None
    spread: float | None = None
    """Distance of the quartiles of all samples, relative to the cycles."""
    reason: str = ""
    """A key of REASONS; "" where there are cycles."""
    witness: float = 0.0
    """Fewest cycles that code which needs the whole core had taken before; 0 where there are no cycles."""
    seconds: float = 0.0
    """When the block was visited, since 1970."""
    register_step: int | None = None
    """Bytes by which a general register's place in a line of the cache lay behind that of the one before; None where
    that is not known."""


class Rejected(Exception):
    """Internal: a block gets no cycles."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
