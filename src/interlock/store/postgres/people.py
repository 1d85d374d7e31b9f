"""People on PostgreSQL: one trip for each verb; its function writes the act in the same commit."""

from typing import cast

from interlock.store.people import (
    LATEST,
    Act,
    ActRow,
    Called,
    Entrant,
    InvitationRow,
    LoginRow,
    Outcome,
    SessionRow,
    TenantRow,
    UserRow,
)
from interlock.store.postgres.trips import Trips

SESSION_COLUMNS = len(SessionRow._fields)


class PostgresPeople:
    """The people of one database."""

    def __init__(self, trips: Trips) -> None:
        """Go by the trips of a store."""
        self._trips = trips

    # -- people --------------------------------------------------------------------------------

    async def user(self, tenant: str, name: str) -> UserRow | None:
        """Read a person."""
        rows = await self._trips.read("call_users", tenant, name)
        return UserRow(*rows[0]) if rows else None

    async def users(self, tenant: str) -> tuple[UserRow, ...]:
        """List the people of a tenant, the oldest first."""
        return tuple(UserRow(*row) for row in await self._trips.read("call_users", tenant, None))

    async def token_names(self, tenant: str, now: int, most: int) -> tuple[Called, ...]:
        """List ids and names of tokens: those that are still good first, then the newest."""
        rows = await self._trips.read("call_token_names", tenant, now, most)
        return tuple(Called(*row) for row in rows)

    async def find_users(self, email: str | None, subject: str | None) -> tuple[UserRow, ...]:
        """Find whoever has an e-mail, or is known to an identity provider as this."""
        rows = await self._trips.read("call_find_users", email, subject)
        return tuple(dict.fromkeys(UserRow(*row) for row in rows))

    async def password(self, tenant: str, name: str) -> str | None:
        """Read the hash of a password."""
        rows = await self._trips.read("call_password", tenant, name)
        return cast("str | None", rows[0][0]) if rows else None

    async def add_first(self, row: UserRow) -> None:
        """Make the first person of a tenant, unless there is one."""
        told = (row.tenant, row.id, row.email, row.name, row.role, row.created_at)
        await self._trips.write("call_add_first", *told)

    async def change_user(
        self, before: UserRow, role: str, disabled_at: int | None, at: int, act: Act
    ) -> Outcome:
        """Give somebody another role, or shut them out with all that they have open."""
        was = (before.tenant, before.id, before.role, before.disabled_at)
        ((told,),) = await self._trips.write("call_change_user", *was, role, disabled_at, at, act)
        return cast("Outcome", told)

    async def set_password(
        self, row: UserRow, password: str, at: int, *, keep: str | None, act: Act | None
    ) -> bool:
        """Set a password and end all sessions but the one to keep; with None none is ended."""
        told = (row.tenant, row.id, password, None, keep, at, act)
        ((is_done,),) = await self._trips.write("call_set_access", *told)
        return bool(is_done)

    async def link_subject(self, row: UserRow, subject: str, at: int, act: Act) -> bool:
        """Note how an identity provider knows somebody, unless that is known."""
        told = (row.tenant, row.id, None, subject, None, at, act)
        ((is_done,),) = await self._trips.write("call_set_access", *told)
        return bool(is_done)

    # -- invitations ---------------------------------------------------------------------------

    async def add_invitation(self, row: InvitationRow, digest: str, act: Act) -> None:
        """Keep an invitation."""
        await self._trips.write("call_add_invitation", *row[:-2], digest, act)

    async def invitations(self, tenant: str) -> tuple[InvitationRow, ...]:
        """List invitations, the oldest first."""
        rows = await self._trips.read("call_invitations", tenant)
        return tuple(InvitationRow(*row) for row in rows)

    async def find_invitation(self, digest: str) -> InvitationRow | None:
        """Find the invitation with this SHA-256 in any tenant."""
        rows = await self._trips.read("call_find_invitation", digest)
        return InvitationRow(*rows[0]) if rows else None

    async def withdraw(self, tenant: str, name: str, at: int, act: Act) -> bool:
        """Withdraw an invitation; say whether there was one that stood."""
        ((is_done,),) = await self._trips.write("call_withdraw", tenant, name, at, act)
        return bool(is_done)

    async def accept(self, row: InvitationRow, entrant: Entrant, at: int, act: Act) -> Outcome:
        """Make a person of an invitation, once."""
        told = (row.tenant, row.id, *entrant, at, act)
        ((outcome,),) = await self._trips.write("call_accept", *told)
        return cast("Outcome", outcome)

    # -- sessions and login links --------------------------------------------------------------

    async def add_session(self, row: SessionRow, digest: str, act: Act | None) -> None:
        """Keep a session."""
        told = (row.tenant, row.id, row.person, row.created_at, row.expires_at, digest)
        await self._trips.write("call_add_session", *told, False, act)  # noqa: FBT003 (a column)

    async def sessions(self, tenant: str) -> tuple[SessionRow, ...]:
        """List the sessions that have not ended, the oldest first."""
        return tuple(SessionRow(*row) for row in await self._trips.read("call_sessions", tenant))

    async def find_session(self, digest: str) -> tuple[SessionRow, UserRow] | None:
        """Find the session with this SHA-256 in any tenant, and whose it is."""
        rows = await self._trips.read("call_find_session", digest)
        if not rows:
            return None
        row = tuple(rows[0])
        return SessionRow(*row[:SESSION_COLUMNS]), UserRow(*row[SESSION_COLUMNS:])

    async def touch_session(self, row: SessionRow) -> None:
        """Note when a session was seen and how long it is good."""
        told = (row.tenant, row.id, row.seen_at, row.expires_at, None, None)
        await self._trips.write("call_change_session", *told)

    async def end_session(self, tenant: str, name: str, at: int, act: Act | None) -> bool:
        """End a session; say whether there was one that had not ended."""
        told = (tenant, name, None, None, at, act)
        ((is_done,),) = await self._trips.write("call_change_session", *told)
        return bool(is_done)

    async def add_login(self, row: LoginRow, digest: str, act: Act) -> None:
        """Keep a login link."""
        await self._trips.write("call_add_session", *row, digest, True, act)  # noqa: FBT003 (same)

    async def use_login(self, digest: str, at: int) -> UserRow | None:
        """Use a login link up, wherever it is; return whose it is, if it was still good."""
        rows = await self._trips.write("call_use_login", digest, at)
        return UserRow(*rows[0]) if rows else None

    async def count_try(self, key: str, minute: int) -> int:
        """Count a try to log in; return how many there were within this minute."""
        ((count,),) = await self._trips.write("call_count_try", key, minute)
        return int(count)

    # -- the tenant and what was done ----------------------------------------------------------

    async def tenant(self, tenant: str) -> TenantRow | None:
        """Read a tenant."""
        rows = await self._trips.read("call_tenant", tenant)
        return TenantRow(*rows[0]) if rows else None

    async def rename_tenant(self, tenant: str, name: str, at: int, act: Act) -> None:
        """Give a tenant another name."""
        await self._trips.write("call_rename_tenant", tenant, name, at, act)

    async def acts(
        self, tenant: str, before: tuple[int, str] | None, limit: int
    ) -> tuple[ActRow, ...]:
        """List what was done, the newest first."""
        rows = await self._trips.read("call_acts", tenant, *(before or (LATEST, "")), limit)
        return tuple(ActRow(row[0], Act(*tuple(row)[1:])) for row in rows)
