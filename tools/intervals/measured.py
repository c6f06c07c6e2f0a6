"""Measured code of all cores, and which models it says something of."""

from __future__ import annotations

import csv
import gzip
import hashlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accuracy import functions, mixes
from corecast.asm import RegionOptions, regions_of_text
from corecast.errors import CorecastError
from corecast.evaluate import Cases, read_blocks
from corecast.machine.types import Isa
from corecast.prediction.engine import Mode

REPOSITORY = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Block:
    """Measured code."""

    hex: str
    address: int
    cycles: float
    register_step: int = 0
    before: str = ""
    """Hexadecimal: what lies in front of it, as far as that is known."""

    @property
    def is_held_back(self) -> bool:
        """A third, by a hash of the code: intervals are calibrated without it, and checked on it."""
        return hashlib.sha256(self.hex.encode()).digest()[0] % 3 == 0


@dataclass(frozen=True)
class MeasuredSet:
    """A file of measurements of one core.

    `file` is relative to the repository (`committed`) or to the folder of the measurements.
    """

    core: str
    mode: Mode
    file: str
    cycles: str = "cycles"
    address: str = "address"
    where: tuple[tuple[str, str], ...] = ()
    """Values that columns must have."""
    text: str = ""
    """The column with assembly text, where there are no bytes: instructions are separated by `;`."""
    is_of_mixes: bool = False
    """One copy of an instruction mix in a row; loops of many were timed, and are what is predicted. Single instructions
    went into the models."""
    own_branches: bool = False
    """Whole loops: the code ends with the branch that closes them."""
    also_of: tuple[str, ...] = ()
    """Kinds of code of which what the measurements show is said, too."""
    from_functions: bool = False
    """The column `file` names an assembly file with the function that the code was timed in."""
    is_own_source: bool = False
    """The core's model was made from these measurements: they say nothing of its errors."""
    committed: bool = False

    def blocks(self, data: Path, isa: Isa) -> list[Block]:
        """In the order of the file, each code once; what cannot be read is left out."""
        found: dict[tuple[str, int], Block] = {}
        for row in _rows((REPOSITORY if self.committed else data) / self.file):
            if any(row[column] != value for column, value in self.where):
                continue
            code, cycles = self._timed(row, isa)
            address = int(row.get(self.address) or 0)
            if code and cycles > 0:
                step = int(row.get("register_step") or 0)
                before = functions.code_before(data / row["file"], code, address) if self.from_functions else ""
                found.setdefault((code, address), Block(code, address, cycles, step, before))
        return list(found.values())

    def cases(self, data: Path, isa: Isa) -> Cases:
        """The same for `corecast.evaluate`."""
        lines = ["hex,cycles,address,register_step,code_before"]
        for each in self.blocks(data, isa):
            lines.append(f"{each.hex},{each.cycles},{each.address},{each.register_step},{each.before}")
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / "blocks.csv"
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            return read_blocks(file)

    def _timed(self, row: dict[str, Any], isa: Isa) -> tuple[str, float]:
        """What was timed, encoded, and its cycles; no code where it says nothing of the model or cannot be read."""
        cycles = float(row[self.cycles])
        if not self.text:
            return row["hex"], cycles
        if not self.is_of_mixes:
            return _encoded(row[self.text].replace(";", "\n"), isa), cycles
        loop = mixes.loop(row[self.text], isa)
        return "" if int(row["n_insn"]) == 1 else _encoded(loop.text, isa), loop.copies * cycles


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt") if file.suffix == ".gz" else open(file, encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream)


def _encoded(text: str, isa: Isa) -> str:
    try:
        kernel = regions_of_text(text + "\n", options=RegionOptions(isa=isa, mode="unroll"))[0]
    except CorecastError:
        return ""
    return "" if kernel.unreadable else "".join(bytes(each.bytes).hex() for each in kernel.instructions)


LOOPS = ("loop", "unplaced")
"""Kinds of loops with their own branches. Compiled loops were cut in front of theirs, in whose place another one was
timed and is predicted."""

_M1 = (("core", "firestorm"), ("unrolls", "1000"), ("loop", "fused SUBS/B.cc loop"), ("consistent", "1"))

