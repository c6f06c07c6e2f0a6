"""Latencies of forms that load, as uops.info's facts are completed."""

from __future__ import annotations

from corecast.convert.importers.uops_info_loads import complete_loads
from corecast.machine import load_machine
from corecast.machine.rows import Latency, Row

LOADS = (5.0, 6.0, 7.0)


def row(form: str, *latency: tuple[str, str, float]) -> Row:
    return Row(form, latency=tuple(Latency(*pair) for pair in latency), confidence="measured")


def completed(*rows: Row) -> dict[str, dict[tuple[str, str], float]]:
    by_form = {each.form: each for each in (row("mov r64, m64", ("addr", "1", 5)), *rows)}
    complete_loads(by_form, LOADS)
    return {
        form: {(pair.source, pair.destination): pair.cycles for pair in each.latency or ()}
        for form, each in by_form.items()
    }


def test_what_renaming_knows_before_the_address_is_no_latency_from_it() -> None:
    pairs = (("addr", "flags", 1.0), ("index", "flags", 6.0), ("addr", "mem", 7.0), ("mem", "flags", 1.0))
    found = completed(row("sar m8, 1", *pairs))["sar m8, 1"]
    assert found == {("index", "flags"): 6, ("addr", "mem"): 7, ("mem", "flags"): 1}


def test_a_load_is_enough_for_a_register_but_not_for_flags() -> None:
    pairs = (("addr", "2", 5.0), ("index", "2", 6.0), ("addr", "flags", 5.0), ("index", "flags", 6.0))
    found = completed(row("xadd m64, r64", *pairs))["xadd m64, r64"]
    assert found == {("addr", "2"): 5, ("index", "2"): 6, ("index", "flags"): 6}


def test_what_nothing_stands_for_is_kept() -> None:
    pairs = (("addr", "1", 1.0),)
    assert completed(row("mov sreg, m16", *pairs))["mov sreg, m16"] == {("addr", "1"): 1}


def test_a_row_without_any_latency_has_the_register_forms_and_the_loads() -> None:
    found = completed(
        row("vsqrtpd xmm, xmm", ("2", "1", 13.0)),
        row("vsqrtpd xmm, m128"),
        row("mov m64, r64"),
        row("mov r64, r64", ("2", "1", 0.0)),
    )
    assert found["vsqrtpd xmm, m128"] == {("addr", "1"): 13 + 6}
    assert found["mov m64, r64"] == {}


def test_models_say_so() -> None:
    for cpu, cycles in (("skylake_x", 19.0), ("ice_lake", 19.0), ("golden_cove", 24.0)):  # the last of many digits
        found = load_machine(cpu).core.find("vsqrtpd xmm, m128")
        assert found["latency"] == (("addr", "1", cycles),)
    assert load_machine("golden_cove").core.find("movzx r64, r8")["flags"] == ("eliminated",)
