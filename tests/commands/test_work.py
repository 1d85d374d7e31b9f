"""The generic verbs: work of any workflow, what there is, why it stands there, what happened."""

from dataclasses import replace
from typing import cast

import pytest

from interlock import __version__
from interlock.errors import InterlockError
from interlock.service.errors import InvalidInput
from tests.missions import equip, finish, launch
from tests.stage import ADA, BOB, DAY_MS, EVE, HOME, PAT, Stage, staged

Row = dict[str, object]


@staged
async def test_work_comes_with_its_fields_and_a_lease_and_is_handed_in_with_it(
    stage: Stage,
) -> None:
    ticket = await stage.ticket()

    answer = await stage.call("get_next_work", role="workspace")

    part = cast("Row", answer.data["part"])
    fields = cast("Row", part["fields"])
    assert (answer.status, part["part_id"], part["kind"]) == (
        "claimed",
        f"{ticket}.1",
        "assignment",
    )
    assert (fields["role"], fields["task"], fields["member"]) == ("workspace", "init", "")
    assert not {"holder", "fence", "lapsed"} & set(fields)
    lease = cast("Row", part["lease"])["token"]
    assert "submit_work" in answer.legal_moves

    done = await stage.call("submit_work", part_id=part["part_id"], lease=lease, answer={})
    assert done.status == "SCANNING_RELEVANT_FILES"
    (kept,) = await stage.engine.store.artifacts(HOME, ticket)
    assert (kept.name, kept.part, kept.mark) == ("answer", 1, "")


@staged
async def test_where_there_is_no_work_that_is_said(stage: Stage) -> None:
    answer = await stage.call("get_next_work")

    assert (answer.status, answer.data) == ("no_work", {})
    assert "wait_s" in answer.next_action


@staged
async def test_a_step_is_work_like_any_other(stage: Stage) -> None:
    plan = await stage.plan(4)
    for verb, more in (
        ("submit_work", {"answer": {"n": 1}}),
        ("fail_work", {"reason": "no source"}),
        ("release_work", {"note": "later"}),
    ):
        answer = await stage.call("get_next_work", workflow="plan")
        part = cast("Row", answer.data["part"])
        lease = cast("Row", part["lease"])["token"]
        before = await stage.mark(plan)
        await stage.call("heartbeat_work", part_id=part["part_id"], lease=lease)
        assert (await stage.mark(plan))[:2] == before[:2]
        await stage.call(verb, part_id=part["part_id"], lease=lease, **more)

    assert await stage.standing(plan) == "executing: completed failed pending pending"


