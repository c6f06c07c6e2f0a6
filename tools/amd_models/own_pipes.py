"""Zen 5: the vector pipes that `corecast measure ports` found on the core (zen5_ports.tsv), in place of those of other
origins, and the way from general registers to vectors.

What was found of a form with registers holds with memory or a mask, and without VEX; of a kind that was found alike in
all widths, for all widths. It is taken where it implies the throughput that our campaign measured. What has one such
pipe takes one slot: timed, two of `vpermd ymm`, `vpermq ymm`, `vpmovzxbw ymm` or `vcvtqq2pd zmm`, five NOPs and the
loop's branch take 1.00 cycles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from amd_models.compose import is_divider, merged
from amd_models.cores import Usage
from amd_models.own_ports import STORES, FoundPorts
from amd_models.own_ports import load as load_ports
from amd_models.throughput import TO_VECTORS
from corecast.machine.rows import Row
from corecast.measure.judge.forms.results import FormResult
from intel_models.family import register_sibling
from own_measurements import kind_of, without_columns

PORTS = Path(__file__).with_name("zen5_ports.tsv")
_WITHIN, _LOADS_PER_CYCLE = 0.12, 2.0
_PIPES = re.compile(r"FP\d+$")
_MEMORY = re.compile(r"\bm\d")
_MASK = re.compile(r"\{k\}(\{z\})?")
_VECTOR, _GENERAL = re.compile(r"([xyz]?mm|k)\b"), re.compile(r"r(8|16|32|64)\b")
_WAY = ((TO_VECTORS, 1.0),)
_WAY_ALUS: Usage = ((1.0, "MUL"),)
"""Timed: `vmovd xmm, r32` with three `imul` takes 1.75 cycles a turn, with two `rorx` and the loop's branch 1.00."""


class Pipes:
    """What was found, and what is in keeping with the campaign."""

    def __init__(self, origin: str, campaign: Mapping[str, FormResult], path: Path = PORTS) -> None:
        self._origin = origin
        self._campaign = campaign
        self._found: FoundPorts = load_ports(path)
        self._rows = {form: Row(form) for form in self._found.forms}

    def corrected(self, row: Row) -> Row:
        """The row with the pipes that were found."""
        if not row.ports or row.form.endswith(" @same") or "eliminated" in row.flags or is_divider(row.form):
            return row
        pipes: Usage = tuple(use for use in row.ports if _PIPES.match(use[1]) and use[1] != STORES)
        rest: Usage = tuple(use for use in row.ports if not _PIPES.match(use[1]))
        if crosses_to_vectors(row.form):
            own = self._usage(row.form) or tuple((1.0, group) for _, group in pipes)
            return self._with(row, (*own, *_WAY_ALUS), _WAY)
        stores: Usage = tuple(use for use in row.ports if use[1] == STORES)
        usage = self._usage(row.form)
        if usage is None or not pipes or not self._implies(row, usage):
            return row
        if usage == pipes and (stores or not (row.blocking or (row.uops and row.uops[0] > 1))):
            return row
        return self._with(row, (*usage, *stores, *rest), ())

    def _with(self, row: Row, usage: Usage, blocking: tuple[tuple[str, float], ...]) -> Row:
        ports = merged(usage)
        one = sum(count for count, group in ports if _PIPES.match(group)) <= 1
        slots = 1.0 if one and not blocking else row.uops[0] if row.uops else 1.0
        flags = tuple(flag for flag in row.flags if flag != "microcoded" or slots > 1)
        source = "+".join((f"{self._origin}(ports)", *without_columns(row.source, {"ports", "blocking"})))
        uops = (slots, max(slots, sum(count for count, _ in ports)), slots)
        return row.with_(ports=ports, blocking=blocking, uops=uops, flags=flags, source=source)

    def _usage(self, form: str) -> Usage | None:
        names = list(self._siblings(form))
        for name in names:
            own = self._found.forms.get(name)
            if own is not None:
                return tuple(use for use in own if use[1] != STORES)
        group = next((found for name in names if (found := self._found.kinds.get(kind_of(name)))), None)
        return None if group is None or "+" in group or group == STORES else ((1.0, group),)

    def _siblings(self, form: str) -> Iterator[str]:
        """The form itself, without mask, with a register in place of memory, and those with VEX."""
        plain = _MASK.sub("", form.replace("bcst", ""))
        register = register_sibling(plain, self._rows) or _register_in_place(plain)
        for name in dict.fromkeys((form, plain, register)):
            yield name
            mnemonic, _, operands = name.partition(" ")
            if not mnemonic.startswith(("v", "k")):
                yield f"v{mnemonic} {operands.partition(', ')[0]}, {operands}"
                yield f"v{name}"

    def _implies(self, row: Row, usage: Usage) -> bool:
        result = self._campaign.get(row.form)
        if result is None or result.throughput is None or not result.throughput.exact:
            return True
        cycles = max(count / (len(group) - len("FP")) for count, group in usage)
        if _MEMORY.search(row.form):
            cycles = max(cycles, 1 / _LOADS_PER_CYCLE)
        return abs(result.throughput.middle - cycles) <= _WITHIN * cycles


def _register_in_place(form: str) -> str:
    """Where no form with a register was timed, one of the kind will do."""
    return _MEMORY.sub("xmm", re.sub(r"\bm\d+", "m0", form)).replace("xmm0", "xmm") if _MEMORY.search(form) else form


def crosses_to_vectors(form: str) -> bool:
    """Whether a vector or a mask is made of a general register."""
    target, *sources = form.partition(" ")[2].split(", ")
    if _MEMORY.search(form) or not _VECTOR.match(target):
        return False
    return any(_GENERAL.match(source) for source in sources)
