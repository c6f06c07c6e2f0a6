"""The trivial baseline: what counting instructions and memory accesses tells.

    max(instructions / width of rename, memory reads / load ports, memory writes / store data ports)

and, for loops, 1 at least, with a branch at the end not counted as an instruction: it fuses with the one before it.
This is the baseline that Abel and Reineke hold their simulator uiCA against (ICS 2022), with the widths of the core at
hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from corecast.evaluate.predictors.text import Answer, answers_of, each_kernel, read_block
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast import _core
    from corecast.asm import Kernel
    from corecast.evaluate.cases import Answers, Cases
    from corecast.evaluate.predictors.base import Setting
    from corecast.machine import Machine


class Baseline:
    name = "baseline"
    description = "instructions and memory accesses divided by the widths for them"

    def __init__(self, setting: Setting) -> None:
        self._setting = setting

    def blocks(self, cases: Cases) -> Answers:
        machine = self._setting.core()
        widths = _Widths(machine)
        loop = self._setting.mode == "loop"

        def ask(code: str) -> Answer:
            kernel = read_block(code, machine)
            if isinstance(kernel, tuple):
                return kernel
            # An assumed loop branch, dec and jnz, is one instruction here.
            assumed = loop and kernel.instructions[-1].branch == "none"
            return widths.cycles(kernel.instructions, loop, assumed), "ok"

        return answers_of(map(ask, cases.codes))

    def kernels(self, cases: Cases) -> Answers:
        def ask(kernel: Kernel, machine: Machine) -> Answer:
            return _Widths(machine).cycles(kernel.instructions, kernel.is_loop, False), "ok"

        return answers_of(each_kernel(cases, ask))


class _Widths:
    """How many instructions, reads and writes a core takes a cycle, from its model."""

    def __init__(self, machine: Machine) -> None:
        self._width = machine.core.rename_width
        self._read_cycles, self._write_cycles = machine.core.access_cycles

    def cycles(self, instructions: Sequence[_core.Instruction], loop: bool, assumed_branch: bool) -> float:
        count = len(instructions) + (1 if assumed_branch else 0)
        if loop and instructions[-1].branch != "none":
            count -= 1
        reads = sum(access.read for each in instructions for access in each.memory)
        writes = sum(access.write for each in instructions for access in each.memory)
        most = max(count / self._width, reads * self._read_cycles, writes * self._write_cycles)
        return max(1.0, most) if loop else most
