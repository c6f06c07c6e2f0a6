"""AVX-512 forms of Skylake-X from their VEX siblings, by the rules measured on Skylake-X.

EVEX at 128 and 256 bits costs what VEX costs; a broadcast operand costs what a full memory operand costs; masking is
free of uops for computations. At 512 bits port 1 is closed: operations of p015 keep p05; of those on p01, floating
point and integer multiplication go to p05 (port 5 has a second 512-bit unit), the rest to p0 alone; which of the two
LLVM's model of the core says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from corecast import _core
from corecast.machine.rows import Latency, Row

from .llvm_rows import merged
from .port_sets import Ports

SOURCE = "skylake_x_measured(rule)"
LOAD_CYCLES = 7
_MASK = re.compile(r"\{k\}(\{z\})?$")
_RENAMED = (
    (re.compile(r"^vmovdqa(32|64)$"), "vmovdqa"),
    (re.compile(r"^vmovdqu(8|16|32|64)$"), "vmovdqu"),
    (re.compile(r"^(vpandn?|vpx?or)[dq]$"), r"\1"),
    (re.compile(r"^v(extract|insert)f(32x4|64x2|32x8|64x4)$"), r"v\1f128"),
    (re.compile(r"^v(extract|insert)i(32x4|64x2|32x8|64x4)$"), r"v\1i128"),
    (re.compile(r"^vbroadcastf(32x4|64x2|32x8|64x4)$"), "vbroadcastf128"),
    (re.compile(r"^vbroadcasti(32x4|64x2|32x8|64x4)$"), "vbroadcasti128"),
    (re.compile(r"^vround(ps|pd|ss|sd)$"), r"vround\1"),
    (re.compile(r"^vrndscale(ps|pd|ss|sd)$"), r"vround\1"),
)
_NARROWER = {"zmm": "ymm", "ymm": "xmm", "m512": "m256", "m256": "m128", "m128": "m64", "m64": "m32", "m32": "m16"}
_SLOW = ("vdiv", "vsqrt", "vrcp", "vrsqrt")
_ZERO_ONLY_P0 = ("vpmullw", "vpmulhw", "vpmulhuw", "vpmulhrsw", "vpmaddubsw")


def split(form: str) -> tuple[str, list[str]]:
    """Mnemonic and operands of a form key."""
    mnemonic, _, operands = form.partition(" ")
    return mnemonic, operands.split(", ") if operands else []


def joined(mnemonic: str, operands: list[str]) -> str:
    """A form key of mnemonic and operands."""
    return f"{mnemonic} {', '.join(operands)}" if operands else mnemonic


def sibling_forms(form: str) -> Iterator[str]:
    """VEX forms that an EVEX form may cost the same as, nearest first. Mask, rounding and broadcast are left out."""
    mnemonic, operands = split(form)
    operands = [_MASK.sub("", operand) for operand in operands if not operand.startswith("{")]
    operands = [operand.removesuffix("bcst") for operand in operands]
    names = [mnemonic]
    for pattern, replacement in _RENAMED:
        renamed = pattern.sub(replacement, mnemonic)
        if renamed not in names:
            names.append(renamed)
    narrowed = [_NARROWER.get(operand, operand) for operand in operands]
    only_widest = [{"zmm": "ymm", "m512": "m256"}.get(operand, operand) for operand in operands]
    lanes = [{"zmm": "ymm", "m512": "m256", "ymm": "xmm", "m256": "m128"}.get(operand, operand) for operand in operands]
    half_memory = [
        _NARROWER[operand] if operand in ("zmm", "m512", "m256", "m128", "m64") else operand for operand in operands
    ]
    wide = any("zmm" in operand or "m512" in operand for operand in operands)
    for name in names:
        for candidate in [only_widest, half_memory, lanes, narrowed] if wide else [operands]:
            yield joined(name, candidate)


@dataclass(frozen=True)
class Rules:
    """What EVEX changes on a core."""

    source: str = SOURCE
    merging_takes_port: bool = True
    """Merge-masked operations of three ports run on two of them (read ports, measured on Skylake-X)."""
    masked_multiplication_on_p0: bool = True


def rows_from_siblings(
    forms: list[_core.EnumeratedForm], base: Mapping[str, Row], model: Mapping[str, Row], rules: Rules | None = None
) -> dict[str, Row]:
    """Rows of the EVEX forms that have a VEX sibling.

    Args:
        forms: those the core supports; the ones that `base` has are left alone.
        base: rows of the sibling core without AVX-512.
        model: LLVM's rows of the core, which tell p0 from p05 at 512 bits.
    """
    rules = rules or Rules()
    rows: dict[str, Row] = {}
    for enumerated in forms:
        form = enumerated.form
        _, operands = split(form)
        if form in base or not form.startswith("v") or any(operand.startswith("vm") for operand in operands):
            continue
        if not operands or operands[0].startswith("k") or not comparable(form):
            continue
        for sibling in sibling_forms(form):
            if sibling == form or sibling not in base:
                continue
            made = adapted(form, base[sibling], base, model, rules)
            if made is None:
                break
            rows[form] = made
            for variant in (" @indexed", " @same"):
                other = base.get(sibling + variant)
                if other is not None and not (variant == " @same" and _MASK.search(operands[0])):
                    changed = adapted(form, other, base, model, rules)
                    if changed is not None:
                        rows[form + variant] = changed.with_(form=form + variant)
            break
    return rows


def widened(rows: Mapping[str, Row], ports: Ports) -> dict[str, Row]:
    """Sunny Cove and later: a 512-bit store takes both data ports, a 512-bit load one of two; divisions take twice as
    long as 256-bit ones (OSACA's Ice Lake server and Sapphire Rapids files; pipeline facts GC-20)."""
    loads = {ports.load: "p23"}
    result = dict(rows)
    for form, row in rows.items():
        plain = form.partition(" @")[0]
        changed = row
        if "m512" in plain.replace("m512bcst", "") and row.ports and not row.source.startswith("llvm"):
            usage = merged(
                (count * (2 if name == ports.store_data else 1), loads.get(name, name)) for count, name in row.ports
            )
            fused = row.uops or (1.0, 1.0, 1.0)
            changed = row.with_(ports=usage, uops=(fused[0], sum(count for count, _ in usage), fused[2]))
        narrow = rows.get(
            re.sub(r"m512\b", "m256", re.sub(r"\{k\}(\{z\})?", "", plain).replace("zmm", "ymm").replace(", {rn}", ""))
        )
        if re.match(r"v(div|sqrt)", plain) and "zmm" in plain and narrow is not None and narrow.blocking:
            changed = changed.with_(blocking=tuple((unit, 2 * cycles) for unit, cycles in narrow.blocking))
        if changed != row:
            result[form] = changed.with_(source=f"{row.source}+rule:512")
    return result


def comparable(form: str) -> bool:
    """Slow units at 512 bits and masked accesses of memory are built differently: LLVM's rows stand for them."""
    mnemonic, operands = split(form)
    zmm = any("zmm" in operand for operand in operands)
    if zmm and mnemonic.startswith(_SLOW):
        return False
    masked = bool(_MASK.search(operands[0]))
    memory = any(operand.startswith("m") and operand[1:2].isdigit() for operand in operands)
    moves = mnemonic.startswith(("vmov", "vextract", "vbroadcast", "vpbroadcast", "vcvtps2ph"))
    return not (masked and memory and moves)


def adapted(form: str, row: Row, base: Mapping[str, Row], model: Mapping[str, Row], rules: Rules) -> Row | None:
    """The sibling's row under the rules; None where they do not say enough."""
    mnemonic, operands = split(form)
    mask = _MASK.search(operands[0])
    if mask and "eliminated" in row.flags:
        row = base.get(f"{row.form} @same", row)  # masked moves are not eliminated
        if "eliminated" in row.flags:
            return None
    wide = any("zmm" in operand or "m512" in operand for operand in operands)
    ports = row.ports or ()
    if wide:
        both = uses_both_units(form, model)
        ports = tuple((count, port_at_512_bits(name, both)) for count, name in ports)
    if mask:
        merging = mask.group(1) is None
        if (
            merging and rules.merging_takes_port
        ):  # at most 2.09 a cycle for three sources on p015: two ports reproduce the measured rate
            ports = tuple((count, "p05" if name == "p015" else name) for count, name in ports)
        if wide and rules.masked_multiplication_on_p0 and mnemonic in _ZERO_ONLY_P0:
            ports = tuple((count, "p0" if name == "p05" else name) for count, name in ports)
    latency = row.latency
    if mask and latency is not None:
        longest = operation_latency(latency)
        extra = [Latency("mask", "1", longest)]
        if mask.group(1) is None and not any(pair.source == "1" for pair in latency):
            extra.append(Latency("1", "1", longest))
        latency = (*latency, *extra)
    if wide and latency is not None and _memory_width(operands) == 512:
        latency = tuple(pair for pair in latency if pair.source != "mem")
    return row.with_(
        form=form,
        ports=merged(ports),
        latency=latency,
        reciprocal_throughput_cycles=None,
        source=f"{row.source}+{rules.source}",
        confidence="derived",
    )


def operation_latency(latency: tuple[Latency, ...]) -> float:
    """Of the computation alone, the load of a memory form taken off."""
    to_result = [pair for pair in latency if pair.destination == "1"]
    registers = [pair.cycles for pair in to_result if pair.source.isdigit()]
    loads = [pair.cycles - LOAD_CYCLES for pair in to_result if pair.source == "addr"]
    return max([1.0, *registers, *loads])


def uses_both_units(form: str, model: Mapping[str, Row]) -> bool:
    """Whether LLVM lets a 512-bit form, or its form with registers only, run on port 0 and on port 5."""
    rows = [model.get(form), model.get(register_form(form))]
    return any(ports == "p05" for row in rows if row is not None for _, ports in row.ports or ())


def plain_form(form: str) -> str:
    """A form key without mask, rounding and broadcast."""
    mnemonic, operands = split(form)
    plain = [_MASK.sub("", operand).removesuffix("bcst") for operand in operands if not operand.startswith("{")]
    return joined(mnemonic, plain)


def register_form(form: str) -> str:
    """A form key with registers in place of vectors in memory."""
    mnemonic, operands = split(form)
    widths = {"m512": "zmm", "m256": "ymm", "m128": "xmm"}
    return joined(mnemonic, [widths.get(operand.removesuffix("bcst"), operand) for operand in operands])


def port_at_512_bits(name: str, both_units: bool) -> str:
    """Where a uop of the 256-bit sibling goes at 512 bits."""
    if name == "p01":
        return "p05" if both_units else "p0"
    return {"p015": "p05", "p15": "p5"}.get(name, name)


def _memory_width(operands: list[str]) -> int:
    for operand in operands:
        match = re.match(r"m(\d+)", operand)
        if match:
            return int(match.group(1))
    return 0
