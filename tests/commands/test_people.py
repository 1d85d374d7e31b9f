"""Commands about people: what they answer, to whom, and that other tenants do not exist."""

from dataclasses import replace
from typing import cast

from interlock.commands.people import COMMANDS
from interlock.service.people import accept
from interlock.service.roles import as_person
from interlock.service.sessions import let_in, use_login
from tests.service.folk import PASSWORD, first
from tests.stage import ADA, AWAY, Stage, staged

Rows = list[dict[str, object]]


@staged
async def test_the_life_of_a_person_from_invitation_to_the_door(stage: Stage) -> None:
    stage = replace(stage, engine=replace(stage.engine, site="https://agents.example"))
    owner = as_person(await first(stage, "pam", "owner"))
    made = await stage.call("invite_user", owner, email="nell@example.org", role="viewer")
    link = str(made.data["link"])
    assert link.startswith("https://agents.example/invitation/il_")
    listed = await stage.call("list_invitations", owner)
    assert link.rpartition("/")[2] not in listed.model_dump_json()
    visit = await accept(stage.engine, link.rpartition("/")[2], "Nell", PASSWORD)
    users = cast("Rows", (await stage.call("list_users", owner)).data["users"])
    assert [(row["user_id"], row["role"]) for row in users] == [
        ("pam", "owner"), (visit.person.id, "viewer"),
    ]  # fmt: skip
    await stage.call("set_role", owner, user_id="nell@example.org", role="admin")
    entry = await stage.call("create_login_link", owner, user_id=visit.person.id)
    entered = await use_login(stage.engine, str(entry.data["link"]).rpartition("/")[2])
    assert (entered.person.id, entered.principal.role) == (visit.person.id, "admin")
    sessions = cast("Rows", (await stage.call("list_sessions", owner)).data["sessions"])
    assert {row["user_id"] for row in sessions} == {visit.person.id}
    name = sessions[0]["browser_session_id"]
    await stage.call("end_session", owner, browser_session_id=name)
    await stage.call("disable_user", owner, user_id=visit.person.id)
    await stage.call("enable_user", owner, user_id=visit.person.id)
    acts = cast("Rows", (await stage.call("list_acts", owner)).data["acts"])

    assert {str(row["act"]) for row in acts} == {
        "invited", "joined", "logged_in", "role_set", "login_link_made", "session_ended",
        "disabled", "enabled",
    }  # fmt: skip


@staged
async def test_acts_are_read_page_by_page(stage: Stage) -> None:
    owner = as_person(await first(stage, "pam", "owner"))
    for name in ("One", "Two", "Three"):
        await stage.call("rename_tenant", owner, name=name)
    page = await stage.call("list_acts", owner, limit=2)
    rest = await stage.call("list_acts", owner, limit=2, cursor=page.data["cursor"])
    told = [*cast("Rows", page.data["acts"]), *cast("Rows", rest.data["acts"])]

    assert len({row["act_id"] for row in told}) == 3
    assert (await stage.call("get_tenant", ADA)).data["name"] == "Three"


@staged
async def test_what_is_another_tenant_s_looks_like_what_is_not_there(stage: Stage) -> None:
    owner = as_person(await first(stage, "pam", "owner"))
    eve_row = await first(stage, "eve", "owner", AWAY)
    await first(stage, "ed", "member", AWAY)
    eve = as_person(eve_row)
    invited = await stage.call("invite_user", eve, email="x@example.org")
    visit = await let_in(stage.engine, eve_row, "link")
    theirs = {
        "user_id": "ed", "invitation_id": invited.data["invitation_id"],
        "browser_session_id": visit.session.id,
    }  # fmt: skip
    before = await stage.call("list_acts", eve)
    for row in COMMANDS:
        for field in set(theirs) & set(row.takes.model_fields):
            more = {"role": "viewer"} if "role" in row.takes.model_fields else {}
            said = set()
            for name in (theirs[field], "nowhere-00000000000"):
                no = await stage.refused(row.name, owner, **{field: name, **more})
                told = no.message.replace(str(name), "x")
                said.add((no.code, no.http, told, no.fix, no.retryable))
            assert said == {
                ("NOT_FOUND", 404, "There is no 'x'.", "Check the id; list what there is.", False)
            }, row.name
    lists = [await stage.call(row.name, owner) for row in COMMANDS if row.name.startswith("list_")]

    assert "eve" not in "".join(one.model_dump_json() for one in lists)
    assert await stage.call("list_acts", eve) == before


@staged
async def test_no_agent_is_let_near_any_of_them(stage: Stage) -> None:
    await first(stage, "pam", "owner")
    given = {
        "user_id": "pam", "invitation_id": "i", "browser_session_id": "s", "role": "viewer",
        "email": "x@example.org", "name": "Mine", "id": "plan-000000000000",
    }  # fmt: skip
    admin = replace(ADA, scopes=frozenset({"read", "work", "decide", "admin"}))
    for row in COMMANDS:
        told = {name: value for name, value in given.items() if name in row.takes.model_fields}
        if row.scope != "read":
            assert (await stage.refused(row.name, ADA, **told)).code == "NOT_ALLOWED", row.name
        if not row.is_read:
            assert (await stage.refused(row.name, admin, **told)).code == "NOT_ALLOWED", row.name
