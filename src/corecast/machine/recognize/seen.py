"""What is to be seen of a machine's core: numbers, features, caches.

The readers take whatever text there is: what they cannot read counts as not said.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from corecast.dataclass import dataclass
from corecast.machine.recognize.table import FeatureBit, feature_bits, features

CPUINFO = "/proc/cpuinfo"
CACHES = "/sys/devices/system/cpu/cpu0/cache"

Leaf = tuple[int, int, int, int, int, int]
"""Of CPUID: leaf, subleaf, eax, ebx, ecx, edx."""

_BASIC, _NUMBERS, _AVX10 = 0, 1, 0x24
_CACHE_LEAVES = (0x8000001D, 4)
"""AMD's, whose leaf 4 is empty, and Intel's."""
_MOST_CACHES = 16
_MOST_DIGITS = 16
_CACHE_KINDS = {1: "Data", 2: "Instruction", 3: "Unified"}
_REGISTERS = {"eax": 2, "ebx": 3, "ecx": 4, "edx": 5}
_VENDORS = {"GenuineIntel": "intel", "AuthenticAMD": "amd", "HygonGenuine": "amd"}


@dataclass(frozen=True)
class Cache:
    """A cache of the core, or one that it shares."""

    level: int
    kind: str
    """Data, Instruction or Unified."""
    size_kib: int
    ways: int = 0
    """0: not known, or fully associative."""

    @property
    def name(self) -> str:
        """L1i, L1d, L2."""
        return f"L{self.level}{ {'Data': 'd', 'Instruction': 'i'}.get(self.kind, '') }"


@dataclass(frozen=True)
class Host:
    """What is to be seen of a core. Numbers are -1, texts empty where they are not known."""

    vendor: str = ""
    """`intel`, `amd`, `arm`, `riscv`, or what the core calls its vendor."""
    vendor_id: str = ""
    """What the core calls its vendor: `GenuineIntel`; of AArch64 and RISC-V the same as `vendor`."""
    family: int = -1
    """Of AArch64 the implementer."""
    model: int = -1
    """Of AArch64 the part."""
    stepping: int = -1
    name: str = ""
    """Of RISC-V what Linux calls the microarchitecture; else the CPU's own name."""
    features: frozenset[str] = frozenset()
    """Those of features.tsv, by Linux's names."""
    caches: tuple[Cache, ...] = ()
    leaves: tuple[Leaf, ...] = ()
    """What CPUID said."""
    avx10_version: int = 0

    @property
    def is_virtual(self) -> bool:
        """Whether the core says that a hypervisor runs below: numbers and features may be masked."""
        return "hypervisor" in self.features

    @property
    def is_hybrid(self) -> bool:
        return "hybrid" in self.features

    @property
    def number(self) -> str:
        """As cores.tsv writes it, "" where there is none."""
        if self.vendor == "riscv":
            return self.name
        return "" if self.family < 0 or self.model < 0 else f"{self.family:02x}/{self.model:02x}"

    def size_kib(self, name: str) -> int | None:
        """Of the core's L1i, L1d or L2; None where it is not known."""
        return next((cache.size_kib for cache in self.caches if cache.name == name), None)


def see_host() -> Host | None:
    """This machine's core; None where neither Linux nor CPUID says anything."""
    from corecast import _core

    text = _text(CPUINFO)
    leaves = _core.host_cpuid()
    return host_of(text, leaves, caches_of_sysfs(CACHES)) if text or leaves else None


def host_of(cpuinfo: str, leaves: Sequence[Leaf] = (), caches: Sequence[Cache] = ()) -> Host:
    """What these say of the first core.

    Args:
        cpuinfo: text of /proc/cpuinfo.
        leaves: of CPUID; they count where `cpuinfo` or `caches` say nothing, and add their features.
        caches: that Linux lists.
    """
    fields = first_core(cpuinfo)
    flags = frozenset(f"{fields.get('flags', '')} {fields.get('Features', '')}".split())
    vendor, family, model, stepping = _numbers(fields, leaves)
    own = {name for name in features() if (name in feature_bits()) == (vendor not in ("arm", "riscv"))}
    named = (flags & own) | features_of_cpuid(leaves)  # names such as `aes` mean something else elsewhere
    version = avx10_version(leaves)
    if leaves and not version:
        named -= {"avx10"}  # a hypervisor may pass the bit on and hide the leaf
    return Host(
        vendor=_VENDORS.get(vendor, vendor),
        vendor_id=vendor,
        family=family,
        model=model,
        stepping=stepping,
        name=(fields.get("uarch") or fields.get("model name", ""))
        if vendor == "riscv"
        else fields.get("model name", ""),
        features=frozenset(named),
        caches=tuple(caches) or caches_of_cpuid(leaves),
        leaves=tuple(leaves),
        avx10_version=version,
    )


