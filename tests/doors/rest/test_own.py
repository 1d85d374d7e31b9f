"""Bytes and drawings: given out so that no browser takes them for a page of ours."""

from hashlib import sha256

import pytest

from interlock.service.keep import Content, keep
from tests.doors.rest.calling import on, problem, token
from tests.stage import ADA, EVE, Stage, staged

EVIL = b"<script>alert(1)</script>"


async def kept(stage: Stage, media: str, name: str = "a page") -> str:
    plan = await stage.plan(1)
    await keep(stage.engine, ADA, Content(plan, name, EVIL, media))
    return f"/v1/units/{plan}/artifacts/{sha256(EVIL).hexdigest()}/content"


@pytest.mark.parametrize(
    ("media", "shown"),
    [
        ("text/plain", "text/plain; charset=utf-8"), ("application/json", "application/json"),
        ("text/plain; charset=utf-7", "text/plain; charset=utf-8"),
        ("text/html", ""), ("image/svg+xml", ""), ("text/markdown", ""), ("TEXT/HTML", ""),
        ("application/javascript", ""), ("", ""), ("text/plain, text/html", ""),
    ],
)  # fmt: skip
@staged
async def test_only_plain_text_and_json_are_shown(stage: Stage, media: str, shown: str) -> None:
    async with on(stage) as client:
        answer = await client.get(await kept(stage, media, 'a/"ü\r\nX: y'))

    assert (answer.status_code, answer.content) == (200, EVIL)
    assert answer.headers["content-type"] == (shown or "application/octet-stream")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    saved = answer.headers.get("content-disposition", "")
    assert saved == ("" if shown else "attachment; filename*=UTF-8''%22%C3%BC%0D%0AX%3A%20y")
    assert "x" not in answer.headers


@staged
async def test_bytes_have_a_tag_and_belong_to_one_tenant(stage: Stage) -> None:
    path = await kept(stage, "text/plain")
    async with on(stage) as client:
        tag = (await client.get(path)).headers["etag"]
        assert (await client.get(path, headers={"If-None-Match": tag})).status_code == 304
        absent = problem(await client.get(path.replace("/content", "x/content")), 404)
        assert problem(await client.get(f"{path}?a=1"), 422)["code"] == "INVALID_INPUT"
    async with on(stage, await token(stage, by=EVE)) as stranger:
        assert problem(await stranger.get(path), 404)["code"] == absent["code"] == "NOT_FOUND"
    async with on(stage, await token(stage, "agent", "work")) as worker:
        assert problem(await worker.get(path), 403)["code"] == "NOT_ALLOWED"


@staged
async def test_every_workflow_is_drawn(stage: Stage) -> None:
    async with on(stage) as client:
        answer = await client.get("/v1/workflows/plan/drawing")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
        assert answer.text.startswith("<svg")
        tag = {"If-None-Match": answer.headers["etag"]}
        assert (await client.get("/v1/workflows/plan/drawing", headers=tag)).status_code == 304
        problem(await client.get("/v1/workflows/nope/drawing"), 404)
