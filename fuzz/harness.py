"""What the fuzzers share: seeds, mutations, a child process that runs the target, shrinking, saving what broke.

The target runs in a child, so that a signal, a hang or a memory limit is a finding rather than the end of the fuzzer.
Only `CorecastError` may leave the public functions.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import resource
import select
import signal
import struct
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
CRASHES = Path(__file__).resolve().parent / "crashes"
DATA = ROOT / "tests" / "data"
HANG_SECONDS = 10.0
MEMORY_BYTES = 3 << 30
MAX_INPUT_BYTES = 200_000
SHRINK_SECONDS = 20.0

CPUS = {"x86": "skylake_x", "aarch64": "neoverse_v2", "riscv64": "spacemit_x60"}
MAX_ANALYZED = 400
"""Instructions of a kernel: more only take time."""

Target = Callable[[bytes], None]
Mutator = Callable[[random.Random, list[bytes]], bytes]


@dataclass(frozen=True)
class Finding:
    kind: str
    """What happened, the same for the same fault: a signal, "hang", or type and place of an exception."""
    detail: str


@dataclass(frozen=True)
class Fuzzer:
    name: str
    target: Target
    seeds: Callable[[], list[bytes]]
    mutate: Mutator
    suffix: str = ".bin"

    def main(self) -> int:
        """Command line; returns the exit code: 0 nothing found, 1 something."""
        parser = argparse.ArgumentParser(description=f"fuzzes {self.name}")
        parser.add_argument("--seconds", type=float, default=60.0)
        parser.add_argument("--inputs", type=int, default=None, help="ends after so many, or when the time ends")
        parser.add_argument("--seed", type=int, default=None, help="of the random numbers; by default another each run")
        parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
        parser.add_argument("files", nargs="*", help="inputs to try instead of fuzzing")
        arguments = parser.parse_args()
        if arguments.worker:
            return _work(self.target)
        if arguments.files:
            return self._replay([Path(file).read_bytes() for file in arguments.files])
        return self._fuzz(arguments.seconds, arguments.seed, arguments.inputs)

    def _replay(self, inputs: Sequence[bytes]) -> int:
        child = Child()
        findings = [finding for finding in map(child.run, inputs) if finding is not None]
        for finding in findings:
            print(f"{self.name}: {finding.kind}\n{finding.detail}")
        child.stop()
        return 1 if findings else 0

    def _fuzz(self, seconds: float, seed: int | None, limit: int | None) -> int:
        seed = seed if seed is not None else random.SystemRandom().randrange(1 << 32)
        rng = random.Random(seed)
        seeds = self.seeds()
        child = Child()
        pool = list(seeds)
        found: dict[str, Path] = {}
        runs = 0
        # Starting the child, which imports and reads models, is not fuzzing.
        for data in seeds[:1]:
            child.run(data)
        started = time.monotonic()
        while time.monotonic() < started + seconds and (limit is None or runs < limit):
            data = seeds[runs] if runs < len(seeds) else self.mutate(rng, pool)[:MAX_INPUT_BYTES]
            runs += 1
            finding = child.run(data)
            if finding is None:
                # Mutations of mutations, some of them.
                if rng.random() < 0.02 and len(data) < 20_000:
                    pool[rng.randrange(len(pool))] = data
                    if rng.random() < 0.5:
                        pool[rng.randrange(len(pool))] = rng.choice(seeds)
                continue
            if finding.kind in found:
                continue
            small = self._shrink(child, data, finding)
            found[finding.kind] = self._save(small, finding)
            print(f"{self.name}: {finding.kind}: saved as {found[finding.kind]}\n{finding.detail}", file=sys.stderr)
            if len(found) >= 20:
                break
        child.stop()
        print(f"{self.name}: {runs} inputs in {time.monotonic() - started:.0f} s, {len(found)} findings (seed {seed})")
        return 1 if found else 0

    def _shrink(self, child: Child, data: bytes, finding: Finding) -> bytes:
        """Leave out ever smaller pieces as long as the same thing happens."""
        text = self.suffix == ".s"
        pieces = data.splitlines(keepends=True) if text else [data[i : i + 1] for i in range(len(data))]
        end = time.monotonic() + SHRINK_SECONDS
        size = max(1, len(pieces) // 2)
        while size >= 1 and time.monotonic() < end:
            start = 0
            while start < len(pieces) and time.monotonic() < end:
                shorter = pieces[:start] + pieces[start + size :]
                again = child.run(b"".join(shorter)) if shorter else None
                if again is not None and again.kind == finding.kind:
                    pieces = shorter
                else:
                    start += size
            size //= 2
        return b"".join(pieces)

    def _save(self, data: bytes, finding: Finding) -> Path:
        CRASHES.mkdir(exist_ok=True)
        path = CRASHES / f"{self.name}-{hashlib.sha256(finding.kind.encode()).hexdigest()[:10]}{self.suffix}"
        path.write_bytes(data)
        path.with_suffix(".txt").write_text(f"{finding.kind}\n{finding.detail}\n", encoding="utf-8", errors="replace")
        return path


class Child:
    """The process that runs the target; started anew after it died."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, data: bytes) -> Finding | None:
        if self.process is None or self.process.poll() is not None:
            command = [sys.executable, os.path.abspath(sys.argv[0]), "--worker"]
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
            )
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(struct.pack("<I", len(data)) + data)
            head = self._read(process.stdout, 4)
            answer = self._read(process.stdout, struct.unpack("<I", head)[0]) if head is not None else None
        except (BrokenPipeError, EOFError):
            code = process.wait()
            self.process = None
            name = signal.Signals(-code).name if code < 0 else f"exit {code}"
            return Finding(f"died: {name}", f"the process ended with {name}")
        if answer is None:
            self.stop()
            return Finding("hang", f"no answer within {HANG_SECONDS:g} s")
        if not answer:
            return None
        kind, _, detail = answer.decode("utf-8", "replace").partition("\n")
        return Finding(kind, detail)

    @staticmethod
    def _read(pipe: IO[bytes], size: int) -> bytes | None:
        """Exactly `size` bytes; None where they take too long.

        Raises:
            EOFError: the process has ended.
        """
        end = time.monotonic() + HANG_SECONDS
        data = b""
        while len(data) < size:
            ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                return None
            piece = pipe.read(size - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    pipe.close()
            self.process = None


def _work(target: Target) -> int:
    """The child: inputs from stdin, an empty answer or the exception to stdout, each with its length before it."""
    from corecast.errors import CorecastError

    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # it reserves terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the target prints must not mix with answers
    while head := source.read(4):
        data = source.read(struct.unpack("<I", head)[0])
        answer = b""
        try:
            target(data)
        except CorecastError as error:
            # Messages are one line, of a size that people read; several faults of a model have one each.
            lines = [str(each) for each in getattr(error, "faults", ()) or (error,)]
            if any("\n" in line or len(line) > 20_000 for line in lines):
                answer = b"message of more than a line\n" + str(error)[:500].encode("utf-8", "replace")
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(frame.filename).name}:{frame.lineno}"
            answer = f"{type(error).__name__} at {place}\n{traceback.format_exc()}".encode("utf-8", "replace")
        sink.write(struct.pack("<I", len(answer)) + answer)
        sink.flush()
    return 0


