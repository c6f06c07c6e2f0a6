"""What exporters share: the operands of a form key, and plain loads and stores of an instruction set."""

from __future__ import annotations

import re
from collections.abc import Mapping

from corecast.hints import Any
from corecast.machine.types import Isa, Machine

LOADS: Mapping[Isa, tuple[str, ...]] = {
    "x86": ("mov r64, m64",),
    "aarch64": ("ldr x, [x]", "ldr x, [x, #i]"),
    "riscv64": ("ld x, i(x)",),
}
VECTOR_LOADS: Mapping[Isa, tuple[str, ...]] = {
    "x86": ("vmovups ymm, m256", "movups xmm, m128"),
    "aarch64": ("ldr q, [x]", "ldr q, [x, #i]"),
    "riscv64": ("fld f, i(x)",),
}
STORES: Mapping[Isa, tuple[str, ...]] = {
    "x86": ("mov m64, r64",),
    "aarch64": ("str x, [x]", "str x, [x, #i]"),
    "riscv64": ("sd x, i(x)",),
}
VECTOR_STORES: Mapping[Isa, tuple[str, ...]] = {
    "x86": ("vmovups m256, ymm", "movups m128, xmm"),
    "aarch64": ("str q, [x]", "str q, [x, #i]"),
    "riscv64": ("fsd f, i(x)",),
}


def split_form(form: str) -> tuple[str, list[str]]:
    """Mnemonic (its prefix with it) and operands of a key without variant."""
    words = form.partition(" @")[0].split(" ")
    count = 2 if words[0] in ("lock", "rep", "repe", "repne") and len(words) > 1 else 1
    rest = " ".join(words[count:])
    operands = [text.strip() for text in re.split(r",\s*(?![^\[{]*[\]}])", rest)] if rest else []
    return " ".join(words[:count]), operands


def first_entry(machine: Machine, forms: tuple[str, ...]) -> dict[str, Any] | None:
    """What the model knows of the first of the forms that it has."""
    return next((entry for form in forms if (entry := machine.core.find(form)) is not None), None)


def longest_latency(entry: Mapping[str, Any] | None) -> float | None:
    """Cycles from any source to any result but memory; None where unknown."""
    if entry is None or entry["latency"] is None:
        return None
    return max((float(cycles) for _, to, cycles in entry["latency"] if to != "mem"), default=0.0)
