"""The door: every command at its place, and everything a caller can do wrong told as a problem."""

import json
import logging
from collections.abc import AsyncIterator
from typing import Final, cast

import httpx2
import pytest

from interlock.commands.all import COMMANDS
from interlock.commands.row import Call, Command
from interlock.doors.rest.places import OWN
from interlock.service.calls import ToolCall
from interlock.service.order import Reply
from interlock.wire.work import Nothing
from tests.doors.rest.calling import BODY_MAX, Document, on, problem, send, token
from tests.stage import EVE, HOME, Stage, new_plan, staged
from tests.world import settle

EVERYTHING: Final = ("read", "work", "decide", "admin")


class Log:
    """Takes calls down."""

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []

    def put(self, call: ToolCall) -> None:
        """Take a call."""
        self.calls.append(call)


@pytest.mark.parametrize("name", COMMANDS)
@staged
async def test_every_command_can_be_called_at_its_place(stage: Stage, name: str) -> None:
    row = COMMANDS[name]
    world = await settle(stage)
    arguments = await world.arguments(row)
    secret = await token(stage, "user", *EVERYTHING, by=world.by)
    if world.is_for_agents(row):
        secret = world.secret
    async with on(stage, secret) as client:
        answer = await send(client, row, arguments)
        told = answer.json()
        if name == "extract_data":
            assert problem(answer, 424)["code"] == "MODEL_NOT_CONFIGURED"
            return
        assert answer.status_code == (201 if row.makes_unit else 200), told
        assert answer.headers["content-type"] == "application/json"
        assert set(told) >= {"status", "next_action", "legal_moves", "data", "warnings"}
        if row.is_read and name != "ping":
            direct = await stage.call(name, world.by, **arguments)
            assert told == direct.model_dump(mode="json", exclude_none=True)


@staged
async def test_a_person_s_token_acts_as_the_person_and_an_agent_s_as_an_agent(
    stage: Stage,
) -> None:
    for kind, scopes in (("user", ["read", "work", "decide"]), ("agent", ["read", "work"])):
        async with on(stage, await token(stage, kind)) as client:
            data = (await client.get("/v1/whoami")).json()["data"]
            assert (data["kind"], data["scopes"], data["tenant"]) == (kind, scopes, HOME)
            made = (await client.post("/v1/plans", json=new_plan())).json()["data"]["plan_id"]
            actor = (await stage.audit(made))[0]["actor"]
            assert (cast("Document", actor)["kind"], cast("Document", actor)["channel"]) == (
                kind, "rest",
            )  # fmt: skip


# -- asking again ----------------------------------------------------------------------------------


@staged
async def test_the_same_key_gives_the_same_bytes_and_another_question_none(stage: Stage) -> None:
    key = {"Idempotency-Key": "k-1"}
    async with on(stage) as client:
        first = await client.post("/v1/plans", json=new_plan(), headers=key)
        again = await client.post("/v1/plans", json=new_plan(), headers=key)
        body = await client.post("/v1/plans", json={**new_plan(), "request_id": "k-1"})
        both = await client.post("/v1/plans", json={**new_plan(), "request_id": "k-1"}, headers=key)
        other = await client.post("/v1/plans", json=new_plan(3), headers=key)
        differs = await client.post(
            "/v1/plans", json={**new_plan(), "request_id": "x"}, headers=key
        )
        twice = await client.post(
            "/v1/plans",
            json=new_plan(),
            headers=[("Idempotency-Key", "a"), ("Idempotency-Key", "b")],
        )

    assert [one.status_code for one in (first, again, body, both)] == [201] * 4
    assert first.content == again.content == body.content == both.content
    assert first.headers["etag"] == again.headers["etag"]
    assert problem(other, 409)["code"] == "IDEMPOTENCY_MISMATCH"
    assert problem(differs, 422)["errors"] == [
        {"field": "request_id", "message": "differs from Idempotency-Key"}
    ]
    assert problem(twice, 400)["code"] == "BAD_REQUEST"
    assert len(await stage.engine.store.units(HOME, "", None, 10)) == 1


@staged
async def test_who_has_seen_a_unit_is_told_nothing_until_it_changes(stage: Stage) -> None:
    plan = await stage.plan(2)
    path = tag = ""
    async with on(stage) as client:
        for path in (f"/v1/units/{plan}", f"/v1/plans/{plan}", f"/v1/plans/{plan}/context"):
            tag = (await client.get(path)).headers["etag"]
            seen = await client.get(path, headers={"If-None-Match": tag})
            assert (seen.status_code, seen.content, seen.headers["etag"]) == (304, b"", tag)
        await stage.claim(plan)
        assert (await client.get(path, headers={"If-None-Match": tag})).status_code == 200


