"""The application: routes, limits on requests, and the page's files."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Any
from corecast.serve.compilers import LANGUAGES, OfferedCompiler, command_of
from corecast.serve.guard import Guard
from corecast.serve.pool import Busy, Pool, Stopped
from corecast.serve.requests import MOST_CHARACTERS, OPERATIONS, Operation, openapi
from corecast.serve.schema import checked

if TYPE_CHECKING:
    from corecast.serve.guard import App

STATIC = Path(__file__).with_name("static")
MOST_BODY = 4 * MOST_CHARACTERS
"""Bytes of a request: JSON writes some characters as six."""
BODY_SECONDS = 10.0
ANALYSIS_SECONDS = 20.0
COMPILATION_SECONDS = 45.0
"""A compiler may be run up to four times, with and without options that it may not know."""
MOST_WAITING = 32
WORKERS = 2
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".txt": "text/plain"}
_NAME = re.compile(r"[\w-]+\.(?:js|css|svg|txt)")
_NONCE = "NONCE"


@dataclass(frozen=True)
class Offer:
    """What a server offers: fixed when it starts."""

    version: str
    default_cpu: str
    cores: tuple[dict[str, Any], ...]
    compilers: tuple[OfferedCompiler, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "default_cpu": self.default_cpu,
            "cores": list(self.cores),
            "compilers": [each.to_dict() for each in self.compilers],
            "limits": {"characters": MOST_CHARACTERS, "seconds": ANALYSIS_SECONDS},
        }


class Server:
    """Answers what `OPERATIONS` lists."""

    def __init__(self, offer: Offer, folder: Path) -> None:
        self._offer = offer
        self._folder = folder
        self._info = json.dumps(offer.to_dict()).encode()
        self._pool = Pool(WORKERS, MOST_WAITING, offer.default_cpu)

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self._pool.open()
        try:
            yield
        finally:
            await self._pool.close()

    async def info(self, request: Request) -> Response:
        return _json(200, self._info)

    async def analyze(self, request: Request) -> Response:
        fields = await _fields(request, "analyze")
        return _json(*await self._ask({"task": "analyze", **fields}, ANALYSIS_SECONDS))

    async def compile(self, request: Request) -> Response:
        fields = await _fields(request, "compile")
        language = fields["language"]
        command = command_of(self._offer.compilers, fields["compiler"], language, fields["flags"])
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        try:
            job = {
                "task": "compile",
                "source": fields["source"],
                "file": LANGUAGES[language],
                "command": command,
                "folder": str(folder),
            }
            status, body = await self._ask(job, COMPILATION_SECONDS)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return _json(status, body.replace(f"{folder}/".encode(), b"").replace(str(folder).encode(), b"."))

    async def _ask(self, job: dict[str, Any], seconds: float) -> tuple[int, bytes]:
        try:
            return await self._pool.ask(json.dumps(job).encode(), seconds)
        except Stopped as stopped:
            return 422, _problem("Limit", stopped.message)
        except Busy as busy:
            return 503, _problem("Busy", busy.message)


async def _fields(request: Request, name: str) -> dict[str, Any]:
    """The request's members, checked.

    Raises:
        _Refused: no JSON, too large, or not what the schema says.
    """
    operation = next(each for each in OPERATIONS if each.name == name)
    try:
        body = await asyncio.wait_for(_body(request), BODY_SECONDS)
    except (asyncio.TimeoutError, ClientDisconnect):
        raise _Refused(400, "Input", "the request did not arrive") from None
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        raise _Refused(400, "Input", "the request is not JSON") from None
    assert operation.request is not None
    found: dict[str, Any] = checked(operation.request, value)
    return found


async def _body(request: Request) -> bytes:
    parts = bytearray()
    async for part in request.stream():
        parts += part
        if len(parts) > MOST_BODY:
            raise _Refused(413, "Limit", f"a request has at most {MOST_BODY} bytes")
    return bytes(parts)


class _Refused(Exception):
    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind, self.message = status, kind, message


def _problem(kind: str, message: str) -> bytes:
    return json.dumps({"error": {"kind": kind, "message": message, "line": None}}).encode()


def _json(status: int, body: bytes) -> Response:
    return Response(body, status, media_type="application/json")


async def _page(request: Request) -> Response:
    """The page. Its editor writes style sheets, which the nonce lets pass, and browsers style what is typed into it; no
    script may be inline."""
    nonce = secrets.token_urlsafe(16)
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    file = STATIC / "index.html"
    if not file.is_file():
        return _json(404, _problem("Missing", "this installation has no page"))
    text = file.read_text(encoding="utf-8").replace(_NONCE, nonce)
    return Response(text, media_type="text/html", headers={"content-security-policy": policy})


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    file = STATIC / name
    if _NAME.fullmatch(name) is None or not file.is_file():
        return _json(404, _problem("Missing", "there is no such file"))
    return Response(file.read_bytes(), media_type=_TYPES[file.suffix])


def application(offer: Offer, token: str, port: int, folder: Path, invitation: str = "") -> App:
    """The whole server as an ASGI application."""
    server = Server(offer, folder)
    description = openapi(offer.version)

    async def described(request: Request) -> Response:
        return JSONResponse(description)

    async def refused(request: Request, error: Exception) -> Response:
        if isinstance(error, _Refused):
            return _json(error.status, _problem(error.kind, error.message))
        return _json(422, _problem("Input", str(error)))

    async def unknown(request: Request, error: Exception) -> Response:
        status = getattr(error, "status_code", 404)
        answer = _json(status, _problem("Missing", "there is nothing at this address, or not for this method"))
        answer.headers.update(getattr(error, "headers", None) or {})  # Allow
        return answer

    routes = [Route(each.path, _endpoint(server, each), methods=[each.method]) for each in OPERATIONS]
    app = Starlette(
        routes=[
            Route("/", _page),
            Route("/static/{name}", _static),
            Route("/api/v1/openapi.json", described),
            *routes,
        ],
        lifespan=server.lifespan,
        exception_handlers={_Refused: refused, InputError: refused, 404: unknown, 405: unknown},
    )
    app.router.redirect_slashes = False
    return Guard(app, token, port, invitation)


def _endpoint(server: Server, operation: Operation) -> Any:
    return getattr(server, operation.name)


def offered_cores(known: Sequence[Any]) -> tuple[dict[str, Any], ...]:
    """The cores of a list of models, as `info` tells them."""
    return tuple(
        {
            "name": each.name,
            "title": each.title,
            "isa": each.isa,
            "aliases": list(each.aliases),
            "validated": list(each.validated),
        }
        for each in known
    )
