"""Programs of other instruction sets under QEMU's user-mode emulators, with a plugin that counts translation blocks.

The plugin (cpp/collect/qemu_blocks.cpp) writes into a file (cpp/collect/counts_file.hpp) that it maps into memory: its
size depends on how much code ran, not on how long, and it is valid at any time.
"""

from __future__ import annotations

import errno
import mmap
import os
import struct
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from corecast.asm.code import Isa
from corecast.collect.cut import Executed, decode, merged
from corecast.collect.modules import ModuleFile, open_module
from corecast.errors import InputError

_COUNTS = "counts"
_HEADER = struct.Struct("<8sQII")
_HEAD = struct.Struct("<HHI")
_CODE = struct.Struct("<8xQQI4x")
_MODULE = struct.Struct("<8xQQI4x")
_MAGIC = b"ccounts1"
_CODE_KIND, _MODULE_KIND = 1, 2
_PAGE = 4096


def plugin() -> Path:
    """The plugin's file, beside the extension module.

    Raises:
        InputError: it was not built, as on systems that have no user-mode emulators.
    """
    from corecast import _core

    path = Path(str(_core.__file__)).with_name("_qemu_blocks.so")
    if not path.is_file():
        raise InputError("this build of corecast has no plugin for QEMU: it exists on Linux only")
    return path


def command(emulator: str, folder: Path, program: Sequence[str], cpu: str, sysroot: str) -> list[str]:
    """The command line that runs a program and leaves its counts in a folder."""
    return [*emulation(emulator, cpu, sysroot), "-plugin", f"{plugin()},out={folder}/{_COUNTS}", *program]


def emulation(emulator: str, cpu: str, sysroot: str) -> list[str]:
    """The emulator with the processor and the libraries that a program needs."""
    return [emulator, *(["-cpu", cpu] if cpu else []), *(["-L", sysroot] if sysroot else [])]


def executed(folder: Path, isa: Isa) -> Iterator[Executed]:
    """What ran of each module, then what ran of no file.

    Raises:
        InputError: the program was not started, or the disk was full.
    """
    blocks, mappings = _read(folder / _COUNTS)
    by_file: dict[str, list[tuple[int, int]]] = {}
    for index, (_, _, _, number) in enumerate(blocks):
        mapping = mappings.get(number)
        by_file.setdefault(mapping.path if mapping else "", []).append((index, number))
    for path in sorted(by_file):
        module = open_module(path) if path else None
        layers = [_Layer()]
        for index, number in by_file[path]:
            address, count, code, _ = blocks[index]
            if module is not None:
                mapping = mappings[number]
                address += module.address_of(mapping.offset) - mapping.guest
            layer = next((layer for layer in layers if layer.fits(address, code)), None)
            if layer is None:
                layer = _Layer()
                layers.append(layer)
            layer.add(isa, address, code, count)
        for layer in layers:
            yield layer.executed(path, module)


class _Mapping(NamedTuple):
    path: str
    guest: int
    """Where it begins, as the program sees it."""
    offset: int
    """Of that in the file."""


_Block = tuple[int, int, bytes, int]
"""Address, executions, code, number of the mapping."""


def _read(path: Path) -> tuple[list[_Block], dict[int, _Mapping]]:
    if not path.exists():
        raise InputError("the emulator did not start the program: what it says stands above")
    blocks: list[_Block] = []
    mappings: dict[int, _Mapping] = {}
    with open(path, "rb") as stream:
        magic, used, _, full = _HEADER.unpack(stream.read(_HEADER.size))
        if magic != _MAGIC:
            raise InputError("the emulator did not start the program: what it says stands above")
        if full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        with mmap.mmap(stream.fileno(), used, access=mmap.ACCESS_READ) as content:
            at = _HEADER.size
            while at + _HEAD.size <= used:
                kind, record, behind = _HEAD.unpack_from(content, at)
                if record == 0:
                    break
                end = at + record + behind
                if kind == _CODE_KIND:
                    address, count, number = _CODE.unpack_from(content, at)
                    if count:
                        blocks.append((address, count, content[at + record : end], number))
                elif kind == _MODULE_KIND:
                    guest, offset, number = _MODULE.unpack_from(content, at)
                    name = content[at + record : end].decode("utf-8", "surrogateescape")
                    mappings[number] = _Mapping(name, guest, offset)
                at = end + -end % 8
    return blocks, mappings


class _Layer:
    """Translation blocks that agree about what the memory holds. Code that a program writes anew needs another one."""

    def __init__(self) -> None:
        self._bytes: dict[int, bytearray] = {}
        self._known: dict[int, bytearray] = {}
        """By page: which bytes are known."""
        self._addresses = array("Q")
        self._counts = array("Q")

    def fits(self, address: int, code: bytes) -> bool:
        for page, start, part in _pages(address, code):
            known = self._known.get(page)
            if known is not None:
                held = self._bytes[page]
                for index, byte in enumerate(part, start):
                    if known[index] and held[index] != byte:
                        return False
        return True

    def add(self, isa: Isa, address: int, code: bytes, count: int) -> None:
        for page, start, part in _pages(address, code):
            held = self._bytes.setdefault(page, bytearray(_PAGE))
            known = self._known.setdefault(page, bytearray(_PAGE))
            held[start : start + len(part)] = part
            known[start : start + len(part)] = b"\1" * len(part)
        for step, _ in decode(isa, code, address):
            self._addresses.append(step.address)
            self._counts.append(count)

    def executed(self, path: str, module: ModuleFile | None) -> Executed:
        addresses, counts, _ = merged(self._addresses, self._counts)
        place = module.place if module is not None else lambda _: ("", "")
        return Executed(path, self._code, place, addresses, counts)

    def _code(self, address: int, size: int) -> bytes:
        empty = bytes(_PAGE)
        pages = range(address // _PAGE, (address + size - 1) // _PAGE + 1)
        start = address % _PAGE
        return b"".join(bytes(self._bytes.get(page, empty)) for page in pages)[start : start + size]


def _pages(address: int, code: bytes) -> Iterator[tuple[int, int, bytes]]:
    """(page, offset in it, bytes) of code."""
    while code:
        page, start = divmod(address, _PAGE)
        part = code[: _PAGE - start]
        yield page, start, part
        address += len(part)
        code = code[len(part) :]
