"""LLVM's scheduling models of Intel's cores, in the terms of our form tables.

Resources are named by port ("SKXPort015", "ADLPPort00_01_05_06_11", "LNLPVPort00_01"); ports 10 and 11 are A and B.

LLVM counts uops at the ports; what renaming counts follows from micro-fusion: a load joins its operation, a store's
address its data, and an indexed address parts a load from a VEX or EVEX operation (pipeline facts IN-150 to IN-153).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from corecast import _core
from corecast.machine.llvm.schedule import compressed, row_from_entry, version
from corecast.machine.rows import Latency, Row, endpoint_name

from .port_sets import EIGHT, Ports

ADDRESS, INDEX = 65, 66
DIVIDERS = ("Divider", "FPDivider")


LETTERS = {10: "A", 11: "B"}
LION_COVE = {
    "00_01_02_03_04_05": "ALU", "00_02_04": "JUMP", "01_03_05": "SHIFT", "10_11": "STORE_DATA", "20_21_22": "LOAD",
    "25_26_27": "STORE_ADDRESS", "20_21_22_25_26_27": "P20|P21|P22|P25|P26|P27",
}  # fmt: skip
VECTOR_LION_COVE = {"00_01": "V01", "02_03": "V23", "00_01_02_03": "V0123"}
UNSUPPORTED = "unsupported"


def port_map(schedule: _core.Schedule) -> dict[str, str]:
    """LLVM's resources -> our port sets: "SKXPort015" -> "p015"."""
    return {resource.name: port_set(resource.name) for resource in schedule.resources}


def port_set(resource: str) -> str:
    """Our name of one of LLVM's resources."""
    if resource.endswith(DIVIDERS):
        return "unit:DIV"
    if resource.endswith("PortAny"):
        return ""
    if resource.endswith("PortInvalid"):
        return UNSUPPORTED
    prefix, _, numbers = resource.partition("Port")
    if prefix == "LNLPV":
        return VECTOR_LION_COVE.get(numbers, f"V{numbers.lstrip('0') or '0'}")
    if prefix == "LNLP":
        return LION_COVE.get(numbers, f"P{int(numbers)}" if numbers.isdigit() else numbers)
    if prefix in ("ADLP", "SPR"):
        return "p" + "".join(LETTERS.get(int(number), str(int(number))) for number in numbers.split("_"))
    return "p" + numbers


def rows_from_model(cpu: str, forms: Iterable[_core.EnumeratedForm], core_ports: Ports = EIGHT) -> dict[str, Row]:
    """Rows of all forms that LLVM's model covers, with indexed variants where they differ."""
    schedule = _core.Schedule("x86", cpu)
    ports = port_map(schedule)
    rows: dict[str, Row] = {}
    for form in forms:
        entry = schedule.entry(form.code)
        row = row_from_entry("x86", form.form, entry, ports, f"llvm{version()}:{cpu}")
        if row is None or form.form in rows or any(name == UNSUPPORTED for _, name in row.ports or ()):
            continue
        row = with_whole_load_latency(row, entry)
        row = zmm_ports(row)
        for variant in fused(row, entry.instruction, core_ports):
            rows[variant.form] = variant
    return rows


def with_whole_load_latency(row: Row, entry: _core.ScheduleEntry) -> Row:
    """Loads: addresses are needed at once, registers when the load is done.

    LLVM ties read advances to operand positions, which masks and merged destinations shift.
    """
    instruction = entry.instruction
    if not row.latency or not any(access.read for access in instruction.memory):
        return row
    default = max((float(latency.cycles) for latency in entry.latencies), default=0.0)
    by_destination = {latency.destination: float(latency.cycles) for latency in entry.latencies}
    width = max(access.width_bytes for access in instruction.memory)
    broadcast = "bcst" in row.form
    load = 7 if width >= 32 or broadcast else 6 if width == 16 else 5
    pairs = []
    for destination in (operand for operand in instruction.operands if operand.write and operand.kind == "reg"):
        cycles = by_destination.get(destination.id, default)
        for source in (operand for operand in instruction.operands if operand.read and operand.kind == "reg"):
            from_address = source.id in (ADDRESS, INDEX)
            name = endpoint_name("x86", source.id)
            pairs.append(
                Latency(name, endpoint_name("x86", destination.id), cycles if from_address else max(1.0, cycles - load))
            )
    return row.with_(latency=compressed(pairs)) if pairs else row


def zmm_ports(row: Row) -> Row:
    """512-bit uops never use port 1 (measured on Skylake-X)."""
    if not row.ports or ("zmm" not in row.form and "m512" not in row.form):
        return row
    replaced: Mapping[str, str] = {"p015": "p05", "p01": "p0", "p15": "p5"}
    return row.with_(ports=merged((count, replaced.get(ports, ports)) for count, ports in row.ports))


def merged(ports: Iterable[tuple[float, str]]) -> tuple[tuple[float, str], ...]:
    """Port usage with equal sets added up, compute first, then loads, store addresses and store data."""
    total: dict[str, float] = {}
    for count, name in ports:
        total[name] = total.get(name, 0) + count
    order = {"p23": 1, "p2": 1, "p23A": 1, "LOAD": 1, "p237": 2, "p3": 2, "p78": 2, "STORE_ADDRESS": 2}
    order |= {"p4": 3, "p49": 3, "STORE_DATA": 3}
    return tuple(
        (count, name) for name, count in sorted(total.items(), key=lambda item: (order.get(item[0], 0), item[0]))
    )


def fused(row: Row, instruction: _core.Instruction, core_ports: Ports = EIGHT) -> list[Row]:
    """The row with uops as renaming and decoding count them, and the row of an indexed address where it differs."""
    unfused = row.uops[1] if row.uops else 0
    stores = any(access.write for access in instruction.memory)
    loads = any(access.read for access in instruction.memory)
    pairs = min(unfused - 1, loads + stores) if unfused > 1 else 0
    vector_index = any(access.vector_index for access in instruction.memory)
    count = max(1.0, unfused - (0 if vector_index else pairs))
    plain = row.with_(uops=(count, unfused, count), decode=decode_of(count), ports=merged(row.ports or ()))
    if count > 4:
        plain = plain.with_(flags=(*plain.flags, "microcoded"))
    result = [plain]
    if vector_index or not instruction.memory or not (loads or stores) or pairs == 0:
        return result
    ports = plain.ports or ()
    address, indexed_address = core_ports.store_address, core_ports.store_address_indexed
    indexed_ports = merged((count, indexed_address if name == address else name) for count, name in ports)
    laminated = instruction.mnemonic.startswith("v") and loads and not stores
    indexed_count = unfused if laminated else count
    if indexed_ports != ports or laminated:
        indexed = plain.with_(
            form=f"{row.form} @indexed", ports=indexed_ports, uops=(indexed_count, unfused, indexed_count)
        )
        result.append(indexed)
    return result


def decode_of(fused_uops: float) -> str:
    """What the decoders do with so many fused uops: simple, complex, or partly from microcode."""
    count = int(fused_uops)
    if count <= 1:
        return "1;0;0;4"
    return f"{count};0;1;{max(0, 5 - count)}" if count <= 4 else f"4;{count - 4};1;0"
