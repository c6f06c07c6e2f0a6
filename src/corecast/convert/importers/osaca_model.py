"""`corecast import osaca`: a machine file of OSACA as rows; figures only, its entries are patterns over forms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from corecast import _core
from corecast.convert.importers import osaca, osaca_aarch64
from corecast.errors import InputError
from corecast.hints import Any
from corecast.machine.making.imported import Imported, Pipeline
from corecast.machine.rows import Latency, Row, endpoint_name, figure, number_text
from corecast.machine.types import Isa
from corecast.pattern import lazy_pattern

_DIVIDER = lazy_pattern(r"\w*DV|DV\w*")
_MEMORY = {
    "load_throughput_default": ("loads.ports", "loads.vector_ports"),
    "store_throughput_default": ("stores.address_ports",),
}
"""OSACA's keys -> ours. A store's ports are not told apart: its data use none besides."""
_ISAS: Mapping[str, Isa] = {"x86": "x86", "aarch64": "aarch64"}


class PortNames:
    """OSACA's ports in our terms.

    A name like 0DV or DV0 is the divider behind a port: cycles that it is taken. A port "2D" beside "2" counts the data
    of loads a second time and is left out; where only some of the ports have data, the load must go to one of those.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.dividers = tuple(name for name in names if _DIVIDER.fullmatch(name))
        self.data = {name: name[:-1] for name in names if name.endswith("D") and name[:-1] in names}
        self.ports = tuple(name for name in names if name not in self.data and name not in self.dividers)

    def place(self, names: tuple[str, ...]) -> str:
        """The place of one uop that may go to any of these ports; "unit:NAME" for a divider, "" to leave it out.

        Raises:
            ValueError: a port that the file does not list.
        """
        if divider := next((name for name in names if name in self.dividers), None):
            return f"unit:{divider}"
        known = [name for name in names if name in self.ports]
        if not known:
            if self.data.keys() >= {*names}:
                return ""
            raise ValueError(f"port {', '.join(names)} is not among the file's ports")
        return "p" + "".join(known) if all(len(name) == 1 for name in known) else "|".join(known)

    def pressure(self, listed: Any) -> list[tuple[float, tuple[str, ...]]]:
        """(cycles, ports that they are shared among) of an entry, loads confined to ports that give their data.

        Raises:
            TypeError: it is not a list of such pairs.
            ValueError: it is none, or names a port that the file does not list.
        """
        pairs = [(figure(cycles), tuple(str(port) for port in ports)) for cycles, ports in listed]
        for _, ports in pairs:
            self.place(ports)
        given = [
            (cycles, {self.data[port] for port in ports}) for cycles, ports in pairs if self.data.keys() >= {*ports}
        ]
        found = []
        for cycles, ports in pairs:
            narrower = next((data for count, data in given if count == cycles and data < {*ports}), None)
            found.append((cycles, ports if narrower is None else tuple(port for port in ports if port in narrower)))
        return found

    def units(self) -> dict[str, str]:
        """Dividers -> the port in front of them."""
        return {name: port if (port := name.replace("DV", "")) in self.ports else "" for name in self.dividers}


def import_osaca(path: Path) -> Imported:
    """A machine file of OSACA, x86 or AArch64.

    Raises:
        InputError: the file is none, or an entry is malformed.
        MachineModelError: it has no instruction forms.
        OSError: it cannot be read.
    """
    document = osaca.read_document(path)
    isa = _ISAS.get(str(document.get("isa", "")).lower())
    if isa is None:
        raise InputError(f"isa is '{document.get('isa')}': x86 and aarch64 can be imported", str(path))
    source = f"osaca:{path.stem}"
    entries = document["instruction_forms"]
    try:
        names = PortNames([str(name) for name in document["ports"]])
        readable, unreadable = _sorted_out(entries, names)
        rows, unmapped = _rows({**document, "instruction_forms": readable}, isa, source, names, path)
        pipeline = _pipeline(document, names)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise InputError(f"an entry is malformed: {error!r}", str(path)) from None
    if not rows:
        reason = f": {': '.join(unreadable[0])}" if unreadable else ""
        raise InputError(f"no entry that is an instruction form{reason}", str(path))
    return Imported(
        origin=f"OSACA's machine file {path.name}",
        file="osaca.tsv",
        isa=isa,
        rows=rows,
        pipeline=pipeline,
        entries=len(entries),
        unmapped=[*unreadable, *unmapped],
        notes=("OSACA has one latency per instruction, from every source to every result",),
    )


