"""The archive of a wheel: form tables compressed, and the same bytes for the same content."""

from __future__ import annotations

import base64
import hashlib
import re
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

_TABLE = re.compile(r"corecast/machine/data/[^/]+/forms/[^/]+\.tsv")
_EARLIEST = 315532800
"""1980-01-01, before which a ZIP archive has no times."""


def pack(wheel: Path, target: Path, epoch: int) -> None:
    """Write `wheel` anew: form tables compressed (they are read so, too), entries in order, all of the time `epoch`.

    Args:
        epoch: seconds since 1970, of every file (SOURCE_DATE_EPOCH).

    Raises:
        ValueError: the archive is not a wheel.
    """
    with zipfile.ZipFile(wheel) as archive:
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in archive.infolist() if not info.is_dir()}
        files = {name: archive.read(name) for name in modes}
    record = next((name for name in files if name.endswith(".dist-info/RECORD")), None)
    if record is None:
        raise ValueError(f"{wheel} is not a wheel: it has no RECORD")
    del files[record]
    packed = dict(_compressed(files))
    order = sorted(packed, key=lambda name: (".dist-info/" in name, name))
    lines = [f"{name},sha256={_digest(packed[name])},{len(packed[name])}" for name in order]
    packed[record] = "".join(f"{line}\n" for line in (*lines, f"{record},,")).encode()
    when = time.gmtime(max(epoch, _EARLIEST))[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in (*order, record):
            info = zipfile.ZipInfo(name, when)
            info.external_attr = (0o100000 | (0o755 if modes.get(name, 0) & 0o100 else 0o644)) << 16
            info.create_system = 3  # Unix, whatever this system is
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".gz") else zipfile.ZIP_DEFLATED
            archive.writestr(info, packed[name])


def _compressed(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    for name, content in files.items():
        if _TABLE.fullmatch(name):
            gzip = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)  # no name and no time in its header
            yield f"{name}.gz", gzip.compress(content) + gzip.flush()
        else:
            yield name, content


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
