"""What server and worker say to each other: frames of a status and a payload, over pipes."""

from __future__ import annotations

import struct
from typing import BinaryIO

HEAD = struct.Struct("!IH")
STARTED = 1
"""Status of a frame that says which process group a worker has started; an answer follows."""
READY = 2
"""Of the first frame."""


def write_frame(stream: BinaryIO, status: int, payload: bytes) -> None:
    stream.write(HEAD.pack(len(payload), status) + payload)
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[int, bytes] | None:
    """The next frame, None where the other side is gone."""
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    size, status = HEAD.unpack(head)
    payload = stream.read(size)
    return (status, payload) if len(payload) == size else None
