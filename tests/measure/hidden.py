"""A core whose answers a test makes up: Skylake-X with other latencies and ports for some forms."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from corecast import load_machine
from corecast.machine import Machine

PORTS = {"general": ("0", "1", "5", "6"), "vector": ("0", "1", "5")}
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


@dataclass(frozen=True)
class Hidden:
    machine: Machine
    latencies: dict[tuple[str, str, str], int]
    throughputs: dict[str, float]
    """Reciprocal, of one uop that may use so many ports."""


def hidden(folder: Path, seed: int) -> Hidden:
    chance = random.Random(seed)
    latencies: dict[tuple[str, str, str], int] = {}
    throughputs: dict[str, float] = {}
    rows = []
    for form, (kind, pairs) in FORMS.items():
        ports = sorted(chance.sample(PORTS[kind], chance.randint(1, 2)))
        if "zmm" in form:
            ports = ["0"]
        throughputs[form] = 1 / len(ports)
        # A source may come late, a result may come late: a single uop can do no more. The operand that is read and
        # written is the one whose own chain must not hide the others.
        late_target = {target: chance.randint(2, 5) for _, target in pairs}
        early_source = {source: 0 if source == "1" else chance.randint(0, 2) for source, _ in pairs}
        cells = []
        for source, target in pairs:
            latencies[form, source, target] = late_target[target] + early_source[source]
            cells.append(f"{source}->{target}:{latencies[form, source, target]}")
        rows.append(f"{form}\t1*p{''.join(ports)}\t\t{';'.join(cells)}\t1\t\t\t\ttest\tassumed")
    (folder / "forms").mkdir(parents=True)
    (folder / "forms" / "hidden.tsv").write_text("\n".join([HEADER, *rows]) + "\n")
    (folder / "pipeline.toml").write_text(TOML)
    return Hidden(load_machine(folder), latencies, throughputs)


HEADER = "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\tsource\tconfidence"
TOML = """\
format = 1
name = "hidden"
title = "A core of a test"
vendor = "test"
isa = "x86"
extends = "skylake_x"
forms = ["hidden.tsv"]
source = "test"
confidence = "assumed"
"""
