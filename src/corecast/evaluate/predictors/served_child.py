"""Runs a Python program again and again without starting it again: each run is a fork of a process that has run it.

python served_child.py PROGRAM, with an interpreter that has what the program needs; nothing of corecast is imported.
Each line on standard input is a JSON list of arguments; the answer is a line {"code", "output", "error"}. It is the
leader of a group of processes, which ends with it.

The first run happens here, so that imports and whatever the program builds once stay (OSACA's parser alone takes ten
seconds). What it unpickled is read again and not used: every later run finds it as it was in the file, without reading
it (OSACA changes its machine model while it works, so that a second block in one process could get another answer).
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import pickle
import runpy
import select
import signal
import sys

from corecast.hints import Any

_load = pickle.load
_pickles: dict[str, Any] = {}


def main(program: str) -> None:
    # What the program writes behind Python's back must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.path[0] = os.path.dirname(
        os.path.abspath(program)
    )  # not the folder of this file, whose names would hide others
    started = False
    for line in sys.stdin:
        arguments = json.loads(line)
        if started:
            answer = forked(program, arguments)
        else:
            started = True
            files: list[str] = []
            answer = run(program, arguments, files)
            preload(files)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def forked(program: str, arguments: list[str]) -> dict[str, Any]:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "w", encoding="utf-8") as pipe:
            pipe.write(json.dumps(run(program, arguments, [])))
        os._exit(0)
    os.close(write)
    end_without_asker(read)
    with os.fdopen(read, encoding="utf-8") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if said:
        answer: dict[str, Any] = json.loads(said)
        return answer
    end = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit code {os.WEXITSTATUS(status)}"
    return {"code": 1, "output": "", "error": f"crash ({end})"}


def end_without_asker(answer: int) -> None:
    """Waits for the answer of a run; ends this process and the run where nobody is left to be told."""
    watched = select.poll()
    watched.register(answer, select.POLLIN)
    watched.register(0, 0)  # reported are errors and the other end's closing only
    ready = dict(watched.poll())
    if answer not in ready:
        os.killpg(0, signal.SIGKILL)


def run(program: str, arguments: list[str], files: list[str]) -> dict[str, Any]:
    """`files` gets the names of the pickles that are read."""
    output = io.StringIO()
    code: object = 0
    error = ""
    pickle.load = remembering(files)
    sys.argv = [program, *arguments]
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()) as errors:
            runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            code, error = 1, end.code
        else:
            code = end.code or 0
            error = (errors.getvalue().strip().splitlines() or [""])[-1]
    except BaseException as problem:
        code, error = 1, f"{type(problem).__name__}: {problem}"
    return {"code": code, "output": output.getvalue(), "error": error}


def remembering(files: list[str]) -> Any:
    def load(file: Any, **options: Any) -> Any:
        name = getattr(file, "name", "")
        if not isinstance(name, (str, os.PathLike)):
            return _load(file, **options)
        path = os.fspath(name)
        if path in _pickles:
            return _pickles.pop(path)  # a second reading in one run is a reading
        files.append(path)
        return _load(file, **options)

    return load


def preload(files: list[str]) -> None:
    gc.disable()  # nothing here is ever garbage, and unpickling is several times as fast
    for name in files:
        with contextlib.suppress(Exception), open(name, "rb") as stream:
            _pickles[name] = _load(stream)
    gc.freeze()


if __name__ == "__main__":
    main(sys.argv[1])
