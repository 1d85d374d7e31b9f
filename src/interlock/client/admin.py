"""The toolset admin as methods. Made by `make docs` from the command rows. Do not edit."""

from interlock.client.caller import Caller
from interlock.wire.envelope import Envelope


# fmt: off
class Admin(Caller):
    """What the toolset admin can do."""

    async def list_calls(
        self, *, cursor: str | None = None, limit: int | None = None,
    ) -> Envelope:
        """The log of calls, the newest first: who called what, and how it was answered."""
        return await self.call("list_calls", {
            "cursor": cursor, "limit": limit,
        })
