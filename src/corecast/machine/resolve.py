"""Whether an instruction exists for a form key: LLVM's decoder finds one, or a spelling of the key assembles to it.

And whether a core can execute it.
"""

from __future__ import annotations

from collections.abc import Iterable

from corecast import _core
from corecast.machine.spelling import instructions_of
from corecast.machine.types import Isa, Machine


def unresolved(isa: Isa, forms: Iterable[str]) -> list[str]:
    """The forms that no instruction has. Takes some seconds: the enumeration of all forms."""
    keys = {form: form.partition(" @")[0] for form in forms}
    known = {enumerated.form.partition(" @")[0] for enumerated in _core.enumerate_forms(isa)}
    known |= instructions_of(isa, sorted(set(keys.values()) - known)).keys()
    return [form for form, key in keys.items() if key not in known]


def beyond_extensions(machine: Machine, forms: Iterable[str]) -> list[str]:
    """The forms of which no encoding is within the machine's ISA extensions. Takes some seconds, as `unresolved`."""
    needs: dict[str, list[int]] = {}
    for enumerated in _core.enumerate_forms(machine.isa):
        needs.setdefault(enumerated.form.partition(" @")[0], []).extend(enumerated.requirements)
    found = ((form, needs.get(form.partition(" @")[0])) for form in forms)
    return [form for form, needed in found if needed and not machine.core.has_one_of(needed)]
