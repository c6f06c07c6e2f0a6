"""What the file says that the plugin of QEMU writes; its layout is that of cpp/collect/counts_file.hpp."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from corecast.collect import qemu
from corecast.errors import InputError

ADD, RET = "00048091", "c0035fd6"
CODE, MODULE = 1, 2


def record(kind: int, words: bytes, behind: bytes) -> bytes:
    size = 8 + len(words)
    content = struct.pack("<HHI", kind, size, len(behind)) + words + behind
    return content + bytes(-len(content) % 8)


def code(address: int, count: int, digits: str, module: int = 0, kind: int = CODE) -> bytes:
    return record(kind, struct.pack("<QQI4x", address, count, module), bytes.fromhex(digits))


def counts(folder: Path, *records: bytes, full: int = 0) -> Path:
    body = b"".join(records)
    header = struct.pack("<8sQII", b"ccounts1", 24 + len(body), 0, full)
    (folder / "counts").write_bytes(header + body + bytes(1000))
    return folder


def test_blocks_that_overlap_add_up(tmp_path: Path) -> None:
    folder = counts(tmp_path, code(0x1000, 3, ADD + ADD + RET), code(0x1004, 4, ADD + RET))
    (module,) = qemu.executed(folder, "aarch64")
    assert list(module.addresses) == [0x1000, 0x1004, 0x1008]
    assert list(module.counts) == [3, 7, 7]
    assert module.code(0x1000, 12).hex() == ADD + ADD + RET


def test_code_that_is_written_anew_stays_apart(tmp_path: Path) -> None:
    folder = counts(tmp_path, code(0x1000, 3, ADD + RET), code(0x1000, 4, RET))
    found = [(list(each.addresses), list(each.counts)) for each in qemu.executed(folder, "aarch64")]
    assert found == [([0x1000, 0x1004], [3, 3]), ([0x1000], [4])]


def test_addresses_are_those_of_the_modules_file(tmp_path: Path) -> None:
    """The program's headers map offset 0x120 to address 0x210120."""
    path = Path(__file__).resolve().parents[1] / "data" / "collect" / "sve_sum.aarch64"
    mapping = record(MODULE, struct.pack("<QQI4x", 0x5000_0000, 0, 1), str(path).encode())
    folder = counts(tmp_path, mapping, code(0x5000_0244, 2, ADD, module=1))
    (module,) = qemu.executed(folder, "aarch64")
    assert list(module.addresses) == [0x210244]
    assert module.module == str(path)
    assert module.place(0x210244)[0] == "sum"


def test_a_record_that_was_not_finished_does_not_count(tmp_path: Path) -> None:
    folder = counts(tmp_path, code(0x1000, 3, ADD, kind=0), code(0x2000, 4, ADD))
    (module,) = qemu.executed(folder, "aarch64")
    assert list(module.addresses) == [0x2000]


def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        list(qemu.executed(counts(tmp_path, full=1), "aarch64"))


def test_an_emulator_that_did_not_start_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did not start"):
        list(qemu.executed(tmp_path, "aarch64"))
