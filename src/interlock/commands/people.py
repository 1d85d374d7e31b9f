"""Commands about people, the tenant itself and what it forgets. Agents are never offered them."""

import json
from typing import Final

from interlock.commands.listing import place_of
from interlock.commands.row import PEOPLE, AnyCommand, Call, Command, done
from interlock.service import acts, delete, people, sessions
from interlock.service.order import Reply
from interlock.service.run import Answer
from interlock.store.people import ActRow, InvitationRow, SessionRow, TenantRow, UserRow
from interlock.wire.people import (
    InvitationRef,
    InviteUser,
    ListActs,
    ListSessions,
    MakeLoginLink,
    RenameTenant,
    SessionRef,
    SetRole,
    UserRef,
)
from interlock.wire.work import DeleteUnit, Nothing

SEND: Final = "Give the link to whom it is for, and to nobody else: it is shown only this once."


async def list_users(call: Call, _: Nothing) -> Reply:
    """List people."""
    rows = await people.list_users(call.engine, call.caller)
    return done({"users": [user_told(row) for row in rows]})


async def invite_user(call: Call, asked: InviteUser) -> Reply:
    """Invite somebody."""
    secret, row = await people.invite(call.engine, call.caller, asked.email, asked.role)
    link = f"{call.engine.site}/invitation/{secret}"
    return done({"link": link, **_invitation(row)}, SEND)


async def list_invitations(call: Call, _: Nothing) -> Reply:
    """List invitations that stand."""
    rows = await people.list_invitations(call.engine, call.caller)
    return done({"invitations": [_invitation(row) for row in rows]})


async def withdraw_invitation(call: Call, asked: InvitationRef) -> Reply:
    """Withdraw an invitation."""
    await people.withdraw(call.engine, call.caller, asked.invitation_id)
    return done({"invitation_id": asked.invitation_id})


async def set_role(call: Call, asked: SetRole) -> Reply:
    """Give somebody another role."""
    return done(
        user_told(await people.set_role(call.engine, call.caller, asked.user_id, asked.role))
    )


async def disable_user(call: Call, asked: UserRef) -> Reply:
    """Shut somebody out."""
    return done(user_told(await people.disable(call.engine, call.caller, asked.user_id)))


async def enable_user(call: Call, asked: UserRef) -> Reply:
    """Let somebody in again."""
    return done(user_told(await people.enable(call.engine, call.caller, asked.user_id)))


async def create_login_link(call: Call, asked: MakeLoginLink) -> Reply:
    """Make a link that lets somebody in once."""
    secret, row = await sessions.make_login(call.engine, call.caller, asked.user_id or "")
    link = f"{call.engine.site}/login/{secret}"
    return done({"link": link, "user_id": row.person, "expires_at": row.expires_at}, SEND)


async def list_sessions(call: Call, asked: ListSessions) -> Reply:
    """List who is logged in."""
    rows = await sessions.list_sessions(call.engine, call.caller, asked.user_id or "")
    return done({"sessions": [_session(row) for row in rows]})


async def end_session(call: Call, asked: SessionRef) -> Reply:
    """Log somebody out."""
    await sessions.end_session(call.engine, call.caller, asked.browser_session_id)
    return done({"browser_session_id": asked.browser_session_id})


async def get_tenant(call: Call, _: Nothing) -> Reply:
    """Say whose data this is."""
    return done(_tenant(await people.get_tenant(call.engine, call.caller)))


async def rename_tenant(call: Call, asked: RenameTenant) -> Reply:
    """Give everything here another name."""
    return done(_tenant(await people.rename_tenant(call.engine, call.caller, asked.name)))


async def delete_unit(call: Call, asked: DeleteUnit) -> Answer:
    """Let nobody find a unit any more."""
    reply = done({"unit_id": asked.id})
    return await delete.delete(call.engine, call.caller, asked.id, reply, call.key, call.version)


async def list_acts(call: Call, asked: ListActs) -> Reply:
    """List what was done to people, tokens and the tenant."""
    place = place_of(asked.cursor)
    rows = await acts.list_acts(call.engine, call.tenant, place, asked.limit)
    data: Reply = {"acts": [_act(row) for row in rows]}
    if len(rows) == asked.limit:
        data["cursor"] = f"{rows[-1].at}.{rows[-1].act.id}"
    return done(data)


