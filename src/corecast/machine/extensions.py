"""ISA extensions of cores: the names that pipeline.toml lists, and what LLVM says of its CPUs."""

from __future__ import annotations

_LLVM_NAMES = {"complxnum": "fcma", "fptoint": "frint3264"}
"""Features that LLVM's assembler calls otherwise than its CPUs."""


def extensions_of_cpu(isa: str, cpu: str) -> list[str]:
    """The extensions that LLVM gives a CPU, sorted; none where it does not know the CPU."""
    from corecast import _core

    known = set(_core.extension_names(isa))
    return sorted(known & {_LLVM_NAMES.get(name, name) for name in _core.cpu_features(isa, cpu)})
