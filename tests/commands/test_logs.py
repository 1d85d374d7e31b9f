"""Lines about work: told by who holds it, read by everybody, a page at a time."""

from typing import Any

from tests.stage import ADA, PAT, Stage, staged
from tests.ticket_world import take
from tests.tickets import started

Told = dict[str, Any]


@staged
async def test_lines_of_an_assignment_are_its_member_s(stage: Stage) -> None:
    ticket = await started(stage)
    part = await take(stage, ADA, [])
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    lines = [{"at": n, "text": f"line {n}"} for n in (1, 2, 3)]
    said = await stage.call("append_log", ADA, **told, lines=lines)
    assert said.data["last"] == 3

    first = await stage.call("read_logs", PAT, id=ticket, member="ann", limit=2)
    rest = await stage.call("read_logs", PAT, id=ticket, after=first.data["last"])

    rows: Any = first.data["lines"]
    assert rows[0] == {
        "number": 1, "part_id": part["part_id"], "member": "ann", "at": 1, "stream": "out",
        "text": "line 1",
    }  # fmt: skip
    assert (first.data["is_whole"], rest.data["is_whole"], rest.data["last"]) == (False, True, 3)
    assert (await stage.call("read_logs", PAT, id=ticket, member="ben")).data["lines"] == []


@staged
async def test_lines_stay_once_the_assignment_is_gone(stage: Stage) -> None:
    ticket = await started(stage)
    part = await take(stage, ADA, [])
    told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    await stage.call("append_log", ADA, **told, lines=[{"at": 1, "text": "begun"}])
    await stage.call("fail_work", ADA, **told, reason="no")
    await stage.call("retry", PAT, ticket_id=ticket)

    found = await stage.call("read_logs", PAT, id=ticket, part_id=part["part_id"])

    lines: Any = found.data["lines"]
    assert len(lines) == 1
    assert (
        await stage.refused("append_log", ADA, **told, lines=[{"at": 2, "text": "x"}])
    ).http == 404


@staged
async def test_a_part_is_no_unit(stage: Stage) -> None:
    plan = await stage.plan(1)

    assert (await stage.refused("read_logs", PAT, id=f"{plan}.1")).code == "NOT_FOUND"
