"""A ticket is built by reports: each phase by its own, judged, filed, and told to whoever asks."""

import json

import pytest

from interlock.errors import InterlockError
from interlock.ticketing.execution.judge import HeadMoved
from tests import reports
from tests.building import REVIEW, SETUP, brought, done, report, take, to
from tests.reports import BASE, SITE, commit, run
from tests.stage import PAT, Stage, staged
from tests.tickets import Told, phase_of, status_of


async def filed(stage: Stage, name: str, document: str) -> Told:
    """Read a report that was filed."""
    digest = (await status_of(stage, name))["documents"][document]
    found = await stage.call("get_content", PAT, id=name, digest=digest, limit=50_000)
    told: Told = json.loads(str(found.data["content"]))
    return told


@staged
async def test_a_ticket_is_built_from_its_checks_to_its_end(stage: Stage) -> None:
    name = await brought(stage, "PRE_FLIGHT_CHECK")
    first = await status_of(stage, name)
    assert first["tree"]["head"] == first["tree"]["base_commit"] == BASE
    assert first["site"] == SITE

    last = await to(stage, name, "COMPLETED")

    head = commit(commit(commit(BASE, "sell-apples"), "count-apples"), "test")
    assert last["tree"]["head"] == head
    assert last["tree"]["candidate"] == commit(head, "candidate")
    assert last["pull_request"]["state"] == "merged"
    assert {"preflight_report", "execution_setup_plan", "execution_setup_report",
            "execution_setup_profile", "final_test_report", "integration_report",
            "pull_request_report", "merge_report", "cleanup_report"} <= set(last["documents"])  # fmt: skip
    assert [one["commit"] for one in last["beads"]] == [
        commit(BASE, "sell-apples"), commit(commit(BASE, "sell-apples"), "count-apples"),
    ]  # fmt: skip
    assert last["spent"]["attempts"] == 4


@staged
async def test_a_bead_is_told_what_it_needs_and_nothing_of_others(stage: Stage) -> None:
    name = await brought(stage, "CODING")
    task = (await take(stage, name))["task"]

    assert task["bead"] == {
        "id": "sell-apples", "title": "Do sell-apples", "test_commands": ["pytest"],
        "target_files": ["shop.py"],
    }  # fmt: skip
    assert (task["role"], task["task"], task["reach"]) == ("implementer", "code", "write")
    assert task["member"]["name"] == "ann"
    assert (task["number"], task["tries_max"], task["finalise"]) == (1, 5, None)
    assert task["tree"] == {
        "branch": "interlock/apples", "base_commit": BASE, "head": BASE, "candidate": "",
    }  # fmt: skip
    assert task["project"]["forge"] == {"kind": "local"}
    assert "sell-apples" in task["prompt"]["text"]
    assert "count-apples" not in task["prompt"]["text"]
    assert "No apples." not in task["prompt"]["text"]  # the PRD is not for builders


@staged
async def test_a_red_bead_is_an_attempt_and_leaves_its_note(stage: Stage) -> None:
    name = await brought(stage, "CODING")
    part = await take(stage, name)
    told = reports.code(part["task"], runs=[run(exit_code=1)])
    answer = await report(stage, part, told)

    assert answer.data["verdict"] == {
        "is_good": False, "reason": "tests_failed", "message": "“pytest” ended with 1.",
    }  # fmt: skip
    assert answer.data["tree"]["head"] == BASE
    again = await take(stage, name)
    assert (again["part_id"], again["task"]["number"]) == (part["part_id"], 2)
    assert "tests_failed" in again["task"]["prompt"]["text"]
    assert "“pytest” ended with 1." in again["task"]["prompt"]["text"]


@staged
async def test_the_last_red_attempt_blocks_the_ticket(stage: Stage) -> None:
    name = await brought(stage, "CODING", limits={"tries_max": 2})
    for _ in range(2):
        await done(stage, name, {"code": lambda task: reports.code(task, runs=[])})

    error = (await status_of(stage, name))["error"]
    assert (error["code"], error["previous_status"]) == ("BEAD_ERROR", "CODING")
    assert error["message"].startswith("sell-apples: ")


@staged
async def test_what_builds_on_another_commit_is_refused_and_can_be_sent_again(stage: Stage) -> None:
    name = await brought(stage, "CODING")
    part = await take(stage, name)
    with pytest.raises(HeadMoved) as no:
        await report(stage, part, reports.code(part["task"], parent="d" * 40))

    assert no.value.details["head"] == BASE
    answer = await report(stage, part, reports.code(part["task"]))
    assert answer.data["tree"]["head"] == commit(BASE, "sell-apples")


@staged
async def test_a_report_about_another_bead_is_refused_and_an_answer_about_one_fails(
    stage: Stage,
) -> None:
    name = await brought(stage, "CODING")
    part = await take(stage, name)
    told = reports.code(part["task"])
    with pytest.raises(InterlockError, match=r"bead_id"):
        await report(stage, part, told | {"bead_id": "count-apples"})
    told["answer"]["bead_id"] = "count-apples"
    answer = await report(stage, part, told)

    assert answer.data["verdict"]["reason"] == "wrong_bead"
    assert (await status_of(stage, name))["beads"][0]["status"] == "pending"


