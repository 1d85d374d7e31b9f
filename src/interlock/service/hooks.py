"""Hooks: make, list, switch, remove and try them. Only people who administer do that.

A hook's secret is shown once, when it is made. What was sent and how it went can be listed, and
sent again.
"""

from collections.abc import Sequence

from interlock.outside.address import check_url, resolve
from interlock.service.access import require
from interlock.service.acts import act_of
from interlock.service.engine import Engine, Principal
from interlock.service.errors import InvalidInput, NotFound
from interlock.service.happened import EVENTS, TEST
from interlock.service.roles import require_person
from interlock.store.hooks import DeliveryRow, HookRow, NewDelivery, WhichDeliveries
from interlock.store.rows import dump

HOOKS_MAX = 50
PREFIX = "whsec_"


def _require(caller: Principal) -> None:
    require(caller, "admin", "Webhooks")
    require_person(caller, "Webhooks")


async def create_hook(
    engine: Engine, caller: Principal, url: str, events: Sequence[str], workflow: str
) -> tuple[str, HookRow]:
    """Keep a hook; return the secret, which nobody can read again, and what is kept."""
    _require(caller)
    check_url(url)
    unknown = [one[:40] for one in events if one not in EVENTS]
    if unknown or (workflow and workflow not in engine.flows):
        message = f"There is no {', '.join(map(repr, unknown or [workflow[:40]]))}."
        told = f"Events are {', '.join(EVENTS)}; workflows {', '.join(engine.flows)}."
        raise InvalidInput(message, fix=told)
    await resolve(url, is_private_allowed=engine.webhooks_private)
    if len(await engine.store.hooks.all(caller.tenant)) >= HOOKS_MAX:
        raise InvalidInput(f"There are {HOOKS_MAX} webhooks already.", fix="Delete one first.")
    secret = PREFIX + engine.clock.secret()
    chosen = " ".join(one for one in EVENTS if one in events)
    now = engine.store.now()
    row = HookRow(engine.clock.new_id("hook"), url, chosen, workflow, caller.id, now)
    told_too = {"url": url, "events": chosen, "workflow": workflow}
    act = act_of(engine, caller, "webhook_made", row.id, told_too)
    await engine.store.hooks.add(caller.tenant, row, secret, act)
    return secret, row


async def list_hooks(engine: Engine, caller: Principal) -> Sequence[HookRow]:
    """List hooks, without their secrets."""
    _require(caller)
    return await engine.store.hooks.all(caller.tenant)


async def switch_hook(engine: Engine, caller: Principal, name: str, *, is_on: bool) -> HookRow:
    """Switch a hook off, or on again; it goes on where it stopped."""
    _require(caller)
    now = engine.store.now()
    act = act_of(engine, caller, "webhook_enabled" if is_on else "webhook_disabled", name)
    off_at, why = (None, "") if is_on else (now, f"Disabled by {caller.id}.")
    if not await engine.store.hooks.switch(caller.tenant, name, off_at, why, now, act):
        raise NotFound(name)
    return await _found(engine, caller, name)


async def remove_hook(engine: Engine, caller: Principal, name: str) -> None:
    """Take a hook away, with everything that was or is to be sent to it."""
    _require(caller)
    act = act_of(engine, caller, "webhook_deleted", name)
    if not await engine.store.hooks.remove(caller.tenant, name, engine.store.now(), act):
        raise NotFound(name)


async def try_hook(engine: Engine, caller: Principal, name: str) -> DeliveryRow:
    """Write down a delivery that tells nothing but that the hook works."""
    _require(caller)
    hook = await _found(engine, caller, name)
    about = engine.clock.new_id("delivery")
    body = dump({"event": TEST, "id": f"{TEST}:{about}", "at": engine.store.now(), "hook_id": name})
    made = (NewDelivery(about, TEST, about, body),)
    hooks, now = engine.store.hooks, engine.store.now()
    while not await hooks.add_deliveries(caller.tenant, hook, hook.position, now, made):
        hook = await _found(engine, caller, name)
    return await find_delivery(engine, caller, about)


async def list_deliveries(
    engine: Engine,
    caller: Principal,
    which: WhichDeliveries,
    before: tuple[int, str] | None,
    limit: int,
) -> Sequence[DeliveryRow]:
    """List what was sent or is to be, the newest first."""
    _require(caller)
    return await engine.store.hooks.deliveries(caller.tenant, which, before, limit)


async def replay(engine: Engine, caller: Principal, name: str) -> DeliveryRow:
    """Have a delivery sent again, under the same id."""
    _require(caller)
    if not await engine.store.hooks.replay(caller.tenant, name):
        raise NotFound(name)
    return await find_delivery(engine, caller, name)


async def find_delivery(engine: Engine, caller: Principal, name: str) -> DeliveryRow:
    """Read a delivery."""
    which = WhichDeliveries(id=name)
    rows = await engine.store.hooks.deliveries(caller.tenant, which, None, 1) if name else ()
    if not rows:
        raise NotFound(name)
    return rows[0]


async def _found(engine: Engine, caller: Principal, name: str) -> HookRow:
    hook = await engine.store.hooks.find(caller.tenant, name)
    if hook is None:
        raise NotFound(name)
    return hook
