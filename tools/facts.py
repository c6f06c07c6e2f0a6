"""The figures of other projects that the generators of form tables read: facts/, see its README."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corecast.files.compressed import open_text
from corecast.machine.rows import Row, figure, read_rows

FOLDER = Path(__file__).resolve().parent.parent / "facts"
UOPS_INFO = FOLDER / "uops_info"
WINIC = FOLDER / "winic"
RVV_BENCH = FOLDER / "rvv_bench/throughput.csv.xz"
APPLE = FOLDER / "applecpu"
INSN_BENCH = FOLDER / "insn_bench/aarch64.csv.xz"
ZENPLUS_MAPPING = FOLDER / "pmtestbench/zenplus.json.xz"
A72_MAPPING = FOLDER / "pmevo/a72.json.xz"


@dataclass(frozen=True)
class Listed:
    """One form of an AArch64 core as OSACA's file knows it. Cycles; None where the file does not say."""

    form: str
    mnemonic: str
    latency_cycles: float | None
    reciprocal_throughput_cycles: float | None
    ports: tuple[tuple[float, tuple[str, ...]], ...]
    """(cycles, names of the ports they are shared among), in OSACA's port names."""
    uops: float | None


def osaca_rows(core: str) -> dict[str, Row]:
    """OSACA's figures of an x86 core as rows, by form."""
    return {row.form: row for row in read_rows(FOLDER / f"osaca/{core}.tsv.xz")}


def osaca_figures(core: str) -> dict[str, Listed]:
    """OSACA's figures of an AArch64 core, by form."""
    return {listed.form: listed for listed in _listed(FOLDER / f"osaca/{core}.tsv.xz")}


def _listed(path: Path) -> Iterator[Listed]:
    with open_text(path) as file:
        for line in file:
            if line.startswith("#"):
                continue
            form, mnemonic, latency, throughput, ports, uops = line.rstrip("\n").split("\t")
            yield Listed(
                form,
                mnemonic,
                figure(latency) if latency else None,
                figure(throughput) if throughput else None,
                tuple(_shared(part) for part in ports.split("+") if part),
                figure(uops) if uops else None,
            )


def _shared(text: str) -> tuple[float, tuple[str, ...]]:
    cycles, _, names = text.partition("*")
    return figure(cycles), tuple(names.split("|"))
