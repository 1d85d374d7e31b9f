"""Acts: who did what to whom, kept for ever, in the same transaction, without a secret."""

import json
from dataclasses import replace

import apsw
import asyncpg
import pytest

from interlock.service.access import create_token, revoke_token
from interlock.service.acts import act_of, list_acts
from interlock.service.people import disable, enable, invite, rename_tenant, set_role, withdraw
from interlock.service.roles import as_person
from interlock.service.sessions import make_login
from tests.service.folk import first
from tests.stage import AWAY, HOME, Stage, staged


@staged
async def test_everything_that_is_done_to_people_is_told_the_newest_first(stage: Stage) -> None:
    owner = as_person(await first(stage, "pam", "owner"))
    await first(stage, "mia", "member")
    engine = stage.engine
    _, token = await create_token(engine, owner, "laptop")
    await revoke_token(engine, owner, token.id)
    _, invitation = await invite(engine, owner, "new@example.org", "viewer")
    await withdraw(engine, owner, invitation.id)
    await set_role(engine, owner, "mia", "admin")
    await disable(engine, owner, "mia")
    await enable(engine, owner, "mia")
    await make_login(engine, owner)
    await rename_tenant(engine, owner, "Us")

    rows = await list_acts(engine, HOME, None, 100)
    told = {row.act.act: (row.act.about, json.loads(row.act.told)) for row in rows}
    assert {row.act.who for row in rows} == {"pam"}
    assert told == {
        "token_made": (token.id, {"name": "laptop", "kind": "agent", "scopes": "read work"}),
        "token_revoked": (token.id, {}),
        "invited": (invitation.id, {"email": "new@example.org", "role": "viewer"}),
        "invitation_withdrawn": (invitation.id, {}),
        "role_set": ("mia", {"role": "admin", "before": "member"}),
        "disabled": ("mia", {}),
        "enabled": ("mia", {}),
        "login_link_made": ("pam", {}),
        "renamed": (HOME, {"name": "Us", "before": HOME}),
    }
    assert await list_acts(engine, AWAY, None, 100) == ()
    page = await list_acts(engine, HOME, None, 4)
    last = page[-1]
    assert page + await list_acts(engine, HOME, (last.at, last.act.id), 100) == rows


@staged
async def test_what_is_refused_leaves_no_act(stage: Stage) -> None:
    owner = as_person(await first(stage, "pam", "owner"))
    with pytest.raises(Exception, match="only owner"):
        await disable(stage.engine, owner, "pam")
    with pytest.raises(Exception, match="There is no"):
        await revoke_token(stage.engine, owner, "token-000000000000")

    assert await list_acts(stage.engine, HOME, None, 100) == ()


@staged
@pytest.mark.parametrize("statement", ["UPDATE acts SET told = '{}'", "DELETE FROM acts"])
async def test_the_owner_of_the_database_cannot_take_an_act_back(
    stage: Stage, statement: str
) -> None:
    owner = as_person(await first(stage, "pam", "owner"))
    await create_token(stage.engine, owner, "laptop")
    with pytest.raises((apsw.ConstraintError, asyncpg.PostgresError), match="append-only"):
        await stage.sql(statement)


@staged
async def test_an_act_says_on_whose_behalf_and_by_which_way(stage: Stage) -> None:
    owner = as_person(await first(stage, "pam", "owner"))
    agent = replace(owner, kind="agent", id="a", on_behalf_of="pam", channel="mcp")
    act = act_of(stage.engine, agent, "x", "y")

    assert (act.kind, act.who, act.behalf, act.channel) == ("agent", "a", "pam", "mcp")
