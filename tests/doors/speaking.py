"""The Python client on a stage, and a form in which the answers of all doors can be compared."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx2

from interlock.client import Client
from interlock.client.http import PREFIX
from interlock.commands.row import AnyCommand
from interlock.errors import InterlockError
from interlock.wire.envelope import Envelope, problem
from tests.doors.rest.calling import application, door
from tests.stage import Stage
from tests.world import Document

Told = tuple[str, Document]
"""Whether it was refused, and the document."""

Door = Callable[[AnyCommand, Document], Awaitable[Told]]


def refusal(told: Document) -> Told:
    """Return what every door says of a refusal."""
    names = ("code", "message", "fix", "retryable", "legal_moves")
    return "refused", {name: told[name] for name in names}


def answer(envelope: Envelope) -> Document:
    """Return an envelope as it is told."""
    return envelope.model_dump(mode="json", exclude_none=True)


def by_client(client: Client) -> Door:
    """Return the commands as the Python client calls them."""

    async def call(row: AnyCommand, given: Document) -> Told:
        try:
            return "done", answer(await client.call(row.name, given))
        except InterlockError as no:
            told = problem(no).model_dump(mode="json")
            return refusal({**told, "legal_moves": list(getattr(no, "legal_moves", ()))})

    return call


@asynccontextmanager
async def client_of(stage: Stage, secret: str) -> AsyncIterator[Client]:
    """Return the Python client, speaking to the door without a network between."""
    async with Client("http://localhost", secret, attempts=1) as client:
        await client._wire.http.aclose()
        # Only the way there is another one.
        client._wire.http = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(application(door(stage))),
            base_url=f"http://localhost{PREFIX}",
            headers={"Authorization": f"Bearer {secret}"},
        )
        yield client
