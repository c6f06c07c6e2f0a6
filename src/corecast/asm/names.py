"""Names of functions: what a user types against what compilers write."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corecast.errors import MarkerError

MAX_SHOWN_NAMES = 6
_LENGTH = re.compile(r"[0-9]{1,5}")


def plain_name(symbol: str) -> str:
    """`foo::bar` for `_ZN3foo3barIdEEvT_`: the names in an Itanium-ABI symbol without types and template arguments.

    Any other symbol is returned as it is.
    """
    if not symbol.startswith("_Z"):
        return symbol
    position = 3 if symbol[2:3] in ("N", "L") else 2
    while symbol[2:3] == "N" and symbol[position : position + 1] in ("K", "V", "r"):
        position += 1
    parts = []
    while (number := _LENGTH.match(symbol, position)) is not None:
        end, length = number.end(), int(number[0])
        if length == 0 or end + length > len(symbol):
            return symbol
        parts.append(symbol[end : end + length])
        position = end + length
    return "::".join(parts) or symbol


def choose_functions(names: Sequence[str], wanted: str, file: str) -> list[int]:
    """Positions of the functions meant by `wanted`.

    The symbol itself comes first, then the plain C++ name, then one symbol that begins with it, then one that holds it
    (Fortran's `name_`, `__module_MOD_name`).

    Raises:
        MarkerError: no function fits, or several do.
    """
    plain = [plain_name(name) for name in names]
    for fits in (
        [i for i, name in enumerate(names) if name == wanted],
        [i for i, name in enumerate(plain) if name == wanted or name.endswith("::" + wanted)],
    ):
        if fits:
            return fits
    for fits in (
        [i for i, name in enumerate(names) if name.startswith(wanted) or plain[i].startswith(wanted)],
        [i for i, name in enumerate(names) if wanted in name],
    ):
        if len({names[i] for i in fits}) == 1:
            return fits
        if fits:
            raise MarkerError(f"several functions fit '{wanted}': {_some([names[i] for i in fits])}", file)
    known = [name for name in names if name]
    raise MarkerError(f"there is no function '{wanted}'" + (f"; there are {_some(known)}" if known else ""), file)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:MAX_SHOWN_NAMES]) + (", ..." if len(names) > MAX_SHOWN_NAMES else "")
