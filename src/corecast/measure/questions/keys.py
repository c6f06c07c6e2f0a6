"""Keys of forms, as `corecast lookup` writes them, as forms that instructions are made of."""

from __future__ import annotations

from corecast.asm.code import Isa
from corecast.errors import InputError
from corecast.measure.isa.forms import Form, assemble_form
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.pattern import lazy_pattern

_VARIANTS = lazy_pattern(r" @(?:same|indexed|zero)$")


def parse_form(key: str, isa: Isa = "x86") -> Form:
    """A form by its key, as `corecast lookup` writes it.

    Raises:
        InputError: the key names no form of which instructions can be made.
    """
    key = _VARIANTS.sub("", " ".join(key.split()))
    known = instruction_set(isa)
    tried = False
    for spelling in known.spellings(key):
        form = Form(key, isa, spelling, known)
        registers = known.distinct(spelling.slots)
        made = assemble_form(isa, spelling.setting, form.text(registers))
        tried = True
        if made is not None and key in (made.form, *made.alternative_forms):
            if made.branch != "none":
                raise CannotMeasureError(Reason.BRANCH, key)
            return form
    if not tried:
        raise CannotMeasureError(Reason.OPERANDS, key)
    raise CannotMeasureError(Reason.NO_FORM, f"{isa} is called '{key}'")


def is_form(key: str, isa: Isa) -> bool:
    """Whether a text is the key of a form that can be made."""
    try:
        parse_form(key, isa)
    except InputError:
        return False
    return True
