"""A person or agent who asks is told who must do what, since when, and how it is said."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, cast

import pytest

from interlock.commands.mission.waits import ROWS
from interlock.service.engine import clockwork
from interlock.service.order import Asked, Order
from interlock.service.run import advance
from interlock.workflows.mission.waiting import STATES
from tests.missions import (
    begin,
    build,
    design,
    digest_of,
    equip,
    execute,
    finish,
    launch,
    pend,
    propose,
    take,
)
from tests.stage import BOB, DAY_MS, HOME, PAT, Stage, staged

Told = dict[str, Any]
MINUTE = 60_000


async def _changes(stage: Stage, mission: str) -> str:
    hop = await build(stage, mission)
    await stage.call("request_changes", PAT, hop_id=hop, reason="not so")
    return hop


async def _proposed(stage: Stage) -> str:
    return await propose(stage)


async def _no_proposal(stage: Stage) -> str:
    return await begin(stage)


async def _goal_reached(stage: Stage) -> str:
    mission, hop = await launch(stage)
    await stage.call("set_asset", PAT, asset_id=f"{mission}.2", content=6)
    await stage.call("mark_hop_complete", PAT, hop_id=hop, reason="known")
    return mission


async def _pending(stage: Stage) -> str:
    mission = await begin(stage)
    await pend(stage, mission)
    return mission


async def _asked(stage: Stage) -> str:
    mission = await begin(stage)
    await _changes(stage, mission)
    return mission


async def _revising(stage: Stage) -> str:
    mission = await _asked(stage)
    await take(stage, mission, "hop")
    return mission


async def _revised(stage: Stage) -> str:
    mission = await begin(stage)
    hop = await _changes(stage, mission)
    _, lease = await take(stage, mission, "hop")
    await stage.call("revise_hop", hop_id=hop, lease=lease, goal="Better.")
    return mission


async def _to_resolve(stage: Stage) -> str:
    mission = await begin(stage)
    await build(stage, mission)
    return mission


async def _resolving(stage: Stage) -> str:
    mission = await _to_resolve(stage)
    await take(stage, mission, "hop")
    return mission


async def _silent(stage: Stage) -> str:
    mission = await _resolving(stage)
    clock = clockwork(HOME).actor()
    lapse = Asked("lapse_hop", f"{mission}.4")
    await advance(stage.engine, Order(HOME, clock, mission, (lapse,), lambda _: {}))
    return mission


async def _designed(stage: Stage) -> str:
    mission = await _to_resolve(stage)
    await design(stage, mission)
    return mission


async def _without_input(stage: Stage) -> str:
    mission = await begin(stage, inputs=[{"name": "numbers"}])
    await build(stage, mission)
    return mission


async def _to_run(stage: Stage) -> str:
    return (await launch(stage))[0]


async def _blocked(stage: Stage) -> str:
    mission = await _to_run(stage)
    # As if its time to live had ended.
    await stage.sql("UPDATE parts SET status = 'EXPIRED' WHERE number = 1")
    return mission


async def _runs(stage: Stage) -> str:
    mission = await _to_run(stage)
    await take(stage, mission, "tool_step")
    return mission


async def _again(stage: Stage) -> str:
    mission = await _to_run(stage)
    await finish(stage, mission, failure="transient", error={"message": "slow"})
    return mission


async def _lost(stage: Stage) -> str:
    mission = await _runs(stage)
    clock = clockwork(HOME).actor()
    lapse = Asked("lapse_tool_step", f"{mission}.5")
    await advance(stage.engine, Order(HOME, clock, mission, (lapse,), lambda _: {}))
    return mission


async def _held(stage: Stage) -> str:
    mission = await _to_run(stage)
    await finish(stage, mission, failure="validation", error={"message": "no rows"})
    return mission


WAYS: dict[str, Callable[[Stage], Awaitable[str]]] = {
    "mission proposed": _proposed, "no proposal": _no_proposal, "goal reached": _goal_reached,
    "proposal pending": _pending, "changes asked for": _asked, "revision under way": _revising,
    "proposal revised": _revised, "to be resolved": _to_resolve,
    "resolution under way": _resolving, "resolver silent": _silent, "design shown": _designed,
    "input missing": _without_input, "step to be run": _to_run, "step blocked": _blocked,
    "step runs": _runs, "step tried again": _again, "runner lost": _lost, "held": _held,
}  # fmt: skip
"""How a mission comes to wait in each way."""


def test_every_way_to_wait_is_tried() -> None:
    assert set(WAYS) == set(STATES)


@pytest.mark.parametrize("state", WAYS)
@staged
async def test_who_must_do_what_and_since_when(stage: Stage, state: str) -> None:
    equip(stage)
    stage.engine = replace(stage.engine, site="http://here")
    mission = await WAYS[state](stage)
    answer = await stage.call("explain", PAT, id=mission)

    found = {one["state"]: one for one in cast("list[Told]", answer.data["waits"])}
    told = found[state]
    text = str(answer.data["text"])
    assert told["what"] in text
    assert str(told["url"]).startswith("http://here/")
    assert told["url"] in text
    changed = (await stage.whole(mission)).row.changed_at
    assert 0 < cast("int", told["since"]) <= changed
    assert set(told["who"]) <= {"user", "agent", "worker"}
    for call in told["calls"]:
        name = call["command"]
        assert f"      {name} " in text
        assert name in ROWS or name in ("get_next_work", "release_work")
        if name in ROWS:
            assert set(call["arguments"]) <= set(ROWS[name].takes.model_fields)
            assert ("command_line" in call) == bool(ROWS[name].words or "gate_id" in told)
    assert answer.next_action.endswith(".")
    assert "{" not in told["what"]
    assert " None" not in told["what"]


@pytest.mark.parametrize(
    ("state", "command", "stands"),
    [
        ("mission proposed", "accept_mission", "READY_FOR_NEXT_HOP"),
        ("proposal pending", "accept_hop", "BUILDING_HOP"),
        ("design shown", "execute_hop", "EXECUTING_HOP"),
        ("held", "fix_hop", "BUILDING_HOP"),
    ],
)
@staged
async def test_what_is_told_can_be_sent_as_it_stands(
    stage: Stage, state: str, command: str, stands: str
) -> None:
    equip(stage)
    mission = await WAYS[state](stage)
    waits = cast("list[Told]", (await stage.call("explain", PAT, id=mission)).data["waits"])
    call = waits[0]["calls"][0]

    await stage.call(call["command"], PAT, **call["arguments"])

    assert call["command"] == command
    assert (await stage.whole(mission)).row.unit.status == stands


@staged
async def test_times_say_when_it_began(stage: Stage) -> None:
    equip(stage)
    mission = await _held(stage)
    if not isinstance(stage.where, str):  # a clock that stands still can be moved
        await stage.pass_ms(12 * MINUTE)
        answer = await stage.call("explain", PAT, id=mission)
        assert "since 08:00 UTC (12 min)" in str(answer.data["text"]).splitlines()[0]
        await stage.pass_ms(DAY_MS)
    answer = await stage.call("explain", PAT, id=mission)

    assert answer.data["since"] == cast("list[Told]", answer.data["waits"])[0]["since"]
    assert "(1 d)" in str(answer.data["text"]) or isinstance(stage.where, str)


@staged
async def test_a_repair_is_waited_for_until_the_deadline(stage: Stage) -> None:
    equip(stage)
    mission, _ = await launch(stage, recovery_deadline_s=600)
    await finish(stage, mission, failure="validation")
    (wait,) = cast("list[Told]", (await stage.call("explain", PAT, id=mission)).data["waits"])

    assert abs(wait["until"] - wait["since"] - 10 * MINUTE) < MINUTE


@staged
async def test_a_resource_that_is_not_in_the_settings_is_named(stage: Stage) -> None:
    equip(stage)
    mission = await begin(stage)
    await build(stage, mission)
    step = {
        "tool": "ask", "parameter_mapping": {"text": {"literal": "?"}},
        "result_mapping": {"text": {"asset": f"{mission}.2"}},
    }  # fmt: skip
    await design(stage, mission, [step])
    await execute(stage, mission)
    assert "not told of" not in str((await stage.call("explain", PAT, id=mission)).data["text"])
    stage.engine = replace(stage.engine, resources=frozenset())

    assert "not told of model" in str((await stage.call("explain", PAT, id=mission)).data["text"])


@staged
async def test_a_part_is_explained_with_what_its_mission_waits_for(stage: Stage) -> None:
    equip(stage)
    mission = await _held(stage)
    for part in (f"{mission}.4", f"{mission}.5", f"{mission}.2"):
        answer = await stage.call("explain", BOB, id=part)
        assert "no rows. Have hop 1 “Add” resolved anew" in str(answer.data["text"])
        assert "fix_hop" in answer.next_action
        # What others have written is not in what a model may believe.
        assert "no rows" not in answer.next_action


@staged
async def test_once_it_has_ended_nothing_is_waited_for(stage: Stage) -> None:
    mission = await begin(stage)
    await stage.call("cancel", PAT, id=mission, reason="enough")
    answer = await stage.call("explain", PAT, id=mission)

    assert "waits" not in answer.data
    assert await digest_of(stage, await propose(stage))
