"""A release fails where a wheel is too large, lacks a licence, or needs what not every system has."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import toy_wheels as toy

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from wheels import check, pack


def faults(folder: Path, files: dict[str, bytes]) -> list[str]:
    pack.pack(toy.write(folder / "raw.whl", files), folder / "packed.whl", 0)
    return list(check.faults(folder / "packed.whl"))


def test_a_wheel_as_it_must_be(tmp_path: Path) -> None:
    assert faults(tmp_path, toy.contents()) == []


def test_bytecode_counts_as_installed(tmp_path: Path) -> None:
    wheel = toy.write(tmp_path / "one.whl", {"a.py": b"VALUE = 1\n"})
    assert check.size_of(wheel).installed > len(b"VALUE = 1\n") + 16


@pytest.mark.parametrize(("limit", "message"), [("DOWNLOAD", "to download"), ("INSTALLED", "bytes installed")])
def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, message: str) -> None:
    monkeypatch.setattr(check, f"MOST_{limit}_BYTES", 1000)
    (fault,) = faults(tmp_path, toy.contents())
    assert message in fault
    assert "1,000 are allowed" in fault


def test_a_licence_that_is_missing(tmp_path: Path) -> None:
    files = toy.contents()
    del files[f"{toy.INFO}/licenses/LICENSE"]
    assert faults(tmp_path, files) == ["the file LICENSE is missing"]


def test_a_licence_that_is_not_named(tmp_path: Path) -> None:
    name = f"{toy.INFO}/licenses/THIRD_PARTY_LICENSES"
    files = toy.contents()
    files[name] = files[name].replace(b"zlib", b"other")
    assert faults(tmp_path, files) == ["THIRD_PARTY_LICENSES does not name zlib"]


def test_a_library_that_is_not_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "LIBRARIES", check.re.compile("libnone"))
    assert all("which not every system has" in fault for fault in faults(tmp_path, toy.contents()))


def test_a_table_that_is_not_compressed(tmp_path: Path) -> None:
    wheel = toy.write(tmp_path / "raw.whl", toy.contents())
    assert f"1 form tables are not compressed, {toy.TABLE} for one" in list(check.faults(wheel))


def test_no_extension_module(tmp_path: Path) -> None:
    files = toy.contents()
    del files[toy.MODULE]
    assert faults(tmp_path, files) == ["no extension module corecast/_core"]
