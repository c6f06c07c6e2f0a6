"""Rows that follow from rules of the cores, not from a measured form: idioms, eliminated moves, branches."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from amd_models.compose import OWN, Origins
from amd_models.cores import AmdCore
from corecast.machine.rows import Confidence, Latency, Row

CONDITIONS = ("e", "ne", "l", "ge", "le", "g", "b", "ae", "be", "a", "s", "ns", "o", "no", "p", "np")
VECTOR_MOVES = ["movaps", "movapd", "movups", "movupd", "movdqa", "movdqu"]
EVEX_MOVES = ["vmovdqa32", "vmovdqa64", "vmovdqu8", "vmovdqu16", "vmovdqu32", "vmovdqu64"]
_X87_CYCLES = 7.0
_IDIOM = re.compile(r"v?(p?xor|p?andn|pcmpgt|pcmpeq|psub|sub)")
_VEX_ZERO = re.compile(r"v(xorp|andnp|pxor|pandn|psub[bwdq]\b|pcmpgt)")


def special_rows(core: AmdCore, origins: Origins, rows: Mapping[str, Row]) -> list[Row]:
    """All of them, for forms that the core has.

    Args:
        rows: the composed rows by form.
    """
    return [
        *_branches(core, rows),
        *_moves(core, rows),
        *_idioms(core, origins, rows),
        *_addresses(core, rows),
        *_gathers(core, rows),
        *_stack_arithmetic(core, rows),
        *_nothing(rows),
    ]


def _row(
    form: str,
    ports: tuple[tuple[float, str], ...],
    latency: tuple[Latency, ...],
    source: str,
    *,
    slots: float = 1,
    flags: tuple[str, ...] = (),
    confidence: Confidence = "documented",
) -> Row:
    counts = (slots, sum(count for count, _ in ports), slots)
    return Row(form, ports, (), latency, counts, "", flags, None, source, confidence)


def _branches(core: AmdCore, rows: Mapping[str, Row]) -> list[Row]:
    """Two units for branches, beside ALU0 and ALU3 (Zen 1, 2) or ALU0 and on their own (Zen 4)."""
    found = [_row(f"j{condition} rel", ((1, "BRU"),), (), "SOG:branch units") for condition in CONDITIONS]
    found += [
        _row(form, ((1, "BRU"),), (), "SOG:branch units") for form in ("jmp rel", "jmp r64", "jrcxz rel", "jecxz rel")
    ]
    load, store = {
        "zen1": ("AGU", ((1, "AGU"), (1, "ST"))),
        "zen2": ("LD", ((1, "AGU"), (1, "ST"))),
        "zen3": ("AGU", ((1, "AGU"), (1, "ST"))),
        "zen4": ("AGU", ((1, "AGU"), (1, "ST"))),
    }[core.name]
    found.append(_row("jmp m64", ((1, "BRU"), (1, load)), (), "SOG:branch units"))
    slots = {form: _slots(rows, form) for form in ("call rel", "call r64", "call m64", "ret")}
    source = f"SOG:branch units(ports)+uops.info:{core.uops_name}(uops)"
    found.append(_row("call rel", ((1, "BRU"), *store), (), source, slots=slots["call rel"]))
    found.append(_row("call r64", ((1, "BRU"), *store), (), source, slots=slots["call r64"]))
    found.append(_row("call m64", ((1, "BRU"), (1, load), *store), (), source, slots=slots["call m64"]))
    found.append(_row("ret", ((1, "BRU"), (1, load)), (), source, slots=slots["ret"]))
    return found


def _slots(rows: Mapping[str, Row], form: str) -> float:
    row = rows.get(form)
    return row.uops[0] if row is not None and row.uops is not None else 1


def _moves(core: AmdCore, rows: Mapping[str, Row]) -> list[Row]:
    """Moves done at renaming. Zen 1: a 256-bit one is two macro-ops, each holding a place of the four vector pipes."""
    free = (Latency("2", "1", 0),)
    forms = ["mov r32, r32", "mov r64, r64"]
    found = [
        _row(form, (), free, f"uops.info:{core.uops_name}", flags=("eliminated",), confidence="measured")
        for form in forms
    ]
    swap = tuple(Latency(source, destination, 0) for source, destination in (("1", "2"), ("2", "1")))
    for form in ("xchg r32, r32", "xchg r64, r64", "xchg eax, r32", "xchg rax, r64"):
        found.append(_row(form, (), swap, "SOG:eliminated", slots=2, flags=("eliminated",)))
    vectors = [f"{name} xmm, xmm" for name in VECTOR_MOVES]
    vectors += [f"v{name} {size}, {size}" for name in VECTOR_MOVES for size in ("xmm", "ymm", "zmm")]
    vectors += [f"{name} {size}, {size}" for name in EVEX_MOVES for size in ("xmm", "ymm", "zmm")]
    for form in vectors:
        if form not in rows:
            continue
        halves = 2 if core.name == "zen1" and "ymm" in form else 1
        ports = ((halves, "FP0123"),) if core.name == "zen1" else ()
        cycles = 1 if halves == 2 else 0  # the upper half is moved by an operation
        source = f"uops.info:{core.uops_name}" + ("(latency)+pmtestbench:zenplus(ports)" if ports else "")
        flags = ("eliminated",) if cycles == 0 else ()
        found.append(
            _row(form, ports, (Latency("2", "1", cycles),), source, slots=halves, flags=flags, confidence="measured")
        )
    return found


def _idioms(core: AmdCore, origins: Origins, rows: Mapping[str, Row]) -> list[Row]:
    """Results that do not depend on the register given twice.

    Measured (uops.info) where a dependency vanishes; what still takes a pipe is the guide's: nothing for xor and sub of
    general registers, from Zen 3 on nothing for the VEX and EVEX forms either.
    """
    found: dict[str, Row] = {}
    measured = [form.removesuffix(" @same") for form in origins.uops_info if form.endswith(" @same")]
    wider = [re.sub(r"\b[xy]mm\b", size, form) for form in measured for size in ("ymm", "zmm") if form.startswith("v")]
    more = [
        f"v{name} {size}, {size}, {size}"
        for name in ("pxord", "pxorq", "pandnd", "pandnq")
        for size in ("xmm", "ymm", "zmm")
    ]
    more += [f"vpcmpeq{letter} {size}, {size}, {size}" for letter in "bwdq" for size in ("xmm", "ymm")]
    for form in dict.fromkeys((*measured, *wider, *more)):
        base = rows.get(form)
        if base is None or not _IDIOM.match(form) or "sus" in form or "psubs" in form or "psubus" in form:
            continue
        zero = re.match(r"(xor|sub) r(32|64)", form) or (core.generation >= 3 and _VEX_ZERO.match(form))
        flags = ("zero_idiom",) if zero else ("dep_breaking",)
        ports = () if zero else base.ports or ()
        confidence: Confidence = "measured" if form in measured else "derived"
        source = f"uops.info:{core.uops_name}(latency)+SOG(ports)"
        found[form] = _row(
            f"{form} @same", ports, (), source, slots=_slots(rows, form), flags=flags, confidence=confidence
        )
    carry = (Latency("flags", "1", 1), Latency("flags", "flags", 1))
    for form in ("sbb r32, r32", "sbb r64, r64"):
        found[form] = _row(f"{form} @same", ((1, "ALU"),), carry, "SOG", flags=("dep_breaking",))
    if core.generation >= 3:
        for form in ("cmp r32, r32", "cmp r64, r64"):
            found[form] = _row(f"{form} @same", (), (), "SOG", flags=("zero_idiom",))
    return list(found.values())


def _addresses(core: AmdCore, rows: Mapping[str, Row]) -> list[Row]:
    """lea: a cycle (Zen 1 and 2 take two where the index is scaled, which no key tells), two for three parts.

    Keys count what is relative to the instruction pointer as three parts, as Intel's cores do; here it is two.
    """
    source = f"uops.info:{core.uops_name}(latency)+SOG(ports)"
    found = []
    for size in ("r32", "r64"):
        form = f"lea {size}, m"
        pairs = (Latency("addr", "1", 1), Latency("index", "1", 1))
        found.append(_row(form, ((1, "ALU"),), pairs, source, confidence="measured"))
        three = rows.get(f"{form}3")
        if three is not None:
            found.append(three.with_(form=f"{form}3 @indexed"))
            found.append(_row(f"{form}3", ((1, "ALU"),), (), "rule:two parts", confidence="derived"))
    return found


def _stack_arithmetic(core: AmdCore, rows: Mapping[str, Row]) -> list[Row]:
    """x87 on Zen 4: LLVM has the latency of SSE's additions and multiplications (3), and counts a load where a memory
    form waits for the stack's top (10). Timed: 7.0 cycles a turn through the top, from registers and beside a load."""
    if core.name != "zen4":
        return []
    found: list[Row] = []
    for form, row in rows.items():
        match = re.fullmatch(r"f(add|mul|subr?)p? (st, st|m32|m64)", form)
        if not match:
            continue
        pairs = (Latency("1", "1", _X87_CYCLES), Latency("2", "1", _X87_CYCLES))
        sources = f"{OWN}(latency)"
        if match[2] != "st, st":
            loaded = _X87_CYCLES + core.load_cycles[1]
            pairs = (Latency("addr", "st", loaded), Latency("st", "st", _X87_CYCLES))
            sources += "+rule:load(latency)"
        found.append(row.with_(latency=pairs, source=f"{sources}+{row.source}(ports,uops)", confidence="documented"))
    return found


