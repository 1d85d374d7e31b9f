"""The shapes of commands about people, tokens and the tenant itself.

None of them takes a request id: what answers a request id is kept, and a secret must not be.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from interlock.wire.envelope import Id, Shape

Title = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Email = Annotated[str, StringConstraints(min_length=3, max_length=254)]
Role = Literal["owner", "admin", "member", "viewer"]
Scope = Literal["read", "work", "decide", "admin"]
YEARS_MAX = 10 * 366 * 24 * 3600


class CreateToken(Shape):
    """Make a token."""

    name: Title = Field(description="What it is for.")
    kind: Literal["user", "agent", "worker"] = "agent"
    scopes: Annotated[tuple[Scope, ...], Field(max_length=10)] = Field(
        default=(), description="What it may do; nothing said: what is usual for its kind."
    )
    expires_in_s: Annotated[int, Field(ge=1, le=YEARS_MAX, strict=True)] | None = None


class TokenRef(Shape):
    """A token."""

    token_id: Id


class InviteUser(Shape):
    """Invite somebody."""

    email: Email
    role: Role = "member"


class InvitationRef(Shape):
    """An invitation."""

    invitation_id: Id


class UserRef(Shape):
    """A person."""

    user_id: Id


class SetRole(UserRef):
    """Give a person another role."""

    role: Role


class MakeLoginLink(Shape):
    """Make a link that lets somebody in once."""

    user_id: Id | None = Field(default=None, description="Whom; nobody said: yourself.")


class ListSessions(Shape):
    """List who is logged in."""

    user_id: Id | None = Field(default=None, description="Only theirs.")


class SessionRef(Shape):
    """A session of a browser."""

    browser_session_id: Id


class RenameTenant(Shape):
    """Give everything here another name."""

    name: Title


class ListActs(Shape):
    """List what was done to people, tokens and the tenant."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    cursor: Id | None = Field(default=None, description="Where an earlier list ended.")
