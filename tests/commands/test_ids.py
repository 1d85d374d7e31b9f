"""Whatever an id names that is not yours, or nothing at all: every command says the same.

The matrix is made from the list of commands: one that takes an id in a field not known here, or
needs an argument not known here, fails until it has its place.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, cast

from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from interlock.service.engine import Principal
from interlock.wire.envelope import Envelope
from tests.missions import propose
from tests.stage import EVE, PAT, Stage, new_plan, staged
from tests.tickets import new_project

UNITS: Final = frozenset({"plan_id", "unit_id", "mission_id", "ticket_id"})
PARTS: Final = frozenset({"step_id", "part_id", "gate_id", "hop_id", "asset_id"})
EITHER: Final = frozenset({"id"})
WHO: Final = frozenset({"token_id", "user_id", "invitation_id", "browser_session_id"})
SENT: Final = frozenset({"hook_id", "delivery_id"})
NEITHER: Final = frozenset({"skill_execution_id", "artifact_id", "project_id"}) | WHO | SENT
ID_FIELDS: Final = UNITS | PARTS | EITHER | NEITHER
NO_ID: Final = {
    "create_research_plan", "propose_mission", "list_missions", "get_next_work", "create_project", "list_projects", "list_active_plans", "list_units", "search_sources",
    "ping", "list_calls", "list_workflows", "get_workflow",
    "create_token", "list_tokens", "list_users", "invite_user", "list_invitations",
    "get_tenant", "rename_tenant", "list_acts",
    "get_board", "get_health", "verify_audit", "list_gates", "create_webhook", "list_webhooks", "list_deliveries", "void_gate_links",
}  # fmt: skip
"""Commands that are about no thing in particular."""

REST: Final = {
    "result_summary": "what was found", "reason": "because", "answer": {}, "summary": "look",
    "decision": "skip", "action": "retry_step", "rating": 3, "skill_name": "scan",
    "status": "completed", "session_id": "s1", "artifact_type": "notes", "title": "Notes",
    "content": "text", "query": "text", "goal": "know", "name": "n", "output": "o",
    "failure": "system", "message": "no", "schema": {}, "digest": "0" * 64, "role": "member",
    "batch": 1, "question_id": "Q01", "artifact": "beads", "base_digest": "0" * 64, "lease": "x.1",
    "lines": [{"at": 1, "text": "begun"}],
}  # fmt: skip
"""The arguments that commands need beside an id."""

CHANGED: Final = {
    "edit_mission": {"goal": "g"},
    "edit_ticket": {"title": "t"},
    "edit_project": {"base_branch": "b"},
}
"""What is to be changed, where nothing has to be."""

OLA: Final = replace(PAT, role="owner")
"""A person who may do everything."""

NOWHERE: Final = "plan-000000000000"
MALFORMED: Final = (
    "x", "-", ".", "plan", "plan-", "plan-.", "plan-.1", "plan--1", "Plan-1", "mission-", "ticket-x",
    "nothing-000000000000", "plan-0 OR 1=1", "plan-%", "../plan-1", "plan-é", "plan-💥", "plan-\n",
    "il_0000", "plan-" + "0" * 110, "0", "None", "plan-0\u202e1",
)  # fmt: skip


def with_ids() -> Iterator[tuple[AnyCommand, str]]:
    """Yield every command that takes an id, with the field that takes it."""
    for row in COMMANDS.values():
        for name in ID_FIELDS & set(row.takes.model_fields):
            yield row, name


def needed(row: AnyCommand, about: str, own: str) -> dict[str, object]:
    """Return the arguments without which a command cannot be called, but for one id."""
    given = {
        **REST,
        **dict.fromkeys(("merge_commit", "base_head", "head"), "a" * 40),
        "plan_id": own,
        "step_id": f"{own}.1",
        "part_id": f"{own}.1",
        "id": own,
    }
    given |= {"mission_id": own, "hop_id": f"{own}.2", "asset_id": f"{own}.1", "ticket_id": own}
    fields = row.takes.model_fields.items()
    names = [one.alias or name for name, one in fields if one.is_required() and name != about]
    return {name: given[name] for name in names}


def test_every_command_is_in_the_matrix_or_takes_no_id() -> None:
    assert {row.name for row, _ in with_ids()} | NO_ID == set(COMMANDS)
    for row in COMMANDS.values():
        named = {name for name in row.takes.model_fields if name == "id" or name.endswith("_id")}
        # A question has its id within its ticket.
        assert named <= ID_FIELDS | {"request_id", "session_id", "question_id"}, row.name


def wrong_ids(row: AnyCommand, field: str, own: str, foreign: str, ticket: str) -> list[str]:
    """Return ids that name nothing of the caller's, or nothing of the sort, in every way."""
    broken = [f"{own}.0", f"{own}.9", f"{own}.01", f"{own}.-1", f"{own}.x", f"{own}.1.1", f"{own}."]
    broken += [f"{own}.{'9' * 30}", f"{own}.\uff11", f"{own}.1 ", f" {own}"]
    parts = [f"{foreign}.1", f"{NOWHERE}.1", *(f"{one}.1" for one in MALFORMED[:8])]
    units = [foreign, NOWHERE]
    told = [*units, *parts, *broken, *MALFORMED]
    if row.toolset in ("research", "mission"):
        # A ticket is cancelled with the same command.
        told += [f"{ticket}.1", *([ticket] if row.name != "cancel" else [])]
    if field in UNITS or row.name in ("get_audit", "list_artifacts", "get_content"):
        told.append(f"{own}.1")
    elif field in PARTS:
        told.append(own)
    elif field in NEITHER:
        told += [own, f"{own}.1", "skill-000000000000"]
    return told


