"""Which loops of a source file compilers vectorize, how, and what it gains by the forecast."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from corecast.analysis.elements import elements_of
from corecast.analysis.work.mix import Mix
from corecast.analysis.work.strides import longest_stride
from corecast.asm.compile import read_source
from corecast.asm.options import RegionOptions
from corecast.asm.regions import regions_of_code
from corecast.dataclass import dataclass
from corecast.errors import CorecastError, InputError
from corecast.hints import TYPE_CHECKING
from corecast.isa.spelling import isa_called, linux_triple
from corecast.machine import load_machine, variant
from corecast.pattern import lazy_pattern
from corecast.simulate import simulate_kernel

if TYPE_CHECKING:
    from corecast.asm import Kernel
    from corecast.asm.code import Code, Isa
    from corecast.machine import Machine

# Without what would make one iteration of the code several of the source.
SCALAR = {
    "gcc": "-fno-tree-vectorize -fno-predictive-commoning",
    "clang": "-fno-vectorize -fno-slp-vectorize",
}
_PLAIN = {"gcc": "-fno-predictive-commoning -fno-unroll-loops", "clang": "-fno-unroll-loops"}
"""Besides: one iteration of the code is one of the source."""
_COMPUTES = frozenset({"SIMD", "scalable", "gather", "scatter", "ordered reduction", "reduction", "structure access"})
_MOVES = frozenset({"SIMD load", "SIMD store", "scalable load", "scalable store"})
_SPECIAL = ("gather", "scatter", "structure access", "ordered reduction", "reduction", "predicate")
_FUNCTION = lazy_pattern(r"(?m)^(?:\w[\w\s*]*?[\s*])(\w+)\s*\([^;{]*\)\s*\{")
_CLASS = lazy_pattern(r"(?m)^/\*\s*class:\s*(.*?)\s*\*/")


@dataclass(frozen=True)
class Target:
    """Vectors that code is compiled for, and the core that it is forecast on."""

    name: str
    isa: Isa
    flags: str
    cpu: str
    scalable: bool = False
    """The code leaves the vectors' length open."""


TARGETS = {
    target.name: target
    for target in (
        Target("sse", "x86", "-march=x86-64-v2", "skylake_x"),
        Target("avx2", "x86", "-march=haswell", "skylake_x"),
        Target("avx512", "x86", "-march=skylake-avx512 -mprefer-vector-width=512", "skylake_x"),
        Target("neon", "aarch64", "-march=armv8.2-a", "neoverse_n1"),
        Target("sve", "aarch64", "-march=armv8.2-a+sve", "neoverse_v1", scalable=True),
        Target("rvv", "riscv64", "-march=rv64gcv", "spacemit_x60", scalable=True),
    )
}


@dataclass(frozen=True)
class Forecast:
    """A loop as it was compiled, on one core."""

    cycles: float
    """Of an iteration."""
    elements: float
    """Iterations of the source in one of the code."""

    @property
    def cycles_per_element(self) -> float:
        return self.cycles / self.elements


@dataclass(frozen=True)
class Finding:
    """What became of a loop under one compiler and target, with vectors of one length."""

    loop: str
    group: str
    compiler: str
    target: str
    vector_bits: int
    """0 where the code says the length."""
    vectorized: bool
    how: str
    vector: Forecast | None
    scalar: Forecast | None

    @property
    def speed_up(self) -> float | None:
        """Against the same compiler's code without vectors."""
        if self.vector is None or self.scalar is None or not self.vector.cycles:
            return None
        return self.scalar.cycles_per_element / self.vector.cycles_per_element


def loops_of(source: str) -> dict[str, str]:
    """Functions of a C source, each with the class that the last comment `/* class: NAME */` before it gives."""
    marks = [(found.start(), found[1]) for found in _CLASS.finditer(source)]
    found = {}
    for function in _FUNCTION.finditer(source):
        before = [name for place, name in marks if place < function.start()]
        if not function[0].lstrip().startswith(("static", "inline", "else", "typedef")):
            found[function[1]] = before[-1] if before else ""
    return found


