"""The people's part of the port: users, invitations, sessions, login links, and what was done.

A store has one as ``store.people``. Secrets come here as their SHA-256 and passwords as their
hash; neither is in any row that is read, so no ``repr`` shows one. Every verb that changes
somebody's rights takes an ``Act`` and writes it in the same transaction. What a role may do, and
who may change whom, is the service's affair; that a tenant keeps an owner is the database's.
"""

from typing import Final, Literal, NamedTuple, Protocol

Outcome = Literal["done", "stale", "last", "taken"]
"""How a change ended: ``stale`` is not as the caller has seen it, ``last`` the only owner left,
``taken`` an e-mail that somebody has."""

LATEST: Final = 2**63 - 1
"""Later than any instant: where a list of what was done last begins."""


class UserRow(NamedTuple):
    """A person of a tenant; whether they have a password, and which, is asked for apart."""

    tenant: str
    id: str
    email: str
    name: str
    role: str
    subject: str | None
    created_at: int
    disabled_at: int | None


class Called(NamedTuple):
    """What somebody is called who is known by an id."""

    id: str
    name: str


class InvitationRow(NamedTuple):
    """An invitation without its secret."""

    tenant: str
    id: str
    email: str
    role: str
    invited_by: str
    created_at: int
    expires_at: int
    accepted_at: int | None = None
    withdrawn_at: int | None = None


class SessionRow(NamedTuple):
    """A session of a browser without its secret."""

    tenant: str
    id: str
    person: str
    created_at: int
    seen_at: int
    expires_at: int
    ended_at: int | None = None


class LoginRow(NamedTuple):
    """A login link without its secret."""

    tenant: str
    id: str
    person: str
    created_at: int
    expires_at: int


class TenantRow(NamedTuple):
    """A tenant; one that is closed is erased."""

    id: str
    name: str
    created_at: int
    closed_at: int | None = None


class Act(NamedTuple):
    """Something that was done to people, tokens or the tenant, by whom; ``told`` is JSON."""

    id: str
    kind: str
    who: str
    behalf: str
    channel: str
    act: str
    about: str
    told: str


class ActRow(NamedTuple):
    """An act as it is kept."""

    at: int
    act: Act


class Entrant(NamedTuple):
    """Who comes of an invitation: e-mail and role are the invitation's."""

    id: str
    name: str
    password: str | None = None
    subject: str | None = None


class People(Protocol):
    """Everything about people. What begins with ``find_`` crosses tenants, and ``count_try``."""

    async def user(self, tenant: str, name: str) -> UserRow | None:
        """Read a person."""

    async def users(self, tenant: str) -> tuple[UserRow, ...]:
        """List the people of a tenant, the oldest first."""

    async def token_names(self, tenant: str, now: int, most: int) -> tuple[Called, ...]:
        """List ids and names of tokens: those that are still good first, then the newest."""

    async def find_users(self, email: str | None, subject: str | None) -> tuple[UserRow, ...]:
        """Find whoever has an e-mail, or is known to an identity provider as this."""

    async def password(self, tenant: str, name: str) -> str | None:
        """Read the hash of a password."""

    async def add_first(self, row: UserRow) -> None:
        """Make the first person of a tenant, unless there is one."""

    async def change_user(
        self, before: UserRow, role: str, disabled_at: int | None, at: int, act: Act
    ) -> Outcome:
        """Give somebody another role, or shut them out with all that they have open."""

    async def set_password(
        self, row: UserRow, password: str, at: int, *, keep: str | None, act: Act | None
    ) -> bool:
        """Set a password and end all sessions but the one to keep; with None none is ended."""

    async def link_subject(self, row: UserRow, subject: str, at: int, act: Act) -> bool:
        """Note how an identity provider knows somebody, unless that is known."""

    async def add_invitation(self, row: InvitationRow, digest: str, act: Act) -> None:
        """Keep an invitation."""

    async def invitations(self, tenant: str) -> tuple[InvitationRow, ...]:
        """List invitations, the oldest first."""

    async def find_invitation(self, digest: str) -> InvitationRow | None:
        """Find the invitation with this SHA-256 in any tenant."""

    async def withdraw(self, tenant: str, name: str, at: int, act: Act) -> bool:
        """Withdraw an invitation; say whether there was one that stood."""

    async def accept(self, row: InvitationRow, entrant: Entrant, at: int, act: Act) -> Outcome:
        """Make a person of an invitation, once."""

    async def add_session(self, row: SessionRow, digest: str, act: Act | None) -> None:
        """Keep a session."""

    async def sessions(self, tenant: str) -> tuple[SessionRow, ...]:
        """List the sessions that have not ended, the oldest first."""

    async def find_session(self, digest: str) -> tuple[SessionRow, UserRow] | None:
        """Find the session with this SHA-256 in any tenant, and whose it is."""

    async def touch_session(self, row: SessionRow) -> None:
        """Note when a session was seen and how long it is good."""

    async def end_session(self, tenant: str, name: str, at: int, act: Act | None) -> bool:
        """End a session; say whether there was one that had not ended."""

    async def add_login(self, row: LoginRow, digest: str, act: Act) -> None:
        """Keep a login link."""

    async def use_login(self, digest: str, at: int) -> UserRow | None:
        """Use a login link up, wherever it is; return whose it is, if it was still good."""

    async def count_try(self, key: str, minute: int) -> int:
        """Count a try to log in; return how many there were within this minute."""

    async def tenant(self, tenant: str) -> TenantRow | None:
        """Read a tenant."""

    async def rename_tenant(self, tenant: str, name: str, at: int, act: Act) -> None:
        """Give a tenant another name."""

    async def acts(
        self, tenant: str, before: tuple[int, str] | None, limit: int
    ) -> tuple[ActRow, ...]:
        """List what was done, the newest first, from a place in that order on."""
