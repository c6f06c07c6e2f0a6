"""Forms that a core has, told by the CPUID features that its instructions need (iced-x86 knows them)."""

from __future__ import annotations

from collections.abc import Iterable

import iced_x86 as ix

from corecast import _core

_NAMES = {value: name for name, value in vars(ix.CpuidFeature).items() if isinstance(value, int)}


def supported_forms(features: frozenset[str], forms: Iterable[_core.EnumeratedForm]) -> list[_core.EnumeratedForm]:
    """The forms that need no CPUID feature beyond `features`, without those that are too new for iced-x86."""
    found = []
    for form in forms:
        instruction = ix.Decoder(64, form.code).decode()
        if instruction.code == ix.Code.INVALID:
            continue
        if all(_NAMES[feature] in features for feature in instruction.cpuid_features()):
            found.append(form)
    return found
