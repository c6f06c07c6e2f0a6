"""Patterns find the forms that people mean."""

from __future__ import annotations

import pytest

from corecast.cli.lookup import matching_keys

KEYS = (
    "add r64, r64",
    "add r64, r64 @same",
    "add r64, i8",
    "vaddpd ymm, ymm, ymm",
    "vaddpd zmm, zmm, zmm",
    "vaddps ymm, ymm, ymm",
    "ldr q, [x, #i]!",
)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("add r64, r64", ["add r64, r64", "add r64, r64 @same"]),
        ("add", ["add r64, r64", "add r64, r64 @same", "add r64, i8"]),
        ("vaddp", ["vaddpd ymm, ymm, ymm", "vaddpd zmm, zmm, zmm", "vaddps ymm, ymm, ymm"]),
        ("ADDPD zmm", ["vaddpd zmm, zmm, zmm"]),
        ("vaddp? ymm*", ["vaddpd ymm, ymm, ymm", "vaddps ymm, ymm, ymm"]),
        ("*[x, #i]!", ["ldr q, [x, #i]!"]),
        ("ldr q, [x, #i]!", ["ldr q, [x, #i]!"]),
        ("nothing", []),
        ("*.*", []),
    ],
)
def test_pattern_finds(pattern: str, found: list[str]) -> None:
    assert matching_keys([KEYS], pattern) == found


def test_keys_of_several_machines_come_once() -> None:
    assert matching_keys([("a r64", "b r64"), ("b r64", "c r64")], "r64") == ["a r64", "b r64", "c r64"]
