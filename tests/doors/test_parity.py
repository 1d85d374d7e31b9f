"""The same command through every door: the same answer, the same audit, the same refusal.

Made from the rows: whatever is offered in this process, over HTTP, by the Python client and as a
tool is called through all of them. Reads must agree to the letter. What changes something is done
anew for each door, so ids, times and digests are taken out before two answers are compared.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
from mcp.client.client import Client as McpClient

from interlock.app import open_app
from interlock.client import Client
from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from interlock.commands.verbs import LocalVerbs
from interlock.config import load
from interlock.doors.mcp.answer import document as told_to_a_model
from interlock.doors.mcp.tools import offered
from interlock.errors import InterlockError
from interlock.outside.marks import Marks
from interlock.service.acts import list_acts
from interlock.service.engine import Principal
from interlock.wire.envelope import Asking, Envelope, problem
from tests.cli.home import Home
from tests.doors.mcp import clients as mcp
from tests.doors.rest.calling import application, door, send, token
from tests.doors.speaking import Door, Told, answer, by_client, client_of, refusal
from tests.service.test_delete import proving
from tests.stage import HOME, Stage, staged
from tests.world import Document, World, settle

EVERYTHING: Final = ("read", "work", "decide", "admin")
SECRET: Final = "0123456789abcdef"  # noqa: S105 (of marks that are compared)
TAKEN_OUT: Final = (
    (re.compile(r"untrusted-[0-9a-f]{16}"), f"untrusted-{SECRET}"),
    (re.compile(r"/(decide|login|invitation)/[\w.-]+"), r"/\1/…"),
    (re.compile(r"(il|whsec)_[\w+/=-]+"), r"\1_…"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "digest"),
    (re.compile(r"\b[0-9a-f]{40}\b"), "seed"),
    (re.compile(r"\b([a-z]+)-[0-9a-z]{12}\b"), r"\1-…"),
    (re.compile(r"(?i)\b(member|guest|visitor|s)\d{6}"), r"\1…"),
    (re.compile(r"\b(only-|name |c )\d+"), r"\1…"),
    (re.compile(r"\b1[78]\d{11}\b"), "0"),
)
"""What differs from one call of a command to the next, and what stands there instead."""


_requests = count(1)
NAMED: Final = frozenset({
    "plan_id", "step_id", "part_id", "id", "mission_id", "hop_id", "asset_id", "ticket_id", "project_id", "unit_id", "gate_id", "artifact_id", "token_id",
    "user_id", "invitation_id", "browser_session_id", "hook_id", "delivery_id",
})  # fmt: skip
"""Arguments that name something which may not be there."""


def plain(value: object) -> Any:  # noqa: ANN401  a document of any form
    """Return a document with everything taken out that differs from call to call."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    for form, instead in TAKEN_OUT:
        text = form.sub(instead, text)
    return json.loads(text)


@dataclass(slots=True)
class Doors:
    """All ways to call a command as one person."""

    local: Door
    http: Door
    client: Door
    tool: Door
    raw: httpx2.AsyncClient
    web: Client

    def of(self, row: AnyCommand) -> dict[str, Door]:
        """Return the doors that a command is offered at."""
        found = {"local": self.local, "http": self.http, "client": self.client}
        return {**found, "tool": self.tool} if row in offered() else found


def in_process(stage: Stage, by: Principal) -> Door:
    """Return the commands in this process."""

    async def call(row: AnyCommand, given: Document) -> Told:
        try:
            return "done", answer(await LocalVerbs(stage.engine, by).call(row.name, given))
        except InterlockError as no:
            return refusal(problem(no).model_dump(mode="json"))

    return call


def over_http(client: httpx2.AsyncClient) -> Door:
    """Return the commands at their places."""

    async def call(row: AnyCommand, given: Document) -> Told:
        got = await send(client, row, given)
        return ("done", got.json()) if got.is_success else refusal(got.json())

    return call


def as_tool(client: McpClient) -> Door:
    """Return the commands as tools."""

    async def call(row: AnyCommand, given: Document) -> Told:
        result = await client.call_tool(row.name, given)
        told = mcp.document(result)
        return refusal(told) if result.is_error else ("done", told)

    return call


def as_told_by(name: str, told: Told) -> Told:
    """Return what was told in this process as another door has to tell it."""
    how, what = told
    if name != "tool" or how == "refused":
        return told
    return how, told_to_a_model(Envelope.model_validate(what), Marks(SECRET))


