"""uiCA and Facile: the Python programs of a checkout that the user names, kept running.

Both read a file of code bytes (`-raw`) and print the number alone (`-TPonly`); a block that ends in a branch is a loop.
"""

from __future__ import annotations

import sys
from pathlib import Path

from corecast.errors import InputError
from corecast.evaluate.predictors.served import Said, Served
from corecast.evaluate.predictors.text import Answer, block_instructions, each_kernel, machine_name, number_of
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corecast import _core
    from corecast.evaluate.cases import Answers, Cases
    from corecast.evaluate.predictors.base import Setting
    from corecast.machine import Machine

_SECONDS = 60.0
_CORES = ("SNB", "IVB", "HSW", "BDW", "SKL", "SKX", "CLX", "ICL", "TGL", "RKL")
_PROGRAMS = {"uica": "uiCA.py", "facile": "facile.py"}
_LINE_BYTES = 64


class Uica:
    """`kind`: uica or facile."""

    def __init__(self, kind: str, checkout: str, setting: Setting) -> None:
        from corecast.prediction.engine import processors

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
        addresses = map(_number, cases.addresses or ["0"] * len(cases))
        found = [block_instructions(code, machine, loop) for code in cases.codes]
        return self._answers(found, [machine] * len(cases), list(addresses))

    def kernels(self, cases: Cases) -> Answers:
        found = each_kernel(cases, lambda kernel, _: list(kernel.instructions))
        return self._answers(found, cases.machines, [0] * len(cases))

    def _answers(
        self,
        blocks: Sequence[Sequence[_core.Instruction] | Answer],
        machines: Sequence[Machine],
        addresses: Sequence[int],
    ) -> Answers:
        def ask(place: int, folder: Path) -> list[str] | Answer:
            instructions, machine = blocks[place], machines[place]
            core = machine_name(machine, _CORES) if machine.isa == "x86" else None
            if core is None:
                return None, f"error: {self.name} has no model of {machine.name}"
            if isinstance(instructions, tuple):
                return instructions
            file = folder / f"{place}.bin"
            file.write_bytes(b"".join(each.bytes for each in instructions))
            start = str(addresses[place] % _LINE_BYTES)
            return ["-raw", "-TPonly", "-arch", core, "-alignmentOffset", start, str(file)]

        return self._served.answers(len(blocks), ask, read_number)


def read_number(said: Said) -> Answer:
    """The number that stands last in the output."""
    if said.code:
        return None, said.problem()
    return number_of((said.output.split() or [""])[-1])


def _number(address: str) -> int:
    """As corecast reads addresses; what is none starts at 0."""
    try:
        return int(address, 0)
    except ValueError:
        return 0
