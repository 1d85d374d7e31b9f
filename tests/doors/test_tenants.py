"""What is another tenant's, what is not there and what was deleted look the same at every door.

The matrix is made from the rows: every command that takes an id, over HTTP and as a tool, with
its own id, a foreign one, one that never was and one that was deleted. Answers are compared byte
for byte, with the id that was asked for taken out. The same for resources, streams and search; and
whatever another tenant does, no list here changes by a byte. What no cursor of theirs tells is
tried with three of each list; ``make proofs-long`` tries them all.
"""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import httpx2
import pytest
from mcp.shared.exceptions import MCPError

from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from interlock.doors.mcp.resources import TEMPLATES
from interlock.doors.mcp.tools import offered
from interlock.doors.rest.places import CONTENT
from interlock.service.index import index_due
from tests.doors.mcp import clients as mcp
from tests.doors.rest.calling import application, door, on, send, token
from tests.doors.rest.listening import listening
from tests.stage import AWAY, Stage, staged
from tests.world import Document, World, settle

EVERYTHING: Final = ("read", "work", "decide", "admin")
OWN_WORDS: Final = frozenset({"request_id", "session_id", "question_id"})
MORE_IDS: Final = {
    "get_content": ("digest",), "link_gate": ("person",), "verify_audit": ("unit",),
}  # fmt: skip
"""Fields that name something and are not called so."""

GIVEN_AS: Final = {"person": "user_id", "unit": "unit_id"}
"""Under which name such a field is given, where it has another one."""

INSTEAD: Final = {"gate_id": "step_id", "artifact_id": "source_text"}
"""What is said in place of what: one of the two."""

FILTERS: Final = {"list_gates": "unit", "list_deliveries": "hook", "search_sources": "plan_id"}
"""Lists that can be asked for what belongs to one thing; of one that is not there they are empty."""

SAYS_MORE: Final[dict[tuple[str, str], Document]] = {
    ("modify_plan", "step_id"): {"action": "retry_step", "name": None},
    ("log_skill_execution", "skill_execution_id"): {"status": "completed"},
}
"""What else must be said, so that an id is looked at."""

LONGEST: Final = re.compile(r"[0-9A-Za-z]{6,}")
ANSWERED: Final = ("content-type", "etag", "location", "cache-control", "www-authenticate")


def ids_of(row: AnyCommand) -> Iterator[str]:
    """Yield the fields of a command that name something."""
    for name in row.takes.model_fields:
        if (name == "id" or name.endswith("_id")) and name not in OWN_WORDS:
            yield name
    yield from MORE_IDS.get(row.name, ())


def asking(row: AnyCommand, field: str, told: Document, name: object) -> Document:
    """Return what a command is called with, with another id in one field."""
    found = {**told, **SAYS_MORE.get((row.name, field), {}), field: name}
    if field not in told:
        found.pop(INSTEAD.get(field, ""), None)
    return {key: value for key, value in found.items() if value is not None}


def absent(name: str) -> str:
    """Return an id of the same form that never was: what was drawn stands there backwards."""
    drawn = drawn_of(name)
    assert drawn != drawn[::-1]
    return name.replace(drawn, drawn[::-1])


def drawn_of(name: str) -> str:
    """Return the part of an id that was drawn for it: no two ids have the same."""
    found: list[str] = LONGEST.findall(name)
    return max(found, key=len)


@dataclass(slots=True)
class Matrix:
    """Two tenants, and everything that the first one can be called by."""

    home: World
    away: World
    http: httpx2.AsyncClient
    # The same door for an agent of ours: some things only agents do.
    agents: httpx2.AsyncClient

    def client(self, row: AnyCommand) -> httpx2.AsyncClient:
        """Return by whom a command is called."""
        return self.agents if self.home.is_for_agents(row) else self.http

    async def others(self, row: AnyCommand, field: str) -> dict[str, str]:
        """Return ids that one of ours looks for in vain: of others, of nothing, of the deleted."""
        key = GIVEN_AS.get(field, field)
        await self.away.arguments(row)
        foreign = str(self.away.given[key])
        found = {"foreign": foreign, "absent": absent(foreign)}
        await self.home.arguments(row)
        if await self.delete(row, field):
            found["deleted"] = str(self.home.given[key])
        return found

    async def delete(self, row: AnyCommand, field: str) -> bool:
        """Delete what a field names, where that can be done at all."""
        given, stage, by = self.home.given, self.home.stage, self.home.by
        ways = {
            "invitation_id": "withdraw_invitation", "token_id": "revoke_token",
            "browser_session_id": "end_session", "hook_id": "delete_webhook",
        }  # fmt: skip
        if field in ways:
            await stage.call(ways[field], by, **{field: given[field]})
        elif field == "delivery_id":
            await stage.call("delete_webhook", by, hook_id=given["hook_id"])
        elif field in ("user_id", "person", "skill_execution_id", "project_id"):
            return False  # people are shut out, executions told by their units, projects archived
        else:
            unit = str(given["unit_id"])
            if unit.startswith(("mission-", "ticket-")):
                if row.name == "finish":
                    # What is delivered cannot be cancelled any more.
                    await stage.call("finish", by, ticket_id=unit)
                elif row.name != "reset_mission":
                    await stage.call("cancel", by, id=unit, reason="enough")
            elif row.name != "delete_unit":
                await stage.call("fail_plan", by, plan_id=unit, reason="enough")
            await stage.call("delete_unit", by, id=unit)
        return True


