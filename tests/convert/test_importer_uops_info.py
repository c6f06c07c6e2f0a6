"""uops.info's records become rows: text, operands by register, latencies, variants."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from corecast.convert.importers.uops_info import Imported, Options, rows_from_uops_info
from corecast.machine.rows import Latency, Row


def ports(usage: Mapping[str, int]) -> tuple[tuple[float, str], ...]:
    return tuple((float(count), f"p{name}") for name, count in sorted(usage.items()))


OPTIONS = Options("uops.info:TEST", ports, move_latency_cycles=2, serial_unit="SERIAL")


def operand(name: str, kind: str = "reg", *, read: bool = False, write: bool = False, **static: Any) -> dict[str, Any]:
    """An operand as both files know it; `static` goes to forms.jsonl.gz only."""
    return {"name": name, "type": kind, "r": read, "w": write, "static": {"name": name, "type": kind, **static}}


def record(string: str, asm: str, operands: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "string": string,
        "mnemonic": asm.split(" ")[-1],
        "attrs": {},
        "uops": 1,
        "retire_slots": 1,
        "uops_mite": 1,
        "uops_ms": 0,
        "ports": {"01": 1},
        "tp": None,
        "div_cycles": 0,
        "complex_decoder": False,
        "simple_decoders": 4,
        "locked": False,
        "macro_fusible_with": [],
        "operands": operands,
        "latencies": [],
        "variants": {},
        "asm": asm,
    }
    return base | changes


@pytest.fixture
def imported(tmp_path: Path) -> Any:
    """Writes records in the source's two files and imports them."""

    def run(*records: dict[str, Any]) -> Imported:
        static, dynamic = [], []
        for each in records:
            operands = each["operands"]
            static.append(
                {"string": each["string"], "xml": {"asm": each["asm"]}, "operands": [op["static"] for op in operands]}
            )
            plain = [{key: value for key, value in op.items() if key != "static"} for op in operands]
            dynamic.append({**each, "operands": plain})
        for name, lines in (("forms", static), ("TEST", dynamic)):
            with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
                file.write(json.dumps({"_header": True}) + "\n")
                file.writelines(json.dumps(line) + "\n" for line in lines)
        return rows_from_uops_info(tmp_path, "TEST", OPTIONS)

    return run


def only(result: Imported) -> Row:
    assert list(result.rows) == [next(iter(result.rows))], list(result.rows)
    return next(iter(result.rows.values()))


GENERAL = {"regs": "RAX,RCX,RDX,RBX"}
VECTOR = {"regs": "XMM0,XMM1,XMM2"}


def test_implicit_operands_are_found_by_register(imported: Any) -> None:
    """mul reads and writes rax, which uops.info counts as REG1 and we name."""
    row = only(
        imported(
            record(
                "MUL (R64)",
                "MUL",
                [
                    operand("REG0", read=True, **GENERAL),
                    operand("REG1", read=True, write=True, regs="RAX", suppressed="1"),
                    operand("REG2", write=True, regs="RDX", suppressed="1"),
                    operand("REG3", "flags", write=True, suppressed="1"),
                ],
                latencies=[
                    {"from": "REG0", "to": "REG1", "cycles": 3},
                    {"from": "REG1", "to": "REG2", "cycles": 4},
                    {"from": "REG0", "to": "REG3", "cycles": 3},
                ],
            )
        )
    )
    assert row.form == "mul r64"
    assert row.latency == (Latency("1", "rax", 3), Latency("rax", "rdx", 4), Latency("1", "flags", 3))


def test_latency_between_register_classes_loses_the_helper(imported: Any) -> None:
    """A chain of vmovq both ways reads 2t - 1 for each move of t cycles."""
    row = only(
        imported(
            record(
                "MOVQ (XMM, R64)",
                "MOVQ",
                [operand("REG0", write=True, **VECTOR), operand("REG1", read=True, **GENERAL)],
                latencies=[{"from": "REG1", "to": "REG0", "cycles": 3}],
            )
        )
    )
    assert row.latency == (Latency("2", "1", 2),)


def test_memory_sources_by_address_index_and_contents(imported: Any) -> None:
    """The defaulted `cycles` is not a measurement; an index with the address's latency needs no entry of its own."""
    operands = [operand("REG0", read=True, write=True, **GENERAL), operand("MEM0", "mem", read=True, width="64")]
    load = {"from": "MEM0", "to": "REG0", "cycles": 1, "cycles_defaulted": True, "mem": 3}

    def added(**cycles: int) -> Row:
        return only(imported(record("ADD (R64, M64)", "ADD", operands, latencies=[{**load, **cycles}])))

    same, differing = added(addr=6, addr_index=6), added(addr=6, addr_index=7)
    assert same.latency == (Latency("addr", "1", 6), Latency("mem", "1", 3))
    assert differing.latency == (Latency("addr", "1", 6), Latency("index", "1", 7), Latency("mem", "1", 3))


def vaddps_from_memory(indexed: dict[str, Any]) -> Any:
    operands = [
        operand("REG0", write=True, **VECTOR),
        operand("REG1", read=True, **VECTOR),
        operand("MEM0", "mem", read=True, width="128"),
    ]
    ports = {"01": 1, "23": 1}
    return record("VADDPS (XMM, XMM, M128)", "VADDPS", operands, uops=2, ports=ports, variants={"indexed": indexed})


def test_indexed_variant_is_a_row(imported: Any) -> None:
    """Un-lamination: the same decoder slots, one more slot at rename."""
    result = imported(vaddps_from_memory({"uops": 2, "retire_slots": 2}))
    assert result.rows["vaddps xmm, xmm, m128"].uops == (1, 2, 1)
    assert result.rows["vaddps xmm, xmm, m128 @indexed"].uops == (2, 2, 2)


