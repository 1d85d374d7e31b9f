"""A council judges blind: whatever an agent reads, by REST or MCP, tells nothing of a running round.

Every read that an agent is offered is asked about the ticket, its parts and everything that is kept
for it, and each answer is looked through for what members wrote and gave.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from mcp.client.client import Client

from interlock.commands.all import COMMANDS
from interlock.commands.row import PEOPLE, AnyCommand
from interlock.commands.ticket import blind
from interlock.doors.mcp.resources import addresses
from interlock.service.engine import Principal
from tests.doors.mcp import clients as mcp
from tests.doors.rest.calling import application, door, on, send, token
from tests.doors.rest.listening import listening
from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import NAMES, answer, claim, phase_of, questions, started, vote, work

Told = dict[str, Any]
WORDS: Final = {"ann": "walnuts", "ben": "hazelnuts", "cleo": "chestnuts"}
"""What only the draft of each member is about."""

SAID: Final = '"points"'
"""What stands in every vote, as it is kept."""

READS: Final = [row for row in COMMANDS.values() if row.is_read and row.scope == "read"]
NOT_OF_TICKETS: Final = frozenset({
    "get_plan_status", "get_research_context", "get_step_context", "mission_status",
    "mission_context", "get_artifact", "get_project", "get_workflow", "get_gate", "search_sources",
})  # fmt: skip
"""Reads that must be told of something else; sources are what was stored as one."""


async def _draft(stage: Stage, name: str, member: str) -> None:
    part = await claim(stage, name, member)
    lease = part["lease"]["token"]
    line = {"at": 1, "stream": "out", "text": f"I write about {WORDS[member]}."}
    await stage.call("append_log", part_id=part["part_id"], lease=lease, lines=[line])
    asked = questions()
    asked[0]["question"] = f"What of {WORDS[member]}?"
    await answer(stage, part, {"questions": asked})


async def _vote(stage: Stage, name: str, member: str) -> None:
    part = await claim(stage, name, member)
    await answer(stage, part, vote(part["task"], [20, 5, 0]))


async def _drafting(stage: Stage) -> str:
    """Return a ticket of whose council one has drafted."""
    name = await started(stage)
    await work(stage, name)
    await _draft(stage, name, "ann")
    return name


async def _voting(stage: Stage) -> str:
    """Return a ticket of whose council one has voted."""
    name = await _drafting(stage)
    for member in NAMES[1:]:
        await _draft(stage, name, member)
    await _vote(stage, name, "ann")
    return name


async def _stopped(stage: Stage) -> str:
    """Return a ticket whose council cannot go on voting; it will, with the drafts there are."""
    name = await _voting(stage)
    for member in NAMES[1:]:
        part = await claim(stage, name, member)
        said = {"part_id": part["part_id"], "lease": part["lease"]["token"], "reason": "no credit"}
        await stage.call("fail_work", **said)
    assert await phase_of(stage, name) == "BLOCKED_ERROR"
    return name


PLACES: Final = {"drafting": _drafting, "voting": _voting, "stopped": _stopped}


async def _asked(stage: Stage, name: str) -> list[tuple[AnyCommand, Told]]:
    """Return every read, with all that it can be asked about a ticket."""
    whole = await stage.whole(name)
    kept = await stage.engine.store.artifacts(PAT.tenant, name)
    more: dict[str, list[Told]] = {
        "get_content": [{"id": name, "digest": row.digest} for row in kept],
        "get_unit": [{"id": name, "at": at} for at in range(1, whole.row.version + 1)],
        "read_logs": [{"id": name, "member": member} for member in NAMES],
    }
    known = {"id": name, "ticket_id": name, "unit_id": name, "unit": name}
    found = []
    for row in READS:
        if row.name in NOT_OF_TICKETS or row.name == "get_work_context":
            continue
        fields = row.takes.model_fields
        usual = {field: value for field, value in known.items() if field in fields}
        if all(one in usual for one, field in fields.items() if field.is_required()):
            found.append((row, usual))
        found += [(row, one) for one in more.get(row.name, [])]
    return found


def _seen(text: str) -> set[str]:
    """Return what an answer gives away."""
    given = {word for word in WORDS.values() if word in text}
    plain = text.replace("\\", "")
    if '"totals":' in plain or '"totals": ' in plain or SAID in plain or '"seed":' in plain:
        given.add("points")
    return given


async def _by_rest(stage: Stage, name: str, secret: str) -> set[str]:
    """Read everything over HTTP, the bytes and the stream, too."""
    given = set[str]()
    async with on(stage, secret) as client:
        for row, asked in await _asked(stage, name):
            text = (await send(client, row, asked)).text
            given |= _seen(text)
            if row.name == "get_content":
                path = f"/v1/units/{name}/artifacts/{asked['digest']}/content"
                given |= _seen((await client.get(path)).text)
    query, count = f"from=start&unit={name}", len(await stage.audit(name))
    async with listening(application(door(stage)), secret, query) as reader:
        return given | _seen(json.dumps(await reader.until(count)))


@asynccontextmanager
async def _client(stage: Stage, by: Principal) -> AsyncIterator[Client]:
    async with mcp.on(stage, by) as client:
        yield client


async def _by_mcp(stage: Stage, name: str, by: Principal) -> set[str]:
    """Read everything with tools, and as resources."""
    given = set[str]()
    async with _client(stage, by) as client:
        for row, asked in await _asked(stage, name):
            if row.toolset != PEOPLE:
                result = await client.call_tool(row.name, asked)
                given |= _seen(result.model_dump_json())
        for address in addresses(name):
            given |= _seen((await client.read_resource(address)).model_dump_json())
    return given


@pytest.mark.parametrize("place", sorted(PLACES))
@staged
async def test_no_read_of_an_agent_or_worker_gives_away_a_round_that_runs(
    stage: Stage, place: str
) -> None:
    name = await PLACES[place](stage)

    assert await _by_rest(stage, name, await token(stage)) == set()
    assert await _by_rest(stage, name, await token(stage, "worker", "read")) == set()
    assert await _by_mcp(stage, name, ADA) == set()


@staged
async def test_a_person_sees_all_of_it_and_so_does_everybody_once_it_is_over(stage: Stage) -> None:
    name = await _voting(stage)
    everything = {*WORDS.values(), "points"}
    assert await _by_rest(stage, name, await token(stage, "user", "read")) == everything
    for member in NAMES[1:]:
        await _vote(stage, name, member)

    assert await phase_of(stage, name) == "COMPILING_INTERVIEW"
    assert await _by_rest(stage, name, await token(stage)) == everything
    assert await _by_mcp(stage, name, ADA) == everything


@staged
async def test_what_is_missing_is_said_and_what_is_told_can_be_read(stage: Stage) -> None:
    name = await _voting(stage)
    unit = await stage.call("get_unit", id=name)
    audit = await stage.call("get_audit", id=name, limit=1_000)
    logs = await stage.call("read_logs", id=name)
    kept = await stage.call("list_artifacts", id=name)

    for answered in (unit, audit, logs, kept):
        assert answered.warnings == (blind.WITHHELD,)
    entries: Any = audit.data["entries"]
    last = json.loads(entries[-1]["body"])
    assert (last["withheld"], last["set"]) == (["totals"], {"outcomes": ["completed", "", ""]})
    assert (await stage.call("get_audit", PAT, id=name)).warnings == ()
    whole = await stage.audit(name)
    assert len(entries) == len(whole)


def test_what_has_no_secret_is_told_as_it_is_stored() -> None:
    body = '{"change":"write","set":{"quorum":2}}'
    other = '{"change":"write","set":{"totals":[1]}}'

    assert blind.entry_shown("ticket-1", body) is body
    assert blind.entry_shown("plan-1", other) is other
    assert "[1]" not in blind.entry_shown("ticket-1", other)
