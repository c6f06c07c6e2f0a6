"""Which core a machine has, by number, features and caches."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corecast import _core
from corecast.machine import load_machine
from corecast.machine.host import host_machine, recognized_host
from corecast.machine.loader import find_name
from corecast.machine.recognize.cpuid_text import leaf_text, parse_leaves
from corecast.machine.recognize.decide import Recognition, recognize
from corecast.machine.recognize.seen import (
    Cache,
    Host,
    Leaf,
    caches_of_cpuid,
    caches_of_sysfs,
    features_of_cpuid,
    first_core,
    host_of,
)
from corecast.machine.recognize.table import NOT_OF_CORES, SOURCES, CoreRow, cores, feature_bits, features
from recorded_hosts import NAMES, recorded, sections


def x86(vendor: str, family: int, model: int, stepping: int = 0, flags: str = "fpu") -> str:
    first = (
        f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\nstepping\t: {stepping}\n"
        f"flags\t\t: {flags}\n"
    )
    return first + "\nprocessor\t: 1\nvendor_id\t: Other\n"


def seen(text: str, l1i_kib: int | None = None) -> Recognition:
    caches = [] if l1i_kib is None else [Cache(1, "Instruction", l1i_kib)]
    return recognize(host_of(text, (), caches))


def name_of(found: Recognition) -> str | None:
    return None if found.choice is None else found.choice.core


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (x86("GenuineIntel", 6, 85, 4), "skylake_x"),
        (x86("GenuineIntel", 6, 85, 7), "cascade_lake"),
        (x86("GenuineIntel", 6, 85, 11), "cooper_lake"),
        (x86("GenuineIntel", 6, 60), "haswell"),
        (x86("GenuineIntel", 6, 0x1A), "nehalem"),
        (x86("GenuineIntel", 6, 0x2C), "westmere"),
        (x86("GenuineIntel", 6, 0xA5), "coffee_lake"),
        (x86("GenuineIntel", 6, 0xBF), "raptor_lake"),
        (x86("GenuineIntel", 6, 0x97), "alder_lake_p"),
        (x86("GenuineIntel", 6, 0xBE), "alder_lake_e"),
        (x86("GenuineIntel", 6, 0xAE), "granite_rapids"),
        (x86("GenuineIntel", 6, 0xAA), "meteor_lake_p"),
        (x86("GenuineIntel", 6, 0xAF), "sierraforest"),
        (x86("GenuineIntel", 6, 0xBD), "arrow_lake_p"),
        (x86("AuthenticAMD", 0x17, 0x01), "zen1"),
        (x86("HygonGenuine", 0x18, 0x01), "zen1"),
        (x86("AuthenticAMD", 0x17, 0x31), "zen2"),
        (x86("AuthenticAMD", 0x19, 0x11), "zen4"),
        (x86("AuthenticAMD", 0x19, 0x21), "zen3"),
        (x86("AuthenticAMD", 0x1A, 0x44), "zen5"),
        (x86("GenuineIntel", 15, 4), None),
        (x86("Elsewhere", 6, 85), None),
        ("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n", "neoverse_v2"),
        ("processor\t: 0\nCPU implementer\t: 0x48\nCPU part\t: 0xd01\n", "tsv110"),
        ("processor\t: 0\nCPU implementer\t: 0x46\nCPU part\t: 0x001\n", "a64fx"),
        ("processor\t: 0\nCPU implementer\t: 0x61\nCPU part\t: 0x023\n", "apple_m1"),
        ("processor\t: 0\nCPU implementer\t: 0x61\nCPU part\t: 0x022\n", "apple_m1_e"),
        ("processor\t: 0\nCPU implementer\t: 0x99\nCPU part\t: what\n", None),
        ("processor\t: 0\nisa\t: rv64imafdcv\nuarch\t: spacemit,x60\n", "spacemit_x60"),
        ("processor\t: 0\nisa\t: rv64imafdc\nuarch\t: thead,c910\n", "xuantie_c910"),
        ("processor\t: 0\nisa\t: rv64imafdc\n", None),
        ("", None),
    ],
)
def test_cores_are_told_by_their_numbers(text: str, name: str | None) -> None:
    assert name_of(seen(text)) == name


@pytest.mark.parametrize(
    ("model", "flags", "l1i_kib", "name"),
    [
        (0xA7, "avx512f", 32, "rocket_lake"),
        (0xA7, "avx512f amx_tile", 64, "granite_rapids"),
        (0xA7, "avx512f amx_tile", 32, "sapphire_rapids"),
        (0x55, "avx512f amx_tile", None, "sapphire_rapids"),
        (0x55, "avx512f amx_tile amx_fp16", None, "granite_rapids"),
        (0x8F, "avx512f amx_tile", 32, "sapphire_rapids"),
        (0xCF, "avx512f amx_tile", 64, "granite_rapids"),
        (0xCF, "avx512f amx_tile", 32, "emerald_rapids"),
        (0xA7, "avx512f prefetchi", 32, "granite_rapids"),
        (0x6A, "avx512f avx10", None, "granite_rapids"),
        (0x6A, "avx512f", 64, "granite_rapids"),
        (0xBE, "avx2", 64, "alder_lake_e"),
        (0xAA, "avx2", 64, "meteor_lake_p"),
        (0xFE, "avx512f amx_tile", 64, None),
    ],
)
def test_what_an_older_core_has_not_contradicts_its_number(
    model: int, flags: str, l1i_kib: int | None, name: str | None
) -> None:
    assert name_of(seen(x86("GenuineIntel", 6, model, 1, flags), l1i_kib)) == name


SURE = "sure"
RECORDED = {
    "granite_rapids_173": ("granite_rapids", "number", SURE, ""),
    "granite_rapids_as_167": (
        "granite_rapids",
        "features",
        SURE,
        "the number says Rocket Lake, but AMX-FP16, AMX, AVX-512 FP16, a 64 KiB L1i and a 2 MiB L2 say Granite Rapids",
    ),
    "granite_rapids_as_167_without_amx": (
        "granite_rapids",
        "caches",
        "likely",
        "the number says Rocket Lake, but a 64 KiB L1i and a 2 MiB L2 say Granite Rapids",
    ),
    "granite_rapids_as_85_without_amx": (
        "granite_rapids",
        "caches",
        "likely",
        "the number says Skylake-SP, but a 64 KiB L1i, a 48 KiB L1d and a 2 MiB L2 say Granite Rapids",
    ),
    "granite_rapids_as_207": (
        "granite_rapids",
        "caches",
        "likely",
        "the number says Emerald Rapids, but a 64 KiB L1i says Granite Rapids",
    ),
    "emerald_rapids_207": ("emerald_rapids", "number", SURE, ""),
    "sapphire_rapids_as_106": (
        "sapphire_rapids",
        "features",
        "unsure",
        "the number says Ice Lake-SP, but AVX-512 FP16, AVX-512 BF16, SERIALIZE and a 2 MiB L2 say Sapphire Rapids or "
        "Emerald Rapids",
    ),
    "skylake_sp": ("skylake_x", "number", SURE, ""),
    "cascade_lake": ("cascade_lake", "number", SURE, ""),
    "cascade_lake_as_skylake_sp": (
        "cascade_lake",
        "features",
        SURE,
        "the number says Skylake-SP, but AVX-512 VNNI says Cascade Lake",
    ),
    "ice_lake_sp": ("ice_lake_sp", "number", SURE, ""),
    "ice_lake": ("ice_lake", "number", SURE, ""),
    "raptor_lake": ("raptor_lake", "number", SURE, ""),
    "newer_than_the_table": (None, "none", "unknown", ""),
    "zen4_masked_name": ("zen4", "number", SURE, ""),
    "zen4_as_zen3": (
        "zen4",
        "features",
        SURE,
        "the number says Zen 3, but AVX-512, AVX-512 IFMA, AVX-512 VBMI and a 1 MiB L2 say Zen 4",
    ),
    "zen5": ("zen5", "number", SURE, ""),
    "zen2": ("zen2", "number", SURE, ""),
    "neoverse_v2": ("neoverse_v2", "number", SURE, ""),
    "neoverse_n1": ("neoverse_n1", "number", SURE, ""),
    "a64fx": ("a64fx", "number", SURE, ""),
    "arm_masked": (None, "none", "unknown", ""),
}


def test_every_recorded_host_is_expected_to_be_something() -> None:
    assert sorted(RECORDED) == NAMES


@pytest.mark.parametrize("host", NAMES)
def test_recorded_hosts(host: str, tmp_path: Path) -> None:
    found = recognize(recorded(host, tmp_path))
    assert (name_of(found), found.basis, found.certainty, found.contradiction) == RECORDED[host]


def test_cores_that_fit_as_well_are_named(tmp_path: Path) -> None:
    found = recognize(recorded("sapphire_rapids_as_106", tmp_path))
    assert [core.core for core in found.equals] == ["emerald_rapids"]


def test_features_that_linux_does_not_list_are_those_of_cpuid(tmp_path: Path) -> None:
    host = recorded("granite_rapids_173", tmp_path)
    assert {"avx10", "amx_fp16", "prefetchi"} <= host.features
    assert "avx10" not in sections("granite_rapids_173")["cpuinfo"]
    assert host.avx10_version == 1


def test_avx10_without_its_leaf_is_none(tmp_path: Path) -> None:
    """A hypervisor may pass the bit on and hide the leaf that gives the version."""
    host = recorded("granite_rapids_as_167", tmp_path)
    assert any(leaf[:2] == (7, 1) and leaf[5] >> 19 & 1 for leaf in host.leaves)
    assert "avx10" not in host.features


def test_caches_that_no_core_has_do_not_count(tmp_path: Path) -> None:
    host = recorded("skylake_sp", tmp_path)
    assert host.size_kib("L2") == 4096
    assert all(not candidate.sizes for candidate in recognize(host).candidates)


def test_caches_of_parts_with_two_kinds_of_cores_do_not_count(tmp_path: Path) -> None:
    assert recorded("raptor_lake", tmp_path).is_hybrid


def test_ruled_out_candidates_say_why(tmp_path: Path) -> None:
    found = recognize(recorded("granite_rapids_as_167", tmp_path))
    why = {each.core.core: each.reasons for each in found.candidates}
    assert why["granite_rapids"] == ()
    assert why["rocket_lake"] == (
        "it has no AMX-FP16, AMX or AVX-512 FP16",
        "its L1i has 32 KiB, not 64 KiB",
        "its L2 has 512 KiB, not 2 MiB",
    )


def test_number_and_caches_can_come_from_cpuid_alone(tmp_path: Path) -> None:
    parts = sections("granite_rapids_as_167_without_amx")
    host = host_of("", parse_leaves(parts["cpuid"]))
    assert (host.vendor_id, host.family, host.model, host.stepping) == ("GenuineIntel", 6, 167, 1)
    assert [(cache.name, cache.size_kib, cache.ways) for cache in host.caches[:3]] == [
        ("L1d", 48, 12),
        ("L1i", 64, 16),
        ("L2", 2048, 16),
    ]
    assert name_of(recognize(host)) == "granite_rapids"


def test_linux_and_cpuid_agree_on_caches() -> None:
    for host in NAMES:
        parts = sections(host)
        if {"cpuid", "caches"} <= parts.keys():
            told = [f"L{each.level} {each.kind} {each.size_kib}K {each.ways}" for each in
                    caches_of_cpuid(parse_leaves(parts["cpuid"]))]  # fmt: skip
            assert told == parts["caches"].split("\n"), host


def test_sizes_of_caches_are_those_that_linux_tells(tmp_path: Path) -> None:
    for index, (kind, size) in enumerate((("Data", "48K"), ("Instruction", "64K"), ("Unified", "2M"), ("Odd", "1K"))):
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        for name, text in (("level", "2" if kind == "Unified" else "1"), ("type", kind), ("size", size)):
            (folder / name).write_text(f"{text}\n")
    (tmp_path / "index4").mkdir()
    found = caches_of_sysfs(tmp_path)
    assert [(each.name, each.size_kib) for each in found] == [("L1d", 48), ("L1i", 64), ("L2", 2048)]
    assert caches_of_sysfs(tmp_path / "elsewhere") == ()


def test_this_machine_is_seen_without_timing() -> None:
    found = recognized_host()
    if found is not None and found.choice is not None:
        assert host_machine() == find_name(found.choice.model)
    assert features_of_cpuid(_core.host_cpuid()) <= features().keys()


LLVM_NAMES = {
    "sse4_2": "sse4.2", "pclmulqdq": "pclmul", "rdrand": "rdrnd", "bmi1": "bmi", "sha_ni": "sha", "avx_vnni": "avxvnni",
    "avx_ifma": "avxifma", "avx_vnni_int8": "avxvnniint8", "avx_vnni_int16": "avxvnniint16",
    "avx_ne_convert": "avxneconvert", "atomics": "lse", "asimddp": "dotprod",
}  # fmt: skip
NOT_IN_LLVM = {"prefetchi", "avx10", "amx_complex", "apx_f", "avx512_4vnniw"}
"""Not among what models list."""


def llvm_name(feature: str) -> str:
    if feature in LLVM_NAMES:
        return LLVM_NAMES[feature]
    if feature.startswith("amx_"):
        return feature.replace("_", "-")
    return feature.replace("_", "") if feature.startswith("avx512_") else feature


@pytest.mark.parametrize("core", [core for core in cores().values() if core.core == core.model], ids=lambda c: c.core)
def test_features_of_cores_are_the_extensions_of_their_models(core: CoreRow) -> None:
    """Which LLVM lists. AVX-512 of Alder Lake was taken away by microcode."""
    listed = load_machine(core.model).extensions
    if listed is None or core.vendor == "riscv":
        return
    isa = "arm" if core.vendor == "arm" else "x86"
    known = {name for name in features() if (name in feature_bits()) == (isa == "x86")} - NOT_OF_CORES - NOT_IN_LLVM
    expected = {name for name in known if llvm_name(name) in listed}
    taken_away = {name for name in known if name.startswith("avx512") and core.core == "alder_lake_p"}
    assert core.features - NOT_IN_LLVM - taken_away == expected


def test_the_table_names_models_sources_and_features_that_exist() -> None:
    for core in cores().values():
        assert find_name(core.model) == core.model
        assert core.sources
        assert set(core.sources) <= SOURCES.keys()
        assert core.features <= features().keys()


def test_every_core_is_recognized_by_its_own_numbers_features_and_caches() -> None:
    for core in cores().values():
        for number in core.numbers:
            if core.vendor == "riscv":
                continue
            family, model, *steppings = (part.partition("-")[0] for part in number.split("/"))
            host = Host(
                vendor=core.vendor,
                family=int(family, 16),
                model=int(model, 16),
                stepping=int(steppings[0], 16) if steppings else 0,
                features=core.features,
                caches=tuple(
                    Cache(int(name[1]), {"i": "Instruction", "d": "Data"}.get(name[2:], "Unified"), sizes[0])
                    for name, sizes in core.sizes.items()
                ),
            )
            found = recognize(host)
            assert found.choice is not None
            assert found.choice.model in {each.model for each in found.named}
            assert core in found.named
            assert found.contradiction == ""


FLAGS = st.sets(st.sampled_from(sorted(features()))).map(lambda names: " ".join(sorted(names)))
LEAVES = st.tuples(
    st.sampled_from([0, 1, 4, 7, 0x1E, 0x24, 0x80000001, 0x8000001D]), st.integers(0, 4),
    *[st.integers(0, 2**32 - 1)] * 4,
)  # fmt: skip


@given(st.sampled_from(["GenuineIntel", "AuthenticAMD"]), st.integers(0, 40), st.integers(0, 255), FLAGS,
       st.lists(st.sampled_from([32, 48, 64, 512, 1024, 2048]), max_size=3))  # fmt: skip
def test_whatever_is_seen_the_answer_is_consistent(
    vendor: str, family: int, model: int, flags: str, sizes: list[int]
) -> None:
    kinds = ("Instruction", "Data", "Unified")
    caches = [Cache(2 if kind == "Unified" else 1, kind, size) for kind, size in zip(kinds, sizes)]  # noqa: B905
    found = recognize(host_of(x86(vendor, family, model, 1, flags), (), caches))
    assert (found.choice is None) == (not found.named)
    if found.contradiction:
        assert found.contradiction.startswith("the number says ")
        assert found.basis != "number" or not found.kept
    if found.choice is not None and found.kept:
        assert found.choice in [each.core for each in found.kept]
        assert (found.choice in found.named) == (found.basis == "number")


@given(st.lists(LEAVES, max_size=12, unique_by=lambda leaf: leaf[:2]))
def test_leaves_are_read_as_they_are_written(leaves: list[Leaf]) -> None:
    head = [leaf for leaf in leaves if leaf[:2] == (0, 0)]
    ordered = (*head, *(leaf for leaf in leaves if leaf[:2] != (0, 0)))
    text = "CPU 0:\n" + "\n".join(f"   {leaf_text(leaf)}" for leaf in ordered)
    assert parse_leaves(text) == ordered
    assert parse_leaves(text + "\nCPU 1:\n   " + leaf_text((0, 0, 1, 1, 1, 1))) == (ordered if head else
        (*ordered, (0, 0, 1, 1, 1, 1)))  # fmt: skip


@given(st.lists(LEAVES, max_size=12))
def test_any_leaves_make_a_host(leaves: list[Leaf]) -> None:
    host = host_of("", leaves)
    assert all(cache.size_kib >= 0 and cache.level >= 0 for cache in host.caches)
    recognize(host)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=400))
def test_any_text_of_cpuinfo_is_read(text: str) -> None:
    assert all("\n" not in key for key in first_core(text))
    recognize(host_of(text))


FIELDS = ("vendor_id", "cpu family", "model", "stepping", "flags", "CPU implementer", "CPU part", "uarch", "isa")
VALUES = ("GenuineIntel", "AuthenticAMD", "6", "0x41", "-5", "99999999999999999999", "0xd0c", "amx_tile", "x", "")


@given(st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(VALUES)))
def test_any_fields_of_cpuinfo_are_read(fields: dict[str, str]) -> None:
    recognize(host_of("\n".join(f"{key}\t: {value}" for key, value in fields.items())))
