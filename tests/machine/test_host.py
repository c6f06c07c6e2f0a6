"""Which core /proc/cpuinfo describes."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast import _core
from corecast.machine.host import core_of_cpuinfo, l1i_bytes, machine_of_cpuinfo


def x86(vendor: str, family: int, model: int, stepping: int = 0, flags: str = "fpu") -> str:
    first = (
        f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\nstepping\t: {stepping}\n"
        f"flags\t\t: {flags}\n"
    )
    return first + "\nprocessor\t: 1\nvendor_id\t: Other\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (x86("GenuineIntel", 6, 85, 4), "skylake_x"),
        (x86("GenuineIntel", 6, 85, 7), "cascade_lake"),
        (x86("GenuineIntel", 6, 60), "haswell"),
        (x86("GenuineIntel", 6, 0x2C), "westmere"),
        (x86("GenuineIntel", 6, 0xA5), "coffee_lake"),
        (x86("GenuineIntel", 6, 0xBF), "alder_lake_p"),
        (x86("GenuineIntel", 6, 0xAE), "granite_rapids"),
        (x86("GenuineIntel", 6, 0xAA), "meteor_lake_p"),
        (x86("GenuineIntel", 6, 0xBD), "arrow_lake_p"),
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


@pytest.mark.parametrize(
    ("model", "flags", "l1i_bytes", "name"),
    [
        (0xA7, "avx512f", 32768, "rocket_lake"),
        (0xA7, "avx512f amx_tile", 65536, "granite_rapids"),
        (0xA7, "avx512f amx_tile", 32768, "sapphire_rapids"),
        (0x55, "avx512f amx_tile", None, "sapphire_rapids"),
        (0x55, "avx512f amx_tile amx_fp16", None, "granite_rapids"),
        (0x8F, "avx512f amx_tile", 32768, "sapphire_rapids"),
        (0xCF, "avx512f amx_tile", 65536, "granite_rapids"),
        (0xCF, "avx512f amx_tile", 32768, "emerald_rapids"),
        (0xA7, "avx512f prefetchi", 32768, "granite_rapids"),
        (0x6A, "avx512f avx10", None, "granite_rapids"),
        (0x6A, "avx512f", 65536, "granite_rapids"),
        (0xBE, "avx2", 65536, "alder_lake_e"),
        (0xB7, "avx2 prefetchi", 65536, "alder_lake_p"),
        (0xAA, "avx2", 65536, "meteor_lake_p"),
        (0xFE, "avx512f amx_tile", 65536, None),
    ],
)
def test_flags_that_an_older_core_has_not_contradict_its_number(
    model: int, flags: str, l1i_bytes: int | None, name: str | None
) -> None:
    assert machine_of_cpuinfo(x86("GenuineIntel", 6, model, 1, flags), l1i_bytes) == name


def test_what_overrules_a_number_is_said() -> None:
    found = core_of_cpuinfo(x86("GenuineIntel", 6, 0xA7, 1, "avx512f"), 65536, ["prefetchi"])
    assert found is not None
    assert found.doubt == (
        "its number is that of rocket_lake, but CPUID names prefetchi and its first-level instruction cache has 64 KiB"
    )
    plain = core_of_cpuinfo(x86("GenuineIntel", 6, 0xA7, 1, "avx512f"), 32768)
    assert plain is not None
    assert plain.doubt == ""


def test_features_are_those_that_tell_cores_apart() -> None:
    assert set(_core.host_features()) <= {"amx_fp16", "avx10", "prefetchi"}


def test_sizes_of_caches_are_those_that_linux_tells(tmp_path: Path) -> None:
    for index, (kind, size) in enumerate((("Data", "48K"), ("Instruction", "64K"))):
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        for name, text in (("level", "1"), ("type", kind), ("size", size)):
            (folder / name).write_text(f"{text}\n")
    (tmp_path / "index2").mkdir()
    assert l1i_bytes(tmp_path) == 65536
    assert l1i_bytes(tmp_path / "elsewhere") is None
