"""What is read beside the units: leases, artifacts and their content, calls."""

from base64 import b64decode
from hashlib import sha256
from typing import cast

import pytest

from interlock.service.calls import CallLog, ToolCall
from interlock.service.keep import Content, keep
from tests.stage import ADA, BOB, EVE, HOME, PAT, Stage, staged

Rows = list[dict[str, object]]


async def all_pages(
    stage: Stage, command: str, name: str, /, limit: int, **told: object
) -> tuple[int, Rows]:
    """Read a list to its end; return how many pages it had, and its rows."""
    rows: Rows = []
    pages, cursor = 0, None
    while True:
        given = told if cursor is None else {**told, "cursor": cursor}
        found = (await stage.call(command, PAT, limit=limit, **given)).data
        rows += cast("Rows", found[name])
        pages, cursor = pages + 1, found.get("cursor")
        if cursor is None:
            return pages, rows


@staged
async def test_leases_are_listed_by_their_end_page_by_page(stage: Stage) -> None:
    plan, other = await stage.plan(3, max_parallel_steps=3), await stage.plan(1)
    held = [(await stage.claim(plan, by))[0] for by in (ADA, BOB)]
    await stage.pass_ms(1_000)
    held.append((await stage.claim(other, BOB))[0])
    await stage.claim(await stage.plan(1, EVE), EVE)

    pages, rows = await all_pages(stage, "list_leases", "leases", limit=2)
    _, own = await all_pages(stage, "list_leases", "leases", limit=1, unit_id=plan)

    assert (pages, [row["part_id"] for row in rows]) == (2, held)
    assert [row["holder"] for row in rows] == ["ada", "bob", "bob"]
    whole = await stage.whole(plan)
    assert rows[0] == {
        "part_id": held[0], "unit_id": plan, "workflow": "plan", "kind": "step",
        "status": "in_progress", "holder": "ada", "until": whole.due[held[0]],
    }  # fmt: skip
    assert own == rows[:2]


@staged
async def test_a_lease_that_was_given_back_or_ran_out_is_none(stage: Stage) -> None:
    plan = await stage.plan(2, max_parallel_steps=2)
    first, lease = await stage.claim(plan)
    await stage.claim(plan, BOB)
    await stage.call("release_step", step_id=first, lease=lease)
    assert len(cast("Rows", (await stage.call("list_leases")).data["leases"])) == 1

    await stage.pass_ms(3600 * 1000)
    await stage.call("get_plan_status", plan_id=plan)
    assert (await stage.call("list_leases")).data == {"leases": []}


@pytest.mark.parametrize("cursor", ["x", "1", "1.", "1.x", "1.plan-0", "1.plan-0.x", "-1.p.1"])
@staged
async def test_what_no_list_has_given_is_no_cursor(stage: Stage, cursor: str) -> None:
    plan = await stage.plan(1)

    assert (await stage.refused("list_leases", cursor=cursor)).code == "INVALID_INPUT"
    if cursor != "1.":
        no = await stage.refused("list_artifacts", id=plan, cursor=cursor)
        assert no.code == "INVALID_INPUT"


@staged
async def test_artifacts_are_listed_with_every_version_page_by_page(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    for title, text in (("b.1", "x"), ("a", "y"), ("a", "z")):
        told = {"artifact_type": "notes", "title": title, "content": text}
        await stage.call("store_research", plan_id=plan, **told)
    await stage.call("submit_step_result", step_id=step, lease=lease, result_summary="s")

    pages, rows = await all_pages(stage, "list_artifacts", "artifacts", id=plan, limit=1)

    assert pages == 4
    found = [(row["name"], row["version"], row.get("part_id")) for row in rows]
    assert found == [
        ("notes/a", 1, None), ("notes/a", 2, None), ("notes/b.1", 1, None), ("result", 1, step),
    ]  # fmt: skip
    assert rows[0]["digest"] == sha256(b"y").hexdigest()
    assert (rows[0]["media_type"], rows[0]["author"], rows[0]["size"]) == ("text/plain", "ada", 1)


@staged
async def test_text_is_read_as_it_is_and_anything_else_in_base64(stage: Stage) -> None:
    plan = await stage.plan(1)
    for name, content in (("text", "grün".encode()), ("raw", b"\xff\x00\x01")):
        await keep(stage.engine, ADA, Content(plan, name, content, "application/x-thing"))

    text = sha256("grün".encode()).hexdigest()
    first = (await stage.call("get_content", id=plan, digest=text, limit=3)).data
    rest = (await stage.call("get_content", id=plan, digest=text, offset=3)).data
    raw = (
        await stage.call("get_content", id=plan, digest=sha256(b"\xff\x00\x01").hexdigest())
    ).data

    assert (first["content"], first["next_offset"], first["length"]) == ("grü", 3, 4)
    assert (rest["content"], "next_offset" in rest, rest["encoding"]) == ("n", False, "text")
    assert (b64decode(str(raw["content"])), raw["encoding"]) == (b"\xff\x00\x01", "base64")
    no = await stage.refused("get_content", EVE, id=plan, digest=text)
    assert no.code == "NOT_FOUND"


@staged
async def test_calls_are_for_admins_and_of_their_own_tenant(stage: Stage) -> None:
    log = CallLog(stage.engine.store, stage.clock)
    for number in range(3):
        log.put(ToolCall("ping", {"n": number}, {"status": "ok"}, 1.6, number == 1, ADA, "rest"))
    log.put(ToolCall("ping", {}, {}, 1, is_error=False, principal=EVE))
    await log.close()

    pages, rows = await all_pages(stage, "list_calls", "calls", limit=2)

    assert (pages, len(rows)) == (2, 3)
    assert sorted(cast("dict[str, int]", row["request"])["n"] for row in rows) == [0, 1, 2]
    told = next(row for row in rows if row["failed"])
    assert (told["command"], told["channel"], told["duration_ms"]) == ("ping", "rest", 2)
    assert told["actor"] == {"kind": "agent", "id": "ada", "session": ""}
    assert (await stage.refused("list_calls", ADA)).code == "NOT_ALLOWED"
    assert len(await stage.engine.store.calls(HOME, None, 10)) == 3
