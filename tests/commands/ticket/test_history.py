"""The past of a ticket: the attempts of its phases, and each time that it was blocked."""

from typing import Any

from interlock.commands.ticket.history import Entry, told_attempts, told_occurrences
from tests.stage import ADA, PAT, Stage, staged
from tests.ticket_world import bring
from tests.tickets import claim, phase_of, started, status_of, work

Told = dict[str, Any]
SCAN = "SCANNING_RELEVANT_FILES"


async def fail(stage: Stage, name: str, reason: str) -> None:
    part = await claim(stage, name)
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"], "reason": reason}
    await stage.call("fail_work", ADA, **told)
    assert await phase_of(stage, name) == "BLOCKED_ERROR"


async def context_of(stage: Stage, name: str) -> Told:
    return dict((await stage.call("ticket_context", PAT, ticket_id=name)).data)


@staged
async def test_every_occurrence_says_what_was_wrong_and_how_it_was_resolved(stage: Stage) -> None:
    name = await started(stage)
    assert "occurrences" not in await status_of(stage, name)
    await fail(stage, name, "no model")
    await stage.call("retry", PAT, ticket_id=name, note="Try the other one.")
    await fail(stage, name, "timed_out: no answer")

    first, second = (await status_of(stage, name))["occurrences"]
    assert {word: first[word] for word in ("number", "code", "message", "previous_status")} == {
        "number": 1, "code": "work_failed", "message": "no model", "previous_status": SCAN,
    }  # fmt: skip
    assert (first["resolution"], first["resolved_by"]) == ("retried", "pat")
    assert first["at"] <= first["resolved_at"] <= second["at"]
    assert (second["number"], "resolution" in second) == (2, False)

    await stage.call("cancel", PAT, id=name, reason="enough")
    told = await context_of(stage, name)
    assert [one["resolution"] for one in told["occurrences"]] == ["retried", "cancelled"]
    assert [(one["phase"], one["attempt"]) for one in told["attempts"]] == [
        ("DRAFT", 1), (SCAN, 1), ("BLOCKED_ERROR", 1), (SCAN, 2), ("BLOCKED_ERROR", 2),
        ("CANCELED", 1),
    ]  # fmt: skip


@staged
async def test_members_outcomes_are_told_of_a_round_long_after_it(stage: Stage) -> None:
    name = await started(stage, members=("ann",))
    await work(stage, name)
    await fail(stage, name, "no model")
    await stage.call("retry", PAT, ticket_id=name)
    await work(stage, name)

    (one,) = (await status_of(stage, name))["occurrences"]
    assert (one["code"], one["members"]) == ("QUORUM_NOT_MET", {"ann": "failed"})


@staged
async def test_what_is_damaged_is_passed_over(stage: Stage) -> None:
    name = await started(stage)
    await fail(stage, name, "no model")
    before = (await context_of(stage, name))["attempts"]
    if isinstance(stage.where, str):
        await stage.sql("ALTER TABLE audit DISABLE TRIGGER ALL")
    else:
        await stage.sql("DROP TRIGGER audit_keeps_entries")
    await stage.sql("UPDATE audit SET body = '{' WHERE sequence = 3")

    assert (await context_of(stage, name))["attempts"] == before


def _entry(sequence: int, **body: object) -> Entry:
    return Entry(sequence, 100 + sequence, {"actor": {"kind": "user", "id": "pat"}, **body})


def moved(sequence: int, source: str, signal: str, target: str, **more: object) -> Entry:
    told = {"change": "move", "unit": True, "source": source, "signal": signal, "target": target}
    return _entry(sequence, **told, **more)


def test_reopening_resolves_an_occurrence_and_another_one_replaces_it() -> None:
    wrong = {"occurrence": 1, "error": {"code": "A", "message": ""}, "previous": SCAN}
    worse = {"occurrence": 2, "error": {"code": "B", "message": ""}, "previous": SCAN}
    told = told_occurrences([
        _entry(1, change="begin", unit=True),
        moved(2, SCAN, "ERROR", "BLOCKED_ERROR"),
        _entry(3, change="move", ids=("ticket-a.1",), source="offered", target="cancelled"),
        _entry(4, change="write", unit=True, set=wrong),
        _entry(5, change="write", unit=True, set=worse),
        _entry(6, change="write", unit=True, set={"previous": "CODING"}),
        moved(7, "BLOCKED_ERROR", "REOPEN_BEADS", "WAITING_BEADS_APPROVAL"),
    ])  # fmt: skip

    assert [(one["number"], one["code"], one["resolution"]) for one in told] == [
        (1, "A", "replaced"), (2, "B", "reopened"),
    ]  # fmt: skip
    assert [one["previous_status"] for one in told] == [SCAN, "CODING"]
    assert [(one["at"], one["resolved_at"]) for one in told] == [(104, 105), (105, 107)]


def test_a_phase_that_is_entered_from_itself_is_one_attempt() -> None:
    told = told_attempts([
        _entry(1, change="begin", unit=True),
        moved(2, "DRAFT", "START", "CODING"),
        moved(3, "CODING", "BEAD_COMPLETE", "CODING"),
        moved(4, "CODING", "ERROR", "BLOCKED_ERROR", reason="deadline"),
    ])  # fmt: skip

    assert [(one["phase"], one["first"], one.get("last"), one.get("by")) for one in told] == [
        ("DRAFT", 1, 1, "START"), ("CODING", 2, 3, "deadline"), ("BLOCKED_ERROR", 4, None, None),
    ]  # fmt: skip


@staged
async def test_the_ticket_can_be_read_as_it_stood_right_before_an_attempt_ended(
    stage: Stage,
) -> None:
    ticket = (await bring(stage, PAT, ADA, "approve", []))["ticket_id"]
    context = await stage.call("ticket_context", PAT, ticket_id=ticket)
    attempts: Any = context.data["attempts"]

    for one in attempts[:-1]:
        then = await stage.call("get_unit", PAT, id=ticket, at=one["last"])
        assert then.data["status"] == one["phase"]
    assert attempts[-1]["phase"] == context.status
