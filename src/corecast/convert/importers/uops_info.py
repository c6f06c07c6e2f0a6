"""uops.info's facts as rows of form tables.

Reads `<ARCH>.jsonl.gz` and `forms.jsonl.gz`; `uops_info_xml` reads the site's own XML file as the same records.

Every record is rendered to an example instruction, assembled, and given the form key that comes out; latencies find
their operands by the identity of registers, since uops.info numbers implicit operands too.

Latencies between register classes are upper bounds in the source: the chain also holds a move between the classes,
of which one cycle was taken off. With a move of t cycles in each direction the source shows 2t - 1 for the move
itself, so that t - 1 cycles are taken off here (see `Options.move_latency_cycles`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from corecast import _core
from corecast.convert.importers import x86_text
from corecast.convert.importers.uops_info_examples import Example, render
from corecast.convert.importers.uops_info_loads import complete_loads
from corecast.convert.importers.x86_text import assemble_each
from corecast.dataclass import dataclass, field
from corecast.files.compressed import open_text
from corecast.hints import Any
from corecast.machine.rows import Latency, Row, endpoint_name

JUMP_NAMES = {
    "jb": "jb", "jnb": "jae", "jbe": "jbe", "jnbe": "ja", "jl": "jl", "jnl": "jge", "jle": "jle", "jnle": "jg",
    "jz": "je", "jnz": "jne", "jo": "jo", "jno": "jno", "js": "js", "jns": "jns", "jp": "jp", "jnp": "jnp",
}  # fmt: skip
SERIALIZING = frozenset({"lfence", "cpuid", "iretq", "iretd", "iret"})


@dataclass(frozen=True)
class Options:
    """How one core's records become rows."""

    source: str
    """Name in the source column ("uops.info:SKL")."""
    ports: Callable[[Mapping[str, int]], tuple[tuple[float, str], ...] | None]
    """A record's port usage as our files write it; None where the record does not know it."""
    move_latency_cycles: float = 1
    """True latency of a move between general and vector registers, each way."""
    divider: str = "DIV"
    serial_unit: str = ""
    """Unit that locked and otherwise exclusive instructions block for their measured throughput; "" for none."""
    load_latencies: tuple[float, float, float] = (5, 6, 7)
    """General, 128-bit and 256-bit loads: for the few memory forms whose latency was not measured."""


