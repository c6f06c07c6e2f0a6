"""Helper instructions of x86."""

from __future__ import annotations

from corecast.measure.isa.forms import EndKind
from corecast.measure.isa.link_table import Link, LinkTable
from corecast.measure.isa.x86.registers import GENERAL
from corecast.measure.rejection import CannotMeasureError, Reason

_CONDITIONS = {"cf": "b", "zf": "e", "sf": "s", "of": "o", "pf": "p"}
"""Suffixes of cmov by the one flag that they read."""

_VALUE = (
    Link("and", "general", "general", "and {to}, 0", in_place=True),
    Link("or", "general", "general", "or {to}, {scratch}", in_place=True),
)
_SIZES = {8: "byte", 16: "word", 32: "dword", 64: "qword", 128: "xmmword", 256: "ymmword", 512: "zmmword"}
_LETTERS = {256: "y", 512: "z"}


def _general_memory(bits: int) -> tuple[Link, Link]:
    place = f"{_SIZES[bits]} ptr [{{address}} + {{displacement}}]"
    loaded = 64 if bits == 64 else 32
    mnemonic = "mov" if bits >= 32 else "movzx"
    store = Link(f"mov m{bits}, r{bits}", "general", "memory", f"mov {place}, {{from{bits}}}", width=bits)
    return store, Link(
        f"{mnemonic} r{loaded}, m{bits}", "memory", "general", f"{mnemonic} {{to{loaded}}}, {place}", width=bits
    )


def _vector_memory(bits: int) -> tuple[Link, Link]:
    mnemonic = {32: "vmovss", 64: "vmovsd"}.get(bits, "vmovups")
    letter = _LETTERS.get(bits, "x")
    place = f"{_SIZES[bits]} ptr [{{address}} + {{displacement}}]"
    store = Link(
        f"{mnemonic} m{bits}, {letter}mm", "vector", "memory", f"{mnemonic} {place}, {letter}mm{{from}}", width=bits
    )
    load = Link(
        f"{mnemonic} {letter}mm, m{bits}", "memory", "vector", f"{mnemonic} {letter}mm{{to}}, {place}", width=bits
    )
    return store, load


def _from_flags(name: str) -> Link:
    return Link(name, "flags", "general", f"{name} {{to}}, {{scratch}}", reads_target=True)


LINKS = LinkTable(
    within={
        "general": (Link("movsxd", "general", "general", "movsxd {to}, {from32}"), *_VALUE),
        "vector": (Link("vpshufd", "vector", "vector", "vpshufd xmm{to}, xmm{from}, 228"),),
        "mask": (Link("kmovq", "mask", "mask", "kmovq k{to}, k{from}"),),
        "mm": (Link("pshufw", "mm", "mm", "pshufw mm{to}, mm{from}, 228"),),
    },
    value=_VALUE,
    vector_value=(
        Link("vandps", "vector", "vector", "vandps xmm{to}, xmm{from}, xmm{zero}"),
        Link("vorps", "vector", "vector", "vorps xmm{to}, xmm{to}, xmm{vector}", in_place=True),
    ),
    across=(
        Link("cmp", "general", "flags", "cmp {from}, 1"),
        Link("vmovq xmm", "general", "vector", "vmovq xmm{to}, {from}"),
        Link("vmovq r64", "vector", "general", "vmovq {to}, xmm{from}"),
        Link("kmovq k", "general", "mask", "kmovq k{to}, {from}"),
        Link("kmovq r64", "mask", "general", "kmovq {to}, k{from}"),
        Link("vpmovq2m", "vector", "mask", "vpmovq2m k{to}, xmm{from}"),
        Link("vpmovm2q", "mask", "vector", "vpmovm2q xmm{to}, k{from}"),
        Link("movq mm", "general", "mm", "movq mm{to}, {from}"),
        Link("movq r64", "mm", "general", "movq {to}, mm{from}"),
    ),
    memory={
        **{("general", bits): _general_memory(bits) for bits in (8, 16, 32, 64)},
        **{("vector", bits): _vector_memory(bits) for bits in (32, 64, 128, 256, 512)},
    },
    # 0 or 1 where indices are wanted. A shift of all bytes would be 0, but some cores know that without executing it.
    zero={"vector": Link("vpsrlq", "vector", "vector", "vpsrlq xmm{to}, xmm{from}, 63")},
    steps={
        "flags": Link("cmc", "flags", "flags", "cmc"),
        # Of 64 bits it would keep both of a Zen 4's mask ports busy.
        "mask": Link("knotw", "mask", "mask", "knotw k{to}, k{from}"),
    },
    long_steps={"general": Link("imul", "general", "general", "imul {to}, {from}, 1")},
    from_flags={flag: _from_flags(f"cmov{suffix}") for flag, suffix in _CONDITIONS.items()},
)
FENCE = "lfence"
"""Is not executed before all earlier instructions have been, and none behind it starts before it (both manuals)."""


def breaker(kind: EndKind, number: int, scratch: int, bits: int = 64) -> str:
    if kind == "flags":
        return f"test {GENERAL[scratch]}, {GENERAL[scratch]}"
    if kind == "general":
        return f"mov {GENERAL[number]}, {GENERAL[scratch]}"
    if kind == "vector":
        letter = {128: "x", 256: "y", 512: "z"}.get(bits, "x")
        return f"vmovaps {letter}mm{number}, {letter}mm{scratch}"
    if kind == "mask":
        return f"kmovq k{number}, k{scratch}"
    if kind == "mm":
        return f"movq mm{number}, mm{scratch}"
    if kind == "tile":
        return f"tilezero tmm{number}"
    raise CannotMeasureError(Reason.NO_BREAKER, kind)


def general_name(number: int) -> str:
    return GENERAL[number]