@staged
async def test_foreign_absent_and_malformed_ids_look_the_same(stage: Stage) -> None:
    own, foreign = await stage.plan(2), await stage.plan(2, EVE)
    ticket = await stage.ticket()
    await stage.claim(own)
    await stage.claim(foreign, EVE)
    mission, theirs = await propose(stage), await propose(stage, EVE)
    tickets = await _ticket(stage, PAT), await _ticket(stage, EVE)
    about = {"mission": (mission, theirs), "ticket": tickets}
    before = await stage.mark(own), await stage.mark(foreign, "away"), await stage.mark(mission)
    fix = "Check the id; list what there is."
    wrong = []
    for row, field in with_ids():
        ours = about.get(row.toolset, (own, foreign))
        told = {**needed(row, field, ours[0]), **CHANGED.get(row.name, {})}
        for name in wrong_ids(row, field, *ours, ticket):
            no = await stage.refused(row.name, OLA, **{**told, field: name})
            said = (no.code, no.http, no.message, no.fix, no.retryable)
            if said != ("NOT_FOUND", 404, f"There is no {name[:80]!r}.", fix, False):
                wrong.append((row.name, name, said))

    assert wrong == []
    after = await stage.mark(own), await stage.mark(foreign, "away"), await stage.mark(mission)
    assert after == before


async def _ticket(stage: Stage, by: Principal) -> str:
    """Make a ticket, in a project of its own; return its id."""
    made = await stage.call("create_project", by, **new_project(("ann",)))
    told = {"project_id": made.data["project_id"], "title": "t"}
    return str((await stage.call("create_ticket", by, **told)).data["ticket_id"])


@staged
async def test_the_same_ids_are_found_by_their_owner(stage: Stage) -> None:
    foreign = await stage.plan(2, EVE)
    step, _ = await stage.claim(foreign, EVE)
    asked = await stage.call("request_user_review", EVE, step_id=step, summary="look")
    told = {"plan_id": foreign, "artifact_type": "notes", "title": "Notes", "content": "text"}
    kept = await stage.call("store_research", EVE, **told)
    mission, ticket = await propose(stage, EVE), await _ticket(stage, EVE)
    listed = await stage.call("list_tickets", EVE)
    (line,) = cast("list[dict[str, str]]", listed.data["tickets"])
    for row, field in with_ids():
        # What concerns people is in test_people.py; work that is held in test_queue.py.
        if row.is_read and field not in WHO and row.name != "get_work_context":
            name = foreign if field in UNITS | EITHER else step
            name = mission if row.toolset == "mission" else name
            name = ticket if row.toolset == "ticket" else name
            name = line["project_id"] if field == "project_id" else name
            name = str(kept.data["artifact_id"]) if field == "artifact_id" else name
            name = _gate(asked) if field == "gate_id" else name
            rest = {"digest": kept.data["digest"]} if row.name == "get_content" else {}
            rest |= {"id": foreign} if row.name == "read_logs" else {}
            await stage.call(row.name, EVE, **{**rest, field: name})


def _gate(asked: Envelope) -> str:
    gate = asked.data["gate"]
    return str(gate["gate_id"]) if isinstance(gate, dict) else ""


@staged
async def test_lists_queues_and_cursors_tell_nothing_of_another_tenant(stage: Stage) -> None:
    foreign = await stage.plan(2, EVE)
    step, _ = await stage.claim(foreign, EVE)
    await stage.call("request_user_review", EVE, step_id=step, summary="look")
    listed = await stage.call("list_units", EVE, limit=1)
    assert [listed.data["units"], "cursor" in listed.data] != [[], False]
    cursor = listed.data["cursor"]

    seen = [
        await stage.call("list_units", PAT),
        await stage.call("list_units", PAT, workflow="plan"),
        await stage.call("list_units", PAT, cursor=cursor),
        await stage.call("list_units", PAT, cursor=f"999999999999999.{foreign}"),
        await stage.call("list_active_plans", PAT),
        await stage.call("list_active_plans", PAT, filter={"include_ended": True}),
        await stage.call("list_active_plans", PAT, cursor=cursor),
        await stage.call("list_active_plans", PAT, cursor=f"999999999999999.{foreign}"),
        await stage.call("list_missions", PAT, include_ended=True),
        await stage.call("get_next_work", PAT),
        await stage.call("list_work", PAT),
        await stage.call("list_work", PAT, cursor=f"1.{foreign}.1"),
        await stage.call("list_leases", PAT),
        await stage.call("list_leases", PAT, cursor=f"1.{foreign}.1"),
        await stage.call("list_calls", PAT),
        await stage.call("list_gates", PAT, state="all"),
        await stage.call("list_gates", PAT, state="all", unit=foreign),
        await stage.call("list_webhooks", PAT),
        await stage.call("list_deliveries", PAT),
    ]

    assert [one for one in seen if foreign in one.model_dump_json()] == []


@staged
async def test_without_a_tenant_there_are_no_rows_and_no_writes(stage: Stage) -> None:
    own = await stage.plan(2)
    before = await stage.mark(own)
    for tenant in ("", "nobody", "home' OR '1'='1"):
        nobody = replace(PAT, tenant=tenant)
        assert (await stage.refused("create_research_plan", nobody, **new_plan())).http == 503
        assert (await stage.refused("get_next_step", nobody, plan_id=own)).code == "NOT_FOUND"
        assert (await stage.call("get_next_work", nobody)).status == "no_work"
        assert (await stage.call("list_units", nobody)).data == {"units": []}
        assert (await stage.call("list_active_plans", nobody)).data == {"plans": []}
        assert (await stage.call("list_leases", nobody)).data == {"leases": []}

    assert await stage.mark(own) == before
