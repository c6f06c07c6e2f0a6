"""A machine model of no real core, so that tests of the command line do not depend on measured data."""

from __future__ import annotations

from pathlib import Path

import pytest

MACHINES = Path(__file__).resolve().parent.parent / "golden" / "machines"

LOOP = """\
f:
\tvmovsd (%rdi,%rax,8), %xmm1
\tvaddsd %xmm1, %xmm0, %xmm0
\taddq $1, %rax
\tcmpq %rax, %rsi
\tjne f
"""


@pytest.fixture(autouse=True)
def toy_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORECAST_MACHINES", str(MACHINES))


@pytest.fixture
def loop(tmp_path: Path) -> Path:
    path = tmp_path / "loop.s"
    path.write_text(LOOP)
    return path
