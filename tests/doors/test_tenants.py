"""What is another tenant's, what is not there and what was deleted look the same at every door.

The matrix is made from the rows: every command that takes an id, over HTTP and as a tool, with
its own id, a foreign one, one that never was and one that was deleted. Answers are compared byte
for byte, with the id that was asked for taken out. The same for resources, streams and search; and
whatever another tenant does, no list here changes by a byte. What no cursor of theirs tells is
tried with three of each list; ``make proofs-long`` tries them all.
"""

import re
from collections.abc import AsyncIterator
from typing import Any, Final

import httpx2
import pytest
from mcp.shared.exceptions import MCPError

from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand, Call, Command, done
from interlock.doors.mcp.resources import TEMPLATES
from interlock.doors.mcp.tools import offered
from interlock.doors.rest.places import CONTENT
from interlock.service.errors import NotFound
from interlock.service.index import index_due
from interlock.service.order import Reply
from interlock.wire.envelope import Shape
from tests.doors.matrix import (
    EVERYTHING,
    Matrix,
    absent,
    answered,
    asking,
    drawn_of,
    matrix,
    probes,
    told_apart,
)
from tests.doors.mcp import clients as mcp
from tests.doors.rest.calling import application, door, on, send, token
from tests.doors.rest.listening import listening
from tests.stage import AWAY, Stage, staged
from tests.world import Document

FILTERS: Final = {"list_gates": "unit", "list_deliveries": "hook", "search_sources": "plan_id"}
"""Lists that can be asked for what belongs to one thing; of one that is not there they are empty."""


@staged
async def test_over_http_every_command_tells_the_same_of_what_is_not_its_caller_s(
    stage: Stage,
) -> None:
    wrong: list[object] = []
    seen = 0
    async with matrix(stage) as all_of_it:
        for row, field in probes():
            tried, found = await told_apart(all_of_it, row, field)
            seen += tried
            wrong += found

    assert wrong == []
    assert seen > 100


class PeekTakes(Shape):
    """A command of somebody who has not read any of this."""

    unit_id: str


async def peek(call: Call, asked: PeekTakes) -> Reply:
    """Tell of a unit, and be helpful about those of others."""
    for tenant in (call.tenant, AWAY):
        if await call.engine.store.whole(tenant, asked.unit_id) is not None:
            if tenant == call.tenant:
                return done({"unit_id": asked.unit_id})
            raise NotFound(f"{asked.unit_id} of yours, but of others")
    raise NotFound(asked.unit_id)


@staged
async def test_a_command_that_is_added_is_tried_and_what_it_tells_is_noticed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Command("peek", PeekTakes, peek, "read", "work", "Peek.", "GET /peek/{unit_id}")
    monkeypatch.setitem(COMMANDS, row.name, row)

    assert (row, "unit_id") in [*probes()]
    async with matrix(stage) as all_of_it:
        _, wrong = await told_apart(all_of_it, row, "unit_id")
    assert "but of others" in str(wrong)


class LurkTakes(Shape):
    """A command that names something which no world has."""

    lurker_id: str


@staged
async def test_a_command_that_names_something_unknown_cannot_be_passed_over(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Command("lurk", LurkTakes, peek, "read", "work", "Lurk.", "GET /lurk/{lurker_id}")  # type: ignore[arg-type]  # never run
    monkeypatch.setitem(COMMANDS, row.name, row)

    assert (row, "lurker_id") in [*probes()]
    async with matrix(stage) as all_of_it:
        with pytest.raises(KeyError, match="lurker_id"):
            await told_apart(all_of_it, row, "lurker_id")


@pytest.mark.some(1)  # over HTTP every command is tried on both stores
@staged
async def test_every_tool_tells_the_same_of_what_is_not_its_caller_s(stage: Stage) -> None:
    wrong: list[object] = []
    async with (
        matrix(stage) as all_of_it,
        mcp.on(stage, all_of_it.home.by) as persons,
        mcp.on(stage, all_of_it.home.agent) as agents,
    ):
        for row, field in probes(offered()):
            tools = agents if all_of_it.home.is_for_agents(row) else persons
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


def few(row: AnyCommand) -> Document:
    """Return how many a page shall have: a whole one, but where each is folded and proved."""
    return {"limit": 2} if row.name == "verify_audit" else {}


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
                        answer = await send(all_of_it.http, row, {"cursor": cursor, **few(row)})
                        assert _theirs(answer.text) == [], row.name

    assert len(cursors) > 20
    assert [name for name, told in there.items() if told == before[name]] == [
        "list_calls", "list_workflows",
    ]  # fmt: skip


def _theirs(text: str) -> list[str]:
    """Return what of a text can only come from the other tenant."""
    return re.findall(r"quixote|of away", text)
