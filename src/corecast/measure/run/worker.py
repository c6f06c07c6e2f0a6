"""The host's core, timed by a process that does nothing else.

Each batch of samples forks the process that asks for it. That takes the longer the more memory the process has, and
the pages that both share have to be copied when they are written: one that has loaded forms, records and solvers is
several times slower than a small one.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys

from corecast.dataclass import dataclass, field
from corecast.errors import InputError
from corecast.hints import IO, cast
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.rejection import Reason, Rejection, rejection_of
from corecast.measure.run.core import Outcome, Relay
from corecast.measure.run.host import HostCore


@dataclass
class WorkerCore(Relay[HostCore]):
    """A `HostCore` in a separate process, which ends with this one."""

    batches: int = 16
    """At most; may be changed between kernels."""
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False, repr=False)

    def time(self, kernel: TimedKernel) -> Outcome:
        process = self._process or self._start()
        try:
            pickle.dump((self.batches, kernel), cast(IO[bytes], process.stdin))
            cast(IO[bytes], process.stdin).flush()
            return cast(Outcome, pickle.load(cast(IO[bytes], process.stdout)))
        except (OSError, EOFError, pickle.UnpicklingError):
            self.close()
            return Rejection(Reason.RUNNER, "its process ended")
        except BaseException:
            self.close()  # its answer would be taken for that of the next kernel
            raise

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "corecast.measure.run.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        pickle.dump(self.core, cast(IO[bytes], self._process.stdin))
        return self._process

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Times kernels until no more are asked for."""
    core: HostCore = pickle.load(requests)
    while True:
        try:
            core.batches, kernel = pickle.load(requests)
        except EOFError:
            return
        try:
            timing = core.time(kernel)
        except InputError as error:
            timing = rejection_of(error)
        try:
            pickle.dump(timing, answers)
            answers.flush()
        except BrokenPipeError:  # who asked was killed
            return


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks decides when to end
    serve(sys.stdin.buffer, sys.stdout.buffer)
    os._exit(0)  # nobody may be there to flush to