@staged
async def test_work_is_taken_over_once_it_has_expired(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, _ = await stage.claim(plan)
    told = {"part_id": step, "reason": "ada is gone"}
    assert (await stage.refused("take_over_work", BOB, **told)).code == "STEP_HELD"
    await stage.pass_ms(DAY_MS)

    answer = await stage.call("take_over_work", BOB, **told)

    lease = cast("Row", cast("Row", answer.data["part"])["lease"])
    assert lease["holder"] == "bob"


@staged
async def test_what_a_kind_of_part_does_not_know_is_told(stage: Stage) -> None:
    ticket = await stage.ticket()
    part = await stage.work()
    before = await stage.mark(ticket)

    no = await stage.refused("take_over_work", part_id=part, reason="r")

    assert (no.code, no.http) == ("INVALID_INPUT", 422)
    assert no.message == "The assignment knows no take_over."
    assert "submit, heartbeat, release, fail" in no.fix
    assert await stage.mark(ticket) == before


@staged
async def test_an_answer_cannot_hold_what_proves_a_lease(stage: Stage) -> None:
    step, lease = await stage.claim(await stage.plan(1))

    for name in ("fence", "result"):
        no = await stage.refused("submit_work", part_id=step, lease=lease, answer={name: 1})
        assert isinstance(no, InvalidInput)
        assert name in no.message


# -- reading -----------------------------------------------------------------------------------


@staged
async def test_an_explanation_shows_the_lease_its_holder_would_use(stage: Stage) -> None:
    plan = await stage.plan(2)
    step, lease = await stage.claim(plan)

    answer = await stage.call("explain", id=step)

    text = str(answer.data["text"])
    assert f"submit_step_result {step} --lease {lease} " in text
    assert "--fence" not in answer.model_dump_json()
    assert (answer.status, answer.data["holder"]) == ("in_progress", "ada")
    calls = cast("list[Row]", answer.data["calls"])
    assert answer.next_action == calls[0]["text"]


@staged
async def test_what_is_explained_can_be_called_as_it_stands(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    answer = await stage.call("explain", id=step)
    (told,) = {
        str(call["text"]).split(" --lease ")[1].split()[0]
        for call in cast("list[Row]", answer.data["calls"])
        if " --lease " in str(call["text"])
    }

    assert told == lease
    assert (await stage.call("heartbeat_step", step_id=step, lease=told)).status == "executing"


@staged
async def test_a_unit_is_explained_too(stage: Stage) -> None:
    plan = await stage.plan(1)

    answer = await stage.call("explain", id=plan)

    assert (answer.status, answer.data["kind"]) == ("planning", "plan")
    assert str(answer.data["text"]).startswith("The plan is planning.")


@staged
async def test_units_are_listed_page_by_page_the_last_changed_first(stage: Stage) -> None:
    made = []
    for place in range(5):
        stage.clock.pass_ms(1)
        made.append(await stage.plan(1, name=f"Plan {place}"))
    stage.clock.pass_ms(1)
    ticket = await stage.ticket(tags=("red",))
    seen: list[str] = []
    more: Row = {}
    while True:
        page = await stage.call("list_units", limit=2, **more)
        seen += [str(row["id"]) for row in cast("list[Row]", page.data["units"])]
        if "cursor" not in page.data:
            break
        more = {"cursor": page.data["cursor"]}

    assert sorted(seen) == sorted([*made, ticket])
    assert seen[0] == ticket
    only = await stage.call("list_units", workflow="ticket")
    (row,) = cast("list[Row]", only.data["units"])
    assert (row["id"], row["status"], row["tags"]) == (ticket, "DRAFT", ("red",))


@staged
async def test_what_is_no_cursor_is_refused(stage: Stage) -> None:
    for cursor in ("x", "1", "1.", "-1.plan-0", "\uff11.plan-0", "1e9.plan-0", "9" * 150):
        no = await stage.refused("list_units", cursor=cursor)
        assert (no.code, no.message) == ("INVALID_INPUT", "This is no cursor.")


@staged
async def test_the_audit_is_read_from_any_entry_on(stage: Stage) -> None:
    plan = await stage.plan(2)
    await stage.claim(plan)

    whole = cast("list[Row]", (await stage.call("get_audit", id=plan)).data["entries"])
    rest = cast("list[Row]", (await stage.call("get_audit", id=plan, after=2)).data["entries"])
    last = (await stage.whole(plan)).row.version
    none = await stage.call("get_audit", id=plan, after=last)

    assert [row["sequence"] for row in whole] == list(range(1, last + 1))
    assert rest == whole[2:]
    assert none.data["entries"] == []


@staged
async def test_an_audit_that_is_not_yours_is_not_there_whatever_the_place(stage: Stage) -> None:
    plan = await stage.plan(1, EVE)

    for by, after in ((ADA, 0), (ADA, 5), (PAT, 2**53)):
        no = await stage.refused("get_audit", by, id=plan, after=after)
        assert no.code == "NOT_FOUND"


@staged
async def test_a_store_that_is_closed_is_told(stage: Stage) -> None:
    plan = await stage.plan(1)
    await stage.engine.store.close()

    for command, told in (("get_next_step", {"plan_id": plan}), ("explain", {"id": plan})):
        with pytest.raises(InterlockError) as no:
            await stage.call(command, ADA, **told)
        assert (no.value.code, no.value.retryable) == ("STORE_UNAVAILABLE", True)


@staged
async def test_ping_says_who_you_are_for_whom_and_what_answers(stage: Stage) -> None:
    answer = await stage.call("ping", replace(ADA, on_behalf_of="pat"))

    assert (answer.status, answer.data) == (
        "ok",
        {
            "kind": "agent", "id": "ada", "on_behalf_of": "pat", "tenant": HOME,
            "scopes": ["read", "work"], "version": __version__,
        },
    )  # fmt: skip


@staged
async def test_a_unit_is_read_with_a_page_of_its_parts(stage: Stage) -> None:
    plan = await stage.plan(3)
    await stage.claim(plan)

    answer = await stage.call("get_unit", id=plan, after=1, limit=1)
    whole = await stage.call("get_unit", id=plan)

    (part,) = cast("list[Row]", answer.data["parts"])
    assert (part["part_id"], part["kind"], part["status"]) == (f"{plan}.2", "step", "pending")
    assert cast("Row", part["fields"])["instructions"] == "find out 2"
    assert (answer.status, answer.data["total_parts"]) == ("executing", 3)
    assert [row["part_id"] for row in cast("list[Row]", whole.data["parts"])] == [
        f"{plan}.{number}" for number in (1, 2, 3)
    ]
    assert "fence" not in str(whole.data["parts"])
    assert (await stage.refused("get_unit", id=f"{plan}.1")).code == "NOT_FOUND"
    assert (await stage.refused("get_unit", EVE, id=plan)).code == "NOT_FOUND"


@staged
async def test_a_list_can_be_of_one_status_one_tag_or_what_is_open(stage: Stage) -> None:
    ended, tagged = await stage.plan(1), await stage.plan(1, tags=["red"])
    await stage.call("fail_plan", PAT, plan_id=ended, reason="enough")

    async def listed(**told: object) -> list[str]:
        rows = cast(
            "list[dict[str, object]]", (await stage.call("list_units", **told)).data["units"]
        )
        return [str(row["id"]) for row in rows]

    assert await listed(status="failed") == [ended]
    assert await listed(tag="red") == [tagged]
    assert await listed(is_open=True) == [tagged]
    assert await listed(is_open=True, status="failed") == []


@staged
async def test_a_unit_is_told_as_it_stood_after_an_entry(stage: Stage) -> None:
    plan = await stage.plan(3)
    before = await stage.call("get_unit", id=plan)
    await stage.claim(plan)
    now = await stage.call("get_unit", id=plan)
    version = before.data["version"]
    then = await stage.call("get_unit", id=plan, at=version, after=1, limit=1)

    assert (before.data["at"], before.data["is_past"]) == (version, False)
    assert (then.data["at"], then.data["is_past"]) == (version, True)
    assert (then.status, then.legal_moves, now.status) == ("planning", (), "executing")
    assert then.data["at_time"] == before.data["changed_at"]
    assert then.data["parts"] == before.data["parts"][1:2]  # type: ignore[index]  # our own answer
    assert then.data["total_parts"] == 3
    again = await stage.call("get_unit", id=plan, at=now.data["version"])
    assert (again.data, again.legal_moves) == (now.data, now.legal_moves)
    for at in (0, -3, 99):
        assert (await stage.refused("get_unit", id=plan, at=at)).code == "NO_SUCH_MOMENT"
    assert (await stage.refused("get_unit", EVE, id=plan, at=1)).code == "NOT_FOUND"


@staged
async def test_it_is_explained_when_the_clock_ends_the_waiting(stage: Stage) -> None:
    equip(stage)
    inputs = [{"name": "numbers", "content": [1], "ttl_s": 7200}]
    mission, _ = await launch(stage, inputs=inputs, recovery_deadline_s=3 * 3600 + 60)
    await finish(stage, mission, failure="validation", error={"message": "no good"})

    held = (await stage.call("explain", PAT, id=mission)).data
    assert "in 3 h: then the clock sends abandon_recovery." in str(held["text"])
    assert held["until"] == (await stage.whole(mission)).due[mission]
    ready = (await stage.call("explain", PAT, id=f"{mission}.1")).data
    assert "then the clock sends expire_asset." in str(ready["text"])
    assert "until" not in (await stage.call("explain", PAT, id=f"{mission}.2")).data
