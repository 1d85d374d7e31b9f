"""The door over streamable HTTP: ``/mcp`` and a path for each toolset, every call by itself.

Nothing is kept between two requests, so any process can answer any of them. Both eras of the
protocol are served at the same address; the SDK tells them apart by a header. Answers are JSON;
only a stream of changes, which newer clients hold open, is a stream.
"""

from collections import deque
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Final

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from interlock.doors.http import NoSuchPath, told, unauthenticated, who
from interlock.doors.mcp.call import PRINCIPAL, Desk
from interlock.doors.mcp.listen import Listening
from interlock.doors.mcp.server import make_server
from interlock.doors.mcp.tools import DEFAULT, toolset, toolsets
from interlock.errors import InterlockError
from interlock.service.access import as_agent
from interlock.service.errors import Unauthenticated

PATH: Final = "/mcp"


@dataclass(slots=True)
class McpHttp:
    """The door at ``PATH``, and what runs behind it."""

    desk: Desk
    body_bytes_max: int
    listening: Listening = field(default_factory=Listening)
    managers: dict[str, StreamableHTTPSessionManager] = field(default_factory=dict)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer requests for as long as this is open."""
        async with AsyncExitStack() as stack:
            for name in toolsets():
                manager = self._manager(name)
                await stack.enter_async_context(manager.run())
                self.managers[name] = manager
            yield

    def close(self) -> None:
        """End the streams that are open, so that nobody has to wait for them."""
        self.listening.close()

    def _manager(self, name: str) -> StreamableHTTPSessionManager:
        server = make_server(replace(self.desk, toolset=toolset(name)), self.listening)
        return StreamableHTTPSessionManager(
            app=server,
            json_response=True,
            stateless=True,
            # Host and Origin are checked before a request comes here, on every path alike.
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            max_request_body_size=self.body_bytes_max,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope)
        name = scope["path"].removeprefix(PATH).strip("/") or DEFAULT
        if name not in self.managers:
            fix = f"The toolsets are {', '.join(self.managers)}."
            response = told(NoSuchPath("There is no such toolset.", fix=fix))
        elif request.method != "POST":
            # Nothing is kept, so there is no stream to open again and no session to end.
            response = Response(status_code=405, headers={"Allow": "POST"})
        else:
            refusal = await self._admit(request, scope)
            if refusal is None:
                # Who leaves before all was said gets no answer, and nobody else is to hear of it.
                again = await _heard(receive, self.body_bytes_max)
                if again is not None:
                    with suppress(ClientDisconnect):
                        await self.managers[name].handle_request(scope, again, send)
                return
            response = refusal
        await response(scope, receive, send)

    async def _admit(self, request: Request, scope: Scope) -> Response | None:
        """Write down who is calling, or return why they are not let in."""
        try:
            scope[PRINCIPAL] = as_agent(await who(self.desk.engine, request))
        except Unauthenticated as error:
            return unauthenticated(error, has_token="authorization" in request.headers)
        except InterlockError as error:
            return told(error)
        return None


async def _heard(receive: Receive, bytes_max: int) -> Receive | None:
    """Hear all that a caller says, or more than is taken; nothing, if they leave before its end.

    The SDK would write a stack trace down for everybody who leaves.
    """
    events: deque[Message] = deque()
    size = 0
    while size <= bytes_max:
        event = await receive()
        if event["type"] != "http.request":
            return None
        events.append(event)
        size += len(event.get("body", b""))
        if not event.get("more_body"):
            break

    async def again() -> Message:
        return events.popleft() if events else await receive()

    return again
