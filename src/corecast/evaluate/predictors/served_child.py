"""Runs a Python program again and again without starting it again: each run is a fork of a process that has it loaded.

python served_child.py PROGRAM, with an interpreter that has what the program needs; nothing of corecast is imported.
Each line on standard input is a JSON list of arguments; the answer is a line {"code", "output", "error"}.

A run tells which modules it imported and which pickles it read; both are loaded here, once, and never used: every
later run finds them as they were (OSACA spends seconds on unpickling its machine model, and changes what it
read, so that a second block in the same process would get another answer).
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import pickle
import runpy
import sys
from typing import Any

_load = pickle.load
_pickles: dict[str, Any] = {}
_tried = set(sys.modules)


def main(program: str) -> None:
    # What the program writes behind Python's back must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.path[0] = os.path.dirname(
        os.path.abspath(program)
    )  # not the folder of this file, whose names would hide others
    for line in sys.stdin:
        answer = forked(program, json.loads(line))
        needs = answer.pop("needs")
        preload(*needs)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def forked(program: str, arguments: list[str]) -> dict[str, Any]:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "w", encoding="utf-8") as pipe:
            pipe.write(json.dumps(run(program, arguments)))
        os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if said:
        answer: dict[str, Any] = json.loads(said)
        return answer
    end = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit code {os.WEXITSTATUS(status)}"
    return {"code": 1, "output": "", "error": f"crash ({end})", "needs": [[], []]}


def run(program: str, arguments: list[str]) -> dict[str, Any]:
    output = io.StringIO()
    code: object = 0
    error = ""
    files: list[str] = []
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
    return {"code": code, "output": output.getvalue(), "error": error, "needs": [sorted(sys.modules), files]}


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


def preload(modules: list[str], files: list[str]) -> None:
    """`modules`: all that a run had; `files`: the pickles that it had to read itself."""
    gc.disable()  # nothing here is ever garbage, and unpickling is several times as fast
    for name in modules:
        if name not in _tried:
            _tried.add(name)
            with contextlib.suppress(Exception):
                importlib.import_module(name)
    for name in files:
        with contextlib.suppress(Exception), open(name, "rb") as stream:
            _pickles[name] = _load(stream)
    gc.freeze()


if __name__ == "__main__":
    main(sys.argv[1])
