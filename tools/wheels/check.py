"""What a wheel must keep to: size, licences, and the libraries that every system has."""

from __future__ import annotations

import io
import marshal
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile

MOST_DOWNLOAD_BYTES = 8_000_000
MOST_INSTALLED_BYTES = 40_000_000
LIBRARIES = re.compile(r"(libc|libm|libpthread|libdl|librt|libgcc_s|ld-linux-[-a-z0-9_]+)\.so\.\d+")
"""What every system with glibc has."""
LICENCES = ("LICENSE", "THIRD_PARTY_LICENSES")
LINKED_IN = ("LLVM", "nanobind", "robin_map", "zlib", "Zstandard", "libstdc++", "BLAKE3", "xxHash", "Unicode")
"""What is linked statically: THIRD_PARTY_LICENSES has to name each."""


@dataclass(frozen=True)
class Size:
    """Of a wheel, in bytes."""

    download: int
    installed: int
    """With the bytecode that pip compiles, without dependencies."""

    def __str__(self) -> str:
        return f"{self.download / 1e6:.2f} MB to download, {self.installed / 1e6:.1f} MB installed"


def size_of(wheel: Path) -> Size:
    """How much is downloaded, and what is on the disk afterwards."""
    installed = 0
    with zipfile.ZipFile(wheel) as archive:
        for info in archive.infolist():
            installed += info.file_size
            if info.filename.endswith(".py"):
                bytecode = compile(archive.read(info), info.filename, "exec", dont_inherit=True)
                installed += 16 + len(marshal.dumps(bytecode))
    return Size(wheel.stat().st_size, installed)


def faults(wheel: Path) -> Iterator[str]:
    """What is wrong with a wheel, a sentence each."""
    size = size_of(wheel)
    if size.download > MOST_DOWNLOAD_BYTES:
        yield f"{size.download:,} bytes to download, at most {MOST_DOWNLOAD_BYTES:,} are allowed"
    if size.installed > MOST_INSTALLED_BYTES:
        yield f"{size.installed:,} bytes installed, at most {MOST_INSTALLED_BYTES:,} are allowed"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        yield from _licence_faults(archive, names)
        modules = [name for name in names if name.endswith(".so")]
        if not any(Path(name).name.startswith("_core.") for name in modules):
            yield "no extension module corecast/_core"
        for name in modules:
            needed = _needed_libraries(archive.read(name))
            strange = [library for library in needed if not LIBRARIES.fullmatch(library)]
            if strange:
                yield f"{name} needs {', '.join(strange)}, which not every system has"
        plain = [name for name in names if re.search(r"/forms/.*\.tsv$", name)]
        if plain:
            yield f"{len(plain)} form tables are not compressed, {plain[0]} for one"
        for name in names:
            if name.startswith("/") or ".." in name.split("/") or "__pycache__" in name:
                yield f"{name} must not be in it"


def _licence_faults(archive: zipfile.ZipFile, names: list[str]) -> Iterator[str]:
    for licence in LICENCES:
        found = [name for name in names if name.endswith(f".dist-info/licenses/{licence}")]
        if not found:
            yield f"the file {licence} is missing"
        elif licence == "THIRD_PARTY_LICENSES":
            text = archive.read(found[0]).decode()
            for what in LINKED_IN:
                if what not in text:
                    yield f"{licence} does not name {what}"


def _needed_libraries(module: bytes) -> list[str]:
    section = ELFFile(io.BytesIO(module)).get_section_by_name(".dynamic")
    if not isinstance(section, DynamicSection):
        return []
    return [str(vars(tag)["needed"]) for tag in section.iter_tags("DT_NEEDED")]
