"""The comparison of shipped Arm rows with their sources: LLVM's figures are there without any other file."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

TOOLS = str(Path(__file__).resolve().parents[2] / "tools")


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    monkeypatch.syspath_prepend(TOOLS)
    from arm_models import neoverse_n2, neoverse_v3, verify  # type: ignore[import-not-found]

    return SimpleNamespace(neoverse_n2=neoverse_n2, neoverse_v3=neoverse_v3, verify=verify)


@pytest.mark.parametrize("name", ["neoverse_n2", "neoverse_v3"])
def test_documented_rows_say_what_llvm_says_or_why_not(modules: SimpleNamespace, name: str) -> None:
    compared, differences = modules.verify.verify(name, getattr(modules, name), 400)
    assert compared > 300
    assert differences == []


def test_a_difference_that_nothing_explains_is_told(modules: SimpleNamespace) -> None:
    """Neoverse N2's rows are not those of Neoverse V3's model, and nothing there says why they should be."""
    stranger = SimpleNamespace(CPU=modules.neoverse_v3.CPU, PORTS=modules.neoverse_v3.PORTS)
    _, differences = modules.verify.verify("neoverse_n2", stranger, 400)
    assert any(difference.field == "ports" for difference in differences)
    assert all(str(difference).startswith(difference.form) for difference in differences)