def analyze(kernel: object) -> None:
    """Analyze a kernel and make every report of it."""
    from corecast import __version__
    from corecast.analysis.analysis_result import AnalysisResult
    from corecast.api import analyze_region
    from corecast.asm import Kernel
    from corecast.errors import CorecastError
    from corecast.machine import load_machine
    from corecast.report import FORMATS, render

    assert isinstance(kernel, Kernel)
    assert kernel.instructions
    assert kernel.first_line <= kernel.last_line
    if len(kernel) > MAX_ANALYZED:
        return
    machine = load_machine(CPUS[kernel.isa])
    try:
        region = analyze_region(kernel, machine)
    except CorecastError:  # a kernel without any known instruction
        return
    prediction = region.prediction
    assert prediction.bracket.lower <= prediction.bracket.expected <= prediction.bracket.upper
    assert prediction.cycles_per_iteration >= 0
    result = AnalysisResult(machine.name, machine.title, machine.isa, (region,), __version__, ())
    for form in FORMATS:
        assert render(result, form)


def flip(rng: random.Random, data: bytes, count: int) -> bytes:
    """Change `count` bytes."""
    changed = bytearray(data)
    for _ in range(count if changed else 0):
        position = rng.randrange(len(changed))
        changed[position] = rng.choice((rng.randrange(256), changed[position] ^ 1 << rng.randrange(8), 0, 0xFF))
    return bytes(changed)


def splice(rng: random.Random, first: bytes, second: bytes) -> bytes:
    """The beginning of one input and the end of another."""
    cut = rng.randrange(len(first) + 1)
    return first[:cut] + second[rng.randrange(len(second) + 1) :]
