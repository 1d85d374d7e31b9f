"""Hooks, deliveries and the key of links on PostgreSQL: one trip for each verb."""

from collections.abc import Sequence

from interlock.store.hooks import (
    DeliveryRow,
    DueDelivery,
    Ended,
    HookRow,
    NewDelivery,
    WhichDeliveries,
)
from interlock.store.people import Act
from interlock.store.postgres.trips import Trips

NOWHERE = (None, "")
NO_DELIVERIES = (None,) * len(NewDelivery._fields)


class PostgresHooks:
    """The hooks of one database."""

    def __init__(self, trips: Trips) -> None:
        """Go by the trips of a store."""
        self._trips = trips

    async def link_key(
        self, tenant: str, fresh: str, at: int, *, is_other: bool = False, act: Act | None = None
    ) -> str:
        """Return the key of a tenant's links: ``fresh`` if there is none, or it is another now."""
        ((key,),) = await self._trips.write("call_link_key", tenant, fresh, at, is_other, act)
        return str(key)

    async def add(self, tenant: str, row: HookRow, secret: str, act: Act) -> None:
        """Keep a hook, which is told what happens from now on."""
        told = (row.id, row.url, secret, row.events, row.workflow, row.created_by, row.created_at)
        await self._trips.write("call_add_hook", tenant, *told, act)

    async def find(self, tenant: str, name: str) -> HookRow | None:
        """Read a hook."""
        rows = await self._trips.read("call_hooks", tenant, name)
        return HookRow(*rows[0]) if rows else None

    async def all(self, tenant: str) -> tuple[HookRow, ...]:
        """List the hooks of a tenant, the oldest first."""
        return tuple(HookRow(*row) for row in await self._trips.read("call_hooks", tenant, None))

    async def secret(self, tenant: str, name: str) -> str | None:
        """Return what a hook's deliveries are signed with."""
        ((secret,),) = await self._trips.read("call_hook_secret", tenant, name)
        return None if secret is None else str(secret)

    async def switch(
        self, tenant: str, name: str, off_at: int | None, why: str, at: int, act: Act
    ) -> bool:
        """Switch a hook off at an instant, or on; say whether there is one."""
        told = (tenant, name, off_at, why, at, act)
        ((is_done,),) = await self._trips.write("call_switch_hook", *told)
        return bool(is_done)

    async def remove(self, tenant: str, name: str, at: int, act: Act) -> bool:
        """Take a hook away with its deliveries; say whether there was one."""
        ((is_done,),) = await self._trips.write("call_remove_hook", tenant, name, at, act)
        return bool(is_done)

    async def on(self) -> tuple[DueDelivery, ...]:
        """Say which hooks of any tenant are on."""
        return tuple(DueDelivery(*row) for row in await self._trips.read("call_hooks_on"))

    async def add_deliveries(
        self, tenant: str, hook: HookRow, position: str, at: int, made: Sequence[NewDelivery]
    ) -> bool:
        """Write down what is to be sent, and go on to a position, unless somebody else has."""
        columns = zip(*made, strict=True) if made else NO_DELIVERIES
        told = (tenant, hook.id, hook.position, position, at, *columns)
        ((is_done,),) = await self._trips.write("call_add_deliveries", *told)
        return bool(is_done)

    async def due(self, limit: int) -> tuple[DueDelivery, ...]:
        """Find deliveries of any tenant that are due."""
        rows = await self._trips.read("call_due_deliveries", limit)
        return tuple(DueDelivery(*row) for row in rows)

    async def take(self, due: DueDelivery, lease_ms: int) -> int | None:
        """Take a delivery for a while; return the attempt, None where somebody else has it."""
        ((attempt,),) = await self._trips.write("call_take_delivery", *due, lease_ms)
        return None if attempt is None else int(attempt)

    async def end(self, due: DueDelivery, attempt: int, ended: Ended) -> bool:
        """Write down how an attempt has ended, if it is still the caller's."""
        ((is_done,),) = await self._trips.write("call_end_delivery", *due, attempt, *ended)
        return bool(is_done)

    async def replay(self, tenant: str, name: str) -> bool:
        """Have a delivery sent again; say whether there is one."""
        ((is_done,),) = await self._trips.write("call_replay_delivery", tenant, name)
        return bool(is_done)

    async def deliveries(
        self, tenant: str, which: WhichDeliveries, before: tuple[int, str] | None, limit: int
    ) -> tuple[DeliveryRow, ...]:
        """List deliveries, the newest first."""
        told = (tenant, *which, *(before or NOWHERE), limit)
        rows = await self._trips.read("call_deliveries", *told)
        return tuple(DeliveryRow(*row) for row in rows)
