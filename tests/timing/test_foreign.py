"""Code of another instruction set is never executed as x86."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast import _core
from corecast.cli.main import main
from corecast.errors import InputError
from corecast.timing.foreign import refuse_foreign

AARCH64 = ["221b40f9", "e00300aa", "1f2003d5", "0000018b", "42000091", "0004402e", "20d4214e", "000840fd", "e10f1ff8"]
X86 = ["4801d8", "480fafc3", "488b03", "c5fc58c1", "90"]

needs_x86 = pytest.mark.skipif(_core.measurable_isa() != "x86", reason="needs an x86 host")


def test_a_file_of_another_instruction_set_is_refused() -> None:
    with pytest.raises(InputError, match=r"blocks are not x86 code; \d of them are legal aarch64 code: .*--isa"):
        refuse_foreign(map(bytes.fromhex, AARCH64), "x86", "a.csv")


def test_some_broken_rows_are_no_other_instruction_set() -> None:
    refuse_foreign(map(bytes.fromhex, [*X86 * 4, "06", "06", "06"]), "x86", "a.csv")
    refuse_foreign(map(bytes.fromhex, ["90", "06", "06"]), "x86", "a.csv")


@needs_x86
def test_nothing_is_executed_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "blocks.csv", tmp_path / "m.csv"
    path.write_text("hex,app,count\n" + "".join(f"{each},a,1\n" for each in AARCH64))
    assert main(["time", str(path), "-o", str(out)]) == 2
    assert "--isa" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["blocks.csv"]


@needs_x86
def test_zero_rows_measured_is_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "blocks.csv", tmp_path / "m.csv"
    path.write_text("hex\n" + "".join(f"{each}\n" for each in AARCH64))
    assert main(["time", str(path), "-o", str(out), "--isa", "aarch64"]) == 1
    assert f"0 of {len(AARCH64)} blocks measured" in capsys.readouterr().err
    assert out.read_text().count("foreign") == len(AARCH64)
    path.write_text("hex,isa\n" + "".join(f"{each},aarch64\n" for each in AARCH64))
    assert main(["time", str(path), "-o", str(out)]) == 1
