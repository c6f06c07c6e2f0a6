"""Cores with another number of units for vectors: `4x128`, `2x256`, `1x512`."""

from __future__ import annotations

from corecast.errors import InputError
from corecast.hints import Any
from corecast.pattern import lazy_pattern

VECTOR_UNITS = "vector_units"
_SETTING = lazy_pattern(r"(\d{1,2})x(\d{3,5})")


def set_vector_units(pipeline: dict[str, Any], setting: Any) -> None:
    """Changes the number of vector units, and their width in bits, of a parsed pipeline.toml.

    The model names its units' ports in vectors.ports. Where there are more of them than before, what could run
    on the first unit can run on its copies, too; where there are fewer, the remaining ones take over.

    Raises:
        InputError: not COUNTxBITS, or the model does not say which ports the units are.
    """
    count, bits = parse_vector_units(setting)
    ports = pipeline.get("vectors", {}).get("ports")
    if not isinstance(ports, list) or not ports:
        raise InputError(f"the model of {pipeline.get('name', 'this core')} does not name vectors.ports")
    if unknown := [port for port in ports if port not in pipeline["ports"]["names"]]:
        raise InputError(f"vectors.ports must be names of ports here; there is no {unknown[0]}")
    units = [
        ports[each] if each < len(ports) else f"{ports[each % len(ports)]}_{each // len(ports)}"
        for each in range(count)
    ]
    table = pipeline["ports"]
    last = max(table["names"].index(port) for port in ports)
    names = [name for name in table["names"] if name not in ports or name in units]
    place = sum(name in names for name in table["names"][: last + 1])
    table["names"] = [*names[:place], *(unit for unit in units if unit not in names), *names[place:]]
    table["spread"] = {
        port: [unit for place, unit in enumerate(units) if place % len(ports) == own] or [units[own % count]]
        for own, port in enumerate(ports)
    }
    pipeline["vector_length_bits"] = bits


def parse_vector_units(setting: Any) -> tuple[int, int]:
    """Units and bits of "2x256".

    Raises:
        InputError: not COUNTxBITS.
    """
    found = _SETTING.fullmatch(str(setting))
    if found is None or int(found[1]) < 1:
        raise InputError(f"vector_units are COUNTxBITS, such as 2x256, not '{setting}'")
    return int(found[1]), int(found[2])
