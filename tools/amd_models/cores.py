"""The AMD cores: names of sources, LLVM's resources as our ports, and what an access to memory occupies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from corecast import _core

Usage = tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class AmdCore:
    """What the generator needs to know of one core."""

    name: str
    llvm_cpu: str
    uops_arch: str
    """uops.info's records of this core, or of the nearest one."""
    llvm_ports: Mapping[str, str]
    fp_groups: Mapping[str, str]
    """uops.info's vector pipes ("FP01") -> our group."""
    divider_port: str
    load_cycles: tuple[float, float]
    """L1 load latency of general and vector registers."""
    own_records: bool
    """Whether `uops_arch` is this core itself."""

    @property
    def generation(self) -> int:
        """4 for Zen 4."""
        return int(self.name.removeprefix("zen"))

    @property
    def uops_name(self) -> str:
        """`uops_arch` in source ids, where "+" separates."""
        return self.uops_arch.replace("+", "plus").lower()


def _numbered(prefix: str, resource: str, groups: Mapping[str, str]) -> dict[str, str]:
    return {f"{prefix}{resource}{suffix}": target for suffix, target in groups.items()}


FP_GROUPS = {name: name for name in ("FP0", "FP1", "FP2", "FP3", "FP01", "FP03", "FP12", "FP23", "FP013", "FP0123")}


def _zen12(prefix: str) -> dict[str, str]:
    alus = {"": "ALU", "0": "ALU0", "1": "ALU1", "2": "ALU2", "3": "ALU3", "03": "BRU"}
    pipes = {name.removeprefix("FP"): name for name in FP_GROUPS} | {"": "FP0123", "02": "FP0|FP2", "13": "FP1|FP3"}
    return {
        **_numbered(prefix, "AGU", dict.fromkeys(("", "0", "1", "2"), "")),
        **_numbered(prefix, "ALU", alus),
        **_numbered(prefix, "FPU", pipes),
        f"{prefix}Divider": "unit:DIV",
        f"{prefix}Multiplier": "",
    }


def _zen4() -> dict[str, str]:
    """Loads and stores are left out: `memory_usage` gives them."""
    alus = {"0": "ALU0", "1": "ALU1", "2": "ALU2", "3": "ALU3", "03": "ALU03", "12": "ALU12", "0123": "ALU"}
    pipes = {
        "FP": "FP0123", "FP0": "FP0", "FP1": "FP1", "FP2": "FP2", "FP3": "FP3", "FP45": "FP45", "FPSt": "",
        "FPAES01": "FP01", "FPCLM01": "FP01", "FPFAdd01": "FP23", "FPFCvt01": "FP23", "FPFMisc01": "FP01",
        "FPFMisc12": "FP12", "FPFMisc23": "FP23", "FPFMisc123": "FP123", "FPFMisc0123": "FP0123", "FPFMul01": "FP01",
        "FPOpMask4": "FP45", "FPOpMask01": "FP23", "FPU0123": "FP0123", "FPVAdd01": "FP01", "FPVAdd12": "FP12",
        "FPVAdd0123": "FP0123", "FPVMisc0123": "FP0123", "FPVMul01": "FP03", "FPVShift01": "FP12", "FPVShuf01": "FP12",
    }  # fmt: skip
    return {
        **_numbered("Zn4", "AGU", dict.fromkeys(("0", "1", "2", "012"), "")),
        **_numbered("Zn4", "ALU", alus),
        **{f"Zn4{name}": target for name, target in pipes.items()},
        **dict.fromkeys(("Zn4LSU", "Zn4Load", "Zn4Store", "Zn4Int"), ""),
        "Zn4BRU1": "BRU1",
        "Zn4BRU01": "BRU",
    }


def _zen3() -> dict[str, str]:
    """Its resources have the names of Zen 4's."""
    return {name.replace("Zn4", "Zn3"): ports for name, ports in _zen4().items()}


CORES = {
    "zen1": AmdCore("zen1", "znver1", "ZEN+", _zen12("Zn"), FP_GROUPS, "FP3", (4, 7), True),
    "zen2": AmdCore("zen2", "znver2", "ZEN2", _zen12("Zn2"), FP_GROUPS, "FP3", (4, 7), True),
    "zen3": AmdCore("zen3", "znver3", "ZEN3", _zen3(), {**FP_GROUPS, "FP45": "FP45"}, "FP1", (4, 7), True),
    "zen4": AmdCore("zen4", "znver4", "ZEN3", _zen4(), {**FP_GROUPS, "FP45": "FP45"}, "FP1", (4, 6), False),
    "zen5": AmdCore("zen5", "znver5", "ZEN3", _zen4(), {**FP_GROUPS, "FP45": "FP45"}, "FP0", (4, 6), False),
}


def is_vector(form: str) -> bool:
    """Whether the form has an operand in the vector unit."""
    operands = form.partition(" ")[2]
    return any(name in operands for name in ("mm", "{k}", "k,")) or operands.endswith(", k") or form.startswith("f")


def memory_usage(core: AmdCore, form: str, instruction: _core.Instruction) -> Usage:
    """Ports of the loads and stores of an instruction.

    Zen 1: two address units, one store a cycle, 16 bytes each; one address operation for load and store of a
    read-modify-write. Zen 2: two load units, a third for stores, 32 bytes. Zen 3 and 4: three units; two vector
    loads and one vector store a cycle, half of that for 64 bytes.
    """
    if form.startswith(("lea", "nop", "prefetch", "clflush", "clwb", "cldemote")):
        return ((1, "AGU"),) if form.startswith(("prefetch", "clflush", "clwb", "cldemote")) else ()
    vector = is_vector(form)
    usage: list[tuple[float, str]] = []
    for access in instruction.memory:
        halves = max(1, access.width_bytes // 16) if core.name == "zen1" else 1
        wide = access.width_bytes >= 64
        if core.name == "zen1":
            if access.read or access.write:
                usage.append((halves, "AGU"))
            if access.write:
                usage.append((halves, "ST"))
        elif core.name == "zen2":
            if access.read:
                usage.append((1, "LD"))
            if access.write:
                usage += [(1, "AGU"), (1, "ST")]
        else:
            if access.read:
                usage.append((2 if wide else 1, "LDV") if vector else (1, "AGU"))
            if access.write:
                usage += [(1, "AGU"), (2 if wide else 1, "ST0") if vector else (1, "ST")]
    return tuple(usage)
