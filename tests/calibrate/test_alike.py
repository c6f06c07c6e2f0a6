"""Rows that follow from measured forms of the same operation."""

from __future__ import annotations

import pytest

from corecast.calibrate.alike import RULE, SOURCE, alike_rows
from corecast.calibrate.order import by_kinship, is_plain
from corecast.machine import load_machine
from corecast.machine.rows import Latency, Row
from corecast.machine.types import Machine
from corecast.measure.export.model import known_row


@pytest.fixture(scope="module")
def start() -> Machine:
    return load_machine("zen3")


def known(form: str, start: Machine) -> Row:
    row = known_row(form, start)
    assert row is not None
    return row


def made(start: Machine, *rows: Row) -> dict[str, Row]:
    return {row.form: row for row in alike_rows(rows, start)}


def slower(form: str, start: Machine) -> Row:
    """A maximum of two cycles, where the start model has one."""
    return known(form, start).with_(latency=(Latency("2", "1", 2.0), Latency("3", "1", 2.0)))


def test_a_form_with_memory_takes_what_its_operation_takes(start: Machine) -> None:
    form = "vmaxpd ymm, ymm, m256"
    found, before = made(start, slower("vmaxpd ymm, ymm, ymm", start))[form], known(form, start)
    cycles = {each.source: each.cycles for each in found.latency or ()}
    assert cycles["2"] == 2
    assert cycles["addr"] == {each.source: each.cycles for each in before.latency or ()}["addr"] + 1
    assert (found.source, found.confidence) == (SOURCE, "derived")


def test_what_loads_take_is_what_measured_pairs_say(start: Machine) -> None:
    """The core's loads may be faster than the start model's."""
    registers, memory = "vminpd ymm, ymm, ymm", "vminpd ymm, ymm, m256"
    loaded = known(memory, start).with_(latency=(Latency("2", "1", 2.0), Latency("addr", "1", 8.0)))
    rows = made(start, slower("vmaxpd ymm, ymm, ymm", start), slower(registers, start), loaded)
    assert {each.source: each.cycles for each in rows["vmaxpd ymm, ymm, m256"].latency or ()}["addr"] == 8
    assert rows[memory].latency == loaded.latency


def test_microcode_is_gone_where_the_operation_has_fewer_micro_ops(start: Machine) -> None:
    form = "vpermd ymm, ymm, m256"
    one = known("vpermd ymm, ymm, ymm", start).with_(
        ports=((1.0, "FP12"),), blocking=(), uops=(1.0, 1.0, 1.0), latency=(Latency("2", "1", 4.0),)
    )
    assert "microcoded" in known(form, start).flags
    found = made(start, one)[form]
    assert not found.flags
    assert list(found.uops or ()) == [1, 2, 1]
    assert [count for count, _ in found.ports or ()] == [1, 1]


def test_vectors_of_other_lengths_follow_where_the_start_model_has_the_same(start: Machine) -> None:
    rows = made(start, slower("vmaxpd ymm, ymm, ymm", start))
    assert rows["vmaxpd xmm, xmm, xmm"].latency == (Latency("2", "1", 2.0), Latency("3", "1", 2.0))
    assert "vmaxpd zmm, zmm, zmm" not in rows


def test_of_two_lengths_that_take_as_long_the_one_with_whole_micro_ops_counts(start: Machine) -> None:
    """Zen 3 has two micro-ops for 256 bits, on three ports in all: at two a cycle there is one."""
    source = "corecast:measured(latency,throughput)+zen3(ports,uops)"
    short = known("vpmovzxbw xmm, xmm", start).with_(reciprocal_throughput_cycles=0.5, source=source)
    long = known("vpmovzxbw ymm, xmm", start).with_(
        ports=((0.75, "FP01"), (0.75, "FP12")),
        reciprocal_throughput_cycles=0.5,
        source=source.replace("uops", "uops,rule:occupancy"),
    )
    assert made(start, long)[long.form].ports == long.ports
    other = short.with_(latency=(Latency("2", "1", 2.0),))
    assert made(start, other, long)[long.form].ports == short.ports


def test_measured_rows_have_the_ports_of_their_operation(start: Machine) -> None:
    """Two loads a cycle hide that there are three ports for what is done with them."""
    registers = known("movddup xmm, xmm", start).with_(ports=((1.0, "FP123"),))
    memory = known("movddup xmm, m64", start).with_(
        reciprocal_throughput_cycles=0.5, source="corecast:measured(latency,throughput)+zen3(ports,uops)"
    )
    found = made(start, registers, memory)["movddup xmm, m64"]
    assert (1.0, "FP123") in (found.ports or ())
    assert RULE in found.source
    fast = made(start, registers, memory.with_(reciprocal_throughput_cycles=0.33))["movddup xmm, m64"]
    assert fast.ports == memory.ports


def test_what_the_core_does_as_the_start_model_says_implies_nothing(start: Machine) -> None:
    same = known("vmaxpd ymm, ymm, ymm", start)
    assert made(start, same) == {same.form: same}
    assert known("vmaxpd ymm, ymm, m256", start).form not in made(start, same)


def test_kin_are_measured_first() -> None:
    forms = ["aadd m64, r64", "vfmadd231sd xmm, xmm, xmm", "pabsb mm, mm", "vaddpd zmm{k}, zmm, zmm", "addss xmm, xmm"]
    first = by_kinship(forms, ["vfmadd132pd ymm, ymm, ymm", "vaddpd ymm, ymm, ymm", "pabsb xmm, xmm"])
    assert first == ["vfmadd231sd xmm, xmm, xmm", "addss xmm, xmm", "aadd m64, r64", "pabsb mm, mm", forms[3]]
    assert not is_plain("lock add m64, r64")
