"""A world for every command: the stage is set so that it succeeds, and its arguments are told.

Made for tests that go over all rows. Whoever adds a row whose arguments are not known here is told
so by all of them. Each call sets up things of its own, so one stage serves any number of rows and
callers, in any order.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final

from interlock.commands.row import PEOPLE, AnyCommand
from interlock.kernel.rules import USER
from interlock.service.access import authenticate, create_token
from interlock.service.engine import Principal
from interlock.service.roles import OWNER, as_person
from interlock.service.sessions import let_in
from interlock.workflows.mission.workflow import WORKFLOW as MISSION
from interlock.workflows.ticket.workflow import WORKFLOW as TICKET
from tests import mission_world, ticket_world
from tests.missions import equip
from tests.service.folk import first
from tests.stage import DAY_MS, HOME, Stage, new_plan

Document = dict[str, Any]

UNCLAIMED: Final = frozenset({"get_next_step", "get_next_work", "create_research_plan"})
"""Commands that want work nobody has taken yet."""

REVIEWED: Final = frozenset(
    {"submit_user_decision", "decide_gate", "get_gate", "link_gate", "list_gates"}
)
"""Commands that want something that waits for a decision."""

ENDED: Final = frozenset({"delete_unit"})
"""Commands that want a unit that has ended."""

TEXT: Final = {
    "result_summary": "s", "reason": "r", "summary": "look", "decision": "skip", "name": "plan",
    "action": "update_plan", "modification_rationale": "m", "skill_name": "scan",
    "status": "started", "session_id": "s1", "rating": 5, "artifact_type": "notes", "title": "t",
    "content": "c", "query": "c", "answer": {}, "schema": {"type": "object"}, "role": "viewer",
    "url": "http://127.0.0.1:9/hook", "source_text": "t", "lines": [{"at": 1, "text": "begun"}],
}  # fmt: skip
"""What can be said anywhere."""

OF_WORK: Final = frozenset({"gate_id", "id"})
"""Fields of commands for people that speak of work all the same."""

TOLD_TOO: Final = frozenset({"lease", "step_id", "unit_id", "source_text", "user_id"})
"""What is told although it need not be, because the command does more with it."""

NOT_TOLD: Final = {
    "store_research": frozenset({"step_id"}),
    "modify_plan": frozenset({"step_id"}),
    "take_over_work": frozenset({"lease"}),
}
"""What is left out all the same, because the command means something else with it."""

Brings = Callable[[Stage, Principal, Principal, str, list[str]], Awaitable[Document]]
BRINGS: Final[dict[str, Brings]] = {
    MISSION.name: mission_world.bring,
    TICKET.name: ticket_world.bring,
}
"""Workflows whose commands want a unit of theirs; all others are shown a plan."""

MORE: Final = {**mission_world.MORE, **ticket_world.MORE}

_names = count(1)


@dataclass(slots=True)
class World:
    """A stage as an owner of a tenant uses it."""

    stage: Stage
    by: Principal
    # An agent of theirs, and the secret of its token: some things only agents do.
    agent: Principal
    secret: str
    # All that was made for the last command, under the names that arguments have.
    given: Document = field(default_factory=dict)

    async def arguments(self, row: AnyCommand) -> Document:
        """Set the stage for a command; return what it can be called with."""
        given: Document = {**TEXT, **new_plan(), "name": "plan"}
        is_work = row.toolset not in (PEOPLE, *BRINGS)
        if is_work or (row.toolset == PEOPLE and not OF_WORK.isdisjoint(row.takes.model_fields)):
            given |= await self._work(row)
        if row.toolset in BRINGS:
            tags = [f"only-{next(_names)}"]
            bring = BRINGS[row.toolset]
            given |= await bring(self.stage, self.by, self.agent, row.name, tags)
        given |= await self._beside(row)
        self.given = given
        fields = {one.alias or name: one for name, one in row.takes.model_fields.items()}
        names = {name for name, one in fields.items() if one.is_required()}
        names |= TOLD_TOO & fields.keys()
        if row.name in REVIEWED or row.toolset in BRINGS:
            names |= {"content_digest"} & fields.keys()
        names |= MORE.get(row.name, frozenset())
        names -= NOT_TOLD.get(row.name, frozenset())
        told = {name: given[name] for name in names if given[name] != ""}
        if row.name == "get_next_work":
            told["tags"] = given["tags"]
        if row.name == "modify_plan":
            told["name"] = f"Another name {next(_names)}"
        return told

    def is_for_agents(self, row: AnyCommand) -> bool:
        """Say whether only agents may call a command, by the rule of its event."""
        rule = MISSION.rule(row.event) if row.toolset == MISSION.name else None
        return rule is not None and USER not in rule.actors and row.name != "propose_hop"

    async def _work(self, row: AnyCommand) -> Document:
        """Make a plan with something kept, and bring it to where the command wants it."""
        stage, by = self.stage, self.by
        tags = ["red", f"only-{next(_names)}"]
        plan = await stage.plan(2, by, tags=tags, max_parallel_steps=2)
        kept = await self.keep(plan, f"c {next(_names)} of {by.tenant}")
        step, lease = f"{plan}.1", ""
        if row.name not in UNCLAIMED:
            step, lease = await stage.claim(plan, by)
        found: Document = {
            "plan_id": plan, "step_id": step, "part_id": step, "id": plan, "unit_id": plan,
            "lease": lease, "content_digest": "", "tags": tags, **kept,
        }  # fmt: skip
        if row.name in REVIEWED:
            asked = await stage.call("request_user_review", by, step_id=step, summary="look")
            gate: Any = asked.data["gate"]
            found |= {name: gate[name] for name in ("gate_id", "content_digest")}
        if row.name in ENDED:
            await stage.call("fail_plan", by, plan_id=plan, reason="enough")
        if row.name.startswith("take_over"):
            await stage.pass_ms(DAY_MS)
        return found

    async def keep(self, plan: str, content: str) -> Document:
        """Keep something for a plan; return by what it is found again."""
        told = {"plan_id": plan, "artifact_type": "notes", "title": "t", "content": content}
        kept = await self.stage.call("store_research", self.by, **told)
        return {name: kept.data[name] for name in ("artifact_id", "digest")}

    async def _beside(self, row: AnyCommand) -> Document:
        """Make whom and what a command speaks of that is no unit."""
        stage, by, number = self.stage, self.by, f"{next(_names):06}"
        found: Document = {"email": f"guest{number}@example.org"}
        fields = row.takes.model_fields
        if "user_id" in fields or "person" in fields:
            found["user_id"] = await self.member(f"member{number}")
        if "browser_session_id" in fields:
            person = await first(stage, f"visitor{number}", "member", by.tenant)
            found["browser_session_id"] = (await let_in(stage.engine, person, "link")).session.id
        if "invitation_id" in fields:
            made = await stage.call("invite_user", by, email=found["email"])
            found["invitation_id"] = made.data["invitation_id"]
        if "token_id" in fields:
            made = await stage.call("create_token", by, name="to be revoked")
            found["token_id"] = made.data["token_id"]
        if "skill_execution_id" in fields:
            told = {"skill_name": "scan", "status": "started", "session_id": f"s{number}"}
            made = await stage.call("log_skill_execution", by, **told)
            found["skill_execution_id"] = made.data["skill_execution_id"]
        if "hook_id" in fields or "delivery_id" in fields:
            made = await stage.call("create_webhook", by, url=TEXT["url"])
            found["hook_id"] = made.data["hook_id"]
        if "delivery_id" in fields:
            sent = await stage.call("test_webhook", by, hook_id=found["hook_id"])
            found["delivery_id"] = sent.data["delivery_id"]
        return found

    async def member(self, name: str) -> str:
        """Make a member of the tenant; return their id."""
        return (await first(self.stage, name, "member", self.by.tenant)).id


async def settle(stage: Stage, name: str = "pam", tenant: str = HOME) -> World:
    """Make an owner of a tenant; everything here may go to loopback, where nobody listens."""
    stage.engine = replace(stage.engine, webhooks_private=True)
    equip(stage)
    owner = as_person(await first(stage, name, OWNER, tenant))
    secret, _ = await create_token(stage.engine, owner, "agent", "agent", ("read", "work"))
    return World(stage, owner, await authenticate(stage.engine, secret), secret)
