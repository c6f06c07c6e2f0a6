"""Cores whose answers a test makes up: those of a model with other latencies and ports for some forms."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from corecast import load_machine
from corecast.asm.code import Isa
from corecast.machine import Machine

PortSets = Mapping[str, Mapping[str, int]]
"""For forms of a kind, sets of ports by name with how many they are."""
PORTS: PortSets = {
    kind: {f"p{''.join(ports)}": size for size in (1, 2) for ports in combinations(numbers, size)}
    for kind, numbers in (("general", "0156"), ("vector", "015"))
}
FORMS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "imul r64, r64": ("general", (("1", "1"), ("2", "1"), ("1", "flags"), ("2", "flags"))),
    "popcnt r64, r64": ("general", (("2", "1"), ("2", "flags"))),
    "pdep r64, r64, r64": ("general", (("2", "1"), ("3", "1"))),
    "andn r64, r64, r64": ("general", (("2", "1"), ("3", "1"), ("2", "flags"), ("3", "flags"))),
    "shld r64, r64, i8": ("general", (("1", "1"), ("2", "1"), ("1", "flags"), ("2", "flags"))),
    "bts r64, r64": ("general", (("1", "1"), ("2", "1"), ("1", "flags"), ("2", "flags"))),
    "vfmadd231pd ymm, ymm, ymm": ("vector", (("1", "1"), ("2", "1"), ("3", "1"))),
    "vaddpd xmm, xmm, xmm": ("vector", (("2", "1"), ("3", "1"))),
    "vmulps zmm, zmm, zmm": ("vector", (("2", "1"), ("3", "1"))),
    "vpshufb ymm, ymm, ymm": ("vector", (("2", "1"), ("3", "1"))),
    "mulpd xmm, xmm": ("vector", (("1", "1"), ("2", "1"))),
}


ARM_PORTS: PortSets = {"general": {"I": 3, "S": 2, "S0": 1, "M": 1}, "vector": {"V": 2, "V0": 1, "V1": 1}}
TSV_PORTS: PortSets = {"general": {"INT": 3, "AB": 2, "ALU": 1, "MDU": 1}, "vector": {"F": 2, "FSU1": 1, "FSU2": 1}}
ARM_FORMS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "mul x, x, x": ("general", (("2", "1"), ("3", "1"))),
    "madd x, x, x, x": ("general", (("2", "1"), ("3", "1"), ("4", "1"))),
    "movk x, #i, lsl #i": ("general", (("1", "1"),)),
    "bfi x, x, #i, #i": ("general", (("1", "1"), ("2", "1"))),
    "adcs x, x, x": (
        "general",
        (("2", "1"), ("3", "1"), ("flags", "1"), ("2", "flags"), ("3", "flags"), ("flags", "flags")),
    ),
    "fmla v.2d, v.2d, v.2d": ("vector", (("1", "1"), ("2", "1"), ("3", "1"))),
    "fmla v.4h, v.4h, v.h[i]": ("vector", (("1", "1"), ("2", "1"), ("3", "1"))),
    "fadd d, d, d": ("vector", (("2", "1"), ("3", "1"))),
    "tbl v.16b, {v.16b, v.16b}, v.16b": ("vector", (("2", "1"), ("3", "1"))),
    "sqrdmlah v.4s, v.4s, v.4s": ("vector", (("1", "1"), ("2", "1"), ("3", "1"))),
}
RISCV_PORTS: PortSets = {
    "general": {"IEXQ": 4, "IEXQ1": 1},
    "float": {"FEXQ": 2, "FEXQ0": 1},
    "vector": {"VEXQ": 2, "VEXQ1": 1},
}
RISCV_FORMS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "mul x, x, x": ("general", (("2", "1"), ("3", "1"))),
    "sh2add x, x, x": ("general", (("2", "1"), ("3", "1"))),
    "clz x, x": ("general", (("2", "1"),)),
    "fadd.d f, f, f": ("float", (("2", "1"), ("3", "1"))),
    "fmadd.s f, f, f, f": ("float", (("2", "1"), ("3", "1"), ("4", "1"))),
    "vadd.vv v, v, v @m1,e32": ("vector", (("2", "1"), ("3", "1"))),
    "vfmacc.vv v, v, v @m2,e64": ("vector", (("1", "1"), ("2", "1"), ("3", "1"))),
    "vrgather.vv v, v, v @m1,e8": ("vector", (("2", "1"), ("3", "1"))),
    "vwadd.vv v, v, v @m1,e16": ("vector", (("2", "1"), ("3", "1"))),
}


@dataclass(frozen=True)
class Base:
    """The model that a hidden core differs from."""

    isa: Isa
    ports: PortSets
    forms: Mapping[str, tuple[str, tuple[tuple[str, str], ...]]]


BASES = {
    "skylake_x": Base("x86", PORTS, FORMS),
    "neoverse_n1": Base("aarch64", ARM_PORTS, ARM_FORMS),
    "tsv110": Base("aarch64", TSV_PORTS, ARM_FORMS),
    "sifive_p670": Base("riscv64", RISCV_PORTS, RISCV_FORMS),
}


@dataclass(frozen=True)
class Hidden:
    machine: Machine
    latencies: dict[tuple[str, str, str], int]
    throughputs: dict[str, float]
    """Reciprocal, of one uop that may use so many ports."""


def hidden(folder: Path, seed: int, base: str = "skylake_x") -> Hidden:
    made = BASES[base]
    chance = random.Random(seed)
    latencies: dict[tuple[str, str, str], int] = {}
    throughputs: dict[str, float] = {}
    rows = []
    for form, (kind, pairs) in made.forms.items():
        sets = made.ports[kind]
        ports = "p0" if "zmm" in form else chance.choice(sorted(sets))
        throughputs[form] = 1 / sets[ports]
        # A source may come late, a result may come late: a single uop can do no more. The operand that is read and
        # written is the one whose own chain must not hide the others.
        late_target = {target: chance.randint(2, 5) for _, target in pairs}
        early_source = {source: 0 if source == "1" else chance.randint(0, 2) for source, _ in pairs}
        cells = []
        for source, target in pairs:
            latencies[form, source, target] = late_target[target] + early_source[source]
            cells.append(f"{source}->{target}:{latencies[form, source, target]}")
        rows.append(f"{form}\t1*{ports}\t\t{';'.join(cells)}\t1\t\t\t\ttest\tassumed")
    (folder / "forms").mkdir(parents=True)
    (folder / "forms" / "hidden.tsv").write_text("\n".join([HEADER, *rows]) + "\n")
    (folder / "pipeline.toml").write_text(
        TOML.replace("NAME", folder.name).replace("x86", made.isa).replace("skylake_x", base)
    )
    return Hidden(load_machine(folder), latencies, throughputs)


HEADER = "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\tsource\tconfidence"
TOML = """\
format = 1
name = "NAME"
title = "A core of a test"
vendor = "test"
isa = "x86"
extends = "skylake_x"
forms = ["hidden.tsv"]
source = "test"
confidence = "assumed"
"""
