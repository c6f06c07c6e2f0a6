"""Our own campaigns' figures: kept as text, merged into rows of other origins, and what ports they speak for."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from corecast.machine import load_machine
from corecast.machine.rows import Latency, Row
from corecast.measure.export.model import port_bound
from corecast.measure.judge.forms.results import FormResult, PairResult, Results
from corecast.measure.record.interval import Interval

TOOLS = str(Path(__file__).resolve().parents[2] / "tools")


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    monkeypatch.syspath_prepend(TOOLS)
    import own_measurements  # type: ignore[import-not-found]
    from intel_models import own_latencies, own_ports, port_sets  # type: ignore[import-not-found]

    return SimpleNamespace(kept=own_measurements, latencies=own_latencies, ports=own_ports, sets=port_sets)


def result(form: str, cycles: float | None = None, *pairs: tuple[str, str, float]) -> FormResult:
    latencies = tuple(PairResult(a, b, Interval(c, c), "direct", True) for a, b, c in pairs)
    throughput = None if cycles is None else Interval(cycles, cycles)
    return FormResult(form, throughput, True, latencies, record={"version": "1"})


def row(form: str, ports: str, *latency: tuple[str, str, float], uops: float = 1, **changes: Any) -> Row:
    made = Row(form, ((1.0, ports),), (), tuple(Latency(*each) for each in latency), (uops, uops, uops), source="x")
    return made.with_(**changes)


def fitting(modules: SimpleNamespace, *origins: dict[str, Row]) -> Any:
    base = load_machine("meteor_lake_p")
    return modules.ports.Fitting(modules.sets.TWELVE, 6, lambda usage: port_bound(base, usage), origins)


def test_what_is_kept_is_what_was_measured(modules: SimpleNamespace, tmp_path: Path) -> None:
    forms = {"add r64, r64": result("add r64, r64", 0.2, ("1", "1", 1.0)), "nop": result("nop", 0.167)}
    forms["mul r64"] = FormResult("mul r64", Interval(0.9, 1.1), False, (), record={"version": "1"})
    path = tmp_path / "kept.tsv"
    assert modules.kept.save(Results("a core", "x86", forms), path, "2026-01-01", "tools/x.py") == 3
    found = modules.kept.load(path, {"nop": 0.25, "xgetbv": 48.0})
    assert found.cpu == "a core"
    assert found.forms["add r64, r64"].latencies[0].cycles == Interval(1.0, 1.0)
    assert (found.forms["mul r64"].throughput, found.forms["mul r64"].throughput_stable) == (Interval(0.9, 1.1), False)
    assert found.forms["nop"].throughput == Interval(0.25, 0.25)
    assert found.forms["xgetbv"].throughput == Interval(48, 48), "measured otherwise, and not by the campaign"


def test_moves_between_register_files_share_their_chain_as_the_rows_do(modules: SimpleNamespace) -> None:
    own = Results("a core", "x86", {
        "vmovq xmm, r64": result("vmovq xmm, r64", 1.0, ("2", "1", 3.0)),
        "comisd xmm, xmm": result("comisd xmm, xmm", 1.0, ("1", "flags", 1.0)),
        "vmovups xmm, m128": result("vmovups xmm, m128", 0.33, ("addr", "1", 7.0), ("mem", "1", 5.0)),
        "vaddpd xmm, xmm, xmm": result("vaddpd xmm, xmm, xmm", 0.5, ("2", "1", 3.0)),
    })  # fmt: skip
    rows = {"vmovq xmm, r64": row("vmovq xmm, r64", "p5", ("2", "1", 2.0))}
    found = modules.latencies.corrected(own, rows).forms
    cycles = {form: found[form].latencies[0].cycles.low for form in found}
    assert list(cycles.values()) == [2.0, 2.0, 6.0, 3.0]
    assert found["vmovups xmm, m128"].latencies[1].cycles.low == 5.0


def test_what_is_not_the_forms_own_latency_is_left_out(modules: SimpleNamespace) -> None:
    forms = [
        result("and r64, r64", 0.2, ("1", "1", 1.0), ("1", "flags", 2.0)),
        result("and ax, i16", 3.1, ("1", "1", 3.1)),
        result("sldt r32", 3000.0),
        result("vpmaskmovd xmm, xmm, m128", 0.5, ("addr", "1", 262.0)),
        result("vmovaps xmm, xmm", 0.16, ("2", "1", 1.0)),
        result("lock adc m64, r64", 25.0, ("flags", "flags", 25.0)),
    ]
    rows = {"vmovaps xmm, xmm": row("vmovaps xmm, xmm", "p5", flags=("eliminated",))}
    own = Results("a core", "x86", {each.form: each for each in forms})
    found = modules.latencies.corrected(own, rows).forms
    assert {form: [pair.target for pair in each.latencies] for form, each in found.items()} == {
        "and r64, r64": ["1"], "vpmaskmovd xmm, xmm, m128": [], "vmovaps xmm, xmm": [],
        "lock adc m64, r64": [],
    }  # fmt: skip


def test_records_keep_what_we_measured_alike(modules: SimpleNamespace) -> None:
    known = row("imul r64, r64", "p1", ("1", "1", 3.0), ("2", "1", 4.0))
    measured = result("imul r64, r64", 1.0, ("1", "1", 3.05), ("2", "1", 3.0))
    assert [pair.source for pair in modules.latencies.without_confirmed(measured, known).latencies] == ["2"]
    assert modules.latencies.contradictions(measured, known) == ["imul r64, r64: 2->1: 3.00..3.00, the record 4"]


@pytest.mark.parametrize(
    ("form", "ports", "cycles", "expected", "source"),
    [
        ("vpaddd ymm, ymm, ymm", "p015", 0.334, "p015", "x"),
        ("vmaxpd zmm, zmm, zmm", "p0", 0.5, "p05", "rule:width(ports)+x(latency,uops)"),
        ("vcmpsd k, xmm, xmm, {sae}, i8", "p01", 1.0, "p5", "rule:other origin(ports)+x(latency,uops)"),
        ("lahf", "p06", 1.0, "p06", "x"),
        ("vandps ymm, ymm, m256", "p23A", 0.43, "p23A", "x"),
    ],
)
def test_ports_imply_the_throughput(
    modules: SimpleNamespace, form: str, ports: str, cycles: float, expected: str, source: str
) -> None:
    others = {"vcmpsd k, xmm, xmm, {sae}, i8": row("vcmpsd k, xmm, xmm, {sae}, i8", "p5")}
    measured = result(form, cycles, ("rax", "rax", 1.0)) if form == "lahf" else result(form, cycles)
    found, limit = fitting(modules, others).fitted(row(form, ports), measured)
    assert (found.ports, found.source) == (((1.0, expected),), source)
    assert not limit.throughput_stable


def test_ports_of_a_kind_hold_for_its_other_forms(modules: SimpleNamespace) -> None:
    fit = fitting(modules)
    confirmed = row("vpshufb xmm, xmm, xmm", "p15")
    fit.learn({confirmed.form: confirmed}, {confirmed.form: result(confirmed.form, 0.5)})
    masked = row("vpshufb ymm{k}, ymm, ymm", "p5")
    assert fit.fitted(masked, result(masked.form, 0.5))[0].ports == ((1.0, "p15"),)
    assert fit.of_its_kind(masked).ports == ((1.0, "p15"),)
    assert fit.of_its_kind(row("vpshufb zmm, zmm, zmm", "p5")).ports == ((1.0, "p5"),)


@pytest.mark.parametrize(
    ("form", "uops", "unit"), [("vdivph xmm, xmm, xmm", 3, "DIV"), ("enter i16, i8", 60, "SERIAL")]
)
def test_units_hold_what_ports_do_not_explain(modules: SimpleNamespace, form: str, uops: float, unit: str) -> None:
    found, _ = fitting(modules).fitted(row(form, "p0", uops=uops), result(form, 20.0))
    assert found.blocking == ((unit, 20.0),)


def test_what_nothing_explains_is_left_to_be_held_longer(modules: SimpleNamespace) -> None:
    measured = result("sha1rnds4 xmm, xmm, i8", 3.0)
    plain = row(measured.form, "p5")
    assert fitting(modules).fitted(plain, measured) == (plain, measured)
