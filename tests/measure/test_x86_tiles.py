"""AMX's tiles in kernels: what the runner configures, and what kernels need. No machine with tiles is needed."""

from __future__ import annotations

import struct

import pytest

from corecast import _core
from corecast.cli.main import main
from corecast.machine import load_machine
from corecast.measure import FormMeter, HostCore, SimulatedCore, parse_form
from corecast.measure.isa.x86.tiles import tile_problem
from corecast.measure.plan.forms.chains import chain
from corecast.measure.plan.forms.throughput import instances
from corecast.measure.plan.helpers import assembled
from corecast.measure.plan.kernels import TimedKernel, of_instructions
from corecast.measure.questions.pairs import pairs
from corecast.measure.record.measured import Throughput
from corecast.measure.rejection import Reason, Rejection
from corecast.measure.run.entries import kernel_entry

MISSING = "this core has no AMX tiles (CPUID leaf 7 does not name AMX-TILE)"
x86_only = pytest.mark.skipif(_core.measurable_isa() != "x86", reason=_core.measuring_obstacle() or "not x86")


def kernel(text: str) -> TimedKernel:
    return of_instructions(assembled("x86", text), "x86")


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A host with the tiles of Sapphire Rapids, as far as CPUID and the system tell."""
    monkeypatch.setattr(_core, "missing_tiles", lambda: "")
    monkeypatch.setattr(_core, "tile_features", lambda: ["amx_tile", "amx_int8", "amx_bf16"])
    monkeypatch.setattr(_core, "refused_tiles", lambda: "")
    return monkeypatch


@pytest.fixture
def bare_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "missing_tiles", lambda: MISSING)
    monkeypatch.setattr(_core, "tile_features", list)


def test_the_code_that_configures_tiles_loads_them_row_by_row_from_one_line() -> None:
    code = _core.tile_setup(0x2B00)
    texts = [each.text for each in _core.disassemble("x86", code).instructions]
    loads = [f"tileloadd tmm{tile}, [rcx + rdx + {0x2B40 + 64 * tile}]" for tile in range(8)]
    assert texts == ["ldtilecfg [rcx + 11008]", *loads]
    assert [each.text for each in _core.disassemble("x86", _core.tile_release()).instructions] == ["tilerelease"]


def test_the_configuration_is_palette_1_and_eight_tiles_of_16_rows_of_64_bytes() -> None:
    values = _core.StartValues()
    values.set_vector({7: 0x0102030405060708})
    image = _core.tile_image(values)
    found = struct.unpack("<BB14s8H16s8B8s", image[:64])
    assert found == (1, 0, bytes(14), *[64] * 8, bytes(16), *[16] * 8, bytes(8))
    assert len(image) == 64 + 8 * 64
    assert image[-64:] == bytes.fromhex("0807060504030201") * 8


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("tilezero tmm0", True),
        ("tileloadd tmm0, [rax+rbx*1]", True),
        ("sttilecfg [rax]", True),
        ("tilerelease", False),
        ("vaddps zmm0, zmm1, zmm2", False),
        ("movq mm0, mm1", False),
    ],
)
def test_tiles_are_configured_where_code_uses_them(text: str, tiles: bool) -> None:
    values = kernel(text).values
    assert values.tiles is values.to_core().tiles is tiles
    assert ("tiles" in kernel_entry(kernel(text))["values"]) is tiles


@pytest.mark.parametrize(("scale", "index"), [(1, 64), (2, 32), (4, 16), (8, 8)])
def test_rows_of_a_tile_follow_each_other(scale: int, index: int) -> None:
    found = kernel(f"tileloadd tmm0, [rax+rbx*{scale}+64]\ntilestored [rdx+rsi*{scale}], tmm0\nmov rcx, [rdi+r8]")
    assert found.values.general == {3: index, 6: index}


@pytest.mark.parametrize("product", ["tdpbssd", "tdpbsud", "tdpbusd", "tdpbuud", "tdpbf16ps", "tdpfp16ps"])
def test_products_rotate_over_tiles_all_of_which_differ(product: str) -> None:
    found = instances(parse_form(f"{product} tmm, tmm, tmm"))
    assert found.kernel.texts == tuple(f"{product} tmm{tile}, tmm0, tmm1" for tile in range(2, 8))
    assert found.broken == ()
    assert found.kernel.values.tiles


def test_loads_write_every_tile_from_memory_of_its_own() -> None:
    found = instances(parse_form("tileloadd tmm, m"))
    instructions = _core.disassemble("x86", found.kernel.code).instructions
    assert [each.text.split(",")[0] for each in instructions] == [f"tileloadd tmm{tile}" for tile in range(8)]
    accesses = [access for each in instructions for access in each.memory]
    assert [access.displacement for access in accesses] == [1024 * tile for tile in range(8)]
    assert all(access.index and access.scale == 1 for access in accesses)
    assert list(found.kernel.values.general.values()) == [64]


@pytest.mark.parametrize(("key", "apart"), [("tilestored m, tmm", 1024), ("sttilecfg m", 64)])
def test_stores_do_not_overlap(key: str, apart: int) -> None:
    found = instances(parse_form(key))
    instructions = _core.disassemble("x86", found.kernel.code).instructions
    displacements = [each.memory[0].displacement for each in instructions]
    assert displacements == [apart * number for number in range(12)]


def test_chains_of_products_lead_through_one_tile() -> None:
    form = parse_form("tdpbf16ps tmm, tmm, tmm")
    made = {(source.name, target.name): chain(form, source, target) for source, target in pairs(form)}
    texts = {pair: (found.method, found.kernel.texts) for pair, found in made.items()}
    assert texts == {
        ("1", "1"): ("direct", ("tdpbf16ps tmm0, tmm1, tmm2",)),
        ("2", "1"): ("cross", ("tdpbf16ps tmm0, tmm1, tmm2", "tdpbf16ps tmm1, tmm0, tmm2")),
        ("3", "1"): ("cross", ("tdpbf16ps tmm0, tmm2, tmm1", "tdpbf16ps tmm1, tmm2, tmm0")),
    }


def test_figures_of_a_model_are_found_again() -> None:
    core = SimulatedCore(load_machine("sapphire_rapids"))
    found = FormMeter(core).measure(parse_form("tdpbssd tmm, tmm, tmm"))
    assert throughput_cycles(found.throughput) == pytest.approx(16, abs=0.1)
    assert [each.cycles and each.cycles.high for each in found.latencies] == pytest.approx([52, 52, 52], abs=0.1)
    load = FormMeter(core).measure(parse_form("tileloadd tmm, m"))
    assert throughput_cycles(load.throughput) == pytest.approx(8, abs=0.1)
    assert [each.rejection for each in load.latencies] == [Rejection(Reason.NO_HELPER, "tile to general")] * 2


def throughput_cycles(found: Throughput) -> float:
    assert found.cycles is not None
    return found.cycles.high


@pytest.mark.usefixtures("host")
def test_a_host_with_tiles_can_time_them() -> None:
    assert tile_problem(["tilezero tmm0", "tdpbssd tmm0, tmm1, tmm2", "tdpbf16ps %tmm2, %tmm1, %tmm0"]) is None


@pytest.mark.usefixtures("host")
def test_an_extension_that_the_core_lacks_is_named() -> None:
    found = tile_problem(["tilezero tmm0", "tdpfp16ps tmm0, tmm1, tmm2"])
    assert found is not None
    detail = "'tdpfp16ps tmm0, tmm1, tmm2': this core has no AMX-FP16 (CPUID leaf 7)"
    assert found == Rejection(Reason.NO_AMX, detail, 1)


def test_a_system_that_refuses_tiles_is_told(host: pytest.MonkeyPatch) -> None:
    host.setattr(_core, "refused_tiles", lambda: "the system does not enable AMX tiles (XCR0)")
    found = tile_problem(["tilezero tmm0"])
    assert found == Rejection(Reason.AMX_REFUSED, "the system does not enable AMX tiles (XCR0)")


@pytest.mark.usefixtures("host")
@pytest.mark.parametrize("text", ["ldtilecfg [rax]", "tilerelease"])
def test_code_that_changes_the_configuration_is_refused(text: str) -> None:
    found = tile_problem(["tilezero tmm0", text])
    assert found is not None
    assert (found.reason, found.instruction) == (Reason.TILE_SETUP, 1)
    assert found.message == f"'{text}': code that changes the configuration of AMX tiles cannot be timed"


def test_other_code_is_none_of_the_tiles_business() -> None:
    assert tile_problem(["vdpbf16ps zmm0, zmm1, zmm2", "movq mm0, mm1"]) is None


@pytest.mark.usefixtures("bare_host")
def test_without_tiles_nothing_runs_and_the_reason_is_told() -> None:
    assert HostCore().time(kernel("tilezero tmm0")) == Rejection(Reason.NO_AMX, MISSING)


@x86_only
@pytest.mark.skipif(not (_core.missing_tiles() or _core.refused_tiles()), reason="this machine has tiles")
def test_the_runner_refuses_by_itself() -> None:
    found = _core.measure(kernel("tilezero tmm0").code, kernel("tilezero tmm0").values.to_core())
    assert (found.end, found.tiles_refused) == ("failed", True)
    assert found.message == (_core.missing_tiles() or _core.refused_tiles())


@x86_only
@pytest.mark.usefixtures("bare_host")
def test_measuring_a_form_says_why_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "form", "tdpbf16ps tmm, tmm, tmm"]) == 1
    assert capsys.readouterr().out.splitlines()[:-1] == [
        "tdpbf16ps tmm, tmm, tmm",
        f"  reciprocal throughput    needs AMX that is not here: {MISSING}",
    ]


@x86_only
@pytest.mark.usefixtures("host")
def test_measuring_a_kernel_names_the_line(capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    path = f"{tmp_path}/release.s"
    with open(path, "w", encoding="utf-8") as file:
        file.write("tilezero %tmm0\ntilerelease\n")
    assert main(["measure", "kernel", path]) == 1
    message = "'tilerelease': code that changes the configuration of AMX tiles cannot be timed"
    assert f"corecast: {path}:2: {message}" in capsys.readouterr().err
