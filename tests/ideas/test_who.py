"""Idea 10: who may send what. Agents propose, resolve and submit; persons decide; the system never.

The table is typed from the spec. Every command is tried by every kind of actor where it would
succeed for somebody, under both policies; whoever may not is refused, and nothing has changed.
"""

import asyncio
from pathlib import Path
from typing import Any, Final

import pytest

from interlock.commands.mission.rows import COMMANDS
from interlock.commands.row import AnyCommand
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER
from interlock.service.access import SCOPES
from interlock.service.engine import Principal
from tests.mission_world import MORE, bring
from tests.missions import equip
from tests.races.moves import outcome
from tests.stage import ADA, HOME, PAT, WORKS, Stage, opened

ACTORS: Final = {
    USER: PAT,
    AGENT: ADA,
    # Has the lease of the agent, so that nothing but its kind can be in the way.
    WORKER: Principal(HOME, WORKER, ADA.id, WORKS),
    SYSTEM: Principal(HOME, SYSTEM, "system", frozenset(SCOPES)),
    "guest": Principal(HOME, USER, "gus", WORKS),
}
"""One of each kind; a guest is a person who may not decide. Nobody comes in as the system."""

ANYBODY: Final = {USER, AGENT, WORKER, SYSTEM, "guest"}
WORKING: Final = {USER, AGENT, WORKER, "guest"}
AGENTS: Final = {AGENT, WORKER}
PERSON: Final = {USER}

# command: who may under the policy `human`; with `relay` an agent may, too, where it says so
WHO: Final[dict[str, tuple[set[str], bool]]] = {
    "propose_mission": (ANYBODY, False),
    "edit_mission": (WORKING, False),
    "set_asset": (WORKING, False),
    "accept_mission": (PERSON, True),
    "propose_hop": (WORKING, False),
    "create_hop": (PERSON | {"guest"}, False),
    "revise_hop": (WORKING, False),
    "withdraw_hop": (AGENTS, False),
    "accept_hop": (PERSON, True),
    "reject_hop": (PERSON, True),
    "request_changes": (PERSON, True),
    "submit_resolution": (AGENTS, False),
    "fail_resolution": (AGENTS | {SYSTEM}, False),
    "approve_design": (PERSON, True),
    "execute_hop": (PERSON, True),
    "submit_tool_result": (AGENTS, False),
    "mark_hop_complete": (PERSON, False),
    "complete_early": (PERSON, False),
    "fix_hop": (PERSON, True),
    "abandon_recovery": (PERSON, False),
    "cancel": (PERSON, True),
    "reset_hop": (PERSON, True),
    "delete_hop": (PERSON, False),
    "archive_hop": (PERSON | {"guest", SYSTEM}, False),
    "reset_mission": (PERSON, True),
}
CHANGING: Final = {row.name: row for row in COMMANDS if not row.is_read}
CODES: Final = {"NOT_ALLOWED", "HUMAN_REQUIRED", "NO_DEADLINE"}


def test_every_command_that_changes_a_mission_is_in_the_table() -> None:
    assert set(WHO) == set(CHANGING)


async def _said(stage: Stage, row: AnyCommand, tag: str, policy: str) -> tuple[str, dict[str, Any]]:
    """Bring a mission to where a command succeeds; return it, and what is said."""
    given = await bring(stage, PAT, ADA, row.name, [tag], policy=policy)
    fields = row.takes.model_fields
    names = {name for name, one in fields.items() if one.is_required()}
    names |= ({"lease", "content_digest"} & fields.keys()) | MORE.get(row.name, frozenset())
    given["reason"] = "because"
    return str(given["mission_id"]), {name: given[name] for name in names if given[name] != ""}


async def _told_all(
    stage: Stage, row: AnyCommand, policy: str, allowed: set[str]
) -> dict[str, str]:
    """Let everybody try a command, first those who may not; return what each was told."""
    found: dict[str, str] = {}
    mission, said = "", None
    for kind, actor in sorted(ACTORS.items(), key=lambda one: one[0] in allowed):
        if said is None:
            mission, said = await _said(stage, row, f"{row.name}-{policy}-{kind}", policy)
        before = await stage.mark(mission) if mission else None
        found[kind] = await outcome(stage.call(row.name, actor, **said))
        if found[kind] == "OK":
            said = None
        else:
            assert await stage.mark(mission) == before, (row.name, kind)
    return found


def _may(name: str, policy: str) -> set[str]:
    may, relayed = WHO[name]
    return may | ({AGENT} if relayed and policy == "relay" else set())


@pytest.mark.parametrize("policy", ["human", "relay"])
def test_who_may_is_as_the_table_says_and_others_change_nothing(
    tmp_path: Path, policy: str
) -> None:
    async def story() -> dict[str, dict[str, str]]:
        async with opened(tmp_path / "interlock.db") as stage:
            equip(stage)
            return {
                name: await _told_all(stage, row, policy, _may(name, policy))
                for name, row in CHANGING.items()
            }

    told = asyncio.run(story())
    for name, (_, relayed) in WHO.items():
        allowed = {kind for kind, code in told[name].items() if code == "OK"}
        assert allowed == _may(name, policy), name
        assert {code for code in told[name].values() if code != "OK"} <= CODES, told[name]
        if relayed and policy == "human":
            assert told[name][AGENT] == "HUMAN_REQUIRED", name