@staged
async def test_a_unit_that_has_moved_on_is_left_alone(stage: Stage) -> None:
    plan = await stage.plan(2)
    async with on(stage) as client:
        tag = (await client.get(f"/v1/units/{plan}")).headers["etag"]
        first = await client.post(f"/v1/plans/{plan}/next", headers={"If-Match": tag})
        second = await client.post(f"/v1/plans/{plan}/next", headers={"If-Match": tag})
        step = first.json()["data"]["step"]
        done = await client.post(
            f"/v1/steps/{step['step_id']}/result",
            json={"result_summary": "s", "lease": step["lease"]["token"]},
            headers={"If-Match": first.headers["etag"]},
        )
        no = await client.post("/v1/plans", json=new_plan(), headers={"If-Match": tag})

    assert (first.status_code, done.status_code) == (200, 200)
    assert problem(second, 412)["code"] == "STALE_VERSION"
    assert problem(no, 422)["code"] == "INVALID_INPUT"
    assert await stage.standing(plan) == "executing: completed pending"


# -- what a caller can do wrong ----------------------------------------------------------------------


@staged
async def test_a_refusal_says_what_is_legal_instead(stage: Stage) -> None:
    plan = await stage.plan(1)
    async with on(stage) as client:
        answer = await client.post(
            f"/v1/steps/{plan}.1/result", json={"result_summary": "s", "lease": "x.1"}
        )

    told = problem(answer, 409)
    assert told["instance"] == f"/v1/steps/{plan}.1/result"
    assert "get_next_step" in told["legal_moves"]


@staged
async def test_bad_input_is_told_beside_its_field(stage: Stage) -> None:
    async with on(stage) as client:
        answer = await client.post("/v1/plans", json={"name": "", "steps": [{"title": 1}], "x": 2})
        query = await client.get("/v1/plans?limit=0&status=nope")
        path = await client.post("/v1/plans/plan-0/next", json={"plan_id": "plan-0"})
        extra = await client.post("/v1/plans/plan-0/next?wait_s=1")

    fields = {error["field"] for error in problem(answer, 422)["errors"]}
    assert fields >= {"name", "research_question", "steps.0.title", "steps.0.instructions", "x"}
    assert {error["field"] for error in problem(query, 422)["errors"]} == {"limit", "status"}
    assert problem(path, 422)["errors"][0]["field"] == "plan_id"
    assert problem(extra, 422)["code"] == "INVALID_INPUT"


@pytest.mark.parametrize(
    ("given", "has_token"),
    [
        ({}, False),
        ({"Authorization": "Basic eA=="}, True),
        ({"Authorization": "Bearer il_0"}, True),
    ],
    ids=range(3),
)
@staged
async def test_nobody_is_let_in_without_a_good_token(
    stage: Stage, given: dict[str, str], *, has_token: bool
) -> None:
    async with on(stage, "none") as client:
        del client.headers["Authorization"]
        for row in COMMANDS.values():
            answer = await send(client, row, dict.fromkeys(row.in_path, "x"), **given)
            assert problem(answer, 401)["code"] == "UNAUTHENTICATED", row.name
            assert ("invalid_token" in answer.headers["www-authenticate"]) == has_token
        for path in ("/v1/events", "/v1/workflows/plan/drawing", "/v1/units/a/artifacts/b/content"):
            problem(await client.get(path, headers=given), 401)
        assert (await client.get("/v1/openapi.json")).status_code == 200


@staged
async def test_a_token_in_the_address_is_refused_and_never_said_again(stage: Stage) -> None:
    secret = await token(stage)
    async with on(stage) as client:
        for name in ("token", "access_token", "q"):
            answer = await client.get(f"/v1/whoami?{name}={secret}")
            assert problem(answer, 400)["code"] == "TOKEN_IN_QUERY"
            assert secret not in answer.text
        del client.headers["Authorization"]
        for row in COMMANDS.values():
            path = row.path.replace("{", "").replace("}", "")
            answer = await client.request(row.method, f"/v1{path}?token={secret}")
            assert problem(answer, 400)["code"] == "TOKEN_IN_QUERY"
        for path in OWN:
            answer = await client.get(f"/v1{path}?access_token={secret}")
            assert problem(answer, 400)["code"] == "TOKEN_IN_QUERY"


@staged
async def test_what_is_not_there_is_told_the_nearest_and_what_is_its_methods(stage: Stage) -> None:
    async with on(stage) as client:
        assert problem(await client.get("/v1/plan"), 404)["fix"] == "Did you mean /v1/plans?"
        assert problem(await client.get("/v1"), 404)["code"] == "NO_SUCH_PATH"
        wrong = await client.delete("/v1/plans")
        asked = await client.options("/v1/plans")
        head, get = await client.head("/v1/units"), await client.get("/v1/units")

    assert problem(wrong, 405)["code"] == "WRONG_METHOD"
    assert wrong.headers["allow"] == asked.headers["allow"] == "GET, HEAD, POST, OPTIONS"
    assert (asked.status_code, asked.content) == (204, b"")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == get.headers["content-length"]
    assert head.headers["etag"] == get.headers["etag"]


