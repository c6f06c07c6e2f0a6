"""llvm-mca: the installed program, many blocks a process.

A block is a region of Intel-syntax text; the answer is what each iteration takes once the pipeline has filled, as
measurements are of long runs: the cycles of 200 iterations less those of 100, divided by 100. A process that
complains of some lines is asked again without their blocks; one that fails otherwise (a crash, a timeout) about each
half of its blocks. So a bad block costs a few processes, and only its own answer is an error.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from corecast.errors import InputError
from corecast.evaluate.cases import Answers
from corecast.evaluate.predictors.text import Answer, answers_of, block_text, each_kernel, text_of, version_of
from corecast.hints import TYPE_CHECKING
from corecast.isa.spelling import ARCHITECTURES
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast.evaluate.cases import Cases
    from corecast.evaluate.predictors.base import Setting
    from corecast.machine import Machine

_NAMES = (*(f"llvm-mca-{version}" for version in range(40, 13, -1)), "llvm-mca")
_REGIONS = 250
_ITERATIONS = (100, 200)
"""Reorder buffers of today hold less than a hundred iterations of all but the shortest blocks."""
_SECONDS_A_REGION = 0.2
_SECONDS = 20.0

_COMPLAINT = lazy_pattern(r"(?m)^<stdin>:(\d+):\d+: error: (.*)")


class LlvmMca:
    def __init__(self, path: str, setting: Setting) -> None:
        program = shutil.which(path) if path else next(filter(None, map(shutil.which, _NAMES)), None)
        if program is None:
            raise InputError(f"program {path or 'llvm-mca'} not found")
        self.name = Path(path).name if path else "llvm-mca"
        self._program = program
        self._setting = setting
        self.description = version_of(program, "version")

    def blocks(self, cases: Cases) -> Answers:
        machine = self._setting.core()
        texts: list[str | Answer] = [block_text(code, machine, self._setting.mode == "loop") for code in cases.codes]
        return self._all(texts, [machine] * len(texts))

    def kernels(self, cases: Cases) -> Answers:
        return self._all(each_kernel(cases, lambda kernel, _: text_of(kernel.instructions)), cases.machines)

    def _all(self, texts: Sequence[str | Answer], machines: Sequence[Machine]) -> Answers:
        from corecast.prediction.engine import processors

        found: list[Answer] = [(None, "") if isinstance(text, str) else text for text in texts]
        batches: list[list[int]] = []
        by_core: dict[str, list[int]] = {}
        for place, (text, machine) in enumerate(zip(texts, machines, strict=True)):
            if isinstance(text, str):
                by_core.setdefault(machine.name, []).append(place)
        for places in by_core.values():
            batches += [places[at : at + _REGIONS] for at in range(0, len(places), _REGIONS)]

        def run(places: list[int]) -> None:
            some = [str(texts[place]) for place in places]
            for place, answer in zip(places, self._ask(some, machines[places[0]]), strict=True):
                found[place] = answer

        with ThreadPoolExecutor(self._setting.jobs or processors()) as pool:
            list(pool.map(run, batches))
        return answers_of(found)

    def _ask(self, texts: Sequence[str], machine: Machine) -> list[Answer]:
        if not machine.llvm_cpu:
            return [(None, f"error: LLVM has no model of {machine.name}")] * len(texts)
        cycles, problems = self._pace(texts, machine)
        if cycles is not None:
            return [(each, "ok") for each in cycles]
        told = {at: problem for at, problem in problems.items() if at is not None}
        if told:
            rest = [text for at, text in enumerate(texts) if at not in told]
            others = iter(self._ask(rest, machine) if rest else [])
            return [(None, f"error: {told[at]}") if at in told else next(others) for at in range(len(texts))]
        if len(texts) == 1:
            return [(None, f"error: {problems[None]}")]
        middle = len(texts) // 2
        return self._ask(texts[:middle], machine) + self._ask(texts[middle:], machine)

    def _pace(self, texts: Sequence[str], machine: Machine) -> tuple[list[float] | None, dict[int | None, str]]:
        """Cycles of a further iteration by region; None and what went wrong as `_process` does."""
        few, many = _ITERATIONS
        first, problems = self._process(texts, machine, few)
        if first is None:
            return None, problems
        second, problems = self._process(texts, machine, many)
        if second is None:
            return None, problems
        return [(later - sooner) / (many - few) for sooner, later in zip(first, second, strict=True)], {}

    def _process(
        self, texts: Sequence[str], machine: Machine, iterations: int
    ) -> tuple[list[float] | None, dict[int | None, str]]:
        """Cycles of all iterations by region; None and what went wrong, by region as far as told, where it fails."""
        command = [
            self._program,
            f"-mtriple={ARCHITECTURES[machine.isa]}",
            f"-mcpu={machine.llvm_cpu}",
            f"-iterations={iterations}",
            "-json",
            "-instruction-info=0",
            "-resource-pressure=0",
        ]
        comment = "#" if machine.isa == "x86" else "//"
        regions = (
            f"{comment} LLVM-MCA-BEGIN {at}\n{text}\n{comment} LLVM-MCA-END {at}\n" for at, text in enumerate(texts)
        )
        source = (".intel_syntax noprefix\n" if machine.isa == "x86" else "\n") + "".join(regions)
        limit = _SECONDS + _SECONDS_A_REGION * len(texts)
        try:
            done = subprocess.run(
                command, input=source, capture_output=True, encoding="utf-8", timeout=limit, check=False
            )
        except subprocess.TimeoutExpired:
            return None, {None: f"no answer within {limit:.0f} s"}
        except UnicodeDecodeError:
            return None, {None: "its output is not text"}
        if done.returncode != 0:
            return None, _complaints(texts, done.stderr) or {None: _reason(done.returncode, done.stderr)}
        try:
            cycles = [float(region["SummaryView"]["TotalCycles"]) for region in json.loads(done.stdout)["CodeRegions"]]
        except (ValueError, KeyError, TypeError):
            return None, {None: "its output cannot be read"}
        return (cycles, {}) if len(cycles) == len(texts) else (None, {None: "a block is missing from its output"})


def _complaints(texts: Sequence[str], stderr: str) -> dict[int | None, str]:
    """What is said of lines, by the region that holds them."""
    owner: list[int | None] = [None]  # the line before the regions
    for at, text in enumerate(texts):
        owner += [at] * (text.count("\n") + 3)
    found: dict[int | None, str] = {}
    for line, problem in _COMPLAINT.findall(stderr):
        region = owner[int(line) - 1] if int(line) <= len(owner) else None
        if region is not None:
            found.setdefault(region, problem.strip()[:120])
    return found


def _reason(code: int, stderr: str) -> str:
    if code < 0:
        return f"crash (signal {-code})"
    line = next((line for line in stderr.splitlines() if "error:" in line), f"exit code {code}")
    return line.split("error:", 1)[-1].strip()[:120]
