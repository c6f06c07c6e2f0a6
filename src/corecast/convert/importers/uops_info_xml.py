"""uops.info's instructions.xml, as everybody can download it, read element by element (the file is over 100 MB).

Yields what the JSON lines hold: a record with the measurements of one core, and the static side of its form.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from pathlib import Path

from corecast.errors import InputError
from corecast.hints import Any
from corecast.machine.rows import figure, rounded

Record = tuple[dict[str, Any], dict[str, Any]]
_EXCLUSIVE = frozenset({"lfence", "mfence", "sfence", "cpuid"})
_COUNTS = {"uops": "uops", "retire_slots": "uops_retire_slots", "uops_mite": "uops_MITE", "uops_ms": "uops_MS"}


def read_xml(path: Path, architecture: str) -> Iterator[Record]:
    """The measured forms of one core.

    Raises:
        InputError: the file is not an XML file of uops.info, or holds no measurement of that core.
        OSError: it cannot be read.
    """
    known: dict[str, None] = {}
    found, depth = 0, 0
    try:
        for event, element in ElementTree.iterparse(path, events=("start", "end")):
            if event == "start":
                depth += 1
                if depth == 1 and element.tag != "root":
                    raise InputError("is not an instructions.xml of uops.info", str(path))
                continue
            if element.tag == "architecture":
                known[element.get("name", "")] = None
            if element.tag == "instruction":
                record = _record(element, architecture)
                element.clear()
                if record is not None:
                    found += 1
                    yield record
            elif element.tag == "extension":
                element.clear()
    except ElementTree.ParseError as error:
        raise InputError(f"is not XML: {error.msg}", str(path), error.position[0]) from None
    except (ValueError, KeyError) as error:
        raise InputError(f"a value is malformed: {error}", str(path)) from None
    if not found:
        names = ", ".join(sorted(known)) or "none"
        raise InputError(f"no measurement of '{architecture}'; it has {names}", str(path))


def _record(instruction: ElementTree.Element, architecture: str) -> Record | None:
    place = next((each for each in instruction.iter("architecture") if each.get("name") == architecture), None)
    measured = list(place.iter("measurement")) if place is not None else []
    if not measured:
        return None
    measurement = measured[-1]
    operands = [_operand(operand) for operand in instruction.iter("operand")]
    attributes = {name: value for name, value in instruction.attrib.items() if name not in ("string", "summary")}
    names = {operand["idx"]: operand["name"] for operand in operands}
    record = {
        "string": instruction.attrib["string"],
        "mnemonic": instruction.get("iclass", "").split("_")[0],
        "attrs": attributes,
        "locked": attributes.get("locked") == "1",
        "macro_fusible_with": [each for each in measurement.get("macro_fusible", "").split(";") if each],
        "operands": [
            {"name": operand["name"], "type": operand["type"], "r": operand["r"], "w": operand["w"]}
            for operand in operands
        ],
        "latencies": [_latency(each, names) for each in measurement.iter("latency")],
        "variants": {
            variant: _variant(measurement, f"_{variant}")
            for variant in ("indexed", "same_reg")
            if any(name.endswith(f"_{variant}") for name in measurement.attrib)
        },
        **_figures(measurement, ""),
    }
    throughput = _throughput(measurement)
    exclusive = record["locked"] or record["div_cycles"] or attributes.get("asm", "").lower() in _EXCLUSIVE
    record["rthroughput"] = throughput
    record["tp"] = throughput if exclusive else None
    static = {"xml": {**attributes, "asm": attributes.get("asm", "")}, "operands": operands}
    return record, static


def _operand(element: ElementTree.Element) -> dict[str, Any]:
    text = (element.text or "").strip()
    operand = {"r": False, "w": False, **element.attrib}
    operand.update(r=element.get("r") == "1", w=element.get("w") == "1")
    if text:
        operand["regs"] = text
    return operand


def _figures(measurement: ElementTree.Element, suffix: str) -> dict[str, Any]:
    counts = {key: _count(measurement, name + suffix) for key, name in _COUNTS.items()}
    uops = counts["uops"] or 0
    return {
        "uops": uops,
        "retire_slots": uops if counts["retire_slots"] is None else counts["retire_slots"],
        "uops_mite": 1 if counts["uops_mite"] is None else counts["uops_mite"],
        "uops_ms": counts["uops_ms"] or 0,
        "ports": _ports(measurement.get(f"ports{suffix}")),
        "div_cycles": _count(measurement, f"div_cycles{suffix}") or 0,
        "complex_decoder": measurement.get(f"complex_decoder{suffix}") == "1",
        "simple_decoders": 4
        if (beside := _count(measurement, f"available_simple_decoders{suffix}")) is None
        else beside,
    }


def _variant(measurement: ElementTree.Element, suffix: str) -> dict[str, Any]:
    """What a variant changes: only figures that were measured for it."""
    names = {**_COUNTS, "ports": "ports", "div_cycles": "div_cycles", "complex_decoder": "complex_decoder"}
    names["simple_decoders"] = "available_simple_decoders"
    figures = _figures(measurement, suffix)
    return {key: figures[key] for key, name in names.items() if name + suffix in measurement.attrib}


def _count(element: ElementTree.Element, name: str) -> int | None:
    text = element.get(name)
    return None if text is None or not text.strip() else round(figure(text))


def _ports(text: str | None) -> dict[str, int] | None:
    """ "1*p01+1*p23" -> {"01": 1, "23": 1}; "1*FP01" -> {"FP01": 1}. None where the source does not say."""
    if text is None:
        return None
    ports: dict[str, int] = {}
    for part in filter(None, text.split("+")):
        count, star, names = part.strip().partition("*")
        if not star or not names:
            raise ValueError(f"{part!r} is not a port usage")
        key = names[1:] if re.fullmatch(r"p[0-9A-Z]+", names) else names
        ports[key] = ports.get(key, 0) + int(count)
    return ports


def _throughput(measurement: ElementTree.Element) -> float | None:
    values = [figure(measurement.attrib[name]) for name in ("TP_loop", "TP_unrolled") if measurement.get(name)]
    return rounded(min(values)) if values else None


def _latency(element: ElementTree.Element, names: Mapping[str, str]) -> dict[str, Any]:
    pair: dict[str, Any] = {
        "from": names.get(element.get("start_op", ""), ""),
        "to": names.get(element.get("target_op", ""), ""),
        "cycles": 1.0,
    }
    for key, name in {"cycles": "cycles", "addr": "cycles_addr", "addr_index": "cycles_addr_index"}.items():
        value = _cycles(element, name)
        if value is not None:
            pair[key] = value
    for key, name in {"mem": "cycles_mem", "same_reg": "cycles_same_reg"}.items():
        if (value := _cycles(element, name)) is not None:
            pair[key] = value
    return pair


def _cycles(element: ElementTree.Element, name: str) -> float | None:
    """A latency; where it was measured as a range, its upper end."""
    text = element.get(name) or element.get(f"max_{name}")
    return None if not text else figure(text)
