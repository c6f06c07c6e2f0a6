"""Builds an llvm-mca that has our scheduling models, to measure what they are worth.

python tools/llvm_mca.py --source llvm-project/llvm -o FOLDER CORE...

Writes FOLDER/llvm-mca. Each CORE's model (`corecast machine export CORE --format llvm`) takes the place of LLVM's model
of the processor that the core is to LLVM. Only the target's MC description and the program itself are compiled; all
else comes from the libraries of the installed LLVM (--llvm), which must be of the version of the sources. All cores are
of one instruction set. Takes some minutes.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from corecast import _core
from corecast.convert.exporters.llvm.front_end import MODES
from corecast.convert.exporters.llvm.resources import camel
from corecast.convert.exporters.llvm.tablegen import llvm_tablegen
from corecast.machine import Machine, load_machine


@dataclass(frozen=True)
class Target:
    """What LLVM calls an instruction set, and the tables that its MC description includes."""

    name: str
    tables: tuple[tuple[str, ...], ...]


TARGETS = {
    "x86": Target(
        "X86",
        (
            ("SubtargetInfo", "-gen-subtarget"),
            ("InstrInfo", "-gen-instr-info", "-instr-info-expand-mi-operand-info=0"),
            ("RegisterInfo", "-gen-register-info"),
            ("MnemonicTables", "-gen-x86-mnemonic-tables", "-asmwriternum=1"),
        ),
    ),
    "aarch64": Target(
        "AArch64",
        (
            ("SubtargetInfo", "-gen-subtarget"),
            ("InstrInfo", "-gen-instr-info"),
            ("RegisterInfo", "-gen-register-info"),
            ("SystemOperands", "-gen-searchable-tables"),
        ),
    ),
}
LISTS = {
    "Targets": "LLVM_TARGET",
    "AsmParsers": "LLVM_ASM_PARSER",
    "Disassemblers": "LLVM_DISASSEMBLER",
    "TargetMCAs": "LLVM_TARGETMCA",
}
"""LLVM's lists of targets, by file: the program is for one target, and for the machine's own, which it asks for."""
NATIVE = {"x86_64": "X86", "aarch64": "AArch64"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, required=True, metavar="FOLDER", help="LLVM's sources: llvm/")
    parser.add_argument("--llvm", type=Path, default=default_llvm(), metavar="FOLDER", help="default: %(default)s")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--mode", choices=MODES, default="loop", help="of `machine export` (default: %(default)s)")
    parser.add_argument("cores", nargs="+", metavar="CORE")
    arguments = parser.parse_args()
    machines = [load_machine(name) for name in arguments.cores]
    if len({machine.isa for machine in machines}) > 1 or machines[0].isa not in TARGETS:
        print("llvm_mca: all cores must be x86, or all AArch64", file=sys.stderr)
        return 2
    Build(TARGETS[machines[0].isa], arguments.source, arguments.llvm, arguments.output).run(machines, arguments.mode)
    return 0


def default_llvm() -> Path:
    """Where Debian installs the LLVM that corecast is linked with."""
    return Path(f"/usr/lib/llvm-{_core.llvm_version.split('.')[0]}")


class Build:
    def __init__(self, target: Target, source: Path, llvm: Path, output: Path) -> None:
        self._target = target
        self._source = source.resolve()
        self._llvm = llvm.resolve()
        self._output = output.resolve()
        self._targets = sorted({target.name, NATIVE.get(platform.machine(), target.name)})
        self._description = self._source / "lib" / "Target" / target.name

    def run(self, machines: Sequence[Machine], mode: str) -> None:
        self._output.mkdir(parents=True, exist_ok=True)
        root = self._described(machines, mode)
        with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
            list(pool.map(lambda table: self._table(root, *table), self._target.tables))
            program = self._source / "tools" / "llvm-mca"
            sources = [*sorted(program.glob("*.cpp")), *sorted((program / "Views").glob("*.cpp"))]
            # Without optimization: it holds tables of tens of megabytes.
            jobs = [(self._description / "MCTargetDesc" / f"{self._target.name}MCTargetDesc.cpp", "-O0")]
            jobs += [(source, "-O2") for source in sources]
            objects = list(pool.map(lambda job: self._compiled(*job), jobs))
        self._linked(objects)

    def _described(self, machines: Sequence[Machine], mode: str) -> Path:
        """The target's description with our models; AArch64 has its processors in a separate file."""
        root = f"{self._target.name}.td"
        apart = f"{self._target.name}Processors.td"
        texts = {root: (self._description / root).read_text()}
        if (self._description / apart).exists():
            texts[apart] = (self._description / apart).read_text()
        processors = apart if apart in texts else root
        for machine in machines:
            (self._output / f"{machine.name}.td").write_text(llvm_tablegen(machine, mode))
            texts[root] = including(texts[root], f"{machine.name}.td")
            model = f"Corecast{camel(machine.name)}Model"
            texts[processors] = with_model(texts[processors], machine.llvm_cpu, model)
        for name, text in texts.items():
            (self._output / name).write_text(text)
        return self._output / root

    def _table(self, root: Path, name: str, *options: str) -> None:
        table = self._output / f"{self._target.name}Gen{name}.inc"
        folders = [f"-I{each}" for each in (self._output, self._llvm / "include", self._description)]
        run(self._llvm / "bin" / "llvm-tblgen", *folders, *options, root, "-o", table)

    def _compiled(self, source: Path, level: str) -> Path:
        made = self._output / f"{source.stem}.o"
        configured = self._output / "config"
        (configured / "llvm" / "Config").mkdir(parents=True, exist_ok=True)
        for name, macro in LISTS.items():
            used = "".join(f"{macro}({each})\n" for each in self._targets if self._has(each, name))
            (configured / "llvm" / "Config" / f"{name}.def").write_text(f"{used}#undef {macro}\n")
        program = self._source / "tools" / "llvm-mca"
        folders = (configured, self._llvm / "include", self._output, self._description, program)
        run(
            "g++", "-std=c++17", level, "-w", "-fno-exceptions", "-fno-rtti", "-D__STDC_CONSTANT_MACROS",
            "-D__STDC_FORMAT_MACROS", "-D__STDC_LIMIT_MACROS", *(f"-I{each}" for each in folders),
            f"-I{self._description / 'MCTargetDesc'}", "-c", source, "-o", made,
        )  # fmt: skip
        return made

    def _has(self, target: str, name: str) -> bool:
        return name != "TargetMCAs" or (self._llvm / "lib" / f"libLLVM{target}TargetMCA.a").exists()

    def _linked(self, objects: Sequence[Path]) -> None:
        parts = []
        for each in self._targets:
            kinds = (
                "asmparser",
                "disassembler",
                "desc",
                "info",
                *(["targetmca"] if self._has(each, "TargetMCAs") else []),
            )
            parts += [f"{each.lower()}{kind}" for kind in kinds]
        config = self._llvm / "bin" / "llvm-config"
        libraries = output(config, "--link-static", "--libs", "mca", "mcparser", "mcdisassembler", *parts)
        system = output(config, "--link-static", "--system-libs")
        run("g++", "-o", self._output / "llvm-mca", *objects, f"-L{self._llvm / 'lib'}", *libraries, *system)


