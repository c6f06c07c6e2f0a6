"""Starting the server, and leaving nothing behind."""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import uvicorn

from corecast.errors import InputError
from corecast.serve.app import Offer, application, offered_cores
from corecast.serve.compilers import OfferedCompiler
from corecast.serve.guard import INVITED
from corecast.serve.protocol import HastyProtocol

HOST = "127.0.0.1"
USUAL_PORT = 7878
MOST_CONNECTIONS = 128
_PREFIX = "corecast-serve-"


def serve(port: int | None, compilers: Sequence[OfferedCompiler], ready: Callable[[str, str], None]) -> None:
    """Serve the page until somebody ends it.

    Args:
        port: of 127.0.0.1; None: the usual one, another where that is taken.
        compilers: what the page offers.
        ready: is called with the page's address, and one that leads there once, when connections are accepted.

    Raises:
        InputError: the port is taken.
    """
    token, invitation = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
    with _listening(port) as listener, _folder() as folder:
        number = listener.getsockname()[1]
        address = f"http://{HOST}:{number}/{token}/"
        invited = f"http://{HOST}:{number}{INVITED}/{invitation}"
        app = application(_offer(compilers), token, number, folder, invitation)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            lifespan="on",
            ws="none",
            loop="asyncio",
            http=HastyProtocol,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=16 << 10,
        )
        if os.environ.get("CORECAST_DEBUG") != "1":  # broken requests are nothing to tell the user
            logging.getLogger("uvicorn").addHandler(logging.NullHandler())
        server = _Announcing(config, lambda: ready(address, invited))
        server.run([listener])


class _Announcing(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()


def _offer(compilers: Sequence[OfferedCompiler]) -> Offer:
    from corecast import __version__
    from corecast.machine import host_machine, list_machines

    known = list_machines(lambda broken: None)
    names = [each.name for each in known]
    default = host_machine() or ("skylake_x" if "skylake_x" in names else names[0])
    return Offer(__version__, default, offered_cores(known), tuple(compilers))


@contextmanager
def _listening(port: int | None) -> Iterator[socket.socket]:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    with listener:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, USUAL_PORT if port is None else port))
        except OSError as error:
            if port is not None:
                raise InputError(f"port {port} cannot be used: {error.strerror or error}") from None
            listener.bind((HOST, 0))
        listener.listen(MOST_CONNECTIONS)
        yield listener


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder for this server's temporary files. Those that killed servers left are removed first."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        found = re.fullmatch(rf"{_PREFIX}(\d+)-\w+", left.name)
        if found is not None and not _runs(int(found[1])) and _is_ours(left):
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _is_ours(folder: Path) -> bool:
    with suppress(OSError):
        return not folder.is_symlink() and folder.stat().st_uid == os.getuid()
    return False
