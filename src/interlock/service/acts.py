"""Acts: what was done to people, tokens and the tenant, as it is written down, and read again.

They are kept for ever, in the transaction that does what they tell. No secret is ever in one.
"""

from collections.abc import Mapping

from interlock.kernel.rules import NO_ARGS
from interlock.service.engine import Engine, Principal
from interlock.store.people import Act, ActRow
from interlock.store.rows import dump


def act_of(
    engine: Engine,
    caller: Principal,
    act: str,
    about: str,
    told: Mapping[str, object] = NO_ARGS,
) -> Act:
    """Return what somebody does, for the store to write down with it."""
    name = engine.clock.new_id("act")
    who = (caller.kind, caller.id, caller.on_behalf_of, caller.channel)
    return Act(name, *who, act, about, dump(dict(told)))


async def list_acts(
    engine: Engine, tenant: str, before: tuple[int, str] | None, limit: int
) -> tuple[ActRow, ...]:
    """List what was done, the newest first."""
    return await engine.store.people.acts(tenant, before, limit)