SETS = (
    MeasuredSet("granite_rapids", "loop", "benchmarks/accuracy/granite_rapids.loop.csv", committed=True),
    MeasuredSet("granite_rapids", "loop", "gnr_dev_loop.csv"),
    MeasuredSet("granite_rapids", "unroll", "gnr_dev_unroll.csv"),
    MeasuredSet(
        "granite_rapids",
        "loop",
        "kernels_gnr_dev.csv",
        "cycles_per_iteration",
        "address_mod64",
        where=(("clean", "1"),),
        own_branches=True,
    ),
    MeasuredSet("skylake_x", "loop", "skx_dev_l.csv"),
    MeasuredSet("skylake_x", "loop", "skx_dev_l5.csv"),
    MeasuredSet("skylake_x", "loop", "skx_dev_vec_l.csv"),
    MeasuredSet("skylake_x", "unroll", "skx_dev_u.csv"),
    MeasuredSet("skylake_x", "unroll", "skx_dev_vec_u.csv"),
    MeasuredSet(
        "skylake_x",
        "loop",
        "kernels_skx_dev.csv",
        "cycles_per_iteration",
        "address_mod64",
        own_branches=True,
        from_functions=True,
    ),
    MeasuredSet("zen4", "loop", "benchmarks/accuracy/zen4.loop.csv", committed=True),
    MeasuredSet("zen4", "unroll", "benchmarks/accuracy/zen4.unroll.csv", committed=True),
    MeasuredSet("zen4", "loop", "benchmarks/accuracy/zen4.others.loop.csv", committed=True),
    MeasuredSet("zen4", "unroll", "benchmarks/accuracy/zen4.others.unroll.csv", committed=True),
    MeasuredSet("zen4", "loop", "benchmarks/accuracy/zen4.compiled.csv", committed=True, also_of=LOOPS),
    MeasuredSet("zen4", "loop", "benchmarks/accuracy/zen4.others.compiled.csv", committed=True, also_of=LOOPS),
    MeasuredSet("zen3", "unroll", "benchmarks/accuracy/zen3.unroll.csv", committed=True),
    MeasuredSet("zen5", "loop", "benchmarks/accuracy/zen5.loop.csv", committed=True),
    MeasuredSet("zen5", "unroll", "benchmarks/accuracy/zen5.unroll.csv", committed=True),
    MeasuredSet("zen5", "loop", "benchmarks/accuracy/zen5.others.loop.csv", committed=True),
    MeasuredSet("zen5", "unroll", "benchmarks/accuracy/zen5.others.unroll.csv", committed=True),
    MeasuredSet("zen5", "loop", "benchmarks/accuracy/zen5.compiled.csv", committed=True, also_of=LOOPS),
    MeasuredSet("zen5", "loop", "benchmarks/accuracy/zen5.others.compiled.csv", committed=True, also_of=LOOPS),
    MeasuredSet("granite_rapids", "unroll", "benchmarks/accuracy/granite_rapids.unroll.csv", committed=True),
    MeasuredSet(
        "granite_rapids", "loop", "benchmarks/accuracy/granite_rapids.compiled.csv", committed=True, also_of=LOOPS
    ),
    MeasuredSet(
        "zen1",
        "loop",
        "pmevo_zenplus_dev.csv",
        "measured_cycles",
        text="asm_one_copy",
        is_of_mixes=True,
        own_branches=True,
        also_of=("block",),
    ),
    MeasuredSet(
        "cortex_a72",
        "loop",
        "pmevo_a72_dev.csv",
        "measured_cycles",
        text="asm_one_copy",
        is_of_mixes=True,
        own_branches=True,
        also_of=("block",),
    ),
    MeasuredSet(
        "apple_m1",
        "unroll",
        "../facts/misc/apple_m1_blocks_truth.csv.gz",
        "cycles_per_code",
        where=_M1,
        text="code",
        is_own_source=True,
    ),
)


def sets_of(core: str) -> tuple[MeasuredSet, ...]:
    return tuple(each for each in SETS if each.core == core)


SAME_CORE = {"skylake": "skylake_x", "cascade_lake": "skylake_x", "meteor_lake_p": "granite_rapids"}
"""Models of other products with a core that was measured: their own predictions are compared with its code."""

RELATIVES = {
    "skylake_x": "haswell",
    "granite_rapids": "sapphire_rapids",
    "zen4": "zen2",
    "cortex_a72": "neoverse_n1",
    "apple_m1": "neoverse_v1",
}
"""Of measured cores: a model of a related core, which was not calibrated on the measurements."""
