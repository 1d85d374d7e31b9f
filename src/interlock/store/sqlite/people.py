"""People on a SQLite file. Whatever changes somebody's rights writes its act in the same commit."""

from collections.abc import Callable
from typing import Final, TypeVar, cast

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
from interlock.store.sqlite.session import Reading, Row, Session, Values
from interlock.store.sqlite.writer import Writer

T = TypeVar("T")

NOBODY: Final = ""
"""The tenant of what is looked up across them."""


class SqlitePeople:
    """The people of one file."""

    def __init__(self, read: Reading, writer: Writer) -> None:
        """Read through one, write through the other."""
        self._read = read
        self._writer = writer

    # -- people --------------------------------------------------------------------------------

    async def user(self, tenant: str, name: str) -> UserRow | None:
        """Read a person."""
        return await self._read(tenant, lambda s: _user(s, name))

    async def users(self, tenant: str) -> tuple[UserRow, ...]:
        """List the people of a tenant, the oldest first."""
        return await self._list(tenant, UserRow, "list_users", {})

    async def token_names(self, tenant: str, now: int, most: int) -> tuple[Called, ...]:
        """List ids and names of tokens: those that are still good first, then the newest."""
        values: Values = {"now": now, "most": most}
        return await self._list(tenant, Called, "list_token_names", values)

    async def find_users(self, email: str | None, subject: str | None) -> tuple[UserRow, ...]:
        """Find whoever has an e-mail, or is known to an identity provider as this."""
        values: Values = {"email": email, "subject": subject}
        return await self._list(NOBODY, UserRow, "find_users", values)

    async def password(self, tenant: str, name: str) -> str | None:
        """Read the hash of a password."""
        row = await self._read(tenant, lambda s: s.row("load_password", {"id": name}))
        return cast("str | None", row[0]) if row else None

    async def add_first(self, row: UserRow) -> None:
        """Make the first person of a tenant, unless there is one."""
        await self._change(row.tenant, "insert_first_user", dict(row._asdict()), row.created_at)

    async def change_user(
        self, before: UserRow, role: str, disabled_at: int | None, at: int, act: Act
    ) -> Outcome:
        """Give somebody another role, or shut them out with all that they have open."""
        values: Values = {"id": before.id, "role": role, "disabled_at": disabled_at}
        values |= {"role_before": before.role, "disabled_before": before.disabled_at}
        is_owner = before.role == "owner" and before.disabled_at is None
        is_leaving = is_owner and (role != "owner" or disabled_at is not None)

        def play(writer: Writer) -> Outcome:
            session = Session(writer.connection, before.tenant)
            if is_leaving and session.row("has_other_owner", {"id": before.id}) is None:
                return "last"
            writer.begin_writing(before.tenant)
            if not session.change("change_user", values):
                return "stale"
            if disabled_at is not None:
                gone: Values = {"person": before.id, "at": disabled_at, "keep": ""}
                session.write("end_sessions", gone)
                session.write("void_logins", gone)
            _note(session, at, act)
            return "done"

        return cast("Outcome", await self._writer.call(play))

    async def set_password(
        self, row: UserRow, password: str, at: int, *, keep: str | None, act: Act | None
    ) -> bool:
        """Set a password and end all sessions but the one to keep; with None none is ended."""

        def play(writer: Writer) -> bool:
            writer.begin_writing(row.tenant)
            session = Session(writer.connection, row.tenant)
            if keep is not None:
                session.write("end_sessions", {"person": row.id, "at": at, "keep": keep})
            is_done = session.change("set_password", {"id": row.id, "password": password}) > 0
            if is_done:
                _note(session, at, act)
            return is_done

        return cast("bool", await self._writer.call(play))

    async def link_subject(self, row: UserRow, subject: str, at: int, act: Act) -> bool:
        """Note how an identity provider knows somebody, unless that is known."""
        values: Values = {"id": row.id, "subject": subject}
        return await self._change(row.tenant, "link_subject", values, at, act)

    # -- invitations ---------------------------------------------------------------------------

    async def add_invitation(self, row: InvitationRow, digest: str, act: Act) -> None:
        """Keep an invitation."""
        values: Values = {**row._asdict(), "hash": digest}
        await self._change(row.tenant, "insert_invitation", values, row.created_at, act)

    async def invitations(self, tenant: str) -> tuple[InvitationRow, ...]:
        """List invitations, the oldest first."""
        return await self._list(tenant, InvitationRow, "list_invitations", {})

    async def find_invitation(self, digest: str) -> InvitationRow | None:
        """Find the invitation with this SHA-256 in any tenant."""
        found = await self._list(NOBODY, InvitationRow, "find_invitation", {"hash": digest})
        return found[0] if found else None

    async def withdraw(self, tenant: str, name: str, at: int, act: Act) -> bool:
        """Withdraw an invitation; say whether there was one that stood."""
        values: Values = {"id": name, "at": at}
        return await self._change(tenant, "withdraw_invitation", values, at, act)

    async def accept(self, row: InvitationRow, entrant: Entrant, at: int, act: Act) -> Outcome:
        """Make a person of an invitation, once."""

        def play(writer: Writer) -> Outcome:
            session = Session(writer.connection, row.tenant)
            if session.row("is_email_taken", {"id": row.id}) is not None:
                return "taken"
            writer.begin_writing(row.tenant)
            if not session.change("accept_invitation", {"id": row.id, "at": at}):
                return "stale"
            session.write("insert_user", {**entrant._asdict(), "invitation": row.id, "at": at})
            _note(session, at, act)
            return "done"

        return cast("Outcome", await self._writer.call(play))

    # -- sessions and login links --------------------------------------------------------------

    async def add_session(self, row: SessionRow, digest: str, act: Act | None) -> None:
        """Keep a session."""
        values: Values = {**row._asdict(), "hash": digest}
        await self._change(row.tenant, "insert_session", values, row.created_at, act)

    async def sessions(self, tenant: str) -> tuple[SessionRow, ...]:
        """List the sessions that have not ended, the oldest first."""
        return await self._list(tenant, SessionRow, "list_sessions", {})

    async def find_session(self, digest: str) -> tuple[SessionRow, UserRow] | None:
        """Find the session with this SHA-256 in any tenant, and whose it is."""

        def look(session: Session) -> tuple[SessionRow, UserRow] | None:
            row = session.row("find_session", {"hash": digest})
            if row is None:
                return None
            found = _made(SessionRow, row)
            session.tenant = found.tenant
            whose = _user(session, found.person)
            return None if whose is None else (found, whose)

        return await self._read(NOBODY, look)

    async def touch_session(self, row: SessionRow) -> None:
        """Note when a session was seen and how long it is good."""
        await self._change(row.tenant, "touch_session", dict(row._asdict()), row.seen_at)

    async def end_session(self, tenant: str, name: str, at: int, act: Act | None) -> bool:
        """End a session; say whether there was one that had not ended."""
        return await self._change(tenant, "end_session", {"id": name, "at": at}, at, act)

    async def add_login(self, row: LoginRow, digest: str, act: Act) -> None:
        """Keep a login link."""
        values: Values = {**row._asdict(), "hash": digest}
        await self._change(row.tenant, "insert_login", values, row.created_at, act)

    async def use_login(self, digest: str, at: int) -> UserRow | None:
        """Use a login link up, wherever it is; return whose it is, if it was still good."""

        def play(writer: Writer) -> UserRow | None:
            session = Session(writer.connection, NOBODY)
            found = session.row("find_login", {"hash": digest})
            if found is None:
                return None
            tenant, name, person = (str(one) for one in found)
            session.tenant = tenant
            writer.begin_writing(tenant)
            is_used = session.change("use_login", {"id": name, "at": at})
            return _user(session, person) if is_used else None

        return cast("UserRow | None", await self._writer.call(play))

    async def count_try(self, key: str, minute: int) -> int:
        """Count a try to log in; return how many there were within this minute."""

        def play(writer: Writer) -> int:
            writer.begin_writing(NOBODY)
            session = Session(writer.connection, NOBODY)
            session.write("forget_tries", {"minute": minute})
            row = session.row("count_try", {"key": key, "minute": minute})
            return cast("int", row[0]) if row else 0

        return cast("int", await self._writer.call(play))

    # -- the tenant and what was done ----------------------------------------------------------

    async def tenant(self, tenant: str) -> TenantRow | None:
        """Read a tenant."""
        row = await self._read(tenant, lambda s: s.row("load_tenant", {}))
        return None if row is None else _made(TenantRow, row)

    async def rename_tenant(self, tenant: str, name: str, at: int, act: Act) -> None:
        """Give a tenant another name."""
        await self._change(tenant, "rename_tenant", {"name": name}, at, act)

    async def acts(
        self, tenant: str, before: tuple[int, str] | None, limit: int
    ) -> tuple[ActRow, ...]:
        """List what was done, the newest first."""
        at, name = before or (LATEST, "")
        values: Values = {"at": at, "id": name, "limit": limit}
        rows = await self._read(tenant, lambda s: tuple(s.rows("list_acts", values)))
        return tuple(ActRow(cast("int", row[0]), _made(Act, row[1:])) for row in rows)

    async def _list(
        self, tenant: str, shape: Callable[..., T], name: str, values: Values
    ) -> tuple[T, ...]:
        return await self._read(
            tenant, lambda s: tuple(_made(shape, row) for row in s.rows(name, values))
        )

    async def _change(
        self, tenant: str, name: str, values: Values, at: int, act: Act | None = None
    ) -> bool:
        def play(writer: Writer) -> bool:
            return change(writer, tenant, name, values, at, act)

        return cast("bool", await self._writer.call(play))


def change(
    writer: Writer, tenant: str, name: str, values: Values, at: int, act: Act | None
) -> bool:
    """Run a statement; where it has changed something, write the act down with it."""
    writer.begin_writing(tenant)
    session = Session(writer.connection, tenant)
    is_done = session.change(name, values) > 0
    if is_done:
        _note(session, at, act)
    return is_done


def _note(session: Session, at: int, act: Act | None) -> None:
    if act is not None:
        session.write("insert_act", {**act._asdict(), "at": at})


def _user(session: Session, name: str) -> UserRow | None:
    row = session.row("load_user", {"id": name})
    return None if row is None else _made(UserRow, row)


def _made(shape: Callable[..., T], row: Row) -> T:
    """Make a row of the shape; a STRICT table has the types that the shape says."""
    return shape(*row)
