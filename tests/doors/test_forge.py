"""A forge that knocks is heard if it has signed what it says, and only about what was reviewed."""

import json
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette

from interlock.commands.ticket.webhook import signature
from interlock.doors.forge import PATH, ForgeHttp
from tests.building import ALONE, REVIEW, to
from tests.stage import HOME, PAT, Stage, staged
from tests.tickets import phase_of, project, status_of

SIGNED = "a word of sixteen"
SHA = "f" * 40


async def reviewed(stage: Stage) -> tuple[str, str, str]:
    """Return a project, a ticket of it that waits for a review, and its candidate."""
    where = await project(stage, ALONE, webhook_secret=SIGNED, forge={"kind": "github"})
    told = {"project_id": where, "title": "Sell apples"}
    name = str((await stage.call("create_ticket", PAT, **told)).data["ticket_id"])
    await stage.call("start", PAT, ticket_id=name)
    now = await to(stage, name, REVIEW)
    return where, name, now["tree"]["candidate"]


def closed(head: str, **more: object) -> dict[str, Any]:
    request = {"merged": True, "merge_commit_sha": SHA, "head": {"sha": head}} | more
    return {"action": "closed", "pull_request": request}


async def knock(
    stage: Stage, where: str, said: object, secret: str = SIGNED, **more: str
) -> httpx2.Response:
    """Send a webhook."""
    body = json.dumps(said).encode()
    headers = {"X-GitHub-Event": "pull_request", "X-Hub-Signature-256": signature(secret, body)}
    app = Starlette(routes=ForgeHttp(stage.engine).routes())
    query = {"tenant": HOME, "project": where}
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
        return await client.post(PATH, params=query, content=body, headers=headers | more)


@staged
async def test_a_merge_that_a_forge_tells_lets_the_ticket_go_on_once(stage: Stage) -> None:
    where, name, candidate = await reviewed(stage)
    answer = await knock(stage, where, closed(candidate))
    again = await knock(stage, where, closed(candidate))

    assert (answer.status_code, answer.json()["tickets"]) == (200, [name])
    assert (again.status_code, again.json()["tickets"]) == (200, [])
    assert await phase_of(stage, name) == "CLEANING_ENV"
    assert (await status_of(stage, name))["pull_request"]["state"] == "merged"


@staged
async def test_what_is_not_signed_was_never_said(stage: Stage) -> None:
    where, name, candidate = await reviewed(stage)
    for project_id, secret, more in (
        (where, "another secret altogether", {}),
        (where, "", {}),
        (where, SIGNED, {"X-Hub-Signature-256": ""}),
        (where, SIGNED, {"X-Hub-Signature-256": "sha256=zz"}),
        ("project-none", SIGNED, {}),
        ("project-none", "", {}),
    ):
        answer = await knock(stage, project_id, closed(candidate), secret, **more)
        assert (answer.status_code, answer.json()["code"]) == (401, "NOT_SIGNED")
    assert await phase_of(stage, name) == REVIEW


@staged
async def test_a_project_without_a_secret_hears_nobody(stage: Stage) -> None:
    where = await project(stage, ALONE)

    answer = await knock(stage, where, closed(SHA), "")

    assert answer.status_code == 401


@pytest.mark.parametrize(
    "said",
    [
        closed("e" * 40),
        closed(""),
        closed("x", merged=False),
        {"action": "opened"},
        [],
        {"action": "closed", "pull_request": None},
    ],
)
@staged
async def test_anything_else_is_answered_and_changes_nothing(stage: Stage, said: object) -> None:
    where, name, _ = await reviewed(stage)

    answer = await knock(stage, where, said)

    assert (answer.status_code, answer.json()["tickets"]) == (200, [])
    assert await phase_of(stage, name) == REVIEW


@staged
async def test_a_body_that_is_too_large_or_none_is_refused(stage: Stage) -> None:
    where = await project(stage, ALONE, webhook_secret=SIGNED)

    assert (await knock(stage, where, "x" * 1_000_001)).status_code == 422
    told = await stage.call("get_project", PAT, project_id=where)
    assert told.data["has_webhook_secret"] is True
    assert SIGNED not in str(told)
