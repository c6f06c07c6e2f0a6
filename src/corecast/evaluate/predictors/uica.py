"""uiCA and Facile: the Python programs of a checkout that the user names, kept running.

Both read a file of code bytes (`-raw`) and print the number alone (`-TPonly`); a block that ends in a branch is a loop.
"""

from __future__ import annotations

import sys
import tempfile
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from corecast.errors import InputError
from corecast.evaluate.cases import Answers
from corecast.evaluate.predictors.served import Said, Served
from corecast.evaluate.predictors.text import Answer, answers_of, block_instructions, machine_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corecast import _core
    from corecast.evaluate.cases import Cases
    from corecast.evaluate.predictors.base import Setting
    from corecast.machine import Machine

_SECONDS = 60.0
_CORES = ("SNB", "IVB", "HSW", "BDW", "SKL", "SKX", "CLX", "ICL", "TGL", "RKL")
_PROGRAMS = {"uica": "uiCA.py", "facile": "facile.py"}
_LINE_BYTES = 64


class Uica:
    """`kind`: uica or facile."""

    def __init__(self, kind: str, checkout: str, setting: Setting) -> None:
        from corecast.bulk.engine import processors

        program = Path(checkout) / _PROGRAMS[kind]
        if not checkout or not program.is_file():
            raise InputError(f"{kind} needs the folder of a checkout with {program.name} in it: {kind}:FOLDER")
        self.name = kind
        self.description = f"{program.name} of {checkout}"
        self._setting = setting
        self._served = Served([sys.executable, str(program)], setting.jobs or processors(), _SECONDS)

    def blocks(self, cases: Cases) -> Answers:
        machine = self._setting.core()
        loop = self._setting.mode == "loop"
        addresses = cases.addresses or ["0"] * len(cases)
        return self._answers(
            [
                (block_instructions(code, machine, loop), machine, _number(address))
                for code, address in zip(cases.codes, addresses, strict=True)
            ]
        )

    def kernels(self, cases: Cases) -> Answers:
        asked: list[tuple[Sequence[_core.Instruction] | Answer, Machine, int]] = []
        for place, (kernel, machine) in enumerate(zip(cases.kernels, cases.machines, strict=True)):
            if kernel is None:
                asked.append(((None, f"error: {cases.problems[place]}"), machine, 0))
            else:
                asked.append((list(kernel.instructions), machine, 0))
        return self._answers(asked)

    def _answers(self, asked: Sequence[tuple[Sequence[_core.Instruction] | Answer, Machine, int]]) -> Answers:
        found: list[Answer] = [(None, "")] * len(asked)
        requests: list[tuple[int, list[str]]] = []
        with tempfile.TemporaryDirectory(prefix="corecast-uica-") as folder:
            for place, (instructions, machine, address) in enumerate(asked):
                core = machine_name(machine, _CORES) if machine.isa == "x86" else None
                if core is None:
                    found[place] = (None, f"error: {self.name} has no model of {machine.name}")
                elif isinstance(instructions, tuple):
                    found[place] = instructions
                else:
                    file = Path(folder) / f"{place}.bin"
                    file.write_bytes(b"".join(each.bytes for each in instructions))
                    start = str(address % _LINE_BYTES)
                    requests.append((place, ["-raw", "-TPonly", "-arch", core, "-alignmentOffset", start, str(file)]))

            def take(place: int, said: Said | Answer) -> None:
                found[place] = said if isinstance(said, tuple) else read_number(said)

            self._served.ask(requests, take)
        return answers_of(found)


def read_number(said: Said) -> Answer:
    """The number that stands last in the output."""
    if said.code:
        return None, said.problem()
    words = said.output.split()
    try:
        cycles = float(words[-1])
    except (ValueError, IndexError):
        return None, "error: no number"
    return (cycles, "ok") if isfinite(cycles) else (None, "error: no number")


def _number(address: str) -> int:
    """As corecast reads addresses; what is none starts at 0."""
    try:
        return int(address, 0)
    except ValueError:
        return 0
