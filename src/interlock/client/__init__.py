"""The Python client: every command of a server as a typed method, events as they happen.

    from interlock.client import Client

    async with Client("http://127.0.0.1:7400", token) as server:
        step = await server.get_next_step(plan_id)

A call that may be repeated is repeated when the network fails: it carries a request id of its own,
so that it has one effect. What the server refuses is raised as ``Refused``, with its code.
"""

from interlock.client.client import Client
from interlock.client.errors import Refused, Unreachable
from interlock.client.events import Event
from interlock.wire.envelope import Envelope

__all__ = ["Client", "Envelope", "Event", "Refused", "Unreachable"]
