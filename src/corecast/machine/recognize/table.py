"""What tells cores apart, as data: cores.tsv and features.tsv beside this module.

Columns of cores.tsv:

core       name of the core.
title      its name in words.
model      the machine model for it; several cores may share one.
vendor     intel, amd, arm or riscv.
numbers    that name it, in hexadecimal: family/model, family/model/stepping, with ranges (`17/30-7f`); of AArch64
           implementer/part; of RISC-V what Linux calls the microarchitecture. Several cores may share a number: the
           kinds of cores of one part.
features   of features.tsv that parts with this core have; `=core`: all of that one's.
l1i_kib, l1d_kib, l2_kib
           sizes of its caches. Several where parts differ; empty where they do not tell it apart.
source     keys of SOURCES.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache

from corecast.dataclass import dataclass

FOLDER = os.path.dirname(__file__)
SOURCES = {
    "intel-sdm": "Intel, Software Developer's Manual, volume 4, table 2-1: families and models",
    "intel-opt": "Intel, Optimization Reference Manual: sizes of caches",
    "llvm": "LLVM 22: the extensions that a core has, as the models list them",
    "early-alder-lake": "AVX-512 of P-cores whose E-cores are switched off, before microcode took it away",
    "amd-ppr": "AMD, Processor Programming References: families, models, sizes of caches",
    "arm-trm": "Arm, Technical Reference Manuals: MIDR_EL1, sizes of caches",
    "a64fx-manual": "Fujitsu, A64FX Microarchitecture Manual",
    "linux-midr": "Linux, arch/arm64/include/asm/cputype.h; caches as the vendor states them",
    "linux-uarch": "Linux, device trees: names of RISC-V cores",
}
NOT_OF_CORES = frozenset({"hybrid", "hypervisor"})
"""Features of the part, or of what it runs under."""


@dataclass(frozen=True)
class FeatureBit:
    """Where CPUID names a feature."""

    leaf: int
    subleaf: int
    register: str
    bit: int


@dataclass(frozen=True)
class CoreRow:
    """A core and what tells it apart."""

    core: str
    title: str
    model: str
    vendor: str
    numbers: tuple[str, ...]
    features: frozenset[str]
    sizes: Mapping[str, tuple[int, ...]]
    """KiB of L1i, L1d and L2, as far as they tell."""
    sources: tuple[str, ...]

    def is_named(self, number: str, stepping: int) -> bool:
        """Whether that number is one of this core's."""
        return any(_is_in(number, stepping, each) for each in self.numbers)


def _is_in(number: str, stepping: int, pattern: str) -> bool:
    if "/" not in pattern:  # RISC-V
        return bool(number) and pattern in number.lower()
    family, model, *steppings = pattern.split("/")
    its_family, slash, its_model = number.partition("/")
    if not slash or int(its_family, 16) != int(family, 16):
        return False
    return _within(int(its_model, 16), model) and (not steppings or _within(max(stepping, 0), steppings[0]))


def _within(value: int, interval: str) -> bool:
    first, _, last = interval.partition("-")
    return int(first, 16) <= value <= int(last or first, 16)


@lru_cache(maxsize=1)
def features() -> Mapping[str, str]:
    """Titles of features by Linux's names."""
    return {row["name"]: row["title"] for row in _rows("features.tsv")}


@lru_cache(maxsize=1)
def feature_bits() -> Mapping[str, tuple[FeatureBit, ...]]:
    """Where CPUID names x86's features."""
    found: dict[str, tuple[FeatureBit, ...]] = {}
    for row in _rows("features.tsv"):
        if row["leaf"]:
            bit = FeatureBit(int(row["leaf"], 16), int(row["subleaf"], 16), row["register"], int(row["bit"]))
            found[row["name"]] = (*found.get(row["name"], ()), bit)
    return found


def cores() -> Mapping[str, CoreRow]:
    """Every core by its name."""
    return {name: core for vendor in ("intel", "amd", "arm", "riscv") for name, core in cores_of(vendor).items()}


@lru_cache
def cores_of(vendor: str) -> Mapping[str, CoreRow]:
    """A vendor's cores by their names, in the order of the table: older before newer."""
    found: dict[str, CoreRow] = {}
    for row in _rows("cores.tsv"):
        if row["vendor"] != vendor:
            continue
        has: set[str] = set()
        for name in row["features"].split():
            has |= found[name[1:]].features if name.startswith("=") else {name}
        columns = {"L1i": "l1i_kib", "L1d": "l1d_kib", "L2": "l2_kib"}
        sizes = {cache: tuple(map(int, row[column].split())) for cache, column in columns.items() if row[column]}
        found[row["core"]] = CoreRow(
            core=row["core"],
            title=row["title"],
            model=row["model"],
            vendor=row["vendor"],
            numbers=tuple(row["numbers"].split()),
            features=frozenset(has),
            sizes=sizes,
            sources=tuple(row["source"].split()),
        )
    return found


def _rows(name: str) -> Iterator[dict[str, str]]:
    with open(os.path.join(FOLDER, name), encoding="utf-8") as stream:
        lines = [line.rstrip("\n") for line in stream if not line.startswith("#")]
    heading = lines[0].split("\t")
    return (dict(zip(heading, line.split("\t"), strict=True)) for line in lines[1:])
