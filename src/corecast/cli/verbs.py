"""The verbs of the command line."""

from __future__ import annotations

import sys

from corecast.hints import Any

VERBS = {
    "analyze": "cycles per iteration of the loops in a file, with the reasons",
    "predict": "cycles of many encoded blocks, from a CSV file to another",
    "evaluate": "errors of predictors against measured blocks or kernels",
    "explore": "kernels on many variants of a core: vector lengths, units, buffers, latencies",
    "mix": "instructions by class: vectors, gathers, reductions, predicates",
    "vectorize": "which loops of a C file compilers vectorize, how, and the forecast speed-up",
    "cpus": "supported cores",
    "lookup": "show model data for an instruction form, on one core or several",
    "import": "import data from other tools into a machine model",
    "machine": "check, explain, compare, export and convert machine models",
    "measure": "time code on this machine",
    "infer": "a machine model from measurements",
    "calibrate": "a validated model of this machine, unattended",
    "collect": "the basic blocks that a program executes",
    "time": "cycles of basic blocks on this machine",
    "serve": "a local page: editor, several cores side by side, timeline, graph",
    "completion": "a script that makes a shell complete this command line",
}
"""Every verb and its line in the list of them."""
_MODULES = {"import": "import_", "time": "time_"}
"""Where the verb itself is not a name for a module."""


def add_verb(verbs: Any, name: str) -> None:
    """Imports the module of a verb, and lets it add its parser to those of the verbs."""
    module = f"corecast.cli.{_MODULES.get(name, name)}"
    __import__(module)  # importing `importlib` for it would take a hundredth of analyzing a loop
    sys.modules[module].add_parser(verbs, VERBS[name])
