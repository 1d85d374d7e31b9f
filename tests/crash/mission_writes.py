"""Everything that writes about a mission, each brought to where it succeeds.

First every command that changes one, by its row; then what follows from some of them in other
places: cascades through hop, tool steps and assets, holds and repairs, gates, resets, clocks.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from interlock.commands.mission import make
from interlock.commands.mission.rows import COMMANDS
from interlock.commands.mission.shown import Thing
from interlock.commands.row import AnyCommand
from interlock.kernel.refusal import Refusal
from interlock.service.create import create
from interlock.service.engine import Principal, clockwork, no_tools
from interlock.service.order import Asked, Order
from interlock.service.roles import OWNER, as_person
from interlock.service.run import advance
from interlock.service.sweep import sweep
from interlock.store.rows import unit_of
from interlock.store.script import Key
from tests.mission_world import MORE, bring
from tests.missions import (
    begin,
    build,
    design,
    digest_of,
    equip,
    execute,
    finish,
    gate_of,
    launch,
    new_chain,
    pend,
    propose,
    take,
)
from tests.service.folk import first
from tests.stage import ADA, DAY_MS, HOME, PAT, Stage

Told = dict[str, Any]
Do = Callable[[Stage], Awaitable[object]]
"""Sends it, under the same request id each time."""

Prepare = Callable[[Stage], Awaitable[Do]]

REQUEST: Final = "once"
WHY: Final = {"reason": "enough"}


def sent(command: str, by: Principal, /, **said: object) -> Do:
    """Return a command that is sent under one request id."""

    async def do(stage: Stage) -> object:
        return await stage.call(command, by, request_id=REQUEST, **said)

    return do


def clocked(event: str, name: str) -> Do:
    """Return what the clock says, or the system: no command does."""

    async def do(stage: Stage) -> object:
        asked = Asked(event, name if "." in name else None)
        key = Key("clock", REQUEST, event)
        order = Order(HOME, clockwork(HOME).actor(), unit_of(name), (asked,), lambda _: {}, key)
        return (await advance(stage.engine, order)).text

    return do


async def swept(stage: Stage) -> object:
    """Let a lease lapse that has run out, as the sweeper does."""
    lapsed = await sweep(stage.engine)
    assert lapsed == 1
    return None


# -- every command, by its row -----------------------------------------------------------------


def _by_row(row: AnyCommand) -> Prepare:
    async def prepare(stage: Stage) -> Do:
        given = await bring(stage, PAT, ADA, row.name, ["only"])
        fields = row.takes.model_fields
        names = {name for name, one in fields.items() if one.is_required()}
        names |= ({"lease", "content_digest"} & fields.keys()) | MORE.get(row.name, frozenset())
        given |= WHY
        said = {name: given[name] for name in names if given[name] != ""}
        rule = stage.engine.flows["mission"].flow.rule(row.event)
        is_agents = rule is not None and PAT.kind not in rule.actors
        return sent(row.name, ADA if is_agents else PAT, **said)

    return prepare


# -- ends, and what goes with them -------------------------------------------------------------


async def _running(stage: Stage, **hop: object) -> tuple[str, str, Told]:
    """Bring a mission to its last tool step; return it, its hop, and what hands that step in."""
    mission, name = await launch(stage, hop=hop)
    await finish(stage, mission, outputs={"rows": [2, 4, 6]})
    step, lease = await take(stage, mission, "tool_step")
    return mission, name, {"part_id": step, "lease": lease}


SUM: Final = {"outputs": {"total": 12, "count": 3}}


async def _cancel_all(stage: Stage) -> Do:
    mission, _, _ = await _running(stage)
    return sent("cancel", PAT, id=mission, **WHY)


async def _cancel_hop(stage: Stage) -> Do:
    _, hop, _ = await _running(stage)
    return sent("cancel", PAT, id=hop, cascade=True, **WHY)


async def _cancel_pending(stage: Stage) -> Do:
    return sent("cancel", PAT, id=await pend(stage, await begin(stage)), **WHY)


async def _cancel_held(stage: Stage) -> Do:
    mission, _, step = await _running(stage)
    await stage.call("submit_tool_result", **step, failure="validation")
    return sent("cancel", PAT, id=mission, **WHY)


async def _cancel_failed(stage: Stage) -> Do:
    mission, _, step = await _running(stage)
    await stage.call("submit_tool_result", **step, failure="system")
    return sent("cancel", PAT, id=mission, **WHY)


async def _last_of_final(stage: Stage) -> Do:
    _, _, step = await _running(stage, is_final=True)
    return sent("submit_tool_result", ADA, **step, **SUM)


async def _last_of_one(stage: Stage) -> Do:
    _, _, step = await _running(stage)
    return sent("submit_tool_result", ADA, **step, **SUM)


def _failed(failure: str) -> Prepare:
    async def prepare(stage: Stage) -> Do:
        _, _, step = await _running(stage)
        return sent("submit_tool_result", ADA, **step, failure=failure)

    return prepare


async def _early(stage: Stage) -> Do:
    mission, _, step = await _running(stage)
    await stage.call("submit_tool_result", **step, **SUM)
    await pend(stage, mission)
    return sent("complete_early", PAT, mission_id=mission, **WHY)


async def _broken(stage: Stage) -> Do:
    mission, _, _ = await _running(stage)
    return clocked("system_error", mission)


async def _late(stage: Stage) -> Do:
    """A result after the cancel: refused, and recorded all the same."""
    mission, _, step = await _running(stage)
    await stage.call("cancel", PAT, id=mission, **WHY)
    hand_in = sent("submit_tool_result", ADA, **step, **SUM)

    async def do(stage: Stage) -> object:
        with pytest.raises(Refusal) as no:
            await hand_in(stage)
        return no.value.code

    return do


async def _deleted(stage: Stage) -> Do:
    mission, _, _ = await _running(stage)
    await stage.call("cancel", PAT, id=mission, **WHY)
    owner = as_person(await first(stage, "olga", OWNER, HOME))
    return sent("delete_unit", owner, id=mission)


async def _reset_far(stage: Stage) -> Do:
    mission, _, _ = await _running(stage)
    await stage.call("cancel", PAT, id=mission, **WHY)
    return sent("reset_mission", PAT, mission_id=mission, **WHY)


# -- gates, designs, repairs -------------------------------------------------------------------


def _gate(decision: str) -> Prepare:
    async def prepare(stage: Stage) -> Do:
        mission = await (propose if decision == "accept_mission" else begin)(stage)
        if decision in ("accept_hop", "reject_hop"):
            await pend(stage, mission)
        elif decision != "accept_mission":
            await build(stage, mission)
            await design(stage, mission)
        told = {"gate_id": await gate_of(stage, mission), "decision": decision, "feedback": "so"}
        return sent("decide_gate", PAT, **told, content_digest=await digest_of(stage, mission))

    return prepare


async def _bring_assets(stage: Stage) -> Do:
    mission = await begin(stage)
    new = {"output": "best", "assets": [{"name": "best"}, {"name": "rest"}]}
    hop = await pend(stage, mission, **new)
    digest = await digest_of(stage, mission)
    return sent("accept_hop", PAT, hop_id=hop, content_digest=digest, is_final=True)


async def _invalid(stage: Stage) -> Do:
    mission = await begin(stage)
    hop = await build(stage, mission)
    await design(stage, mission)
    stage.engine = replace(stage.engine, tools=no_tools)
    return sent("execute_hop", PAT, hop_id=hop, content_digest=await digest_of(stage, mission))


async def _validation_failed(stage: Stage) -> Do:
    mission = await begin(stage)
    hop = await build(stage, mission)
    await design(stage, mission)
    return clocked("validation_failed", hop)


async def _held_design(stage: Stage) -> Do:
    mission = await begin(stage)
    await build(stage, mission)
    hop, lease = await take(stage, mission, "hop")
    told = {"hop_id": hop, "lease": lease, "failure": "user_correctable", "message": "which?"}
    return sent("fail_resolution", ADA, **told)


async def _fixed(stage: Stage) -> tuple[str, str]:
    mission, hop, step = await _running(stage)
    await stage.call("submit_tool_result", **step, failure="validation")
    await stage.call("fix_hop", PAT, hop_id=hop, **WHY)
    return mission, hop


async def _resolve_again(stage: Stage) -> Do:
    mission, _ = await _fixed(stage)
    hop, lease = await take(stage, mission, "hop")
    second = {**new_chain(mission)[1], "parameter_mapping": {"rows": {"step": 1}}}
    steps = [{"step_id": f"{mission}.5"}, second]
    return sent("submit_resolution", ADA, hop_id=hop, lease=lease, steps=steps)


async def _back_to_concept(stage: Stage) -> Do:
    _, hop = await _fixed(stage)
    return sent("request_changes", PAT, hop_id=hop, **WHY)


async def _revise_asked(stage: Stage) -> Do:
    mission = await begin(stage)
    await stage.call("request_changes", PAT, hop_id=await build(stage, mission), **WHY)
    hop, lease = await take(stage, mission, "hop")
    return sent("revise_hop", ADA, hop_id=hop, lease=lease, goal="another")


# -- leases and clocks -------------------------------------------------------------------------


def _work(kind: str, command: str) -> Prepare:
    async def prepare(stage: Stage) -> Do:
        if kind == "hop":
            mission = await begin(stage)
            await build(stage, mission)
        else:
            mission, _ = await launch(stage)
        if command == "get_next_work":
            return sent(command, ADA, workflow="mission", kind=kind)
        part, lease = await take(stage, mission, kind)
        if command == "":
            await stage.pass_ms(DAY_MS)
            return swept
        return sent(command, ADA, part_id=part, lease=lease)

    return prepare


async def lasting(stage: Stage, which: int) -> str:
    """Propose a mission, one of whose assets expires, and have it accepted."""
    told = {"name": "n", "goal": "g", "description": "", "success_criteria": (), "policy": "human"}
    new = make.new_mission(
        told, [Thing("numbers", "", None, "[1]")], [Thing("sum", "", None)], []
    )  # fmt: skip
    parts = [
        replace(part, fields={**part.fields, "ttl": 60}) if place == which else part
        for place, part in enumerate(new.parts, 1)
    ]
    new = replace(new, parts=tuple(parts))
    made = await create(stage.engine, ADA, new, lambda result: {"id": result.unit.id})
    mission = str(made.reply["id"])
    said: Mapping[str, object] = {"content_digest": await digest_of(stage, mission)}
    await stage.call("accept_mission", PAT, mission_id=mission, **said)
    await build(stage, mission)
    await design(stage, mission)
    await execute(stage, mission)
    return mission


async def _expire(stage: Stage) -> Do:
    mission = await lasting(stage, 1)
    return clocked("expire_asset", f"{mission}.1")


async def _time_is_up(stage: Stage) -> Do:
    """The sweeper finds that the time to live of an input has ended."""
    await begin(stage, inputs=[{"name": "numbers", "content": [1], "ttl_s": 60}])
    await stage.pass_ms(DAY_MS)
    return swept


async def _deadline(stage: Stage) -> Do:
    """The sweeper finds that nobody has repaired a hop in time."""
    mission, _ = await launch(stage, recovery_deadline_s=60)
    await finish(stage, mission, failure="validation")
    await stage.pass_ms(DAY_MS)
    return swept


async def _blocked(stage: Stage) -> Do:
    mission = await lasting(stage, 1)
    await clocked("expire_asset", f"{mission}.1")(stage)
    return sent("get_next_work", ADA, workflow="mission", kind="tool_step")


async def _refreshed(stage: Stage) -> Do:
    """The output expires while its step runs; the step that completes makes it anew."""
    mission = await lasting(stage, 2)
    await finish(stage, mission, outputs={"rows": [1]})
    step, lease = await take(stage, mission, "tool_step")
    await clocked("expire_asset", f"{mission}.2")(stage)
    return sent("submit_tool_result", ADA, part_id=step, lease=lease, **SUM)


WRITES: Final[Mapping[str, Prepare]] = {
    **{row.name: _by_row(row) for row in COMMANDS if not row.is_read},
    "cancel with a running step": _cancel_all,
    "cancel the current hop": _cancel_hop,
    "cancel a pending hop": _cancel_pending,
    "cancel a held mission": _cancel_held,
    "cancel a failed mission": _cancel_failed,
    "the last step of the final hop": _last_of_final,
    "the last step of a hop": _last_of_one,
    "a transient failure": _failed("transient"),
    "a failure that can be repaired": _failed("validation"),
    "a failure that cannot be repaired": _failed("system"),
    "complete early with a proposal": _early,
    "a system error": _broken,
    "a late result": _late,
    "delete a mission": _deleted,
    "reset a mission that went far": _reset_far,
    **{f"decide {word}": _gate(word) for word in (
        "accept_mission", "accept_hop", "reject_hop", "execute_hop", "request_changes",
    )},
    "accept a hop that brings assets": _bring_assets,
    "execute what is valid no longer": _invalid,
    "the system finds a design invalid": _validation_failed,
    "a resolution that can be repaired": _held_design,
    "resolve what was fixed": _resolve_again,
    "a fixed hop back to its concept": _back_to_concept,
    "revise what was sent back": _revise_asked,
    **{f"{command or 'lapse'} of a {kind}": _work(kind, command)
       for kind in ("hop", "tool_step")
       for command in ("get_next_work", "heartbeat_work", "release_work", "")},
    "an asset expires": _expire,
    "the time to live of an asset ends": _time_is_up,
    "the deadline of a repair has passed": _deadline,
    "a step whose input is gone": _blocked,
    "a step that refreshes its output": _refreshed,
}  # fmt: skip
"""What is written about a mission, by what it is."""


async def prepared(stage: Stage, name: str) -> Do:
    """Bring a stage to where a write succeeds."""
    equip(stage)
    return await WRITES[name](stage)
