"""Commands about tokens: the secret once, the rest as often as asked, and only what one may give."""

from dataclasses import replace

from interlock.service.access import authenticate
from interlock.service.roles import as_person
from tests.service.folk import first
from tests.stage import ADA, EVE, PAT, Stage, staged


@staged
async def test_a_token_is_made_listed_and_revoked(stage: Stage) -> None:
    owner = as_person(await first(stage, "pam", "owner"))
    made = await stage.call("create_token", owner, name="laptop", expires_in_s=60)
    secret, name = str(made.data["token"]), str(made.data["token_id"])
    found = await authenticate(stage.engine, secret)
    listed = await stage.call("list_tokens", owner)
    assert (found.id, found.on_behalf_of) == (name, "pam")
    assert listed.data["tokens"] == [{k: v for k, v in made.data.items() if k != "token"}]
    assert (made.data["owner"], made.data["is_good"]) == ("pam", True)
    await stage.call("revoke_token", owner, token_id=name)
    again = await stage.call("list_tokens", owner)

    assert "'is_good': False" in str(again.data)
    assert secret not in listed.model_dump_json() + again.model_dump_json()


@staged
async def test_another_tenant_s_token_and_none_look_the_same(stage: Stage) -> None:
    made = await stage.call("create_token", EVE, name="theirs")
    name = str(made.data["token_id"])
    foreign = await stage.refused("revoke_token", PAT, token_id=name)
    nowhere = "token-000000000000"
    absent = await stage.refused("revoke_token", PAT, token_id=nowhere)

    assert foreign.message.replace(name, "x") == absent.message.replace(nowhere, "x")
    assert (foreign.code, foreign.http, foreign.fix) == (absent.code, absent.http, absent.fix)
    assert (await stage.call("list_tokens", PAT)).data == {"tokens": []}


@staged
async def test_agents_get_neither_decide_nor_admin_from_a_token(stage: Stage) -> None:
    admin = replace(ADA, scopes=frozenset({"read", "work", "admin"}))
    for told in ({"kind": "user"}, {"kind": "user", "scopes": ["read"]}, {"scopes": ["decide"]}):
        no = await stage.refused("create_token", admin, name="mine", **told)
        assert no.code in ("NOT_ALLOWED", "INVALID_INPUT"), told
    for told in ({}, {"scopes": ["admin"]}):
        no = await stage.refused("create_token", ADA, name="mine", **told)
        assert no.code == "NOT_ALLOWED", told
