"""The last events are told newest first, in the words of users."""

from interlock.commands.plan.history import last_events, told
from interlock.commands.row import Call
from tests.stage import ADA, Stage, staged


@staged
async def test_the_last_events_come_first(stage: Stage) -> None:
    plan = await stage.plan(1)
    await stage.claim(plan)
    row = (await stage.whole(plan)).row

    events = await last_events(Call(stage.engine, ADA), row, 2)

    assert [event["sequence"] for event in events] == [row.version, row.version - 1]
    assert events[0]["types"] == ["step_started"]


def test_an_entry_is_told_without_what_only_machines_need() -> None:
    body = (
        '{"actor":{"id":"a","kind":"agent"},"at":5,"change":"move","event":"fail_step",'
        '"ids":["p.1"],"kind":"step","reason":"fail_step","sequence":3,"signal":"fail",'
        '"source":"in_progress","target":"failed"}'
    )

    assert told(body) == {
        "sequence": 3, "at": 5, "types": ["step_failed"], "event": "fail_step",
        "actor": {"id": "a", "kind": "agent"}, "step_ids": ["p.1"], "from": "in_progress",
        "to": "failed", "reason": "fail_step", "command": "modify_plan fail_step",
    }  # fmt: skip
