"""`corecast.analyze`: the whole way from code to result in one call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corecast.analysis.analysis_result import AnalysisResult
from corecast.analysis.options import AnalyzeOptions

if TYPE_CHECKING:
    from corecast.asm import Kernel, RegionOptions
    from corecast.machine import Machine

_HEX = re.compile(r"(?:0x)?(?:[0-9a-fA-F]{2}[\s,]*)+")


def analyze(
    code: str | Path | Kernel,
    cpu: str | Path | Machine | None = None,
    options: AnalyzeOptions | None = None,
    *,
    regions: RegionOptions | None = None,
    compiler: str | None = None,
) -> AnalysisResult:
    """Analyze the loops of some code on a core.

    Args:
        code: a file (assembly, ELF object; source with `compiler`) as a Path or a string that names one, assembly text,
            encoded bytes as hexadecimal digits, or a Kernel.
        cpu: a core's name or alias, the folder of a machine model, or a loaded one. None: this machine's core.
        options: how to analyze.
        regions: which part of the code, and how to read it.
        compiler: command line that compiles a source file, "gcc -O3 -march=haswell".

    Returns:
        One region result per kernel; cycles are of the core clock per iteration.

    Raises:
        CorecastError: see corecast.errors; unreadable code, no such core, a faulty model, a compiler that fails.
    """
    from corecast import __version__
    from corecast.analysis.advise import with_advice
    from corecast.analysis.kernels import analyze_kernel

    machine, warnings = _machine(cpu)
    kernels = _kernels(code, machine, regions, compiler)
    return AnalysisResult(
        cpu=machine.name,
        cpu_title=machine.title,
        isa=machine.isa,
        regions=tuple(
            with_advice(analyze_kernel(kernel, machine, options), kernel, machine, options) for kernel in kernels
        ),
        version=__version__,
        warnings=warnings,
    )


def _machine(cpu: str | Path | Machine | None) -> tuple[Machine, tuple[str, ...]]:
    from corecast.errors import UnknownCpuError
    from corecast.machine import Machine, host_machine, load_machine

    if isinstance(cpu, Machine):
        return cpu, cpu.info.notes
    if cpu is not None:
        machine = load_machine(cpu)
        return machine, machine.info.notes
    name = host_machine()
    if name is None:
        raise UnknownCpuError("no cpu given, and there is no model of this machine's core")
    return load_machine(name), (f"no cpu given: {name} is taken, the core of this machine",)


def _kernels(
    code: str | Path | Kernel, machine: Machine, regions: RegionOptions | None, compiler: str | None
) -> list[Kernel]:
    from dataclasses import replace

    from corecast.asm import Kernel, RegionOptions, read_regions

    if isinstance(code, Kernel):
        return [code]
    regions = regions or RegionOptions()
    if regions.isa is None:
        regions = replace(regions, isa=machine.isa)
    if isinstance(code, str):
        if _HEX.fullmatch(code.strip()):
            return [Kernel.from_hex(code, regions.isa or machine.isa, is_loop=regions.mode != "unroll")]
        if "\n" in code or not Path(code).is_file():
            return list(_regions_of_text(code, regions))
    return list(read_regions(str(code), regions, compiler=compiler))


def _regions_of_text(code: str, regions: RegionOptions) -> Sequence[Kernel]:
    from corecast.asm import regions_of_text
    from corecast.errors import SyntaxProblem

    try:
        return regions_of_text(code, options=regions)
    except SyntaxProblem as problem:
        if "\n" in code:
            raise
        raise SyntaxProblem(
            f"{problem.message}; nor is there a file of this name", problem.file, problem.line
        ) from None
