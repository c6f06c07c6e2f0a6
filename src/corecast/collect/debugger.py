"""The debugging interface of QEMU's user-mode emulators: what GDB's remote protocol needs to stop at places and to read
registers (GDB manual, appendix E; the emulators have had SVE's registers there since version 5.1)."""

from __future__ import annotations

import re
import socket
import struct
import time
from pathlib import Path
from types import TracebackType

from corecast.errors import InputError
from corecast.pattern import lazy_pattern

_SECONDS_TO_START = 20.0
_REGISTER = lazy_pattern(r'<reg name="([^"]+)"[^>]*?(?:regnum="(\d+)")?[^>]*/>')
_INCLUDE = lazy_pattern(r'<xi:include href="([^"]+)"/>')
_AT_ENTRY = 9


class Debugger:
    """A program that stands before its first instruction. `with` closes the connection."""

    def __init__(self, place: Path) -> None:
        """Connects to the emulator, which waits at a Unix socket.

        Raises:
            InputError: it does not answer.
        """
        self._socket = socket.socket(socket.AF_UNIX)
        self._read = b""
        deadline = time.monotonic() + _SECONDS_TO_START
        while True:
            try:
                self._socket.connect(str(place))
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise InputError("the emulator did not start the program: what it says stands above") from None
                time.sleep(0.02)
        self._ask("qSupported:xmlRegisters=aarch64")
        self._numbers = self._registers()

    def __enter__(self) -> Debugger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def has(self, register: str) -> bool:
        return register in self._numbers

    def register(self, name: str) -> bytes:
        """The value, its lowest byte first.

        Raises:
            InputError: the emulator has ended.
        """
        answer = self._ask(f"p{self._numbers[name]:x}")
        try:
            return bytes.fromhex(answer)
        except ValueError:
            raise InputError(f"the emulator does not give the register {name}") from None

    def entry(self) -> int:
        """Where the program begins, at which address it may ever lie."""
        vector = self._document("auxv", "").encode("latin-1")
        for kind, value in struct.iter_unpack("<QQ", vector[: len(vector) // 16 * 16]):
            if kind == _AT_ENTRY:
                return int(value)
        return 0

    def stop_at(self, address: int) -> None:
        self._ask(f"Z0,{address:x},4")

    def go_on(self) -> bool:
        """Up to the next place to stop; False: the program has ended."""
        return self._ask("c").startswith("T")

    def step(self) -> bool:
        """One instruction; False: the program has ended."""
        return self._ask("s").startswith("T")

    def _registers(self) -> dict[str, int]:
        """Numbers by name: they count on where the description does not say them."""
        numbers: dict[str, int] = {}
        following = 0
        for part in _INCLUDE.findall(self._document("features", "target.xml")):
            for name, number in _REGISTER.findall(self._document("features", part)):
                following = int(number) if number else following
                numbers[name] = following
                following += 1
        return numbers

    def _document(self, kind: str, name: str) -> str:
        text = ""
        while True:
            part = self._ask(f"qXfer:{kind}:read:{name}:{len(text):x},800")
            text += part[1:]
            if not part.startswith("m"):
                return text

    def _ask(self, command: str) -> str:
        self._send(command)
        while True:
            start, end = self._read.find(b"$"), self._read.find(b"#")
            if 0 <= start < end and len(self._read) >= end + 3:
                content, self._read = self._read[start + 1 : end], self._read[end + 3 :]
                self._socket.sendall(b"+")
                plain = re.sub(rb"\}(.)", lambda found: bytes([found[1][0] ^ 0x20]), content, flags=re.S)
                return plain.decode("latin-1")
            try:
                more = self._socket.recv(1 << 16)
            except OSError:
                return ""
            if not more:
                return ""
            self._read += more

    def _send(self, command: str) -> None:
        data = command.encode("ascii")
        self._socket.sendall(b"$" + data + b"#%02x" % (sum(data) % 256))