@pytest.mark.parametrize(
    ("body", "media", "status"),
    [
        (b"{", "application/json", 400), (b'{"a":1,"a":1}', "application/json", 400),
        (b'{"wait_s":NaN}', "application/json", 400), (b"\xff", "application/json", 400),
        (b"[" * 50_000, "application/json", 400), (b"[]", "application/json", 422),
        (b'{"note":"' + b"\\ud800" + b'"}', "application/json", 422),
        (b'{"note":' + b"[" * 40 + b"]" * 40 + b"}", "application/json", 413),
        (b"{}", "text/plain", 415), (b"{}", "", 415),
        (b"x" * (BODY_MAX + 1), "application/json", 413),
    ],
    ids=range(11),
)  # fmt: skip
@staged
async def test_a_body_that_is_no_good_is_refused(
    stage: Stage, body: bytes, media: str, status: int
) -> None:
    plan = await stage.plan(1)
    headers = {"Content-Type": media} if media else {}
    async with on(stage) as client:
        answer = await client.post(f"/v1/plans/{plan}/next", content=body, headers=headers)

    problem(answer, status)
    assert await stage.standing(plan) == "planning: pending"


@staged
async def test_a_body_is_counted_while_it_comes(stage: Stage) -> None:
    sent = []

    async def endless() -> AsyncIterator[bytes]:
        while True:
            sent.append(1)
            yield b" " * 10_000

    async with on(stage) as client:
        answer = await client.post(
            "/v1/plans", content=endless(), headers={"Content-Type": "application/json"}
        )

    assert problem(answer, 413)["code"] == "TOO_LARGE"
    assert len(sent) <= BODY_MAX // 10_000 + 2


@staged
async def test_a_foreign_thing_and_an_absent_one_look_the_same(stage: Stage) -> None:
    foreign, absent = await stage.plan(1, EVE), "plan-000000000000"
    async with on(stage) as client:
        for path in (
            "/v1/units/{}",
            "/v1/plans/{}",
            "/v1/units/{}/audit",
            "/v1/units/{}/artifacts",
        ):
            two = [await client.get(path.format(name)) for name in (foreign, absent)]
            told = [problem(one, 404) for one in two]
            texts = [
                one.text.replace(name, "*")
                for one, name in zip(two, (foreign, absent), strict=True)
            ]
            assert texts[0] == texts[1]
            assert told[0]["code"] == "NOT_FOUND"


# -- what is written down -----------------------------------------------------------------------------


@staged
async def test_every_call_but_ping_is_written_down_with_what_came_of_it(stage: Stage) -> None:
    log = Log()
    async with on(stage, calls=log) as client:
        await client.get("/v1/whoami")
        await client.get("/v1/units?limit=5")
        await client.get("/v1/plans/nope?session_id=s1")
        await client.post("/v1/plans", content=b"{")
        await client.get("/v1/nope")

    read, no, broken = log.calls
    assert (read.tool, read.arguments, read.is_error) == ("list_units", {"limit": 5}, False)
    assert (read.channel, read.reply["status"], read.principal.kind) == ("rest", "ok", "agent")
    assert (no.tool, no.is_error, no.reply["code"]) == ("get_plan_status", True, "NOT_FOUND")
    assert (no.principal.session, no.arguments["plan_id"]) == ("s1", "nope")
    assert (broken.is_error, broken.reply["code"]) == (True, "WRONG_MEDIA_TYPE")


@staged
async def test_what_nobody_foresaw_gets_a_reference_and_no_traceback(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def break_down(call: Call, asked: Nothing) -> Reply:
        raise ZeroDivisionError("a secret of the server")

    broken = Command("ping", Nothing, break_down, "read", "every", ".", "GET /whoami")
    monkeypatch.setitem(COMMANDS, "ping", broken)
    async with on(stage) as client:
        answer = await client.get("/v1/whoami")

    told = problem(answer, 500)
    assert told["code"] == "INTERNAL"
    reference = told["message"].split()[-1].rstrip(".")
    assert "secret" not in answer.text
    (record,) = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert reference in record.getMessage()


@staged
async def test_the_document_is_served_to_everybody_with_a_tag(stage: Stage) -> None:
    async with on(stage) as client:
        answer: httpx2.Response = await client.get("/v1/openapi.json")
        assert json.loads(answer.text)["openapi"] == "3.1.0"
        tag = {"If-None-Match": answer.headers["etag"]}
        assert (await client.get("/v1/openapi.json", headers=tag)).status_code == 304