@staged
async def test_checks_that_fail_are_all_told(stage: Stage) -> None:
    name = await brought(stage, "PRE_FLIGHT_CHECK")
    bad = [
        {"name": one, "category": "agent", "result": "fail", "message": f"{one} is silent"}
        for one in ("claude", "codex")
    ]
    await done(stage, name, {"check": lambda _: {"checks": bad}})

    error = (await status_of(stage, name))["error"]
    assert error["code"] == "CHECKS_FAILED"
    assert "claude is silent" in error["message"]
    assert "codex is silent" in error["message"]
    kept = await filed(stage, name, "preflight_report")
    assert kept["verdict"]["is_good"] is False
    assert {one["name"] for one in kept["checks"]} >= {"claude", "graph", "approvals", "band"}


@staged
async def test_a_setup_that_fails_is_tried_again_in_time_of_its_own(stage: Stage) -> None:
    name = await brought(stage, "PREPARING_EXECUTION_ENV", limits={"tries_max": 2})
    part = await take(stage, name)
    assert part["task"]["plan"]["steps"][0]["id"] == "install"
    await stage.pass_ms(60_000)
    stage.clock.pass_ms(60_000)
    until = (await status_of(stage, name))["work_until"]
    failed = reports.prepare({}) | {"status": "failed", "note": "no compiler"}
    answer = await report(stage, part, failed)

    assert answer.data["part"]["status"] == "claimed"
    assert (answer.data["attempt"], answer.data["tries_max"]) == (2, 2)
    assert answer.next_action.startswith("It is still yours")
    assert (await status_of(stage, name))["work_until"] >= until + 59_000
    last = await report(stage, part, failed)
    assert last.data["part"]["status"] == "failed"
    error = (await status_of(stage, name))["error"]
    assert (error["code"], error["message"]) == ("EXECUTION_SETUP_FAILED", "no compiler")


@staged
async def test_a_final_test_moves_the_head_only_when_it_has_passed(stage: Stage) -> None:
    name = await brought(stage, "RUNNING_FINAL_TEST")
    part = await take(stage, name)
    head = part["task"]["tree"]["head"]
    red = reports.final(part["task"], runs=[run(exit_code=2)])
    answer = await report(stage, part, red)
    assert (answer.data["tree"]["head"], answer.data["attempt"]) == (head, 2)

    good = await report(stage, part, reports.final(part["task"]))

    assert good.data["tree"]["head"] == commit(head, "test")
    assert await phase_of(stage, name) == "INTEGRATING_CHANGES"


@staged
async def test_a_candidate_and_a_request_are_of_the_head(stage: Stage) -> None:
    name = await brought(stage, "INTEGRATING_CHANGES")
    part = await take(stage, name)
    with pytest.raises(HeadMoved):
        await report(stage, part, reports.integrate(part["task"]) | {"before": BASE})
    await report(stage, part, reports.integrate(part["task"]))
    part = await take(stage, name)
    with pytest.raises(HeadMoved):
        await report(stage, part, reports.publish(part["task"]) | {"head": BASE})
    await report(stage, part, reports.publish(part["task"]))

    assert await phase_of(stage, name) == REVIEW


@staged
async def test_a_merge_that_is_not_possible_blocks(stage: Stage) -> None:
    name = await brought(stage, REVIEW)
    await stage.call("merge", PAT, ticket_id=name)
    await done(stage, name, {"merge": lambda _: {"merged": False, "reason": "a conflict"}})

    error = (await status_of(stage, name))["error"]
    assert (error["code"], error["message"]) == ("MERGE_FAILED", "a conflict")


@staged
async def test_a_green_attempt_that_was_not_committed_is_finished_without_building_again(
    stage: Stage,
) -> None:
    name = await brought(stage, "CODING")
    green = {"status": "failed", "reason": "commit_failed", "commit": ""}
    await done(stage, name, {"code": lambda task: reports.code(task, **green)})
    error = (await status_of(stage, name))["error"]
    assert error["code"] == "COMMIT_FAILED"
    await stage.call("retry", PAT, ticket_id=name, note="The disk has room again.")
    part = await take(stage, name)
    assert part["task"]["finalise"] == {"bead": "sell-apples", "tree": commit("tree", BASE)}
    await report(stage, part, {"restored": True, "finalise": True})
    bead = await take(stage, name)

    assert bead["task"]["finalise"] == {"tree": commit("tree", BASE)}
    answer = await report(stage, bead, reports.code(bead["task"], answer=None))
    assert answer.data["verdict"]["is_good"] is True
    assert (await status_of(stage, name))["beads"][0]["status"] == "done"


@staged
async def test_a_tree_that_is_not_what_was_green_is_built_anew(stage: Stage) -> None:
    name = await brought(stage, "CODING")
    green = {"status": "failed", "reason": "commit_failed", "commit": ""}
    await done(stage, name, {"code": lambda task: reports.code(task, **green)})
    await stage.call("retry", PAT, ticket_id=name, note="Again.")
    await report(stage, await take(stage, name), {"restored": True, "finalise": False})
    bead = await take(stage, name)

    assert bead["task"]["finalise"] is None
    assert "Again." in bead["task"]["prompt"]["text"]
    with pytest.raises(InterlockError):
        await report(stage, bead, reports.code(bead["task"], answer=None))


@staged
async def test_work_in_the_tree_is_for_its_site_alone(stage: Stage) -> None:
    name = await brought(stage, "PRE_FLIGHT_CHECK")
    for site in ("", "site-2"):
        found = await stage.call("get_next_work", workflow="ticket", site=site)
        assert found.status == "no_work"
    await done(stage, name)
    assert await phase_of(stage, name) == SETUP
    assert (await take(stage, name, site=""))["task"]["task"] == "plan"
