"""E-cores: uops.info counts their uops and times them, but does not see their ports.

Assumed: loads, store addresses and store data on their own units, the rest on any unit of the class of its operands.
"""

from __future__ import annotations

import re

from corecast.machine.rows import Latency, Row

_MEMORY = re.compile(r"\bm(8|16|32|64|128|256)\b")
_VECTOR = re.compile(r"\b([xy]?mm)\b")


def assumed_ports(row: Row) -> Row:
    """The row with ports of its class. One uop on these cores may load, operate and store."""
    plain = row.form.partition(" @")[0]
    if row.latency == () and re.fullmatch(r"v?mov\w* (r64|r32|xmm|ymm), \1", plain) and row.form == plain:
        row = row.with_(latency=(Latency("2", "1", 0.0),), flags=(*row.flags, "eliminated"))
    if "eliminated" in row.flags or "zero_idiom" in row.flags or plain.startswith("nop"):
        return row.with_(ports=(), source=f"{row.source}+rule:class", confidence="assumed")
    if row.uops is None:
        return row
    operations = row.uops[1]
    usage: list[tuple[float, str]] = []
    operands = plain.partition(" ")[2].split(", ")
    if not plain.startswith("lea") and any(_MEMORY.fullmatch(operand) for operand in operands):
        writes = bool(_MEMORY.fullmatch(operands[0])) and not plain.startswith(("cmp", "test", "bt "))
        reads = not writes or not re.match(r"v?mov|v?extract|vpextr|pextr|set", plain)
        halves = 2.0 if "m256" in plain else 1.0
        usage += [(halves, "LOAD")] if reads else []
        usage += [(halves, "STORE_ADDRESS"), (halves, "STORE_DATA")] if writes else []
        if (writes != reads) and re.match(r"v?p?mov|v?lddqu", plain):
            operations = 0
    stack = plain.partition(" ")[0]
    if stack in ("pop", "ret"):
        usage.append((1.0, "LOAD"))
    if stack in ("push", "call"):
        usage += [(1.0, "STORE_ADDRESS"), (1.0, "STORE_DATA")]
    if plain.startswith(("j", "call", "ret")):
        usage.insert(0, (1.0, "JUMP"))
    elif operations and stack not in ("push", "pop"):
        usage.insert(0, (operations, "FP" if _VECTOR.search(plain) else "ALU"))
    unfused = sum(count for count, _ in usage)
    counts = (row.uops[0], unfused, row.uops[2])
    return row.with_(ports=tuple(usage), uops=counts, source=f"{row.source}+rule:class(ports)", confidence="derived")
