"""From facts of single examples to as few rows per mnemonic as tell them apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace

import iced_x86 as ix

from .corrections import NOTHING, OTHER_INSTRUCTIONS, correct
from .facts import fixed_registers, semantics_of
from .llvm_spelling import spell
from .semantics import Row, Semantics, order_key
from .variants import build_variants

_FALLBACK_CLASSES = ("i", "r64", "xmm")
"""An operand class whose row also serves operands that no pattern names."""

_WITH_REX_W = ("pcmpestri64", "pcmpestrm64")
"""LLVM prints these like the forms that read eax and edx, which every compiler uses."""


@dataclass(frozen=True)
class Example:
    """Facts of one printed instruction."""

    mnemonic: str
    classes: tuple[str, ...]
    semantics: Semantics
    is_16_bit: bool


@dataclass(frozen=True)
class Collected:
    """All examples, and the iced-x86 mnemonics that LLVM never prints."""

    examples: list[Example]
    missing: list[str]


def collect(llvm_mc: str) -> Collected:
    """Gather the facts of every encodable example.

    Raises:
        OSError: llvm-mc is not there.
        subprocess.CalledProcessError: llvm-mc failed.
    """
    names = {value: name.lower() for name, value in vars(ix.Mnemonic).items() if isinstance(value, int)}
    variants, _ = build_variants()
    spellings = spell([variant.encoding for variant in variants], llvm_mc)
    examples = []
    seen: set[str] = set()
    known = {names[variant.instruction.mnemonic] for variant in variants}
    for variant, spelling in zip(variants, spellings, strict=True):
        if spelling is None or spelling.mnemonic.startswith("addr32"):
            continue
        name = names[variant.instruction.mnemonic]
        if name in OTHER_INSTRUCTIONS or name.endswith(_WITH_REX_W):
            continue
        seen.add(name)
        classes = spelling.classes(fixed_registers(variant.instruction))
        semantics = correct(spelling.mnemonic, spelling.operands, semantics_of(variant, spelling))
        is_16_bit = ix.OpCodeInfo(variant.instruction.code).operand_size == 16
        examples.append(Example(spelling.mnemonic, classes, semantics, is_16_bit))
    return Collected(examples, sorted(known - seen))


def _merge_operands(group: list[Example]) -> list[Example]:
    """Give all examples the accesses of those with a memory operand, as far as these agree."""
    firsts = {example.semantics.memory_first for example in group} - {""}
    others = {example.semantics.memory_other for example in group} - {""}
    registers = {example.semantics.operand_access for example in group} - {()}
    merged = []
    for example in group:
        semantics = example.semantics
        if len(firsts) == 1:
            semantics = replace(semantics, memory_first=next(iter(firsts)))
        if len(others) == 1:
            semantics = replace(semantics, memory_other=next(iter(others)))
        if len(registers) == 1 and not semantics.memory_printed:
            semantics = replace(semantics, operand_access=next(iter(registers)))
        merged.append(replace(example, semantics=semantics))
    return merged


def _without_16_bit_doubles(group: list[Example]) -> list[Example]:
    """Drop operand-size-prefixed examples that print like their 64-bit form (ret, leave, enter)."""
    wide = {example.classes for example in group if not example.is_16_bit}
    return [example for example in group if not example.is_16_bit or example.classes not in wide]


def _patterns(mnemonic: str, by_classes: dict[tuple[str, ...], Semantics]) -> list[Row]:
    """Tell operand shapes of equal length apart by the first operand that decides."""
    length = len(next(iter(by_classes)))
    for position in range(length):
        decided: dict[str, set[Semantics]] = defaultdict(set)
        for classes, semantics in by_classes.items():
            decided[classes[position]].add(semantics)
        if all(len(found) == 1 for found in decided.values()):
            break
    else:
        usual = Counter(by_classes.values()).most_common(1)[0][0]
        unusual = [(classes, semantics) for classes, semantics in by_classes.items() if semantics != usual]
        rows = [Row(mnemonic, ",".join(classes), semantics) for classes, semantics in unusual]
        return [*rows, Row(mnemonic, str(length), usual)]
    groups: dict[Semantics, list[str]] = defaultdict(list)
    for name, found in decided.items():
        groups[next(iter(found))].append(name)
    fallback = next((name for name in _FALLBACK_CLASSES if name in decided), None)
    rows = []
    for semantics, names in groups.items():
        if fallback in names:
            rows.append(Row(mnemonic, str(length), semantics))
        else:
            cells = ["*"] * length
            cells[position] = "|".join(sorted(names))
            rows.append(Row(mnemonic, ",".join(cells), semantics))
    return rows


def _rows_of_mnemonic(mnemonic: str, examples: list[Example]) -> tuple[list[Row], list[str]]:
    by_count: dict[int, list[Example]] = defaultdict(list)
    for example in examples:
        by_count[len(example.classes)].append(example)
    rows: list[Row] = []
    conflicts: list[str] = []
    for count, group in sorted(by_count.items()):
        group = _merge_operands(_without_16_bit_doubles(group))
        by_classes: dict[tuple[str, ...], Semantics] = {}
        for example in group:
            known = by_classes.setdefault(example.classes, example.semantics)
            if known != example.semantics:
                conflicts.append(f"{mnemonic} {','.join(example.classes)}: {known} or {example.semantics}")
        if len(set(by_classes.values())) == 1:
            rows.append(Row(mnemonic, str(count), next(iter(by_classes.values()))))
        else:
            rows.extend(_patterns(mnemonic, by_classes))
    return _join_counts(mnemonic, rows), conflicts


def _join_counts(mnemonic: str, rows: list[Row]) -> list[Row]:
    if len(rows) == 1 and not rows[0].pattern():
        return [replace(rows[0], shape="")]
    plain = [replace(row.semantics, memory_first="", memory_other="") for row in rows]
    firsts = {row.semantics.memory_first for row in rows} - {""}
    others = {row.semantics.memory_other for row in rows} - {""}
    if len(set(plain)) == 1 and len(firsts) < 2 and len(others) < 2:
        joined = replace(plain[0], memory_first="".join(firsts), memory_other="".join(others))
        return [Row(mnemonic, "", joined)]
    return rows


def build_rows(examples: list[Example]) -> tuple[list[Row], list[str]]:
    """Return the rows in order, and what could not be told apart by printed operands."""
    by_mnemonic: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        by_mnemonic[example.mnemonic].append(example)
    rows: list[Row] = []
    conflicts: list[str] = []
    for mnemonic, group in by_mnemonic.items():
        found, unclear = _rows_of_mnemonic(mnemonic, group)
        if mnemonic in NOTHING or not all(row.semantics.is_default() for row in found):
            rows.extend(found)
        conflicts.extend(unclear)
    return sorted(rows, key=order_key), conflicts
