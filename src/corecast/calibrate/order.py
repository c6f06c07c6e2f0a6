"""Which forms are measured first of those that validation code and typical code do not have: of the same operations.

What a program does with vectors of one length or with registers, another one does with longer ones or with memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corecast.pattern import lazy_pattern

_ODD = lazy_pattern(r"\{|bcst|\bmm\b|\br8h\b|\b(lock|rep|repne|repe)\b")
_ORDERS = lazy_pattern(r"(132|213|231)")
_TYPE = lazy_pattern(r"(p[sd]|s[sd]|u?[bwdq])$")


def is_plain(form: str) -> bool:
    """Whether it is neither masked nor rounds its own way, repeats, is locked or of another time."""
    return _ODD.search(form) is None


def by_kinship(forms: Iterable[str], known: Iterable[str]) -> list[str]:
    """The forms in their order, those of operations that known ones have before all others."""
    operations = {_operation(form) for form in known}
    every: Sequence[str] = list(forms)
    near = {form for form in every if is_plain(form) and _operation(form) in operations}
    return [*(form for form in every if form in near), *(form for form in every if form not in near)]


def _operation(form: str) -> str:
    """The mnemonic without what tells encodings, orders of operands and types apart."""
    mnemonic = _ORDERS.sub("", form.partition(" ")[0].removeprefix("v"))
    return _TYPE.sub("", mnemonic)