@asynccontextmanager
async def doors(
    stage: Stage, by: Principal, *scopes: str, secret: str = ""
) -> AsyncIterator[Doors]:
    """Open every door for one person, or for whoever has a secret."""
    secret = secret or await token(
        stage, "user", *(scopes or EVERYTHING), by=replace(by, scopes=frozenset(EVERYTHING))
    )
    transport = httpx2.ASGITransport(application(door(stage)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with AsyncExitStack() as stack:
        raw = await stack.enter_async_context(
            httpx2.AsyncClient(transport=transport, base_url="http://localhost", headers=headers)
        )
        client = await stack.enter_async_context(client_of(stage, secret))
        tools = await stack.enter_async_context(mcp.on(stage, by))
        yield Doors(
            in_process(stage, by), over_http(raw), by_client(client), as_tool(tools), raw, client
        )


@asynccontextmanager
async def everyone(stage: Stage, world: World) -> AsyncIterator[Callable[[AnyCommand], Doors]]:
    """Open every door for the owner and for an agent; return whose doors a command is called at."""
    async with (
        doors(stage, world.by) as own,
        doors(stage, world.agent, secret=world.secret) as agents,
    ):
        yield lambda row: agents if world.is_for_agents(row) else own


@staged
async def test_every_read_says_the_same_at_every_door(stage: Stage) -> None:
    world = await settle(stage)
    wrong: list[object] = []
    async with doors(stage, world.by) as all_doors:
        for row in COMMANDS.values():
            if not row.is_read:
                continue
            given = await world.arguments(row)
            expected = await all_doors.local(row, given)
            for name, door_ in all_doors.of(row).items():
                found = await door_(row, given)
                if _unmarked(found) != _unmarked(as_told_by(name, expected)):
                    wrong.append((row.name, name, found, expected))
                if found[0] != "done":
                    wrong.append((row.name, name, found))

    assert wrong == []


def _unmarked(told: Told) -> Any:  # noqa: ANN401  as above
    """Return what was told, to the letter but for the marks that are drawn for each answer."""
    form, instead = TAKEN_OUT[0]
    return json.loads(form.sub(instead, json.dumps(told)))


@staged
async def test_whatever_changes_something_does_and_says_the_same_at_every_door(
    stage: Stage,
) -> None:
    world = await settle(stage)
    # So that the first door changes the name from the same one as the others.
    await stage.call("rename_tenant", world.by, name="plan")
    wrong: list[object] = []
    async with everyone(stage, world) as doors_for:
        for row in COMMANDS.values():
            if row.is_read:
                continue
            expected: Any = None
            for name, door_ in doors_for(row).of(row).items():
                found = await _done(stage, world, row, door_)
                expected = expected or found
                told, audit, acts = expected
                if plain(found[0]) != plain(as_told_by(name, told)):
                    wrong.append((row.name, name, found[0], told))
                if plain(found[1:]) != plain((audit, acts)):
                    wrong.append((row.name, name, found[1:], audit, acts))
            if row.event and row.name != "extract_data" and not expected[1]:
                wrong.append((row.name, "no audit"))

    assert wrong == []


async def _done(
    stage: Stage, world: World, row: AnyCommand, door_: Door
) -> tuple[Told, list[Document], list[Document]]:
    """Set the stage, call a command, and return what was told and what was written down of it."""
    given = await world.arguments(row)
    if issubclass(row.takes, Asking):
        # The client always has one, and with one even a heartbeat is written down.
        given["request_id"] = f"once-{next(_requests)}"
    unit = str(world.given.get("unit_id", ""))
    before = await stage.audit(unit) if unit else []
    known = {one.act.id for one in await list_acts(stage.engine, HOME, None, 10_000)}
    told = await door_(row, given)
    made = told[1].get("receipt", {}).get("unit", unit)
    skipped = len(before) if made == unit else 0
    async with _seeing(stage) as seeing:
        entries = (await seeing.audit(made))[skipped:] if made else []
    for one in entries:
        one["actor"].pop("channel", None)  # type: ignore[attr-defined]
        # Each door has its own request.
        one.pop("request", None)
    acts = [one.act for one in await list_acts(stage.engine, HOME, None, 10_000)]
    new = [one._replace(id="", channel="")._asdict() for one in acts if one.id not in known]
    return told, entries, new


@asynccontextmanager
async def _seeing(stage: Stage) -> AsyncIterator[Stage]:
    """Return the stage with eyes for what was deleted."""
    async with proving(stage) as engine:
        yield replace(stage, engine=engine)


@pytest.mark.some(1)  # the doors refuse before and answer after any store
@staged
async def test_every_refusal_is_the_same_at_every_door(stage: Stage) -> None:
    world = await settle(stage)
    wrong: list[object] = []
    viewer = replace(world.by, scopes=frozenset({"read"}))
    async with (
        everyone(stage, world) as doors_for,
        doors(stage, viewer, "read") as viewer_doors,
    ):
        for row in COMMANDS.values():
            given = await world.arguments(row)
            for who, wrongly in _wrong_calls(row, given, doors_for(row), viewer_doors):
                said = {name: await door_(row, wrongly) for name, door_ in who.of(row).items()}
                if row.is_read and "nope" in wrongly:
                    # In a query a name means something else; there the door speaks for itself.
                    said = {name: (how, told["code"]) for name, (how, told) in said.items()}
                if any(one != said["local"] for one in said.values()):
                    wrong.append((row.name, wrongly, said))
                if said["local"][0] != "refused":
                    wrong.append((row.name, wrongly, said["local"]))

    assert wrong == []


def _wrong_calls(
    row: AnyCommand, given: Document, owner: Doors, viewer: Doors
) -> Iterator[tuple[Doors, Document]]:
    """Yield calls that must be refused: by whom, and with what."""
    yield owner, {**given, "nope": 1}
    if row.scope != "read":
        yield viewer, given
    named = [name for name in given if name in NAMED]
    if named:
        yield owner, {**given, **dict.fromkeys(named, "plan-000000000000")}


@pytest.mark.some(1)  # the doors refuse before and answer after any store
@staged
async def test_a_request_id_is_answered_alike_at_every_door_and_over_http_byte_by_byte(
    stage: Stage,
) -> None:
    world = await settle(stage)
    wrong: list[object] = []
    async with everyone(stage, world) as doors_for:
        for row in COMMANDS.values():
            all_doors = doors_for(row)
            if not issubclass(row.takes, Asking) or row.name == "extract_data":
                continue
            given = await world.arguments(row)
            request = f"again-{row.name}"
            header = {"Idempotency-Key": request}
            first = await send(all_doors.raw, row, given, **header)
            again = await send(all_doors.raw, row, given, **header)
            same = (first.status_code, first.content, first.headers.get("etag"))
            if (again.status_code, again.content, again.headers.get("etag")) != same:
                wrong.append((row.name, first.text, again.text))
            expected: Told = ("done", first.json())
            for name, door_ in all_doors.of(row).items():
                found = await door_(row, {**given, "request_id": request})
                if _unmarked(found) != _unmarked(as_told_by(name, expected)):
                    wrong.append((row.name, name, found, expected))

    assert wrong == []


# -- the command line --------------------------------------------------------------------------------

WORDS: Final = {
    "list_units": ("list",),
    "list_active_plans": ("plan", "list"),
    "get_plan_status": ("plan", "status", "{plan_id}"),
    "get_research_context": ("plan", "context", "{plan_id}"),
    "explain": ("explain", "{id}"),
    "list_gates": ("inbox",),
    "list_users": ("user", "list"),
    "list_webhooks": ("webhook", "list"),
}
"""How the command line says some of them."""


@pytest.mark.parametrize("command", WORDS)
def test_the_command_line_says_the_same(tmp_path: Path, command: str) -> None:
    home = Home(tmp_path)
    plan = home.plan()
    home.claim(plan)
    given = {"plan_id": plan, "id": plan}
    words = [word.format(**given) for word in WORDS[command]]
    fields = COMMANDS[command].takes.model_fields
    asked = {name: value for name, value in given.items() if name in fields}

    async def directly(arguments: Document) -> Told:
        settings = load({"data": str(tmp_path)}, {})
        async with open_app(settings) as app:
            try:
                return "done", answer(await (await app.verbs()).call(command, arguments))
            except InterlockError as no:
                return refusal(problem(no).model_dump(mode="json"))

    assert ("done", home.told(*words)) == asyncio.run(directly(asked))
    if asked:
        absent = dict.fromkeys(asked, "plan-000000000000")
        said = home.ask(*(word.format(**absent) for word in WORDS[command]))
        _, no = asyncio.run(directly({name: absent[name] for name in asked}))
        told = " ".join(said.err.split())
        assert (said.code, no["message"] in told, no["fix"] in told) == (2, True, True)