def including(description: str, file: str) -> str:
    """A target's description that includes a file behind LLVM's models."""
    end = list(re.finditer(r'^include "\w*Sched\w*\.td"\n', description, re.MULTILINE))[-1].end()
    return f'{description[:end]}include "{file}"\n{description[end:]}'


def with_model(description: str, processor: str, model: str) -> str:
    """A description of processors that gives one of them another model, and its own to one that nobody has.

    llvm-tblgen takes no costs of a model that no processor has.

    Raises:
        ValueError: it does not define the processor.
    """
    name = re.escape(f'"{processor}"')
    direct = rf"((?:ProcModel|ProcessorModel)<\s*{name},\s*)(\w+)"
    several = rf"(foreach P = \[[^\]]*{name}[^\]]*\] in \{{?\s*def : Proc\w*Model<P,\s*)(\w+)"
    found = re.search(direct, description) or re.search(several, description)
    if found is None:
        raise ValueError(f"no processor {processor} there")
    kept = f'def : ProcessorModel<"before-{processor}", {found[2]}, []>;\n'
    return f"{description[: found.start(2)]}{model}{description[found.end(2) :]}{kept}"


def run(*command: str | Path) -> None:
    subprocess.run([str(word) for word in command], check=True)


def output(*command: str | Path) -> list[str]:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout.split()


if __name__ == "__main__":
    sys.exit(main())
