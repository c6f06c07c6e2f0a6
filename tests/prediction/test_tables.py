"""Parquet files and clusters: the same predictions as from CSV, here."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest

from corecast.cli.main import main

INSTRUCTIONS = ["4801c3", "480fafc0", "488b06", "488906", "c5fb58c1", "c5fb1006", "06", ""]
ARGUMENTS = ["--cpu", "skylake_x", "--mode", "unroll", "--bounds"]


@pytest.fixture
def blocks(tmp_path: Path) -> Path:
    """Some parts full of blocks."""
    chosen = random.Random(3)
    rows = ["name,hex,address,register_step,code_before"]
    rows += [
        f"block {number},{''.join(chosen.choices(INSTRUCTIONS, k=4))},{chosen.choice(['0', '0x23', '', 'x'])},"
        f"{chosen.choice(['', '0', '8', '64'])},{chosen.choice(['', '90', '4801c3', 'x'])}"
        for number in range(9000)
    ]
    path = tmp_path / "blocks.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def predicted(blocks: Path, *more: str) -> str:
    out = blocks.with_name("predicted.csv")
    assert main(["predict", str(blocks), *ARGUMENTS, *more, "-o", str(out)]) == 1
    return out.read_text()


def test_parquet_gets_the_same_columns(blocks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    arrow_csv = pytest.importorskip("pyarrow.csv")
    kinds = dict.fromkeys(("hex", "address", "register_step", "code_before"), "string")
    texts = arrow_csv.ConvertOptions(column_types=kinds, strings_can_be_null=False)
    source, target = blocks.with_suffix(".parquet"), blocks.with_name("out.parquet")
    parquet.write_table(arrow_csv.read_csv(blocks, convert_options=texts), source)
    assert main(["predict", str(source), *ARGUMENTS, "-o", str(target)]) == 1
    told = capsys.readouterr().err
    expected = list(csv.DictReader(predicted(blocks).splitlines()))
    assert capsys.readouterr().err == told.replace(".parquet", ".csv")
    found = parquet.read_table(target).to_pylist()
    assert list(found[0]) == list(expected[0])
    for row, other in zip(found, expected, strict=True):
        for name, text in other.items():
            value = row[name]
            assert ("" if value is None else value if isinstance(value, str) else float(value)) == (
                float(text) if isinstance(value, float) else text
            )


def test_what_is_no_parquet_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    path = tmp_path / "blocks.parquet"
    path.write_text("hex\n90\n")
    assert main(["predict", str(path), *ARGUMENTS]) == 2
    assert "blocks.parquet: is not a Parquet file" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_writes_the_same_file(blocks: Path) -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    assert predicted(blocks, "--cluster", "local/2") == predicted(blocks)


@pytest.mark.filterwarnings("ignore")
def test_a_variant_of_a_core_travels_to_the_workers(blocks: Path) -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    variant = ["--set", "rename.width=1"]
    there = predicted(blocks, *variant, "--cluster", "local/1")
    assert there == predicted(blocks, *variant)
    assert there != predicted(blocks)