@dataclass
class Imported:
    """Rows by form key, and what could not be used."""

    rows: dict[str, Row] = field(default_factory=dict)
    records: int = 0
    unmapped: list[tuple[str, str]] = field(default_factory=list)
    """(uops.info's name, reason)."""
    conflicts: list[tuple[str, str, str]] = field(default_factory=list)
    """(form, record used, record that says otherwise)."""


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Records of one file, header skipped."""
    with open_text(path) as file:
        for line in file:
            record = json.loads(line)
            if "string" in record:
                yield record


def records_file(folder: Path, name: str) -> Path:
    """The record file of that name, compressed or not; `.jsonl.gz` where there is none."""
    files = [folder / f"{name}.jsonl{end}" for end in (".gz", ".xz", "")]
    return next((file for file in files if file.exists()), files[0])


def rows_from_uops_info(folder: Path, arch: str, options: Options) -> Imported:
    """All rows of one core.

    Args:
        folder: holds `forms.jsonl.gz` and `<arch>.jsonl.gz`, or the same with `.xz` or uncompressed.

    Raises:
        OSError: a file is missing.
    """
    static = {record["string"]: record for record in read_records(records_file(folder, "forms"))}
    records = read_records(records_file(folder, arch))
    return rows_from_records(((record, static.get(record["string"], {})) for record in records), options)


def rows_from_records(records: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]], options: Options) -> Imported:
    """All rows of one core.

    Args:
        records: measurements and static side of every form.
    """
    result = Imported()
    examples: list[tuple[Example, Mapping[str, Any]]] = []
    for record, static in records:
        result.records += 1
        try:
            examples.append((render(record, static), static))
        except ValueError as error:
            result.unmapped.append((record["string"], str(error)))
    instructions = assemble_each([example.text for example, _ in examples])
    best: dict[str, tuple[int, str]] = {}
    for (example, static), instruction in zip(examples, instructions, strict=True):
        name = example.record["string"]
        if instruction is None:
            result.unmapped.append((name, f"not assembled: {example.text}"))
            continue
        rank = preference(example.record, static)
        for row in rows_of(example, instruction, options):
            known = best.get(row.form)
            if known is not None and result.rows[row.form].with_(decode="") != row.with_(decode=""):
                winner, loser = (known[1], name) if known[0] <= rank else (name, known[1])
                result.conflicts.append((row.form, winner, loser))
            if known is None or rank < known[0]:
                best[row.form] = (rank, name)
                result.rows[row.form] = row
    complete_loads(result.rows, options.load_latencies)
    return result


def preference(record: Mapping[str, Any], static: Mapping[str, Any]) -> int:
    """Which of several records of one form stands for it: lower is nearer to what compilers and assemblers emit."""
    attributes, asm = record["attrs"], (static.get("xml") or {}).get("asm") or ""
    vector = "MM" in record["string"]
    hint = ("{store}" if vector else "{load}") in asm  # the encoding that assemblers do not choose
    displaced, zero = "_D" in record["string"], attributes.get("immzero") == "1"
    evex = "{evex}" in asm
    return 16 * int(evex) + 8 * int(displaced) + 4 * int(zero) + 2 * ("rm" in attributes) + int(hint)


def rows_of(example: Example, instruction: _core.Instruction, options: Options) -> Iterable[Row]:
    """The record's row, then its variants with an index register and with the same register throughout."""
    record = example.record
    form = instruction.form
    latency = latencies_of(example, instruction, options)
    row = Row(
        form=form,
        ports=options.ports(record["ports"]),
        blocking=blocking_of(record, instruction, options),
        latency=latency,
        uops=(float(record["retire_slots"]), float(record["uops"]), float(record["retire_slots"])),
        decode=decode_of(record),
        flags=flags_of(record, instruction),
        reciprocal_throughput_cycles=record.get("rthroughput", record["tp"]),
        source=options.source,
        confidence="measured",
    )
    yield row
    if instruction.mnemonic == "xchg" and record["locked"]:
        yield row.with_(form=f"lock {form}")  # the prefix is implied
    variant = record["variants"].get("indexed")
    if variant:
        yield _indexed_row(row, record, variant, options)
    same = {**record, **record["variants"].get("same_reg", {})}
    if "same_reg" in record["variants"] or any("same_reg" in latency for latency in record["latencies"]):
        yield _same_register_row(row, same, example, instruction, options)


def _indexed_row(row: Row, record: Mapping[str, Any], variant: Mapping[str, Any], options: Options) -> Row:
    """With an index register. Of some cores the source tells only the load's ports: then the rest is as without one."""
    merged = {**record, **variant}
    indexed = row.with_(
        form=row.form + " @indexed",
        ports=options.ports(merged["ports"]),
        uops=(float(merged["retire_slots"]), float(merged["uops"]), float(merged["retire_slots"])),
        decode=decode_of(merged),
    )
    told, plain = (sum((ports or {}).values()) for ports in (merged["ports"], record["ports"]))
    if told < merged["uops"] == record["uops"] == plain:
        return indexed.with_(ports=row.ports, source=f"{row.source}+rule:not indexed(ports)", confidence="derived")
    return indexed


def _same_register_row(
    row: Row, same: Mapping[str, Any], example: Example, instruction: _core.Instruction, options: Options
) -> Row:
    pairs = [
        {**pair, "cycles": pair["same_reg"]} if "same_reg" in pair else pair for pair in example.record["latencies"]
    ]
    chosen = [pair for pair in pairs if pair["cycles"] > 0]
    latency = latencies_of(Example({**same, "latencies": chosen}, example.text, example.places), instruction, options)
    flags = [flag for flag in row.flags if flag != "eliminated"]
    if not latency:
        flags.append("zero_idiom" if same["uops"] == 0 else "dep_breaking")
    return row.with_(
        form=row.form + " @same",
        ports=options.ports(same["ports"]),
        latency=latency,
        uops=(float(same["retire_slots"]), float(same["uops"]), float(same["retire_slots"])),
        decode=decode_of(same),
        flags=tuple(flags),
    )