def study(
    file: str,
    compilers: Sequence[str],
    targets: Sequence[Target],
    lengths: Sequence[int] = (),
    flags: str = "-O3 -fno-math-errno",
    progress: Callable[[str], None] | None = None,
) -> list[Finding]:
    """Compiles a file with each compiler for each target, with and without vectorization, and forecasts its loops.

    Args:
        file: C source; each function is one loop.
        compilers: command lines: gcc, clang-19, ...
        targets: what for.
        lengths: bits of vectors whose length the code leaves open; none: those of the target's core.
        flags: for all compilations.
        progress: told what is compiled next.

    Raises:
        InputError: the file has no functions. CompilerError: a compiler is missing or refuses the source.
        UnknownCpuError: a target's core has no model.
    """
    try:
        loops = loops_of(Path(file).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", file) from None
    if not loops:
        raise InputError("there are no functions in it", file)
    findings = []
    for target in targets:
        for compiler in compilers:
            if progress is not None:
                progress(f"{compiler} {target.name}")
            family = _family(compiler)
            codes = Codes(
                _compiled(file, compiler, target, flags),
                _compiled(file, compiler, target, f"{flags} {SCALAR[family]}"),
                _compiled(file, compiler, target, f"{flags} {SCALAR[family]} {_PLAIN[family]}"),
            )
            for bits in (lengths or (0,)) if target.scalable else (0,):
                machine = _machine(target, bits)
                for name, group in loops.items():
                    findings.append(_finding(name, group, compiler, target, machine, bits, codes))
    return findings


@dataclass(frozen=True)
class Codes:
    """A file as one compiler makes it for one target."""

    usual: Code
    scalar: Code
    plain: Code
    """Scalar, one iteration of the source after the other."""


def _finding(
    name: str, group: str, compiler: str, target: Target, machine: Machine, bits: int, codes: Codes
) -> Finding:
    length = bits or (int(machine.core.vector_bits) if target.scalable else 0)
    strides = [longest_stride(loop) for loop in _loops(codes.plain, name)]
    unit = min((stride for stride in strides if stride), default=None)
    scalar = _best(_loops(codes.scalar, name), machine, unit)
    loops = _loops(codes.usual, name)
    if not loops:
        return Finding(name, group, compiler, target.name, length, False, "no loop is left", None, scalar)
    with_vectors = [loop for loop in loops if _has_vectors(loop, _elements(loop, machine, unit))]
    chosen = _best(with_vectors or loops, machine, unit)
    if not with_vectors:
        return Finding(name, group, compiler, target.name, length, False, "", chosen, scalar)
    main = _widest(with_vectors, machine, unit)
    return Finding(name, group, compiler, target.name, length, True, _how(main, machine, unit), chosen, scalar)


def _loops(code: Code, function: str) -> list[Kernel]:
    try:
        found = regions_of_code(code, RegionOptions(isa=code.isa, function=function))
    except CorecastError:
        return []
    return [kernel for kernel in found if kernel.instructions and not _is_straight(kernel)]


def _is_straight(kernel: Kernel) -> bool:
    return any(warning.startswith("no loop found") for warning in kernel.warnings)


def _has_vectors(kernel: Kernel, elements: float) -> bool:
    """Whether it computes with vectors, or moves several elements at a time with them."""
    mix = Mix()
    mix.add(kernel.instructions, kernel.isa)
    return bool(_COMPUTES & set(mix.classes)) or (elements > 1 and bool(_MOVES & set(mix.classes)))


def _elements(kernel: Kernel, machine: Machine, unit: float | None) -> float:
    """Iterations of the source: by how much farther the accesses go than without vectors, else by the vectors."""
    stride = longest_stride(kernel)
    if stride is not None and unit:
        return max(1.0, stride / unit)
    found = elements_of(kernel)
    return found.count(machine.core.vector_bits) if found is not None else 1.0


def _widest(kernels: Sequence[Kernel], machine: Machine, unit: float | None) -> Kernel:
    """The main loop: what runs before and after it does less at a time."""
    return max(kernels, key=lambda kernel: _elements(kernel, machine, unit))


def _best(kernels: Sequence[Kernel], machine: Machine, unit: float | None) -> Forecast | None:
    if not kernels:
        return None
    kernel = _widest(kernels, machine, unit)
    try:
        cycles = simulate_kernel(kernel, machine).cycles_per_iteration
    except CorecastError:
        return None
    return Forecast(cycles, _elements(kernel, machine, unit)) if cycles else None


def _how(kernel: Kernel, machine: Machine, unit: float | None) -> str:
    mix = Mix()
    mix.add(kernel.instructions, kernel.isa)
    elements = _elements(kernel, machine, unit)
    words = [f"{elements:g} at a time" if elements > 1 else "within an iteration"]
    words += [name for name in _SPECIAL if mix.classes[name]]
    return ", ".join(words)


def _compiled(file: str, compiler: str, target: Target, flags: str) -> Code:
    command = f"{_command(compiler, target)} {target.flags} {flags} -g0"
    return read_source(file, command, RegionOptions(isa=target.isa))


def _command(compiler: str, target: Target) -> str:
    """The compiler for that target: clang takes it as an option, gcc has one for each."""
    words = shlex.split(compiler)
    if _family(compiler) == "clang":
        return shlex.join([*words, f"--target={linux_triple(target.isa)}", "-ffreestanding"])
    if target.isa != isa_called(platform.machine()) and "/" not in words[0] and words[0].startswith("gcc"):
        words[0] = f"{linux_triple(target.isa)}-{words[0]}"
    return shlex.join(words)


def _family(compiler: str) -> str:
    return "clang" if "clang" in Path(shlex.split(compiler)[0]).name else "gcc"


def _machine(target: Target, bits: int) -> Machine:
    machine = load_machine(target.cpu)
    return variant(machine, {"vector_length_bits": bits}) if bits else machine


def rows(findings: Sequence[Finding]) -> Iterator[dict[str, object]]:
    """Plain values, for CSV and JSON."""
    for each in findings:
        yield {
            "loop": each.loop,
            "class": each.group,
            "compiler": each.compiler,
            "target": each.target,
            "vector_bits": each.vector_bits or None,
            "vectorized": each.vectorized,
            "how": each.how,
            "elements_per_iteration": each.vector.elements if each.vector else None,
            "cycles_per_element": each.vector.cycles_per_element if each.vector else None,
            "scalar_cycles_per_element": each.scalar.cycles_per_element if each.scalar else None,
            "speed_up": each.speed_up,
        }
