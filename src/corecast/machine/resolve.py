"""Whether an instruction exists for a form key: LLVM's decoder finds one, or a spelling of the key assembles to it."""

from __future__ import annotations

from collections.abc import Iterable

from corecast import _core
from corecast.machine.spelling import instructions_of
from corecast.machine.types import Isa


def unresolved(isa: Isa, forms: Iterable[str]) -> list[str]:
    """The forms that no instruction has. Takes some seconds: the enumeration of all forms."""
    keys = {form: form.partition(" @")[0] for form in forms}
    known = {enumerated.form.partition(" @")[0] for enumerated in _core.enumerate_forms(isa)}
    known |= instructions_of(isa, sorted(set(keys.values()) - known)).keys()
    return [form for form, key in keys.items() if key not in known]
