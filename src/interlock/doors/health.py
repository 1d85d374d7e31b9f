"""How the server itself is: alive, ready, which one, and its figures. Nothing about anybody's data.

Only the figures need a token: the one that is set for them, else an admin's of this installation.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from interlock import __version__
from interlock.doors.http import bearer, told, unauthenticated, who
from interlock.errors import InterlockError
from interlock.service.access import require
from interlock.service.engine import Engine
from interlock.service.errors import NotAllowed, Unauthenticated

ANSWER_S: Final = 2.0
"""How long the database may take to say how it is."""

BROKEN: Final = "broken"
HEADERS: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


@dataclass(slots=True)
class Health:
    """The door: its routes, and what is known about the server."""

    engine: Engine
    # How many migrations this program knows of.
    schema: int
    # Whose admins run this server.
    tenant: str
    # Writes the figures down, with their media type.
    figures: Callable[[], Awaitable[tuple[bytes, str]]]
    metrics_token: str = ""
    # By what another process of this machine recognises us.
    instance: str = ""
    is_draining: bool = False

    def routes(self) -> list[Route]:
        """Return the routes, for whoever puts the application together."""
        return [
            Route("/healthz", self.alive),
            Route("/readyz", self.ready),
            Route("/version", self.version),
            Route("/metrics", self.metrics),
        ]

    async def alive(self, _: Request) -> Response:
        """Say that the process answers; nothing else is asked."""
        return JSONResponse({"status": "ok"}, headers=HEADERS)

    async def version(self, _: Request) -> Response:
        """Say what this is."""
        told = {"name": "interlock", "version": __version__}
        return JSONResponse(
            told | ({"instance": self.instance} if self.instance else {}), headers=HEADERS
        )

    async def ready(self, _: Request) -> Response:
        """Say whether requests should be sent here, and if not, why."""
        why = ["It is about to stop."] if self.is_draining else []
        body: dict[str, object] = {}
        try:
            async with asyncio.timeout(ANSWER_S):
                found = await self.engine.store.health()
        except (InterlockError, TimeoutError):
            why.append("The database does not answer.")
        else:
            body = {"database": found.dialect, "durability": found.durability}
            if found.durability == BROKEN:
                why.append("Writing has failed; it must be started again.")
            if found.schema != self.schema:
                state = f"has migration {found.schema}, this program knows {self.schema}"
                why.append(f"The schema is not current: the database {state}.")
        if why:
            body = {"status": "not ready", "why": why, **body}
            return JSONResponse(body, 503, {**HEADERS, "Retry-After": "1"})
        return JSONResponse({"status": "ready", **body}, headers=HEADERS)

    async def metrics(self, request: Request) -> Response:
        """Give the figures to whoever may have them."""
        try:
            await self._admit(request)
            text, media_type = await self.figures()
        except Unauthenticated as error:
            return unauthenticated(error, has_token="authorization" in request.headers)
        except InterlockError as error:
            return told(error)
        return Response(text, headers={**HEADERS, "Content-Type": media_type})

    async def _admit(self, request: Request) -> None:
        given = bearer(request)
        if self.metrics_token and compare_digest(given.encode(), self.metrics_token.encode()):
            return
        caller = await who(self.engine, request)
        require(caller, "admin", "Reading the figures of the server")
        if caller.tenant != self.tenant:
            message = "The figures are those of all tenants."
            raise NotAllowed(message, fix="Ask who runs the server for the token of its figures.")