def _sorted_out(
    entries: Iterable[Mapping[str, Any]], names: PortNames
) -> tuple[list[Mapping[str, Any]], list[tuple[str, str]]]:
    """Entries with their pressure as it is meant; and those, with the reason, of which it cannot be read: the files
    have slips of the pen."""
    readable: list[Mapping[str, Any]] = []
    unreadable = []
    for entry in entries:
        listed = entry.get("port_pressure")
        try:
            readable.append(entry if listed is None else {**entry, "port_pressure": names.pressure(listed)})
        except (TypeError, ValueError) as error:
            unreadable.append((osaca.title_of(entry), f"its port pressure cannot be read: {error}"))
    return readable, unreadable


def _rows(
    document: Mapping[str, Any], isa: Isa, source: str, names: PortNames, path: Path
) -> tuple[dict[str, Row], list[tuple[str, str]]]:
    if isa == "x86":
        imported = osaca.rows_from_document(document, source, names.place)
        return imported.rows, [(entry, "does not assemble") for entry in imported.unmapped]
    figures = osaca_aarch64.figures_of(document["instruction_forms"], path)
    return {form: _row(figure, source, names) for form, figure in figures.items()}, []


def _row(figure: osaca_aarch64.Figure, source: str, names: PortNames) -> Row:
    usage, blocking = _usage(figure.ports, names)
    written = [operand for operand in figure.example.operands if operand.write and operand.kind == "reg"]
    latency = figure.latency_cycles
    pairs = None if latency is None else _pairs(written, latency)
    uops = figure.uops
    return Row(
        form=figure.form,
        ports=usage if figure.ports else None,
        blocking=blocking,
        latency=pairs,
        uops=None if uops is None else (uops, uops, uops),
        reciprocal_throughput_cycles=figure.reciprocal_throughput_cycles,
        source=source,
        confidence="documented",
    )


def _usage(
    pressure: Iterable[tuple[float, Iterable[object]]], names: PortNames
) -> tuple[tuple[tuple[float, str], ...], tuple[tuple[str, float], ...]]:
    """(cycles, ports) of OSACA as port usage and blocking."""
    usage: dict[str, float] = {}
    blocking: list[tuple[str, float]] = []
    for cycles, ports in pressure:
        place = names.place(tuple(str(port) for port in ports))
        if place.startswith("unit:"):
            blocking.append((place.removeprefix("unit:"), figure(cycles)))
        elif place:
            usage[place] = usage.get(place, 0) + figure(cycles)
    return tuple((count, place) for place, count in usage.items()), tuple(blocking)


def _plain_usage(document: Mapping[str, Any], key: str, names: PortNames) -> dict[str, str]:
    """What a plain load or store takes, as pipeline.toml writes it; nothing where the file does not say it clearly."""
    pressure = document.get(key)
    if not isinstance(pressure, list) or not all(isinstance(each, list) and len(each) == 2 for each in pressure):
        return {}
    usage, _ = _usage(pressure, names)
    text = "+".join(f"{number_text(count)}*{place}" for count, place in usage)
    return dict.fromkeys(_MEMORY[key], text) if text else {}


def _pairs(written: Sequence[_core.Operand], cycles: float) -> tuple[Latency, ...]:
    return tuple(Latency("*", endpoint_name("aarch64", operand.id), cycles) for operand in written)


def _pipeline(document: Mapping[str, Any], names: PortNames) -> Pipeline:
    latencies = document.get("load_latency")
    general = latencies.get("gpr", latencies.get("x")) if isinstance(latencies, Mapping) else None
    vector = latencies.get("ymm", latencies.get("q")) if isinstance(latencies, Mapping) else None
    buffer = document.get("ROB_size")
    return Pipeline(
        ports=names.ports,
        units=names.units(),
        rob_entries=figure(buffer) if buffer else None,
        load_latency_cycles=figure(general) if general else None,
        vector_load_latency_cycles=figure(vector) if vector else None,
        usages={name: text for key in _MEMORY for name, text in _plain_usage(document, key, names).items()},
        title=str(document.get("micro_architecture", "")),
    )
