"""Resources: units, their audit, their drawing, and who you are."""

import json
from dataclasses import replace

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import TextResourceContents

from interlock.doors.mcp.resources import addresses
from tests.doors.mcp.clients import ERAS, Document, on
from tests.stage import ADA, EVE, Stage, staged


async def read(client: Client, uri: str) -> tuple[str | None, str]:
    (found,) = (await client.read_resource(uri)).contents
    assert isinstance(found, TextResourceContents)
    return found.mime_type, found.text


async def read_json(client: Client, uri: str) -> Document:
    media, text = await read(client, uri)
    assert media == "application/json"
    told: Document = json.loads(text)
    return told


@staged
@pytest.mark.parametrize("mode", ERAS)
async def test_a_unit_is_read_as_it_stands_with_what_was_stored_between_marks(
    stage: Stage, mode: str
) -> None:
    plan = await stage.plan(2)
    await stage.claim(plan)
    async with on(stage, mode=mode) as client:
        told = await read_json(client, f"interlock://unit/{plan}")

    assert told["data"]["status"] == "executing"
    assert [part["status"] for part in told["data"]["parts"]] == ["in_progress", "pending"]
    fields = told["data"]["parts"][0]["fields"]
    assert fields["instructions"] == "find out 1"
    assert fields["title"].startswith("<untrusted-")


@staged
async def test_its_audit_is_whole_and_marked(stage: Stage) -> None:
    plan = await stage.plan(2)
    async with on(stage) as client:
        told = await read_json(client, f"interlock://unit/{plan}/audit")

    entries = told["data"]["entries"]
    assert [entry["sequence"] for entry in entries] == [1, 2, 3]
    assert all(entry["body"].startswith("<untrusted-") for entry in entries)


@staged
async def test_its_drawing_marks_where_it_stands(stage: Stage) -> None:
    plan = await stage.plan(1)
    async with on(stage) as client:
        media, text = await read(client, f"interlock://unit/{plan}/diagram")

    assert media == "text/vnd.mermaid"
    assert 'plan_planning("planning<br/>here")' in text


@staged
async def test_the_list_has_who_you_are_and_what_changed_last(stage: Stage) -> None:
    first, second = await stage.plan(), await stage.plan()
    await stage.pass_ms(5)
    await stage.claim(first)
    async with on(stage) as client:
        listed = (await client.list_resources()).resources
        forms = (await client.list_resource_templates()).resource_templates
        told = await read_json(client, "interlock://profile")

    assert listed[0].uri == "interlock://profile"
    assert {one.uri for one in listed[1:]} == {f"interlock://unit/{one}" for one in (first, second)}
    assert tuple(form.uri_template.replace("{id}", first) for form in forms) == addresses(first)
    assert (told["data"]["id"], told["data"]["kind"]) == ("ada", "agent")


@staged
@pytest.mark.parametrize(("mode", "code"), [("legacy", -32002), ("2026-07-28", -32602)])
async def test_an_address_that_names_nothing_of_yours_is_answered_as_the_protocol_wants(
    stage: Stage, mode: str, code: int
) -> None:
    plan = await stage.plan()
    wrong = ("interlock://unit/plan-000000000000", "interlock://unit/", "interlock://nope",
             f"interlock://unit/{plan}/nope", f"interlock://unit/{plan}.1", "http://example.org/",
             f"interlock://unit/{plan}")  # fmt: skip
    async with on(stage, EVE, mode=mode) as client:
        for uri in wrong:
            with pytest.raises(MCPError) as no:
                await client.read_resource(uri)
            assert no.value.error.code in (code, -32602), uri
            assert plan not in no.value.error.message or plan in uri


@staged
async def test_who_may_not_read_is_told_so_in_its_own_words(stage: Stage) -> None:
    async with on(stage, replace(ADA, scopes=frozenset({"work"}))) as client:
        for ask in (client.list_resources(), client.read_resource("interlock://profile")):
            with pytest.raises(MCPError) as no:
                await ask
            assert no.value.error.data["code"] == "NOT_ALLOWED"
