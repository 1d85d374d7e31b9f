"""What has grown old is forgotten on a SQLite file: found by a reader, then taken by the writer.

The looking may take long, and nobody waits for it. The writer takes a few hundred by their keys,
each only if it is still over.
"""

from typing import Final, cast

from interlock.store.retention import Round, What
from interlock.store.sqlite.session import Reading, Row, Session, Values
from interlock.store.sqlite.writer import Writer

NOBODY: Final = ""
DAY_MS: Final = 86_400_000

STATEMENTS: Final[dict[What, tuple[str, str, tuple[str, ...]]]] = {
    "replies": ("old_replies", "prune_replies", ("tenant", "principal", "request")),
    "deliveries": ("old_deliveries", "prune_deliveries", ("tenant", "id")),
    "logs": ("old_logs", "prune_old_logs", ("tenant", "unit", "number")),
    "sessions": ("old_sessions", "prune_sessions", ("tenant", "id")),
    "logins": ("old_logins", "prune_logins", ("tenant", "id")),
    "invitations": ("old_invitations", "prune_invitations", ("tenant", "id")),
    "contents": ("old_contents", "prune_contents", ("tenant", "digest")),
}
"""For each: what finds keys, what takes one, and what the key is."""


class SqliteRetention:
    """Forgets what has grown old in one file."""

    def __init__(self, read: Reading, writer: Writer) -> None:
        """Read through one, write through the other."""
        self._read = read
        self._writer = writer

    async def prune(self, what: What, before: int, limit: int, *, is_dry: bool = False) -> Round:
        """Forget so many that were over before an instant, or only count them."""
        # What is younger than a day nobody takes out, whatever instant is named.
        until = min(before, self._writer.now() - DAY_MS)
        finds, takes, names = STATEMENTS[what]
        values: Values = {"before": until, "limit": limit}
        found = await self._read(NOBODY, lambda s: [*s.rows(finds, values)])
        if is_dry or not found:
            return Round(len(found), 0)

        def play(writer: Writer) -> int:
            writer.begin_writing(NOBODY)
            return sum(self._take(writer, takes, names, key, until) for key in found)

        return Round(len(found), cast("int", await self._writer.call(play)))

    def _take(
        self, writer: Writer, takes: str, names: tuple[str, ...], key: Row, until: int
    ) -> int:
        values: Values = dict(zip(names, key, strict=True))
        session = Session(writer.connection, str(values["tenant"]))
        return session.change(takes, {**values, "before": until, "now": writer.now()})
