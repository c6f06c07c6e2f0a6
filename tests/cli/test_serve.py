"""`corecast serve` refuses what it cannot serve in one line."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from corecast.cli.main import main


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


def test_without_its_packages_it_says_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [each for each in sys.modules if each.startswith(("corecast.serve", "uvicorn", "starlette"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", "--no-browser"]) == 2
    assert "corecast[serve]" in said(capsys)


def test_a_port_is_a_number_that_is_free(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("uvicorn")
    pytest.importorskip("starlette")
    assert main(["serve", "--no-browser", "--port", "70000"]) == 2
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--no-browser", "--port", str(port)]) == 2
    assert f"port {port} cannot be used" in said(capsys)


def test_a_faulty_list_of_compilers_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("uvicorn")
    pytest.importorskip("starlette")
    file = tmp_path / "compilers.toml"
    file.write_text('[[compiler]]\nname = "a"\n', encoding="utf-8")
    assert main(["serve", "--no-browser", "--compilers", str(file)]) == 2
    assert str(file) in said(capsys)
