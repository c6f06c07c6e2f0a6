"""Blocks with AMX's tiles: where rows lie, what is rejected. No machine with tiles is needed."""

from __future__ import annotations

import csv
import struct
from pathlib import Path

import pytest

from corecast import _core
from corecast.cli.main import main
from corecast.measure.isa.x86.registers import GENERAL
from corecast.timing.accesses import accesses, examine
from corecast.timing.blocks import PreparedBlock, prepare

x86_only = pytest.mark.skipif(_core.measurable_isa() != "x86", reason=_core.measuring_obstacle() or "not x86")
RAX, RCX, RBX, RSI = (GENERAL.index(name) for name in ("rax", "rcx", "rbx", "rsi"))


def code(text: str) -> bytes:
    return b"".join(each.bytes for each in _core.assemble("x86", text, "intel").instructions)


def block(text: str) -> PreparedBlock:
    return prepare(code(text), 0, "unroll")


def steps(prepared: PreparedBlock, general: dict[int, int], executions: int = 1) -> bytes:
    """A trace of a block that leaves its registers alone."""
    values = [general.get(number, 0) for number in range(16)]
    size = len(prepared.code)
    starts = [size * execution + start for execution in range(executions) for start in prepared.starts]
    return b"".join(struct.pack("<33Q", start, *values, *[0] * (32 - len(values))) for start in starts)


def test_a_tile_is_16_rows_as_far_apart_as_the_index_says() -> None:
    prepared = block("tileloadd tmm0, [rax+rbx*2+64]")
    found = list(accesses(prepared, steps(prepared, {RAX: 0x10000, RBX: 0x20})))
    assert [access.address for access in found] == [0x10040 + 0x40 * row for row in range(16)]
    assert {(access.width, access.read, access.write) for access in found} == {(64, True, False)}
    assert len({access.key for access in found}) == 16


@pytest.mark.parametrize(
    ("text", "general", "expected"),
    [
        ("tileloadd tmm0, [rax+rbx]", {RAX: 0x10C00, RBX: 64}, ()),
        ("tileloadd tmm0, [rax+rbx]", {RAX: 0x10020, RBX: 64}, ("unaligned",)),
        ("tileloadd tmm0, [rax+rbx]", {RAX: 0x10FE0, RBX: 4096}, ("page_split", "unaligned")),
        ("tileloadd tmm0, [rax+rbx]", {RAX: 0x10000, RBX: 72}, ("unaligned",)),
        ("tilestored [rax+rbx], tmm0; tileloadd tmm1, [rcx+rbx]", {RAX: 0x10000, RCX: 0x20400, RBX: 64}, ()),
        ("tilestored [rax+rbx], tmm0; tileloadd tmm1, [rcx+rbx]", {RAX: 0x10000, RCX: 0x20040, RBX: 64}, ("aliasing",)),
        ("tilestored [rax+rbx], tmm0; tileloadd tmm1, [rax+rbx]", {RAX: 0x10000, RBX: 64}, ()),
    ],
)
def test_rows_are_judged_like_other_accesses(text: str, general: dict[int, int], expected: tuple[str, ...]) -> None:
    prepared = block(text)
    reach, hindrances = examine(prepared, steps(prepared, general, executions=3))
    assert hindrances == expected
    assert reach.drift_bytes == 0


def test_a_tile_takes_its_lines_of_the_cache() -> None:
    prepared = block("tileloadd tmm0, [rax+rbx]")
    near, _ = examine(prepared, steps(prepared, {RAX: 0x10000, RBX: 64}, executions=3))
    assert near.fits(1000)
    far, _ = examine(prepared, steps(prepared, {RAX: 0x10000, RBX: 4096}, executions=3))
    assert not far.fits(1)  # 16 lines at the same place of as many pages


def test_registers_of_tiles_start_with_distances_and_places_of_their_own() -> None:
    for general in block("tileloadd tmm1, [rax+rbx*8]; tilestored [rcx+rbx*8], tmm0").register_values():
        assert general[RBX] == 8
        assert all(general[number] % 64 == 0 for number in (RAX, RCX))
    first = block("tileloadd tmm1, [rax+rbx]; tileloadd tmm2, [rcx+rbx]; tilestored [rsi+rbx], tmm0").register_values()[
        0
    ]
    assert first[RBX] == 64
    assert sorted(first[number] % 4096 for number in (RAX, RCX, RSI)) == [0, 1024, 2048]


@x86_only
def test_rows_say_why_tiles_are_not_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_core, "missing_tiles", lambda: "this core has none")
    blocks, measured = tmp_path / "blocks.csv", tmp_path / "measured.csv"
    texts = ("tdpbssd tmm0, tmm1, tmm2", "tilerelease", "ldtilecfg [rax]; tilezero tmm0", "tileloadd tmm0, [rax+rbx]")
    blocks.write_text("hex\n" + "".join(f"{code(text).hex()}\n" for text in texts), encoding="utf-8")
    assert main(["time", str(blocks), "-o", str(measured), "--apart", "0"]) == 1
    with measured.open(encoding="utf-8", newline="") as file:
        assert [row["rejected"] for row in csv.DictReader(file)] == ["no_amx", "tile_setup", "tile_setup", "no_amx"]
    told = capsys.readouterr().err
    assert "rejected: 2 no_amx (CPUID names no AMX tiles, or not the extension of AMX that it needs)" in told
    assert "rejected: 2 tile_setup (it changes the configuration of AMX tiles)" in told


@x86_only
@pytest.mark.skipif(not (_core.missing_tiles() or _core.refused_tiles()), reason="this machine has tiles")
def test_a_refusal_at_run_time_is_a_reason_like_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CPUID names tiles and the runner refuses all the same."""
    monkeypatch.setattr(_core, "missing_tiles", lambda: "")
    monkeypatch.setattr(_core, "refused_tiles", lambda: "")
    monkeypatch.setattr(_core, "tile_features", lambda: ["amx_tile", "amx_int8"])
    blocks, measured = tmp_path / "blocks.csv", tmp_path / "measured.csv"
    blocks.write_text(f"hex\n{code('tdpbssd tmm0, tmm1, tmm2').hex()}\n", encoding="utf-8")
    assert main(["time", str(blocks), "-o", str(measured), "--apart", "0"]) == 1
    with measured.open(encoding="utf-8", newline="") as file:
        assert [row["rejected"] for row in csv.DictReader(file)] == ["amx_refused"]
