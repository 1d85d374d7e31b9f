"""What has grown old is forgotten on PostgreSQL: a trip a portion, by functions of the owner's."""

from typing import Final

from interlock.store.postgres.trips import Trips
from interlock.store.retention import Round, What

CALLS: Final[dict[What, str]] = {
    "replies": "call_prune_replies",
    "deliveries": "call_prune_deliveries",
    "logs": "call_prune_logs",
    "sessions": "call_prune_sessions",
    "logins": "call_prune_logins",
    "invitations": "call_prune_invitations",
    "contents": "call_prune_contents",
}


class PostgresRetention:
    """Forgets what has grown old in one database."""

    def __init__(self, trips: Trips) -> None:
        """Go by the trips of a store."""
        self._trips = trips

    async def prune(self, what: What, before: int, limit: int, *, is_dry: bool = False) -> Round:
        """Forget so many that were over before an instant, or only count them."""
        ((count,),) = await self._trips.write(CALLS[what], before, limit, is_dry)
        return Round(int(count), 0 if is_dry else int(count))
