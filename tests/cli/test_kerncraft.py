"""Kerncraft's in-core model LLVM-MCA with `corecast-mca` as llvm-mca: an ECM prediction from end to end.

Always: what Kerncraft 0.8.18 handed on for its triad (tests/data/kerncraft/triad.s) gives the recorded output, and this
the figures of an ECM prediction. With CORECAST_KERNCRAFT=1: Kerncraft itself, from PyPI in an environment of its
own, and its machine file of a Skylake-SP. After a change of the output: CORECAST_RECORD=1.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

import pytest

from corecast.cli.mca import main

DATA = Path(__file__).resolve().parent.parent / "data" / "kerncraft"
OPTIONS = ["-mcpu=skylake-avx512", "--timeline", "--timeline-max-cycles=1000", "--timeline-max-iterations=4"]
"""With which Kerncraft runs llvm-mca."""
ITERATIONS_PER_LINE = 2
"""Of the compiled triad: 64 bytes in vectors of 32."""
VERSION = "kerncraft==0.8.18"
MACHINE = "kerncraft-0.8.18/examples/machine-files/SkylakeSP_Gold-6148.yml"


@pytest.fixture
def output(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    text = (DATA / "triad.s").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(OPTIONS) == 0
    return capsys.readouterr().out


def test_the_recorded_kernel_gives_the_recorded_output(output: str) -> None:
    if os.environ.get("CORECAST_RECORD"):
        (DATA / "triad.expected").write_text(output)
    assert output == (DATA / "triad.expected").read_text()


def test_the_output_has_the_terms_of_an_ecm_prediction(output: str) -> None:
    """In cycles a cache line: loads take ports 2 and 3 for 4, and what overlaps takes 4."""
    names = dict(re.findall(r"(\[\d+\])\s+-\s+(\w+)", output.partition("Resources:\n")[2].partition("\n\n")[0]))
    header, cells = output.partition("Resource pressure per iteration:\n")[2].splitlines()[:2]
    cycles = {
        names[port]: 0.0 if cell == "-" else float(cell)
        for port, cell in zip(header.split(), cells.split(), strict=True)
    }
    assert ITERATIONS_PER_LINE * max(cycles["SKXPort2"], cycles["SKXPort3"]) == 4
    (total,) = re.findall(r"Total Cycles:\s+(\d+)", output)
    (iterations,) = re.findall(r"Iterations:\s+(\d+)", output)
    assert ITERATIONS_PER_LINE * int(total) / int(iterations) == 4


@pytest.fixture(scope="module")
def kerncraft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Kerncraft's program, and beside it its machine file."""
    if os.environ.get("CORECAST_KERNCRAFT") != "1":
        pytest.skip("CORECAST_KERNCRAFT=1 installs Kerncraft from PyPI and runs it")
    if shutil.which("gcc") is None:
        pytest.skip("Kerncraft compiles its kernel: there is no gcc")
    folder = tmp_path_factory.mktemp("kerncraft")
    venv.create(folder / "env", with_pip=True)
    pip = [str(folder / "env" / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    # Kerncraft asks for a later OSACA, with which its own reader of markers fails.
    install = [*pip, "install", "-q", "--no-deps", "-r", str(DATA / "requirements.txt")]
    sources = [*pip, "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(folder), VERSION]
    for command in (install, sources):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"Kerncraft cannot be had from PyPI here: {done.stderr.strip().splitlines()[-1]}")
    with tarfile.open(next(folder.glob("kerncraft-*.tar.gz"))) as archive:
        machine = archive.extractfile(MACHINE)
        assert machine is not None
        (folder / "machine.yml").write_bytes(machine.read())
    return folder


def test_kerncraft_predicts_its_triad_with_our_figures(kerncraft: Path, tmp_path: Path) -> None:
    program = kerncraft / "programs" / "llvm-mca"
    program.parent.mkdir()
    call = "from corecast.cli.mca import main; import sys; sys.exit(main())"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{call}" "$@"\n')
    program.chmod(0o755)
    shutil.copy(DATA / "triad.c", tmp_path)
    words = ["-p", "ECM", "-m", str(kerncraft / "machine.yml"), "triad.c", "-D", "N", "10000000"]
    path = os.pathsep.join((str(program.parent), str(kerncraft / "env" / "bin"), os.environ["PATH"]))
    done = subprocess.run(
        [kerncraft / "env" / "bin" / "kerncraft", *words, "-i", "LLVM-MCA", "-C", "gcc", "-v"],
        capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, "PATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(
        r"= max\(([\d.]+), sum\(([\d.]+), [\d.]+, [\d.]+, [\d.]+\)\) cy/CL\s*= ([\d.]+) cy/CL", done.stdout
    )
    assert found, done.stdout
    in_core, level_one, whole = map(float, found.groups())
    assert (in_core, level_one) == (4.0, 4.0)
    assert whole == pytest.approx(32.0, abs=0.1)
