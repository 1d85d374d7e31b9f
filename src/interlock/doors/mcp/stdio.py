"""The door over standard input and output, for a client that starts us as its child.

Nothing but the protocol goes to standard output: while the SDK serves, the descriptor itself
points at standard error. One process is one connection, and lasts as long as it.
"""

from dataclasses import replace

from mcp.server.lowlevel import NotificationOptions
from mcp.server.stdio import stdio_server

from interlock.doors.mcp.call import Desk
from interlock.doors.mcp.lines import Answering, Answers
from interlock.doors.mcp.listen import Listening, Subscribed
from interlock.doors.mcp.server import make_server
from interlock.service.engine import Principal


async def serve_stdio(desk: Desk, caller: Principal) -> None:
    """Serve the client at the other end until it closes our input."""
    subscribed = Subscribed(desk.engine, caller.tenant)
    server = make_server(replace(desk, caller=caller), Listening(), subscribed)
    options = server.create_initialization_options(NotificationOptions(resources_changed=True))
    try:
        async with stdio_server() as (reads, writes):
            answers = Answers(writes)
            await server.run(Answering(reads, answers), answers, options)
    finally:
        await subscribed.close()
