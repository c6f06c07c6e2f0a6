"""Who may ask: requests that carry the token, to this address by its own name, from this page or from no page.

The token is the first part of every path. A page elsewhere does not know it, and the check of `Host` keeps out one that
has made its own name lead here (DNS rebinding). A browser is started with an invitation instead, as others on the
machine see command lines: it leads to the token once.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.responses import JSONResponse, RedirectResponse

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

_HEADERS = (
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
INVITED = "/open"
"""Path of invitations."""
_NO_TOKEN = "open the address that `corecast serve` printed: it has a token"
_POLICY = b"default-src 'none'; frame-ancestors 'none'"


class Guard:
    """An ASGI application around another one, which sees paths without the token."""

    def __init__(self, app: App, token: str, port: int, invitation: str = "") -> None:
        self._app = app
        self._invitation = invitation.encode()
        self._token = token.encode()
        self._hosts = {f"127.0.0.1:{port}".encode(), f"localhost:{port}".encode()}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        if scope["type"] != "http":
            return None  # there are no web sockets

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", ()))
                names = {name.lower() for name, _ in given}
                extra = [*_HEADERS, (b"content-security-policy", _POLICY)]
                message["headers"] = [*given, *((name, value) for name, value in extra if name not in names)]
            await send(message)

        inner, reason = self._checked(scope)
        if inner is None and self._invited(scope, reason):
            return await RedirectResponse(f"/{self._token.decode()}/", 303)(scope, receive, send_with_headers)
        if inner is None:
            body = {"error": {"kind": "Forbidden", "message": reason, "line": None}}
            return await JSONResponse(body, 403)(scope, receive, send_with_headers)
        return await self._app({**scope, "path": inner, "raw_path": inner.encode()}, receive, send_with_headers)

    def _invited(self, scope: Message, reason: str) -> bool:
        """Whether this is the one request that has the invitation, from where the page may be opened."""
        given = scope["path"].removeprefix(f"{INVITED}/").encode("utf-8", "surrogateescape")
        if reason != _NO_TOKEN or not self._invitation or not hmac.compare_digest(given, self._invitation):
            return False
        self._invitation = b""
        return True

    def _checked(self, scope: Message) -> tuple[str | None, str]:
        """The path behind the token, or None and why not."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return None, "this server answers to its own name only"
        for name, value in scope["headers"]:
            if name == b"origin" and value.removeprefix(b"http://").lower() not in self._hosts:
                return None, "another page may not ask"
            if name == b"sec-fetch-site" and value not in (b"same-origin", b"none"):
                return None, "another page may not ask"
        first, slash, rest = scope["path"].removeprefix("/").partition("/")
        if not slash or not hmac.compare_digest(first.encode("utf-8", "surrogateescape"), self._token):
            return None, _NO_TOKEN
        return f"/{rest}", ""
