"""HTTP connections that do not wait for ever: others on the machine can connect, too, and connections are limited."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 5.0
"""A connection is closed where no whole head of a request arrives within twice this time."""


class HastyProtocol(H11Protocol):
    """Uvicorn's, which watches connections only between an answer and the next request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._was_waiting = False
        self.loop.call_later(HEAD_SECONDS, self._look)

    def _look(self) -> None:
        if self.transport.is_closing():
            return
        answered = getattr(self.cycle, "response_complete", True)  # None before the first request
        waiting = answered and self.timeout_keep_alive_task is None
        if waiting and self._was_waiting:
            self.transport.close()
            return
        self._was_waiting = waiting
        self.loop.call_later(HEAD_SECONDS, self._look)