@asynccontextmanager
async def matrix(stage: Stage) -> AsyncIterator[Matrix]:
    """Settle both tenants, and open the door to the first."""
    home, away = await settle(stage), await settle(stage, "quixote", AWAY)
    secret = await token(stage, "user", *EVERYTHING, by=home.by)
    async with on(stage, secret) as http, on(stage, home.secret) as agents:
        yield Matrix(home, away, http, agents)


def answered(answer: httpx2.Response, name: str) -> tuple[object, ...]:
    """Return all that tells answers apart, with the id taken out."""
    text = answer.text.replace(drawn_of(name), "*")
    headers = {key: answer.headers[key] for key in ANSWERED if key in answer.headers}
    return answer.status_code, headers, text


@staged
async def test_over_http_every_command_tells_the_same_of_what_is_not_its_caller_s(
    stage: Stage,
) -> None:
    wrong: list[object] = []
    seen = 0
    async with matrix(stage) as all_of_it:
        for row in COMMANDS.values():
            for field in ids_of(row):
                others = await all_of_it.others(row, field)
                told = await all_of_it.home.arguments(row)
                said = {}
                for case, name in others.items():
                    given = asking(row, field, told, name)
                    said[case] = answered(await send(all_of_it.client(row), row, given), name)
                seen += len(said)
                if any(one != said["absent"] for one in said.values()):
                    wrong.append((row.name, field, said))
                if said["absent"][0] != 404:
                    wrong.append((row.name, field, said["absent"]))
                own = await send(all_of_it.client(row), row, told)
                if own.status_code >= 300 and row.name != "extract_data":
                    wrong.append((row.name, field, own.text))

    assert wrong == []
    assert seen > 100


@staged
async def test_every_tool_tells_the_same_of_what_is_not_its_caller_s(stage: Stage) -> None:
    wrong: list[object] = []
    async with (
        matrix(stage) as all_of_it,
        mcp.on(stage, all_of_it.home.by) as persons,
        mcp.on(stage, all_of_it.home.agent) as agents,
    ):
        for row in offered():
            tools = agents if all_of_it.home.is_for_agents(row) else persons
            for field in ids_of(row):
                others = await all_of_it.others(row, field)
                told = await all_of_it.home.arguments(row)
                said = {}
                for case, name in others.items():
                    result = await tools.call_tool(row.name, asking(row, field, told, name))
                    said[case] = result.model_dump_json().replace(drawn_of(name), "*")
                if len(set(said.values())) != 1 or '"code":"NOT_FOUND"' not in said["absent"]:
                    wrong.append((row.name, field, said))
                own = await tools.call_tool(row.name, told)
                if own.is_error and row.name != "extract_data":
                    wrong.append((row.name, field, own))

    assert wrong == []


@staged
async def test_every_resource_tells_the_same_of_what_is_not_its_reader_s(stage: Stage) -> None:
    row = COMMANDS["get_unit"]
    async with matrix(stage) as all_of_it, mcp.on(stage, all_of_it.home.by) as tools:
        for _, form, _, _ in TEMPLATES:
            said = {}
            for name in (await all_of_it.others(row, "id")).values():
                with pytest.raises(MCPError) as no:
                    await tools.read_resource(form.replace("{id}", name))
                said[name] = no.value.error.model_dump_json().replace(drawn_of(name), "*")
            assert len(said) == 3
            assert len(set(said.values())) == 1, said
            own = str((await all_of_it.home.arguments(row))["id"])
            found = await tools.read_resource(form.replace("{id}", own))
            assert own in found.model_dump_json() or "stateDiagram" in found.model_dump_json()


@staged
async def test_bytes_and_filters_tell_nothing_of_what_is_not_their_caller_s(stage: Stage) -> None:
    async with matrix(stage) as all_of_it:
        for field in ("id", "digest"):
            others = await all_of_it.others(COMMANDS["get_content"], field)
            own = await all_of_it.home.arguments(COMMANDS["get_content"])
            said = set()
            for name in others.values():
                path = "/v1" + CONTENT.format(**{**own, field: name})
                said.add(repr(answered(await all_of_it.http.get(path), name)))
            assert len(said) == 1, said
            assert "(404," in said.pop()
            assert (await all_of_it.http.get("/v1" + CONTENT.format(**own))).status_code == 200
        for command, field in FILTERS.items():
            row = COMMANDS[command]
            like = COMMANDS["replay_delivery" if field == "hook" else "decide_gate"]
            key = "delivery_id" if field == "hook" else "gate_id"
            found = await _filtered(all_of_it, row, field, like, key)
            assert found.pop("own"), command
            assert set(found.values()) == {""}, command


