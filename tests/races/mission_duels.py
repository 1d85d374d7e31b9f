"""Pairs of commands about a mission of which one comes first: how they end, and who can tell.

A duel is fought in both orders and at once, through one engine and through two. Whatever the
order, there is one outcome: what both are told, where mission, hops, tool steps and assets stand,
and which commands the audit knows. A result that lost against a cancel is kept, and used for
nothing.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, cast

from interlock.commands.verbs import LocalVerbs
from interlock.service.engine import Engine, Principal
from interlock.service.verify import verify
from interlock.workflows.mission.machines import ENDED
from tests.missions import (
    begin,
    build,
    design,
    digest_of,
    equip,
    finish,
    launch,
    pend,
    take,
)
from tests.races.moves import outcome
from tests.stage import ADA, HOME, PAT, Stage

Told = dict[str, Any]


class Move(NamedTuple):
    """A command, who sends it, and what it says."""

    command: str
    by: Principal
    said: Told

    async def make(self, engine: Engine) -> str:
        """Send it; return OK, or the code it was refused with."""
        return await outcome(LocalVerbs(engine, self.by).call(self.command, self.said))


class Ground(NamedTuple):
    """A mission with the two moves that are made about it."""

    mission: str
    first: Move
    second: Move


class End(NamedTuple):
    """How a duel has ended: where all of it stands, and what the audit says was done.

    ``stands`` is the mission, its hops, its tool steps, and its assets.
    """

    stands: str
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MissionDuel:
    """Two moves, and every end that they may have by what both are told."""

    prepare: Callable[[Stage], Awaitable[Ground]]
    ends: dict[tuple[str, str], End]

    async def fight(self, stage: Stage, other: Engine, order: str) -> tuple[str, str]:
        """Fight it: the first move first, the second first, or both at once."""
        ground = await self.prepare(stage)
        version = (await stage.whole(ground.mission)).row.version
        first = ground.first.make(stage.engine)
        second = ground.second.make(other)
        if order == "first":
            told = (await first, await second)
        elif order == "second":
            told = (await second, await first)[::-1]
        elif order == "at once":
            told = (*await asyncio.gather(first, second),)
        else:
            told = (*await asyncio.gather(second, first),)[::-1]

        assert told in self.ends, told
        end = self.ends[told]
        assert await stood(stage, ground.mission) == end.stands
        await _explained(stage, ground, version, end)
        await _kept_late(stage, ground, told)
        verdict = await verify(stage.engine, HOME, ground.mission)
        assert verdict.findings == []
        if not end.stands.startswith(ENDED):
            # Its work would be handed out in the next fight.
            await stage.call("cancel", PAT, id=ground.mission, **WHY)
        return told


async def stood(stage: Stage, mission: str) -> str:
    """Say where a mission, its hops, its tool steps and its assets stand."""
    whole = await stage.whole(mission)
    kinds = [
        " ".join(row.part.status for row in whole.parts if row.part.kind == kind)
        for kind in ("hop", "tool_step", "asset")
    ]
    return " / ".join((whole.row.unit.status, *kinds))


async def _explained(stage: Stage, ground: Ground, version: int, end: End) -> None:
    """See that the audit tells who was first, each move with its cause, and nothing else."""
    bodies = (await stage.audit(ground.mission))[version:]
    told = [(str(body["event"]), cast("Told", body["actor"])["id"]) for body in bodies]
    who = {"submit_tool_result": ADA.id}
    assert list(dict.fromkeys(told)) == [(event, who.get(event, PAT.id)) for event in end.events]
    # One command's moves stand together: nothing of another is written between them.
    assert [one for one, _ in told] == sorted((one for one, _ in told), key=end.events.index)
    for body in bodies:
        after = cast("Told", body.get("cause", {})).get("after", body["sequence"])
        cause = bodies[after - version - 1]
        assert cause["event"] == body["event"]


async def _kept_late(stage: Stage, ground: Ground, told: tuple[str, str]) -> None:
    """See that a result that came too late can be read, and that no asset holds it."""
    listed = (await stage.call("list_artifacts", PAT, id=ground.mission)).data["artifacts"]
    late = [one for one in cast("list[Told]", listed) if one["mark"] == "late"]
    lost = [
        move
        for move, one in zip((ground.first, ground.second), told, strict=True)
        if move.command == "submit_tool_result" and one != "OK"
    ]
    assert [(one["part_id"], one["author"]) for one in late] == [
        (move.said["part_id"], move.by.id) for move in lost
    ]
    for one, move in zip(late, lost, strict=True):
        asked = {"id": ground.mission, "digest": one["digest"]}
        kept = json.loads(str((await stage.call("get_content", PAT, **asked)).data["content"]))
        assert kept["outputs"] == move.said.get("outputs", {})
        rows = (await stage.whole(ground.mission)).parts
        held = {str(row.part.fields["content"]) for row in rows if row.part.kind == "asset"}
        assert one["digest"] not in held


# -- what is fought about ------------------------------------------------------------------------

WHY: Final = {"reason": "not needed"}
SUM: Final = {"outputs": {"total": 12, "count": 3}}


def _cancel(name: str, **more: object) -> Move:
    return Move("cancel", PAT, {"id": name, **WHY, **more})


async def _at_last_step(stage: Stage, **hop: object) -> tuple[str, str, Told]:
    """Bring a mission to its last tool step; return it, its hop, and what hands that step in."""
    mission, name = await launch(stage, hop=hop)
    await finish(stage, mission, outputs={"rows": [2, 4, 6]})
    step, lease = await take(stage, mission, "tool_step")
    return mission, name, {"part_id": step, "lease": lease}


async def _final(stage: Stage) -> Ground:
    mission, _, step = await _at_last_step(stage, is_final=True)
    return Ground(mission, Move("submit_tool_result", ADA, step | SUM), _cancel(mission))


async def _final_hop(stage: Stage) -> Ground:
    mission, hop, step = await _at_last_step(stage, is_final=True)
    cancel = _cancel(hop, cascade=True)
    return Ground(mission, Move("submit_tool_result", ADA, step | SUM), cancel)


async def _not_final(stage: Stage) -> Ground:
    mission, _, step = await _at_last_step(stage)
    return Ground(mission, Move("submit_tool_result", ADA, step | SUM), _cancel(mission))


async def _failing(stage: Stage) -> Ground:
    mission, _, step = await _at_last_step(stage)
    failed = step | {"failure": "validation", "error": {"message": "which sum?"}}
    return Ground(mission, Move("submit_tool_result", ADA, failed), _cancel(mission))


async def _broken(stage: Stage) -> Ground:
    mission, hop, step = await _at_last_step(stage)
    failed = step | {"failure": "system"}
    cancel = _cancel(hop, cascade=True)
    return Ground(mission, Move("submit_tool_result", ADA, failed), cancel)


async def _held(stage: Stage) -> tuple[str, str]:
    mission, hop, step = await _at_last_step(stage)
    await stage.call("submit_tool_result", **step, failure="validation")
    return mission, hop


async def _abandon_or_fix(stage: Stage) -> Ground:
    mission, hop = await _held(stage)
    abandon = Move("abandon_recovery", PAT, {"mission_id": mission, **WHY})
    return Ground(mission, abandon, Move("fix_hop", PAT, {"hop_id": hop, **WHY}))


async def _fix_or_cancel(stage: Stage) -> Ground:
    mission, hop = await _held(stage)
    return Ground(mission, Move("fix_hop", PAT, {"hop_id": hop, **WHY}), _cancel(mission))


async def _done_or_cancel(stage: Stage) -> Ground:
    mission, hop = await launch(stage, hop={"is_final": True})
    await stage.call("set_asset", PAT, asset_id=f"{mission}.2", content=6)
    done = Move("mark_hop_complete", PAT, {"hop_id": hop, **WHY})
    return Ground(mission, done, _cancel(hop, cascade=True))


async def _early_or_cancel(stage: Stage) -> Ground:
    mission, _, step = await _at_last_step(stage)
    await stage.call("submit_tool_result", **step, **SUM)
    await pend(stage, mission)
    early = Move("complete_early", PAT, {"mission_id": mission, **WHY})
    return Ground(mission, early, _cancel(mission))


async def _execute_or_changes(stage: Stage) -> Ground:
    mission = await begin(stage)
    hop = await build(stage, mission)
    await design(stage, mission)
    said = {"hop_id": hop, "content_digest": await digest_of(stage, mission)}
    changes = Move("request_changes", PAT, said | WHY)
    return Ground(mission, Move("execute_hop", PAT, said), changes)


COMPLETED: Final = "COMPLETED / COMPLETED / COMPLETED COMPLETED / READY READY PENDING READY"
STOPPED: Final = "CANCELLED / CANCELLED / COMPLETED CANCELLED / READY PENDING PENDING READY"
GIVEN_UP: Final = "FAILED / FAILED / COMPLETED FAILED / READY ERROR PENDING READY"
SUBMITTED: Final = ("submit_tool_result",)

DUELS: Final = {
    "the last result of the final hop against cancel": MissionDuel(
        _final,
        {
            ("OK", "MISSION_TERMINAL"): End(COMPLETED, SUBMITTED),
            ("LATE_RESULT", "OK"): End(STOPPED, ("cancel_mission",)),
        },
    ),
    "the last result of the final hop against cancelling that hop": MissionDuel(
        _final_hop,
        {
            ("OK", "INVALID_TRANSITION"): End(COMPLETED, SUBMITTED),
            ("LATE_RESULT", "OK"): End(STOPPED, ("cancel_hop",)),
        },
    ),
    "the last result of another hop against cancel": MissionDuel(
        _not_final,
        {
            ("OK", "OK"): End(
                COMPLETED.replace("COMPLETED", "CANCELLED", 1), (*SUBMITTED, "cancel_mission")
            ),
            ("LATE_RESULT", "OK"): End(STOPPED, ("cancel_mission",)),
        },
    ),
    "a failure that can be repaired against cancel": MissionDuel(
        _failing,
        {
            ("OK", "OK"): End(
                GIVEN_UP.replace("FAILED", "CANCELLED", 1), (*SUBMITTED, "cancel_mission")
            ),
            ("LATE_RESULT", "OK"): End(STOPPED, ("cancel_mission",)),
        },
    ),
    "a failure that cannot be repaired against cancelling the hop": MissionDuel(
        _broken,
        {
            # A failed hop may still be cancelled; its mission has failed and stays so.
            ("OK", "OK"): End(
                "FAILED / CANCELLED / COMPLETED FAILED / READY ERROR PENDING READY",
                (*SUBMITTED, "cancel_hop"),
            ),
            ("LATE_RESULT", "OK"): End(STOPPED, ("cancel_hop",)),
        },
    ),
    "abandon against fix": MissionDuel(
        _abandon_or_fix,
        {
            ("OK", "MISSION_TERMINAL"): End(GIVEN_UP, ("abandon_recovery",)),
            ("NOT_HELD", "OK"): End(
                "BUILDING_HOP / READY_TO_RESOLVE / COMPLETED READY_TO_CONFIGURE / "
                "READY ERROR PENDING READY",
                ("fix_hop",),
            ),
        },
    ),
    "fix against cancel": MissionDuel(
        _fix_or_cancel,
        {
            ("OK", "OK"): End(
                "CANCELLED / CANCELLED / COMPLETED CANCELLED / READY ERROR PENDING READY",
                ("fix_hop", "cancel_mission"),
            ),
            ("MISSION_TERMINAL", "OK"): End(
                GIVEN_UP.replace("FAILED", "CANCELLED", 1), ("cancel_mission",)
            ),
        },
    ),
    "a person's word that the hop is done against cancelling it": MissionDuel(
        _done_or_cancel,
        {
            ("OK", "INVALID_TRANSITION"): End(
                "COMPLETED / COMPLETED / CANCELLED CANCELLED / READY READY PENDING PENDING",
                ("mark_hop_complete",),
            ),
            ("MISSION_TERMINAL", "OK"): End(
                "CANCELLED / CANCELLED / CANCELLED CANCELLED / READY READY PENDING PENDING",
                ("cancel_hop",),
            ),
        },
    ),
    "completing early against cancel": MissionDuel(
        _early_or_cancel,
        {
            ("OK", "MISSION_TERMINAL"): End(
                "COMPLETED / COMPLETED CANCELLED / COMPLETED COMPLETED / READY READY PENDING READY",
                ("complete_early",),
            ),
            ("MISSION_TERMINAL", "OK"): End(
                "CANCELLED / COMPLETED CANCELLED / COMPLETED COMPLETED / READY READY PENDING READY",
                ("cancel_mission",),
            ),
        },
    ),
    "running a design against sending it back": MissionDuel(
        _execute_or_changes,
        {
            ("OK", "INVALID_TRANSITION"): End(
                "EXECUTING_HOP / EXECUTING / READY_TO_EXECUTE READY_TO_EXECUTE / "
                "READY PENDING PENDING PENDING",
                ("execute_hop",),
            ),
            ("INVALID_TRANSITION", "OK"): End(
                "BUILDING_HOP / READY_TO_RESOLVE / PROPOSED PROPOSED / "
                "READY PENDING PENDING PENDING",
                ("request_changes",),
            ),
        },
    ),
}
"""What is fought, by its name."""

CHIEF: Final = "the last result of the final hop against cancel"


def seconded(stage: Stage, other: Engine) -> Engine:
    """Return the second engine, with the tools of the first."""
    equip(stage)
    return replace(stage.engine, store=other.store)
