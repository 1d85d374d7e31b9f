"""Commands about tokens: made, listed, revoked. A secret is in the answer once, and kept nowhere."""

from typing import Final

from interlock.commands.row import PEOPLE, AnyCommand, Call, Command, done
from interlock.service import access
from interlock.service.order import Reply
from interlock.store.port import TokenRow
from interlock.wire.people import CreateToken, TokenRef
from interlock.wire.work import Nothing

ONCE: Final = "Keep it now: it is shown only this once."


async def create_token(call: Call, asked: CreateToken) -> Reply:
    """Make a token."""
    lasts, now = asked.expires_in_s, call.engine.store.now()
    ends = None if lasts is None else now + lasts * 1000
    secret, row = await access.create_token(
        call.engine, call.caller, asked.name, asked.kind, asked.scopes, ends
    )
    return done({"token": secret, **told(row, now)}, ONCE)


async def list_tokens(call: Call, _: Nothing) -> Reply:
    """List tokens."""
    now = call.engine.store.now()
    rows = await access.list_tokens(call.engine, call.caller)
    return done({"tokens": [told(row, now) for row in rows]})


async def revoke_token(call: Call, asked: TokenRef) -> Reply:
    """Revoke a token."""
    await access.revoke_token(call.engine, call.caller, asked.token_id)
    return done({"token_id": asked.token_id})


def told(row: TokenRow, now: int) -> Reply:
    """Tell a token without its secret."""
    return {
        "token_id": row.id, "name": row.name, "kind": row.kind, "scopes": row.scopes.split(),
        "prefix": row.prefix, "owner": row.owner, "is_good": access.is_good(row, now),
        "created_at": row.created_at, "expires_at": row.expires_at, "revoked_at": row.revoked_at,
    }  # fmt: skip


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("create_token", CreateToken, create_token, "admin", PEOPLE, words="token create", adds_only=True,
            doc="Make a token for an agent, a worker or a person; its secret is shown once."),
    Command("list_tokens", Nothing, list_tokens, "admin", PEOPLE, words="token list", is_look=True,
            doc="The tokens, without their secrets."),
    Command("revoke_token", TokenRef, revoke_token, "admin", PEOPLE, words="token revoke",
            doc="Revoke a token for good."),
)
# fmt: on
