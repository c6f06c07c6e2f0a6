#!/usr/bin/env python3
"""Generate what LLVM's opcodes need of ISA extensions: cpp/{core,llvm}/generated.

iced-x86 (x86) and LLVM's parsers know it; needs llvm-mc and the extension built with the same LLVM.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corecast import _core

ROOT = Path(__file__).resolve().parent.parent
NEEDS = ROOT / "cpp/machine/generated/requirements.inc"
OPCODES = ROOT / "cpp/llvm/generated/opcode_requirements.inc"
ISAS = ("x86", "aarch64", "riscv64")
MASKED = ("kz", "k")
_HEAD = "// Written by tools/make_extensions.py with LLVM {}. Do not edit.\n"


def write_opcodes(llvm_mc: str) -> None:
    """Write the C++ tables."""
    from extensions import parsers, x86

    needs, opcodes = _HEAD.format(_core.llvm_version), _HEAD.format(_core.llvm_version)
    for isa in ISAS:
        examples = _examples(isa)
        found = x86.requirements(examples) if isa == "x86" else parsers.requirements(isa, examples, llvm_mc)
        names = sorted(set(found.values()))
        number = {name: place for place, name in enumerate(names, 1)}
        needs += f"constexpr std::string_view {isa}_requirements[] = {{\n"
        needs += '    "", // nothing beyond the base\n' + "".join(f'    "{name}",\n' for name in names) + "};\n"
        lines = sorted(f"{opcode} {number[name]}" for opcode, name in _without_masked(found).items())
        opcodes += f"constexpr std::string_view {isa}_opcodes =\n"
        opcodes += "\n".join(f'    "{line}\\n"' for line in lines) + ";\n"
        print(f"{isa}: {len(found)} of {len(examples)} opcodes need one of {len(names)} sets of extensions")
    for file, text in ((NEEDS, needs), (OPCODES, opcodes)):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _examples(isa: str) -> dict[str, list[bytes]]:
    """Encodings of each opcode."""
    examples: dict[str, list[bytes]] = defaultdict(list)
    for entry in (*_core.enumerate_opcodes(isa), *_core.enumerate_forms(isa)):
        examples[entry.opcode].append(bytes(entry.code))
    return examples


def _without_masked(found: dict[str, str]) -> dict[str, str]:
    """Opcodes whose name without the mask's letters has the same needs are looked up by that name."""
    kept = {}
    for opcode, name in found.items():
        bare = next((opcode.removesuffix(end) for end in MASKED if opcode.endswith(end)), opcode)
        if bare == opcode or found.get(bare) != name:
            kept[opcode] = name
    return kept


def main() -> int:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm-mc", default="llvm-mc-22", help="default: %(default)s")
    write_opcodes(parser.parse_args().llvm_mc)
    return 0


if __name__ == "__main__":
    sys.exit(main())
