"""Where forges knock: one path, for what GitHub sends when a pull request was closed.

Nobody is logged in here: the signature of the body is all there is, and it is checked before the
body is read. What it means is for the command behind it to say.
"""

from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from interlock.commands.ticket.webhook import Delivery, take_delivery
from interlock.doors.http import told
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.errors import InvalidInput

PATH: Final = "/v1/forge/github"
BYTES_MAX: Final = 1_000_000
HEADERS: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class ForgeHttp:
    """The door for webhooks that come in."""

    def __init__(self, engine: Engine) -> None:
        """Take what the commands run on."""
        self._engine = engine

    def routes(self) -> list[Route]:
        """Return the routes, for whoever puts the application together."""
        return [Route(PATH, self.github, methods=["POST"])]

    async def github(self, request: Request) -> Response:
        """Take in a webhook of GitHub."""
        try:
            body = await _body(request)
            query, headers = request.query_params, request.headers
            delivery = Delivery(
                query.get("tenant", ""), query.get("project", ""),
                headers.get("x-github-event", ""), headers.get("x-hub-signature-256", ""), body,
            )  # fmt: skip
            return JSONResponse(await take_delivery(self._engine, delivery), headers=HEADERS)
        except ClientDisconnect:
            return Response(status_code=400)
        except InterlockError as error:
            return told(error, dict(HEADERS))


async def _body(request: Request) -> bytes:
    """Read a body that is not too large."""
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > BYTES_MAX:
            message = f"The body has more than {BYTES_MAX:,} bytes."
            raise InvalidInput(message, fix="Let the webhook send pull requests only.")
        pieces.append(piece)
    return b"".join(pieces)