def test_ports_that_the_source_leaves_out_with_an_index_are_those_without(imported: Any) -> None:
    result = imported(vaddps_from_memory({"uops": 2, "retire_slots": 2, "ports": {"23": 1}}))
    plain, indexed = (result.rows[f"vaddps xmm, xmm, m128{variant}"] for variant in ("", " @indexed"))
    assert sum(count for count, _ in plain.ports or ()) == 2
    assert indexed.ports == plain.ports
    assert (indexed.source, indexed.confidence) == (f"{plain.source}+rule:not indexed(ports)", "derived")


def test_same_register_is_an_idiom(imported: Any) -> None:
    """No dependency left and no uop: a zero idiom; a uop left: dependency-breaking."""
    operands = [operand("REG0", read=True, write=True, **VECTOR), operand("REG1", read=True, **VECTOR)]
    pairs = [{"from": name, "to": "REG0", "cycles": 1, "same_reg": 0} for name in ("REG0", "REG1")]
    variant = {"same_reg": {"uops": 0, "retire_slots": 1, "uops_mite": 1, "uops_ms": 0, "ports": {}}}
    zeroed = imported(record("PXOR (XMM, XMM)", "PXOR", operands, latencies=pairs, variants=variant))
    assert zeroed.rows["pxor xmm, xmm @same"].flags == ("zero_idiom",)
    assert zeroed.rows["pxor xmm, xmm @same"].latency == ()
    assert zeroed.rows["pxor xmm, xmm"].latency == (Latency("1", "1", 1), Latency("2", "1", 1))
    ones = imported(record("PCMPEQD (XMM, XMM)", "PCMPEQD", operands, latencies=pairs))
    assert ones.rows["pcmpeqd xmm, xmm @same"].flags == ("dep_breaking",)
    assert ones.rows["pcmpeqd xmm, xmm @same"].ports == ((1, "p01"),)


def test_eliminated_move_keeps_its_dependency(imported: Any) -> None:
    row = only(
        imported(
            record(
                "MOV_89 (R64, R64)",
                "{store} MOV",
                [operand("REG0", write=True, **GENERAL), operand("REG1", read=True, **GENERAL)],
                uops=0,
                ports={},
                latencies=[{"from": "REG1", "to": "REG0", "cycles": 0}],
            )
        )
    )
    assert (row.form, row.flags, row.uops) == ("mov r64, r64", ("eliminated",), (1, 0, 1))
    assert row.latency == (Latency("2", "1", 0),)


def test_zero_cycles_are_no_dependency(imported: Any) -> None:
    """tzcnt's destination is written only: 0 cycles from it must not become an edge."""
    row = only(
        imported(
            record(
                "TZCNT (R64, R64)",
                "TZCNT",
                [operand("REG0", write=True, **GENERAL), operand("REG1", read=True, **GENERAL)],
                latencies=[{"from": "REG0", "to": "REG0", "cycles": 0}, {"from": "REG1", "to": "REG0", "cycles": 3}],
            )
        )
    )
    assert row.latency == (Latency("2", "1", 3),)


def test_exclusive_instructions_block_a_unit(imported: Any) -> None:
    memory = [operand("MEM0", "mem", read=True, write=True, width="64")]
    row = only(imported(record("INC_LOCK (M64)", "LOCK INC", memory, locked=True, tp=18.0)))
    assert (row.form, row.flags, row.blocking) == ("lock inc m64", ("locked",), (("SERIAL", 18.0),))
    divisor = [operand("REG0", read=True, **GENERAL)]
    division = only(imported(record("DIV (R64)", "DIV", divisor, div_cycles=7, tp=21.0)))
    assert division.blocking == (("DIV", 21.0),)


def test_fusible_jumps_in_our_spelling(imported: Any) -> None:
    row = only(
        imported(
            record(
                "DEC (R64)",
                "DEC",
                [operand("REG0", read=True, write=True, **GENERAL)],
                macro_fusible_with=["JNZ (Rel8)", "JNZ (Rel32)", "JZ (Rel8)", "JNLE (Rel8)"],
            )
        )
    )
    assert row.flags == ("fusible:je|jg|jne",)


def test_the_usual_encoding_and_immediate_stand_for_a_form(imported: Any) -> None:
    """A shift by zero has other costs, and the row of the form must not be its."""
    register = [operand("REG0", read=True, write=True, **GENERAL), operand("IMM0", "imm", read=True, width="8")]
    zero = record("SHL (R64, 0)", "SHL", register, attrs={"immzero": "1"}, ports={"0": 1})
    other = record("SHL (R64, I8)", "SHL", register, attrs={"immzero": "0"}, ports={"06": 1})
    for order in ((zero, other), (other, zero)):
        result = imported(*order)
        assert result.rows["shl r64, i8"].ports == ((1, "p06"),)
        assert result.conflicts == [("shl r64, i8", "SHL (R64, I8)", "SHL (R64, 0)")]


def test_unmapped_records_are_told(imported: Any) -> None:
    bound = record("BNDMK_B (BND)", "BNDMK", [operand("REG0", write=True)])
    result = imported(bound, record("FOO (R64)", "FOO", [operand("REG0", **GENERAL)]))
    assert not result.rows
    assert result.unmapped == [
        ("BNDMK_B (BND)", "operand class BND has no example"),
        ("FOO (R64)", "not assembled: foo rbx"),
    ]
