"""Skills that clients execute: begun, linked to the unit that came of it, ended.

An execution is a row of its own, no unit. That it is executing is written nowhere: one that is
linked to a unit which has left its first status counts as executing. Where it has a unit, its end
is told in that unit's audit, in the same commit; its beginning is told there by ``create``.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from interlock.kernel.machine import Machine, Status, edges
from interlock.kernel.rules import NO_ARGS
from interlock.kernel.transition import InvalidTransition
from interlock.service.engine import Engine, Principal
from interlock.service.errors import Conflict, InvalidInput, NotFound
from interlock.service.note import noted, receipt
from interlock.service.order import Reply
from interlock.service.run import Answer, answer, persist
from interlock.store.port import SkillRow
from interlock.store.rows import dump
from interlock.store.script import (
    Change,
    Committed,
    Key,
    Load,
    Loaded,
    Nothing,
    Script,
    SkillMove,
    SkillMoved,
)

SKILL: Final = Machine(
    "skill execution",
    "started",
    (
        Status("started"),
        Status("executing"),
        Status("completed", "terminal", is_success=True),
        Status("failed", "terminal"),
    ),
    edges(
        ("started", "begin", "executing"),
        ("executing", "complete", "completed"),
        ("started executing", "fail", "failed"),
    ),
)
FORMATTING: Final = ("output_media_type", "output_formatting_instructions")
"""What the metadata of an execution says about the form of what comes of its unit."""

TRIES: Final = 5

Word = Callable[[SkillRow, str], Reply]
"""Words an answer about an execution and where it stands."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How an execution has ended, as whoever executed it says."""

    id: str
    name: str
    status: str
    metadata: Mapping[str, object] = field(default_factory=lambda: NO_ARGS)


def standing(engine: Engine, row: SkillRow) -> str:
    """Return where an execution stands: executing once its unit has left its first status."""
    running = engine.flows.get(row.workflow or "")
    if row.status != SKILL.initial or running is None:
        return row.status
    return row.status if row.unit_status == running.flow.unit.initial else "executing"


async def newest_started(engine: Engine, tenant: str, session: str) -> SkillRow | None:
    """Return the execution of a session that began last, if it has no unit and has not ended."""
    return await engine.store.newest_skill(tenant, session) if session else None


async def formatting_of(engine: Engine, tenant: str, unit: str) -> dict[str, object]:
    """Return what the execution that is linked to a unit says about form; else nothing."""
    row = await engine.store.unit_skill(tenant, unit)
    told = {} if row is None else _metadata(row)
    return {name: told[name] for name in FORMATTING if name in told}


async def start(
    engine: Engine,
    caller: Principal,
    name: str,
    metadata: Mapping[str, object],
    word: Word,
    key: Key | None = None,
) -> Answer:
    """Note that a session has begun to execute a skill."""
    row = SkillRow(
        caller.tenant, engine.clock.new_id("skill"), caller.session, caller.id, name,
        SKILL.initial, dump(dict(metadata)), None, engine.store.now(), None,
    )  # fmt: skip
    reply = dump(word(row, SKILL.initial))
    return answer(await engine.store.add_skill(row, key, reply), key)


async def end(
    engine: Engine, caller: Principal, ending: Ending, word: Word, key: Key | None = None
) -> Answer:
    """End an execution; raises ``InvalidTransition`` where it cannot end like that."""
    for _ in range(TRIES):
        try:
            return answer(await _end(engine, caller, ending, word, key), key)
        except SkillMoved:
            continue  # it was linked or ended in between: look again
    message = f"Others kept changing {ending.id}; nothing was applied."
    raise Conflict(message, fix="Send the same command again.")


async def _end(
    engine: Engine, caller: Principal, ending: Ending, word: Word, key: Key | None
) -> Committed:
    store, tenant = engine.store, caller.tenant
    try:
        row = await _found(engine, tenant, ending)
    except InvalidTransition:
        # It may have ended by this very request.
        known = None if key is None else await store.reply(tenant, key)
        if known is None:
            raise
        return Committed(known.text, is_replay=True, asked=known.asked)
    at = store.now()
    metadata = dump({**_metadata(row), **ending.metadata})
    move = SkillMove(row.id, row.status, ending.status, metadata, at)
    reply = word(row._replace(status=ending.status, ended_at=at), ending.status)
    if row.unit is None:
        return await store.move_skill(tenant, move, at, key, dump(reply))
    unit = row.unit

    def script() -> Script:
        return _script(engine, caller, (unit, row.name, move), reply, key)

    return await persist(engine, tenant, script)


async def _found(engine: Engine, tenant: str, ending: Ending) -> SkillRow:
    """Return the execution that is to end, if it can end like that."""
    row = await engine.store.skill(tenant, ending.id)
    if row is None:
        raise NotFound(ending.id)
    if row.name != ending.name:
        message = f"{row.id} executes another skill than {ending.name[:80]!r}."
        raise InvalidInput(message, fix=f"Say {row.name!r}, or name another execution.")
    source = standing(engine, row)
    if not SKILL.goes(source, ending.status):
        raise InvalidTransition(SKILL, source, ending.status)
    return row


def _script(
    engine: Engine, caller: Principal, moved: tuple[str, str, SkillMove], reply: Reply,
    key: Key | None,
) -> Script:  # fmt: skip
    """End an execution and tell it in the audit of its unit."""
    unit, name, move = moved
    loaded = cast("Loaded | None", (yield Load(unit, key=key, is_fresh=True)))
    if loaded is None:
        raise NotFound(unit)
    if loaded.reply is not None:
        return Nothing(loaded.reply.text, loaded.reply.asked)
    at = move.ended_at or engine.store.now()
    told = {"skill_execution": move.id, "skill": name, "skill_status": move.status}
    row, entry = noted(
        engine.running(unit), loaded.unit, "skill_completed", caller.actor(), at, told
    )
    text = dump({**reply, "receipt": receipt(row)})
    return Change(
        caller.tenant, loaded.unit.version, row, (entry,), at, skill=move, key=key, reply=text
    )


def _metadata(row: SkillRow) -> dict[str, object]:
    return cast("dict[str, object]", json.loads(row.metadata))
