"""Work on several machines: an existing Dask cluster, or one that Slurm's jobs make. Both are optional to install.

tcp://HOST:PORT (and tls://, ws:// ...)    a scheduler that runs
slurm/PARTITION[/JOBS]                     JOBS (4) jobs in that partition; the rest as dask-jobqueue is configured
local/PROCESSES                            processes of this machine, to try it out

Tasks are pure functions of their arguments: one that was lost with its worker runs again elsewhere, and nothing
depends on where or in which order they ran.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from importlib import import_module

from corecast.errors import CorecastError, InputError
from corecast.hints import Any, TypeVar
from corecast.pattern import lazy_pattern

Result = TypeVar("Result")

_RETRIES = 10
_SECONDS_TO_CONNECT = 30
_SECONDS_TO_START = 300
_SLURM = lazy_pattern(r"slurm/([\w.-]+)(?:/([1-9]\d*))?")
_LOCAL = lazy_pattern(r"local/([1-9]\d*)")
_SLURM_JOBS = 4
_AHEAD = 2
"""Tasks that wait at each thread of the workers, so that none is idle."""


class Cluster:
    """A connection; `with` closes it, and stops what it started."""

    def __init__(self, client: Any, started: Any = None) -> None:
        self._client = client
        self._started = started

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        for each in (self._client, self._started):
            if each is not None:
                with contextlib.suppress(Exception):
                    each.close()

    @property
    def window(self) -> int:
        """How many tasks should be on their way at a time."""
        return max(4, _AHEAD * sum(int(each) for each in self._client.nthreads().values()))

    def submit(self, function: Callable[..., Result], *arguments: object) -> Callable[[], Result]:
        """Starts a task; what is returned waits for its result.

        Raises (when called):
            CorecastError: the task's own errors, or the cluster's.
        """
        future = self._client.submit(function, *arguments, pure=False, retries=_RETRIES)

        def wait() -> Result:
            try:
                result: Result = future.result()
            except CorecastError:
                raise
            except Exception as error:
                text = " ".join(str(error).split())[:300]
                raise CorecastError(f"the cluster could not do its work: {type(error).__name__}: {text}") from None
            return result

        return wait


def connect(address: str) -> Cluster:
    """The cluster at that address, with at least one worker.

    Raises:
        InputError: no such address, nobody there, or a package that it needs is missing.
    """
    slurm, local = _SLURM.fullmatch(address), _LOCAL.fullmatch(address)
    if slurm is None and local is None and "://" not in address:
        raise InputError(f"a cluster is tcp://HOST:PORT, slurm/PARTITION[/JOBS] or local/PROCESSES, not '{address}'")
    distributed = _import("distributed", "distributed")
    started = None
    try:
        if slurm is not None:
            started = _import("dask_jobqueue", "dask-jobqueue").SLURMCluster(queue=slurm[1])
            started.scale(jobs=int(slurm[2] or _SLURM_JOBS))
        elif local is not None:
            started = distributed.LocalCluster(
                n_workers=int(local[1]), threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
            )
        client = distributed.Client(started if started is not None else address, timeout=_SECONDS_TO_CONNECT)
        client.wait_for_workers(1, timeout=_SECONDS_TO_START if started is not None else _SECONDS_TO_CONNECT)
    except CorecastError:
        raise
    except Exception as error:
        if started is not None:
            started.close()
        text = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"no cluster with workers at {address}: {text}") from None
    return Cluster(client, started)


def in_order(started: Iterator[Callable[[], Result]], window: int) -> Iterator[Result]:
    """Results in the order of their tasks, of which at most `window` are on their way."""
    from collections import deque

    waiting: deque[Callable[[], Result]] = deque()
    for each in started:
        waiting.append(each)
        if len(waiting) >= window:
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()


def _import(name: str, package: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise InputError(f"--cluster needs {package}: pip install 'corecast[cluster]'") from None
