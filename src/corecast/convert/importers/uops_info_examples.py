"""Example instructions of uops.info's records: text that assembles, and where its operands are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from corecast.convert.importers import x86_text
from corecast.convert.importers.x86_text import ExampleRegisters, canonical_register
from corecast.dataclass import dataclass
from corecast.hints import Any
from corecast.pattern import lazy_pattern

_HINT = lazy_pattern(r"\{[^}]*\}\s*")
_REGISTER_TOKEN = {
    "R8L": "r8",
    "R8H": "r8h",
    "R16": "r16",
    "R32": "r32",
    "R64": "r64",
    "XMM": "xmm",
    "YMM": "ymm",
    "ZMM": "zmm",
    "MM": "mm",
    "K": "k",
}
_ROUNDING = {"roundc": "{rn-sae}", "sae": "{sae}"}
_FIXED_TOKEN = {"SEG": "gs", "CR": "cr3", "DR": "dr3"}
_ADDRESSES = {"B": "{b}", "I": "{i}", "IS": "2*{i}", "D8": "0x12", "D32": "0x12345678", "R": "rip"}


@dataclass(frozen=True)
class Example:
    """A record with its example text and where its operands are."""

    record: Mapping[str, Any]
    text: str
    places: Mapping[str, str]
    """uops.info's operand name -> canonical register, "flags", "mem" or "agen"."""


def render(record: Mapping[str, Any], static: Mapping[str, Any]) -> Example:
    """The example instruction of a record.

    Raises:
        ValueError: an operand class that has no example.
    """
    mnemonic = mnemonic_of(record, static)
    match = re.search(r"\((.*)\)$", record["string"])
    tokens = [token.strip() for token in match.group(1).split(",")] if match else []
    operands = [{**operand, **extra} for operand, extra in _joined(record, static)]
    explicit = [operand for operand in operands if not operand.get("suppressed") and operand["type"] != "agen"]
    places: dict[str, str] = {}
    reserved: set[str] = {x86_text.BASE, x86_text.INDEX}
    for operand in operands:
        place = _fixed_place(operand)
        if place:
            places[operand["name"]] = place
            reserved.add(place)
    registers = ExampleRegisters(frozenset(reserved), legacy_only="R8h" in record["string"], wide=_is_evex(record))
    texts: list[str] = []
    for token, operand in zip(tokens, explicit, strict=False):
        text = _operand_text(token, registers)
        if operand.get("opmask") and texts:
            texts[0] += f" {{{text}}}" + ("{z}" if record["attrs"].get("zeroing") == "1" else "")
        else:
            texts.append(text)
        if operand["type"] == "reg":
            places[operand["name"]] = canonical_register(text)
    if len(tokens) > len(explicit):
        raise ValueError("operands do not match the name")
    if "agen" in record["attrs"]:
        parts = [_ADDRESSES[part] for part in record["attrs"]["agen"].split("_")]
        texts.append("[" + " + ".join(parts).format(b=x86_text.BASE, i=x86_text.INDEX) + "]")
    texts += [text for attribute, text in _ROUNDING.items() if record["attrs"].get(attribute) == "1"]
    return Example(record, f"{mnemonic} {', '.join(texts)}".strip(), places)


def _is_evex(record: Mapping[str, Any]) -> bool:
    return bool(record["attrs"].get("evex") == "1")


def mnemonic_of(record: Mapping[str, Any], static: Mapping[str, Any]) -> str:
    """The mnemonic as assemblers write it, prefixes included, encoding hints left out."""
    asm = (static.get("xml") or {}).get("asm") or record["mnemonic"]
    if "agen" in record["attrs"]:
        asm = record["mnemonic"]
    asm = _HINT.sub("", asm).lower()
    asm = asm.removeprefix("rex64 ")
    if asm.startswith("repe ") and not asm[5:].startswith(("cmps", "scas")):
        asm = "rep " + asm[5:]
    return {"xlat": "xlatb"}.get(asm, asm)


def _joined(record: Mapping[str, Any], static: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    known = {operand["name"]: operand for operand in static.get("operands") or []}
    for operand in record["operands"]:
        extra = {key: value for key, value in known.get(operand["name"], {}).items() if key not in ("r", "w")}
        yield operand, extra


def _fixed_place(operand: Mapping[str, Any]) -> str:
    """Where an operand is that the example does not choose."""
    if operand["type"] in ("flags", "mem", "agen"):
        return str(operand["type"])
    names = str(operand.get("regs") or "").split(",")
    if operand["type"] == "reg" and len(names) == 1 and names[0]:
        return canonical_register(names[0])
    return ""


def _operand_text(token: str, registers: ExampleRegisters) -> str:
    upper = token.upper()
    if upper in _REGISTER_TOKEN:
        return registers.take(_REGISTER_TOKEN[upper])
    if upper.startswith("VSIB_"):
        return x86_text.memory_text(0, index=registers.take(upper[5:].lower()), scale=4)
    if upper.startswith("MOFFS"):
        return f"{x86_text.memory_text(int(upper[5:])).split(' ')[0]} ptr [0x123456789abcdef0]"
    if broadcast := re.fullmatch(r"M(\d+)_1TO(\d+)", upper):
        return x86_text.memory_text(int(broadcast[1]), broadcast=int(broadcast[2]))
    if re.fullmatch(r"M512", upper) and registers.wide:
        return x86_text.memory_text(512)
    if re.fullmatch(r"M\d*", upper):
        return x86_text.memory_text(int(upper[1:] or 0) % 512)  # 512 bits without AVX-512: a cache line, no access
    if re.fullmatch(r"I\d+", upper):
        return x86_text.immediate_text(int(upper[1:]))
    if upper.startswith("REL"):
        return "1f"
    if upper == "0":
        return x86_text.immediate_text(8)  # a zero costs what another immediate costs: the record without it wins
    if upper in _FIXED_TOKEN:
        return _FIXED_TOKEN[upper]
    if upper == "1" or canonical_register(token):
        return token.lower()
    raise ValueError(f"operand class {token} has no example")