def _gathers(core: AmdCore, rows: Mapping[str, Row]) -> list[Row]:
    """AVX-512 gathers of Zen 4, of which nobody published figures: Zen 3's VEX gathers, 512-bit ones twice as long."""
    if core.name != "zen4":
        return []
    found: list[Row] = []
    for form, row in rows.items():
        match = re.fullmatch(r"(v\w*gather\w+) ([xy])mm, vm([xy])mm, \2mm", form)
        if not match or row.uops is None:
            continue
        name, data, index = match.groups()
        latency = tuple(
            Latency(pair.source.replace("3", "mask"), pair.destination, pair.cycles)
            for pair in row.latency or ()
            if pair.destination == "1"
        )
        twice = {"x": "y", "y": "z"}
        for halves, wide in ((1, f"{data}mm{{k}}, vm{index}mm"), (2, f"{twice[data]}mm{{k}}, vm{twice[index]}mm")):
            new = f"{name} {wide}"
            if new in {other.form for other in found} or (halves == 2 and "z" not in wide):
                continue
            ports = tuple((count * halves, group) for count, group in row.ports or ())
            slots = row.uops[0] * halves
            blocking = tuple((unit, cycles * halves) for unit, cycles in row.blocking)
            counts = (slots, sum(count for count, _ in ports), slots)
            found.append(
                Row(
                    new,
                    ports,
                    blocking,
                    latency,
                    counts,
                    "",
                    row.flags,
                    None,
                    f"rule:VEX gather+{row.source}",
                    "assumed",
                )
            )
    return found


def _nothing(rows: Collection[str]) -> list[Row]:
    names = ("nop", "nop r16", "nop r32", "nop r64", "nop m16", "nop m32", "nop m64", "endbr64", "endbr32")
    return [_row(form, (), (), "SOG") for form in names if form in rows or form.startswith(("nop", "endbr"))]
