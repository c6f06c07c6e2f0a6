"""Forms of instructions that a core's model has no rows of, found without decoding a whole instruction set."""

from __future__ import annotations

from corecast import _core
from corecast.machine.lookup import enumerated_forms
from corecast.machine.patterns import matching_keys
from corecast.machine.types import Isa

_MOST_NAMES = 8
"""Mnemonics that are tried one by one; above it the instruction set is decoded once, which takes some 10 seconds."""


def candidate_forms(isa: Isa, name: str, pattern: str) -> list[str]:
    """Forms matching `pattern` of the mnemonic `name`, or of those that contain it where there is none of that name.

    They are those of all models, and others with operands that any form of a model has. Where that finds nothing of the
    mnemonic (tiles of matrices), they are found by decoding: that takes seconds.
    """
    from corecast.machine.spelling import instructions_of

    keys = _keys_of_all_models(isa)
    mnemonics = _core.mnemonics(isa)
    names = [name] if name in mnemonics else [each for each in mnemonics if name in each]
    if len(names) <= _MOST_NAMES:
        known = dict.fromkeys(key for key in keys if key.partition(" ")[0] in names)
        operands = dict.fromkeys(key.partition(" ")[2] for key in keys)
        fitting = matching_keys([[f"{each} {rest}".rstrip() for each in names for rest in operands]], pattern)
        spelled = instructions_of(isa, [key for key in fitting if key not in known])
        if known or spelled:
            return matching_keys([[*known, *spelled]], pattern)
    return matching_keys([[each.form for each in enumerated_forms(isa)]], pattern)


def _keys_of_all_models(isa: Isa) -> list[str]:
    from corecast.machine.loader import list_machines, load_machine

    models = (load_machine(info.name) for info in list_machines() if info.isa == isa)
    return list(dict.fromkeys(key for model in models for key in model.keys()))  # noqa: SIM118