async def _filtered(
    all_of_it: Matrix, row: AnyCommand, field: str, like: AnyCommand, key: str
) -> dict[str, str]:
    """Return what a list finds of each thing, in the words it would tell a stranger."""
    ours = {"hook": "hook_id"}.get(field, "plan_id")
    names: dict[str, str] = {}
    await all_of_it.away.arguments(like)
    names["foreign"] = str(all_of_it.away.given[ours])
    names["absent"] = absent(names["foreign"])
    await all_of_it.home.arguments(like)
    names["deleted"] = str(all_of_it.home.given[ours])
    await all_of_it.delete(like, key)
    await all_of_it.home.arguments(like)
    names["own"] = str(all_of_it.home.given[ours])
    await indexed(all_of_it.home.stage)
    said = {}
    for case, name in names.items():
        asked = {field: name, "state": "all"} if row.name == "list_gates" else {field: name}
        if row.name == "search_sources":
            asked = {"query": "c", "plan_id": name}
        answer = await send(all_of_it.http, row, asked)
        assert answer.status_code == 200, answer.text
        listed: Any = next(one for one in answer.json()["data"].values() if isinstance(one, list))
        said[case] = str(listed or "")
    return said


@staged
async def test_a_stream_tells_nothing_of_what_is_not_its_reader_s(stage: Stage) -> None:
    row = COMMANDS["get_unit"]
    async with matrix(stage) as all_of_it:
        others = await all_of_it.others(row, "id")
        own = str((await all_of_it.home.arguments(row))["id"])
        entries = await stage.audit(own)
        app = application(door(stage))
        secret = await token(stage, by=all_of_it.home.by)
        said = set()
        for name in others.values():
            query = f"from=start&unit={name}&unit={own}"
            async with listening(app, secret, query) as reader:
                told = await reader.until(len(entries))
                assert {one["unit_id"] for one in told} == {own}
                said.add(reader.text)
        async with listening(app, secret, "from=start") as reader:
            while own not in reader.text or len(reader.entries) < len(entries):
                reader.told.clear()
                await reader.told.wait()
            assert [name for name in others.values() if name in reader.text] == []

    assert len(said) == 1


# -- lists, counts, cursors ------------------------------------------------------------------------


async def indexed(stage: Stage) -> None:
    """Have everything indexed that was stored."""
    while await index_due(stage.engine):
        pass


def lists() -> list[AnyCommand]:
    """Return the rows that list something without being told of what."""
    reads = (row for row in COMMANDS.values() if row.is_read and row.name != "get_workflow")
    return [
        row for row in reads if not any(f.is_required() for f in row.takes.model_fields.values())
    ]


async def pages(
    client: httpx2.AsyncClient, row: AnyCommand, cursor: str = ""
) -> AsyncIterator[str]:
    """Yield the pages of a list, each as small as can be."""
    while True:
        asked: Document = {"cursor": cursor} if cursor else {}
        if "limit" in row.takes.model_fields:
            asked["limit"] = 1
        answer = await send(client, row, asked)
        yield answer.text
        cursor = answer.json().get("data", {}).get("cursor", "")
        if not cursor:
            return


async def everything(client: httpx2.AsyncClient) -> dict[str, list[str]]:
    """Read all lists to their ends, and search."""
    found = {row.name: [page async for page in pages(client, row)] for row in lists()}
    search = await client.get("/v1/sources?query=c")
    return {**found, "search_sources": [search.text]}


@pytest.fixture
def is_long(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--long"))


def cursors_of(told: dict[str, list[str]], *, is_long: bool) -> set[str]:
    """Return the cursors that lists have told: of each some, from its beginning to its end."""
    found: set[str] = set()
    for pages_of_one in told.values():
        every = re.findall(r'"cursor":"([^"]+)"', "".join(pages_of_one))
        found |= {*every} if is_long else {*every[:1], *every[len(every) // 2 :][:1], *every[-1:]}
    return found


@staged
async def test_whatever_another_tenant_does_no_list_changes_by_a_byte(
    stage: Stage, *, is_long: bool
) -> None:
    async with matrix(stage) as all_of_it:
        secret = await token(stage, "user", *EVERYTHING, by=all_of_it.away.by)
        for row in COMMANDS.values():
            await all_of_it.home.arguments(row)
        await indexed(stage)
        before = await everything(all_of_it.http)
        async with on(stage, secret) as theirs:
            for row in COMMANDS.values():
                if not row.name.startswith("take_over"):  # time would pass for both
                    await send(theirs, row, await all_of_it.away.arguments(row))
            await indexed(stage)
            there = await everything(theirs)
            after = await everything(all_of_it.http)
            assert after == before
            cursors = cursors_of(there, is_long=is_long)
            for row in lists():
                if "cursor" in row.takes.model_fields:
                    for cursor in cursors:
                        answer = await send(all_of_it.http, row, {"cursor": cursor})
                        assert _theirs(answer.text) == [], row.name

    assert len(cursors) > 20
    assert [name for name, told in there.items() if told == before[name]] == [
        "list_calls", "list_workflows",
    ]  # fmt: skip


def _theirs(text: str) -> list[str]:
    """Return what of a text can only come from the other tenant."""
    return re.findall(r"quixote|of away", text)
