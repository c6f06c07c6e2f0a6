"""Any command line as a predictor.

A template with {hex}, {asm} or {bin} is run once a block; the last number that it prints is the forecast.
{cpu}, {mode} and {address} may stand in it too. A template without a place for the code is run for many blocks: it
gets a line of hexadecimal digits a block and answers with a line a block, whose first word is the forecast.
No shell reads the template.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from string import Formatter

from corecast.asm.hexcode import read_hex
from corecast.errors import InputError
from corecast.evaluate.predictors.text import Answer, answers_of, block_text, each_kernel, number_of, text_of
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.asm import Kernel
    from corecast.evaluate.cases import Answers, Cases
    from corecast.evaluate.predictors.base import Setting
    from corecast.machine import Machine

_CODE = ("hex", "asm", "bin")
_FIELDS = (*_CODE, "cpu", "mode", "address")
_SECONDS = 60.0
_SECONDS_A_LINE = 1.0
_LINES = 256
_SHOWN = 120


class Command:
    def __init__(self, name: str, template: str, setting: Setting) -> None:
        if not name:
            raise InputError("a command needs a name: NAME=command:TEMPLATE")
        self._words = _split(template)
        self._one_block = any(f"{{{field}}}" in word for word in self._words for field in _CODE)
        self._setting = setting
        self.name = name
        self.description = f"the command {template.strip()}"

    def blocks(self, cases: Cases) -> Answers:
        from corecast.prediction.engine import processors

        machine = self._setting.core()
        size = 1 if self._one_block else _LINES
        batches = [range(at, min(at + size, len(cases))) for at in range(0, len(cases), size)]

        def ask(places: range) -> list[Answer]:
            if self._one_block:
                return [self._ask(cases, place, machine) for place in places]
            return self._ask_lines([cases.codes[place] for place in places], machine)

        with ThreadPoolExecutor(self._setting.jobs or processors()) as pool:
            return answers_of(answer for batch in pool.map(ask, batches) for answer in batch)

    def kernels(self, cases: Cases) -> Answers:
        return answers_of(each_kernel(cases, self._kernel))

    def _kernel(self, kernel: Kernel, machine: Machine) -> Answer:
        code = b"".join(each.bytes for each in kernel.instructions)
        if not self._one_block:
            return self._ask_lines([code.hex()], machine)[0]
        mode = "loop" if kernel.is_loop else "unroll"
        return self._run(code, text_of(kernel.instructions), machine, mode, "0")

    def _ask(self, cases: Cases, place: int, machine: Machine) -> Answer:
        mode = self._setting.mode
        text = block_text(cases.codes[place], machine, mode == "loop")
        if isinstance(text, tuple):
            return text
        address = cases.addresses[place] if cases.addresses else "0"
        return self._run(read_hex(cases.codes[place]), text, machine, mode, address)

    def _run(self, code: bytes, text: str, machine: Machine, mode: str, address: str) -> Answer:
        with tempfile.TemporaryDirectory(prefix="corecast-command-") as folder:
            asm, binary = Path(folder) / "block.s", Path(folder) / "block.bin"
            asm.write_text((".intel_syntax noprefix\n" if machine.isa == "x86" else "") + text + "\n", encoding="utf-8")
            binary.write_bytes(code)
            fields = {
                "hex": code.hex(),
                "asm": str(asm),
                "bin": str(binary),
                "cpu": machine.name,
                "mode": mode,
                "address": address,
            }
            said = self._process([word.format(**fields) for word in self._words], "", _SECONDS)
        if isinstance(said, tuple):
            return said
        return next(filter(lambda answer: answer[0] is not None, map(number_of, reversed(said.split()))), number_of(""))

    def _ask_lines(self, codes: Sequence[str], machine: Machine) -> list[Answer]:
        """A batch that fails as a whole is asked again by halves: so a bad block costs only its own answer."""
        fields = {"cpu": machine.name, "mode": self._setting.mode, "address": "0"}
        lines = "".join(f"{code}\n" for code in codes)
        limit = _SECONDS + _SECONDS_A_LINE * len(codes)
        said = self._process([word.format(**fields) for word in self._words], lines, limit)
        problem: Answer = said if isinstance(said, tuple) else (None, "error: a line of its answer is missing")
        if isinstance(said, str):
            found = [number_of((line.split() or [""])[0]) for line in said.splitlines()]
            if len(found) == len(codes):
                return found
        if len(codes) == 1:
            return [problem]
        middle = len(codes) // 2
        return self._ask_lines(codes[:middle], machine) + self._ask_lines(codes[middle:], machine)

    def _process(self, command: list[str], stdin: str, seconds: float) -> str | Answer:
        """What the command prints, or why there is nothing."""
        try:
            done = subprocess.run(
                command,
                input=stdin,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None, f"error: no answer within {seconds:.0f} s"
        except OSError as error:
            return None, f"error: {error.strerror}"
        if done.returncode < 0:
            return None, f"error: crash (signal {-done.returncode})"
        if done.returncode > 0:
            words = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            return None, f"error: {words[:_SHOWN]}"
        return done.stdout


def _split(template: str) -> list[str]:
    try:
        words = shlex.split(template)
        used = {field for word in words for _, field, _, _ in Formatter().parse(word) if field is not None}
    except ValueError as error:
        raise InputError(f"the command '{template}' cannot be read: {error}") from None
    if not words:
        raise InputError("the command is empty: NAME=command:TEMPLATE")
    if unknown := sorted(used - set(_FIELDS)):
        raise InputError(
            f"the command has no value for {{{unknown[0]}}}: {', '.join(f'{{{each}}}' for each in _FIELDS)}"
        )
    if shutil.which(words[0]) is None:
        raise InputError(f"program {words[0]} not found")
    return words
