"""The toolset people as methods. Made by `make docs` from the command rows. Do not edit."""

from collections.abc import Sequence
from typing import Literal

from interlock.client.caller import Caller
from interlock.wire.envelope import Envelope


# fmt: off
class People(Caller):
    """What the toolset people can do."""

    async def create_token(
        self, name: str, *, kind: Literal["user", "agent", "worker"] | None = None,
        scopes: Sequence[Literal["read", "work", "decide", "admin"]] | None = None,
        expires_in_s: int | None = None,
    ) -> Envelope:
        """Make a token for an agent, a worker or a person; its secret is shown once."""
        return await self.call("create_token", {
            "name": name, "kind": kind, "scopes": scopes, "expires_in_s": expires_in_s,
        })

    async def list_tokens(
        self,
    ) -> Envelope:
        """The tokens, without their secrets."""
        return await self.call("list_tokens", {
        })

    async def revoke_token(
        self, token_id: str,
    ) -> Envelope:
        """Revoke a token for good."""
        return await self.call("revoke_token", {
            "token_id": token_id,
        })

    async def list_users(
        self,
    ) -> Envelope:
        """The people of this tenant, with their roles."""
        return await self.call("list_users", {
        })

    async def invite_user(
        self, email: str, *,
        role: Literal["owner", "admin", "member", "viewer"] | None = None,
    ) -> Envelope:
        """Invite somebody by a link that is good once."""
        return await self.call("invite_user", {
            "email": email, "role": role,
        })

    async def list_invitations(
        self,
    ) -> Envelope:
        """Invitations that nobody has accepted yet."""
        return await self.call("list_invitations", {
        })

    async def withdraw_invitation(
        self, invitation_id: str,
    ) -> Envelope:
        """Withdraw an invitation."""
        return await self.call("withdraw_invitation", {
            "invitation_id": invitation_id,
        })

    async def set_role(
        self, user_id: str, role: Literal["owner", "admin", "member", "viewer"],
    ) -> Envelope:
        """Give somebody another role; only an owner makes an owner."""
        return await self.call("set_role", {
            "user_id": user_id, "role": role,
        })

    async def disable_user(
        self, user_id: str,
    ) -> Envelope:
        """Shut somebody out at once, with all their sessions, links and tokens."""
        return await self.call("disable_user", {
            "user_id": user_id,
        })

    async def enable_user(
        self, user_id: str,
    ) -> Envelope:
        """Let somebody in again."""
        return await self.call("enable_user", {
            "user_id": user_id,
        })

    async def create_login_link(
        self, *, user_id: str | None = None,
    ) -> Envelope:
        """Make a link that lets you, or somebody you administer, in once."""
        return await self.call("create_login_link", {
            "user_id": user_id,
        })

    async def list_sessions(
        self, *, user_id: str | None = None,
    ) -> Envelope:
        """Who is logged in with a browser."""
        return await self.call("list_sessions", {
            "user_id": user_id,
        })

    async def end_session(
        self, browser_session_id: str,
    ) -> Envelope:
        """Log somebody out of one browser."""
        return await self.call("end_session", {
            "browser_session_id": browser_session_id,
        })

    async def get_tenant(
        self,
    ) -> Envelope:
        """Whose data this is."""
        return await self.call("get_tenant", {
        })

    async def rename_tenant(
        self, name: str,
    ) -> Envelope:
        """Give this tenant another name; only an owner does."""
        return await self.call("rename_tenant", {
            "name": name,
        })

    async def list_acts(
        self, *, limit: int | None = None, cursor: str | None = None,
    ) -> Envelope:
        """What was done to people, tokens and the tenant, by whom, the newest first."""
        return await self.call("list_acts", {
            "limit": limit, "cursor": cursor,
        })