def first_core(cpuinfo: str) -> dict[str, str]:
    """The fields of the first core that /proc/cpuinfo describes."""
    fields: dict[str, str] = {}
    for line in cpuinfo.splitlines():
        if not line.strip() and fields:
            break
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), value.strip())
    return fields


def _numbers(fields: Mapping[str, str], leaves: Iterable[Leaf]) -> tuple[str, int, int, int]:
    """Vendor, family, model, stepping."""
    if "CPU implementer" in fields:
        names = ("CPU implementer", "CPU part", "CPU variant")
        implementer, part, variant = (_number(fields.get(name, "")) for name in names)
        return "arm", implementer, part, variant
    if "uarch" in fields or fields.get("isa", "").startswith("rv"):
        return "riscv", -1, -1, -1
    if "vendor_id" in fields:
        names = ("cpu family", "model", "stepping")
        family, model, stepping = (_number(fields.get(name, "")) for name in names)
        return fields["vendor_id"], family, model, stepping
    return _numbers_of_cpuid(leaves)


def _numbers_of_cpuid(leaves: Iterable[Leaf]) -> tuple[str, int, int, int]:
    vendor, family, model, stepping = "", -1, -1, -1
    for leaf, _, eax, ebx, ecx, edx in leaves:
        if leaf == _BASIC:
            vendor = b"".join(each.to_bytes(4, "little") for each in (ebx, edx, ecx)).decode("ascii", "replace")
        elif leaf == _NUMBERS:
            family, model, stepping = eax >> 8 & 0xF, eax >> 4 & 0xF, eax & 0xF
            if family in (6, 0xF):
                model |= eax >> 12 & 0xF0
            if family == 0xF:
                family += eax >> 20 & 0xFF
    return vendor, family, model, stepping


def features_of_cpuid(leaves: Iterable[Leaf]) -> frozenset[str]:
    """The features of features.tsv that CPUID names."""
    answers = {(each[0], each[1]): each for each in leaves}
    return frozenset(
        name
        for name, bits in feature_bits().items()
        if any(_has(answers.get((bit.leaf, bit.subleaf)), bit) for bit in bits)
    )


def _has(answer: Leaf | None, bit: FeatureBit) -> bool:
    return answer is not None and bool(answer[_REGISTERS[bit.register]] >> bit.bit & 1)


def avx10_version(leaves: Iterable[Leaf]) -> int:
    """Of AVX10, 0 where there is none."""
    return next((ebx & 0xFF for leaf, subleaf, _, ebx, _, _ in leaves if (leaf, subleaf) == (_AVX10, 0)), 0)


def caches_of_cpuid(leaves: Sequence[Leaf]) -> tuple[Cache, ...]:
    """The caches that CPUID describes."""
    for wanted in _CACHE_LEAVES:
        found = tuple(_cache(each) for each in leaves if each[0] == wanted and each[2] & 0x1F in _CACHE_KINDS)
        if found:
            return found
    return ()


def _cache(answer: Leaf) -> Cache:
    _, _, eax, ebx, ecx, _ = answer
    line, partitions, ways, sets = (ebx & 0xFFF) + 1, (ebx >> 12 & 0x3FF) + 1, (ebx >> 22) + 1, ecx + 1
    return Cache(eax >> 5 & 7, _CACHE_KINDS[eax & 0x1F], line * partitions * ways * sets // 1024, ways)


def caches_of_sysfs(folder: str | os.PathLike[str]) -> tuple[Cache, ...]:
    """The caches that Linux lists of a core.

    Args:
        folder: of the core's caches, /sys/devices/system/cpu/cpuN/cache.
    """
    found = []
    for number in range(_MOST_CACHES):
        place = os.path.join(folder, f"index{number}")
        level = _text(f"{place}/level")
        if not level:
            break
        kind, size, ways = (_text(f"{place}/{name}") for name in ("type", "size", "ways_of_associativity"))
        kib = _size_kib(size)
        if kib > 0 and _number(level) > 0 and kind in _CACHE_KINDS.values():
            found.append(Cache(_number(level), kind, kib, max(0, _number(ways))))
    return tuple(found)


def _size_kib(size: str) -> int:
    """Of `48K`, `2M` or a number of bytes; 0 where it is none of these."""
    digits, unit = (size[:-1], size[-1]) if size.endswith(("K", "M")) else (size, "")
    number = int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < _MOST_DIGITS else 0
    return number * 1024 if unit == "M" else number if unit else number // 1024


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read().strip()
    except OSError:
        return ""


def _number(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        return -1
