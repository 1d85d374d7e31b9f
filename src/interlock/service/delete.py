"""Deleting: a unit that has ended is found by nobody any more, and its audit stays.

It is a tombstone: one entry of the audit says who deleted the unit and when, written in the commit
after which every read and command answers as if it had never been. Nothing that was stored is
erased here. Who proves the audit opens a store that sees what was deleted.
"""

from typing import cast

from interlock.errors import InterlockError
from interlock.kernel.refusal import Legal
from interlock.service.engine import Engine, Principal
from interlock.service.errors import NotFound
from interlock.service.note import noted, receipt
from interlock.service.order import Reply, require_version
from interlock.service.roles import OWNER, require_person, require_rank
from interlock.service.run import Answer, answer, persist
from interlock.store.rows import dump
from interlock.store.script import Change, Committed, Key, Load, Loaded, Nothing, Script

EVENT = "delete"


class NotEnded(InterlockError):
    """The unit is still under way, and only what has ended can be deleted."""

    code = "NOT_ENDED"
    http = 409

    def __init__(self, status: str, legal: tuple[Legal, ...]) -> None:
        """Say where it stands; ``legal`` is what may be said to it instead."""
        message = f"It is {status}: only what has ended can be deleted."
        super().__init__(message, fix="End it first, or wait until it has ended.")
        self.legal = legal


async def delete(
    engine: Engine,
    caller: Principal,
    unit: str,
    reply: Reply,
    key: Key | None = None,
    seen: int | None = None,
) -> Answer:
    """Delete a unit that has ended; only an owner does."""
    require_person(caller, "Deleting")
    require_rank(caller, OWNER, "This takes a unit away from everybody here")
    running = engine.running(unit)
    if "." in unit:
        raise NotFound(unit)
    if key is not None:
        # Nobody finds the unit any more, so nobody finds what was answered about it with it.
        known = await engine.store.reply(caller.tenant, key)
        if known is not None:
            return answer(Committed(known.text, is_replay=True, asked=known.asked), key)

    def script() -> Script:
        loaded = cast("Loaded | None", (yield Load(unit, key=key, is_fresh=True)))
        if loaded is None:
            raise NotFound(unit)
        if loaded.reply is not None:
            return Nothing(loaded.reply.text, loaded.reply.asked)
        before, at = loaded.unit, engine.store.now()
        require_version(before, seen)
        if before.ended_at is None:
            status = before.unit.status
            raise NotEnded(status, running.flow.legal(status, running.flow.unit.name))
        row, entry = noted(running, before, EVENT, caller.actor(), at, {})
        text = dump({**reply, "receipt": receipt(row)})
        return Change(
            caller.tenant, before.version, row, (entry,), at, deleted_at=at, key=key, reply=text
        )

    return answer(await persist(engine, caller.tenant, script), key)