def decode_of(record: Mapping[str, Any]) -> str:
    """Laminated uops from the decoders; from microcode; complex decoder needed; simple decoders beside it."""
    return f"{record['uops_mite']};{record['uops_ms']};{int(record['complex_decoder'])};{record['simple_decoders']}"


def is_eliminated(record: Mapping[str, Any]) -> bool:
    """A register move that needs no uop, or has one that nobody waits for."""
    kinds = sorted((operand["type"], operand["r"], operand["w"]) for operand in record["operands"])
    if "MOV" not in record["mnemonic"] or kinds != [("reg", False, True), ("reg", True, False)]:
        return False
    latencies = [pair["cycles"] for pair in record["latencies"]]
    return record["uops"] == 0 or (bool(latencies) and max(latencies) == 0)


def flags_of(record: Mapping[str, Any], instruction: _core.Instruction) -> tuple[str, ...]:
    """Flags of the row, the branches that fuse with the instruction among them."""
    flags = []
    if is_eliminated(record):
        flags.append("eliminated")
    if record["uops_ms"] > 0:
        flags.append("microcoded")
    if record["locked"]:
        flags.append("locked")
    if instruction.mnemonic in SERIALIZING:
        flags.append("serializing")
    jumps = x86_text.distinct(JUMP_NAMES[name.split(" ")[0].lower()] for name in record["macro_fusible_with"])
    if jumps:
        flags.append("fusible:" + ("*" if len(jumps) == len(JUMP_NAMES) else "|".join(sorted(jumps))))
    return tuple(flags)


def blocking_of(
    record: Mapping[str, Any], instruction: _core.Instruction, options: Options
) -> tuple[tuple[str, float], ...]:
    """Divider time, or the time that a locked or serializing instruction keeps others like it away."""
    throughput = float(record["tp"] or 0)
    if record["div_cycles"]:
        return ((options.divider, max(float(record["div_cycles"]), throughput)),)
    if options.serial_unit and throughput:
        return ((options.serial_unit, throughput),)
    return ()


def latencies_of(example: Example, instruction: _core.Instruction, options: Options) -> tuple[Latency, ...]:
    """The record's latencies between the operands of our instruction."""
    pairs: dict[tuple[str, str], float] = {}
    eliminated = is_eliminated(example.record)

    def add(source: str, destination: str, cycles: float | None) -> None:
        # Zero cycles say that there is no dependency, except for a move that vanishes.
        if source and destination and cycles is not None and (cycles > 0 or eliminated):
            pairs[source, destination] = max(cycles, pairs.get((source, destination), 0))

    for pair in example.record["latencies"]:
        source, destination = (_endpoint(example, instruction, pair[end]) for end in ("from", "to"))
        place_from, place_to = (example.places.get(pair[end], "") for end in ("from", "to"))
        if place_from in ("mem", "agen"):
            excess = options.move_latency_cycles - 1 if _is_vector(place_to) else 0
            for key, name in (("addr", "addr"), ("addr_index", "index")):
                cycles = pair.get(key)
                add(name, destination, None if cycles is None else max(0.0, cycles - excess))
            if place_from == "mem":
                add("mem", destination, pair.get("mem"))
            continue
        crosses = _is_vector(place_from) != _is_vector(place_to) and place_to != "mem"
        excess = options.move_latency_cycles - 1 if crosses else 0
        add(source, destination, max(1.0, pair["cycles"] - excess) if excess else float(pair["cycles"]))
    for source, destination in list(pairs):
        if source == "index" and pairs.get(("addr", destination)) == pairs[source, destination]:
            del pairs[source, destination]  # the address's latency stands for the index's
    return tuple(Latency(*key, cycles) for key, cycles in pairs.items())


def _is_vector(place: str) -> bool:
    return place.startswith(("zmm", "mm"))


def _endpoint(example: Example, instruction: _core.Instruction, name: str) -> str:
    place = example.places.get(name, "")
    if place in ("flags", "mem"):
        return place
    if not place:
        return ""
    operand = x86_text.operand_with_register(instruction, place)
    return endpoint_name("x86", operand.id) if operand is not None else ""
