"""An application served on a free port, in this process: for tests that want to reach inside."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp


@asynccontextmanager
async def served(asgi: ASGIApp, close: Callable[[], None]) -> AsyncIterator[str]:
    """Serve it and yield its address; ``close`` ends what would never end by itself."""
    with socket.create_server(("127.0.0.1", 0)) as bound:
        server = uvicorn.Server(uvicorn.Config(asgi, log_config=None))
        task = asyncio.create_task(server.serve(sockets=[bound]))
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            close()
            server.should_exit = True
            await task
