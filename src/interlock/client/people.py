"""The toolset people as methods. Made by `make docs` from the command rows. Do not edit."""

from collections.abc import Sequence
from typing import Literal

from interlock.client.caller import Caller
from interlock.wire.envelope import Envelope


# fmt: off
class People(Caller):
    """What the toolset people can do."""

    async def list_calls(
        self, *, unit: str | None = None, command: str | None = None,
        is_failed: bool | None = None, cursor: str | None = None, limit: int | None = None,
    ) -> Envelope:
        """The log of calls, the newest first: who called what, and how it was answered."""
        return await self.call("list_calls", {
            "unit": unit, "command": command, "is_failed": is_failed, "cursor": cursor,
            "limit": limit,
        })

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

    async def delete_unit(
        self, id: str, *, request_id: str | None = None,
    ) -> Envelope:
        """Delete a unit that has ended: nobody finds it any more, its audit stays; only an owner does."""
        return await self.call("delete_unit", {
            "request_id": request_id, "id": id,
        })

    async def list_acts(
        self, *, limit: int | None = None, cursor: str | None = None,
    ) -> Envelope:
        """What was done to people, tokens and the tenant, by whom, the newest first."""
        return await self.call("list_acts", {
            "limit": limit, "cursor": cursor,
        })

    async def create_webhook(
        self, url: str, *,
        events: Sequence[Literal["gate_opened", "gate_decided", "stalled", "blocked", "finished"]] | None = None,
        workflow: str | None = None,
    ) -> Envelope:
        """Be told by a signed HTTP request when something happens."""
        return await self.call("create_webhook", {
            "url": url, "events": events, "workflow": workflow,
        })

    async def list_webhooks(
        self,
    ) -> Envelope:
        """Who is told what, and which webhooks fail."""
        return await self.call("list_webhooks", {
        })

    async def disable_webhook(
        self, hook_id: str,
    ) -> Envelope:
        """Switch a webhook off; what happens meanwhile is told once it is on again."""
        return await self.call("disable_webhook", {
            "hook_id": hook_id,
        })

    async def enable_webhook(
        self, hook_id: str,
    ) -> Envelope:
        """Switch a webhook on again; it goes on where it stopped."""
        return await self.call("enable_webhook", {
            "hook_id": hook_id,
        })

    async def delete_webhook(
        self, hook_id: str,
    ) -> Envelope:
        """Take a webhook away, with its deliveries."""
        return await self.call("delete_webhook", {
            "hook_id": hook_id,
        })

    async def test_webhook(
        self, hook_id: str,
    ) -> Envelope:
        """Have a test delivery sent."""
        return await self.call("test_webhook", {
            "hook_id": hook_id,
        })

    async def list_deliveries(
        self, *, hook: str | None = None,
        state: Literal["", "pending", "delivered", "failed"] | None = None,
        cursor: str | None = None, limit: int | None = None,
    ) -> Envelope:
        """What was sent or is to be, and how it went."""
        return await self.call("list_deliveries", {
            "hook": hook, "state": state, "cursor": cursor, "limit": limit,
        })

    async def replay_delivery(
        self, delivery_id: str,
    ) -> Envelope:
        """Have a delivery sent again, under the same id."""
        return await self.call("replay_delivery", {
            "delivery_id": delivery_id,
        })

    async def link_gate(
        self, gate_id: str, *, person: str | None = None, lasts_hours: int | None = None,
    ) -> Envelope:
        """Make a link by which one person can decide at one gate, once."""
        return await self.call("link_gate", {
            "gate_id": gate_id, "person": person, "lasts_hours": lasts_hours,
        })

    async def void_gate_links(
        self,
    ) -> Envelope:
        """Make every link to a decision void that was made before."""
        return await self.call("void_gate_links", {
        })

    async def get_health(
        self,
    ) -> Envelope:
        """How work is going: what waits, what is held, what stands still, and how that was lately."""
        return await self.call("get_health", {
        })
