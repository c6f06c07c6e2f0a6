"""Which core /proc/cpuinfo describes."""

from __future__ import annotations

import pytest

from corecast.machine.host import machine_of_cpuinfo


def x86(vendor: str, family: int, model: int, stepping: int = 0) -> str:
    first = (
        f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\nstepping\t: {stepping}\n"
    )
    return first + "\nprocessor\t: 1\nvendor_id\t: Other\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (x86("GenuineIntel", 6, 85, 4), "skylake_x"),
        (x86("GenuineIntel", 6, 85, 7), "cascade_lake"),
        (x86("GenuineIntel", 6, 60), "haswell"),
        (x86("AuthenticAMD", 0x17, 0x31), "zen2"),
        (x86("AuthenticAMD", 0x19, 0x11), "zen4"),
        (x86("AuthenticAMD", 0x19, 0x21), "zen3"),
        (x86("GenuineIntel", 15, 4), None),
        (x86("Elsewhere", 6, 85), None),
        ("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n", "neoverse_v2"),
        ("processor\t: 0\nCPU implementer\t: 0x48\nCPU part\t: 0xd01\n", "tsv110"),
        ("processor\t: 0\nCPU implementer\t: 0x46\nCPU part\t: 0x001\n", "a64fx"),
        ("processor\t: 0\nCPU implementer\t: 0x99\nCPU part\t: what\n", None),
        ("processor\t: 0\nisa\t: rv64imafdcv\nuarch\t: spacemit,x60\n", "spacemit_x60"),
        ("", None),
    ],
)
def test_cores_are_told_by_their_numbers(text: str, name: str | None) -> None:
    assert machine_of_cpuinfo(text) == name
