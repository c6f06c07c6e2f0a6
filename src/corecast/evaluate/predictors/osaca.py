"""OSACA: the installed program, kept running.

The forecast is what its authors compare with measurements: the larger of the highest port pressure and the
loop-carried dependency, read from the sums below its table. Where it has no data for an instruction there are no sums.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from corecast.errors import InputError
from corecast.evaluate.predictors.served import Said, Served
from corecast.evaluate.predictors.text import LABEL, Answer, block_text, each_kernel, machine_name, text_of, version_of
from corecast.files.reading import open_bytes
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast.evaluate.cases import Answers, Cases
    from corecast.evaluate.predictors.base import Setting
    from corecast.machine import Machine

_SECONDS = 60.0
_CORES = (
    "SNB",
    "IVB",
    "HSW",
    "BDW",
    "SKX",
    "CSX",
    "ICL",
    "ICX",
    "SPR",
    "ZEN1",
    "ZEN2",
    "ZEN3",
    "ZEN4",
    "TX2",
    "N1",
    "A64FX",
    "TSV110",
    "A72",
    "M1",
    "V2",
)
_SUMS = lazy_pattern(r"(?m)^\s+(\d+(?:\.\d+)?(?:\s+\d+(?:\.\d+)?)+)\s*$")
_MISSING = lazy_pattern(r"performance data for (\d+) instruction")
_SCALED = lazy_pattern(r"\b(\d)\*(\w+)")
"""OSACA's reader of Intel syntax wants the scale behind the index."""


class Osaca:
    name = "osaca"

    def __init__(self, path: str, setting: Setting) -> None:
        from corecast.prediction.engine import processors

        program = shutil.which(path or "osaca") or (None if path else _beside_python())
        if program is None:
            raise InputError(f"program {path or 'osaca'} not found: pip install osaca")
        self._setting = setting
        self._served = Served([_interpreter(program), program], setting.jobs or processors(), _SECONDS)
        self.description = version_of(program)

    def blocks(self, cases: Cases) -> Answers:
        machine = self._setting.core()
        loop = self._setting.mode == "loop"
        texts = [block_text(code, machine, loop) for code in cases.codes]
        return self._answers(texts, [machine] * len(texts))

    def kernels(self, cases: Cases) -> Answers:
        texts = each_kernel(cases, lambda kernel, _: text_of(kernel.instructions))
        return self._answers(texts, cases.machines)

    def _answers(self, texts: Sequence[str | Answer], machines: Sequence[Machine]) -> Answers:
        def ask(place: int, folder: Path) -> list[str] | Answer:
            text, machine = texts[place], machines[place]
            core = machine_name(machine, _CORES)
            if core is None:
                return None, f"error: OSACA has no model of {machine.name}"
            if isinstance(text, tuple):
                return text
            file = folder / f"{place}.s"
            file.write_text(_source(text, machine.isa), encoding="utf-8")
            syntax = ["--syntax", "INTEL"] if machine.isa == "x86" else []
            return ["--arch", core, *syntax, str(file)]

        return self._served.answers(len(texts), ask, read_report)


def read_report(said: Said) -> Answer:
    """The forecast out of a report."""
    if said.code:
        return None, said.problem()
    missing = _MISSING.search(said.output)
    if missing:
        return None, f"error: no data for {missing[1]} instructions"
    sums = _SUMS.findall(said.output)
    if not sums:
        return None, "error: its output cannot be read"
    *ports, _critical_path, loop_carried = map(float, sums[-1].split())
    return max([*ports, loop_carried]), "ok"


def _source(text: str, isa: str) -> str:
    """The whole file is the loop: a label, so that the branch leads somewhere."""
    body = _SCALED.sub(r"\2*\1", text) if isa == "x86" else text
    return f"{LABEL}:\n{body}\n"


def _beside_python() -> str | None:
    """The program of the environment that runs, where that is not on the path."""
    program = Path(sys.executable).with_name("osaca")
    return str(program) if find_spec("osaca") is not None and program.exists() else None


def _interpreter(program: str) -> str:
    """The Python that a script names in its first line, so that it finds what was installed with it."""
    with open_bytes(program) as stream:
        first = stream.readline().decode("utf-8", "replace").strip()
    words = first.removeprefix("#!").split() if first.startswith("#!") else []
    if len(words) > 1 and Path(words[0]).name == "env":
        words = words[1:]
    return shutil.which(words[0]) or sys.executable if words and "python" in words[0] else sys.executable