def user_told(row: UserRow) -> Reply:
    """Tell a person."""
    return {
        "user_id": row.id, "email": row.email, "name": row.name, "role": row.role,
        "has_provider": row.subject is not None, "created_at": row.created_at,
        "disabled_at": row.disabled_at,
    }  # fmt: skip


def _invitation(row: InvitationRow) -> Reply:
    return {
        "invitation_id": row.id, "email": row.email, "role": row.role,
        "invited_by": row.invited_by, "created_at": row.created_at, "expires_at": row.expires_at,
    }  # fmt: skip


def _session(row: SessionRow) -> Reply:
    return {
        "browser_session_id": row.id, "user_id": row.person, "created_at": row.created_at,
        "seen_at": row.seen_at, "expires_at": row.expires_at,
    }  # fmt: skip


def _tenant(row: TenantRow) -> Reply:
    return {"tenant": row.id, "name": row.name, "created_at": row.created_at}


def _act(row: ActRow) -> Reply:
    act = row.act
    return {
        "at": row.at, "act_id": act.id, "act": act.act, "about": act.about, "kind": act.kind,
        "who": act.who, "on_behalf_of": act.behalf, "channel": act.channel,
        "told": json.loads(act.told),
    }  # fmt: skip


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("list_users", Nothing, list_users, "admin", PEOPLE, words="user list",
            http="GET /users",
            doc="The people of this tenant, with their roles."),
    Command("invite_user", InviteUser, invite_user, "admin", PEOPLE, words="user invite", adds_only=True,
            http="POST /invitations",
            doc="Invite somebody by a link that is good once."),
    Command("list_invitations", Nothing, list_invitations, "admin", PEOPLE, words="user invitations",
            http="GET /invitations",
            doc="Invitations that nobody has accepted yet."),
    Command("withdraw_invitation", InvitationRef, withdraw_invitation, "admin", PEOPLE, words="user withdraw",
            http="DELETE /invitations/{invitation_id}",
            doc="Withdraw an invitation."),
    Command("set_role", SetRole, set_role, "admin", PEOPLE, words="user role",
            http="PUT /users/{user_id}/role",
            doc="Give somebody another role; only an owner makes an owner."),
    Command("disable_user", UserRef, disable_user, "admin", PEOPLE, words="user disable",
            http="POST /users/{user_id}/disable",
            doc="Shut somebody out at once, with all their sessions, links and tokens."),
    Command("enable_user", UserRef, enable_user, "admin", PEOPLE, words="user enable",
            http="POST /users/{user_id}/enable",
            doc="Let somebody in again."),
    Command("create_login_link", MakeLoginLink, create_login_link, "admin", PEOPLE, words="login-link", adds_only=True,
            http="POST /login-links",
            doc="Make a link that lets you, or somebody you administer, in once."),
    Command("list_sessions", ListSessions, list_sessions, "admin", PEOPLE, words="user sessions",
            http="GET /sessions",
            doc="Who is logged in with a browser."),
    Command("end_session", SessionRef, end_session, "admin", PEOPLE, words="user log-out",
            http="DELETE /sessions/{browser_session_id}",
            doc="Log somebody out of one browser."),
    Command("get_tenant", Nothing, get_tenant, "read", PEOPLE, words="tenant show",
            http="GET /tenant",
            doc="Whose data this is."),
    Command("rename_tenant", RenameTenant, rename_tenant, "admin", PEOPLE, words="tenant rename",
            http="PUT /tenant",
            doc="Give this tenant another name; only an owner does."),
    Command("delete_unit", DeleteUnit, delete_unit, "admin", PEOPLE, event="delete", words="delete",
            http="DELETE /units/{id}",
            doc="Delete a unit that has ended: nobody finds it any more, its audit stays; only an owner does."),
    Command("list_acts", ListActs, list_acts, "admin", PEOPLE, words="user acts",
            http="GET /acts",
            doc="What was done to people, tokens and the tenant, by whom, the newest first."),
)
# fmt: on
