"""The MCP door on top of the app, for one client that speaks over standard input and output.

Clients start it and wait until it answers, so nothing is loaded here that only HTTP needs.
"""

from interlock.app import App
from interlock.doors.mcp.call import Desk
from interlock.doors.mcp.stdio import serve_stdio
from interlock.doors.mcp.tools import toolset


def desk(app: App, name: str) -> Desk:
    """Return what the MCP door needs to offer a toolset."""
    return Desk(app.engine, toolset(name), lambda: app.durability, calls=app.calls)


async def speak(app: App, name: str) -> None:
    """Serve one client over standard input and output."""
    await serve_stdio(desk(app, name), await app.agent())
