"""Feedback: what somebody thinks of a unit. It moves nothing, and nobody can take it back."""

from interlock.service.engine import Engine, Principal
from interlock.service.errors import NotFound
from interlock.service.order import Reply
from interlock.service.run import Answer, answer
from interlock.store.port import FeedbackRow
from interlock.store.rows import dump
from interlock.store.script import Key


async def rate(
    engine: Engine, caller: Principal, about: tuple[str, int, str], reply: Reply, key: Key | None
) -> Answer:
    """Keep a rating from 1 to 5 of a unit, and some text; raises ``NotFound``."""
    unit, rating, text = about
    name = engine.clock.new_id("feedback")
    row = FeedbackRow(caller.tenant, name, unit, rating, text, caller.id, engine.store.now())
    committed = await engine.store.add_feedback(row, key, dump(reply))
    if committed is None:
        raise NotFound(unit)
    return answer(committed, key)
