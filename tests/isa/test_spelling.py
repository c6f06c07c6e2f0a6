"""Names of instruction sets."""

from __future__ import annotations

import pytest

from corecast.isa.spelling import ISAS, isa_called, linux_triple


@pytest.mark.parametrize(
    ("name", "isa"),
    [
        ("x86_64", "x86"),
        ("AMD64", "x86"),
        ("arm64", "aarch64"),
        ("aarch64", "aarch64"),
        ("riscv64", "riscv64"),
        ("sparc", None),
        ("x86_64h", None),
        ("", None),
    ],
)
def test_systems_and_triples_name_them(name: str, isa: str | None) -> None:
    assert isa_called(name) == isa


def test_a_triple_begins_with_a_name() -> None:
    assert [isa_called(linux_triple(isa).partition("-")[0]) for isa in ISAS] == list(ISAS)
