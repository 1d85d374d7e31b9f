"""Hooks as rows: who wants to be told what happens, what is to be sent, and how that went.

A store has these verbs as ``store.hooks``. A delivery is written down with the position in the
feed that it was made of, in one transaction: each thing that happened is told once to each hook,
and none is forgotten, whoever dies in between. A secret goes in and comes out for signing alone;
it is in no row that is read.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from interlock.store.people import Act


class HookRow(NamedTuple):
    """A hook without its secret; ``events`` are words with blanks between."""

    id: str
    url: str
    events: str
    workflow: str
    created_by: str
    created_at: int
    position: str = ""
    failing_since: int | None = None
    disabled_at: int | None = None
    disabled_why: str = ""


class NewDelivery(NamedTuple):
    """Something to be sent; ``about`` and the event name it once for each hook."""

    id: str
    event: str
    about: str
    body: str


class DeliveryRow(NamedTuple):
    """A delivery as it is kept."""

    id: str
    hook: str
    event: str
    about: str
    body: str
    at: int
    due: int
    attempts: int
    status: str
    code: int | None
    error: str
    delivered_at: int | None


class DueDelivery(NamedTuple):
    """A delivery that is due, or a hook that is on, wherever it is."""

    tenant: str
    id: str


class Ended(NamedTuple):
    """How an attempt has ended. A hook that fails since before ``off_before`` is switched off."""

    status: str
    code: int | None
    error: str
    delay_ms: int
    at: int
    off_before: int
    why: str


class WhichDeliveries(NamedTuple):
    """Which deliveries a list has; empty means any."""

    id: str = ""
    hook: str = ""
    status: str = ""


class Hooks(Protocol):
    """Hooks, their deliveries, and the key of links. ``on`` and ``due`` cross tenants: ids only."""

    async def link_key(
        self, tenant: str, fresh: str, at: int, *, is_other: bool = False, act: Act | None = None
    ) -> str:
        """Return the key of a tenant's links; ``fresh`` is kept if there is none, or it is another.

        An empty one is not kept: then there may be none.
        """

    async def add(self, tenant: str, row: HookRow, secret: str, act: Act) -> None:
        """Keep a hook, which is told what happens from now on."""

    async def find(self, tenant: str, name: str) -> HookRow | None:
        """Read a hook."""

    async def all(self, tenant: str) -> Sequence[HookRow]:
        """List the hooks of a tenant, the oldest first."""

    async def secret(self, tenant: str, name: str) -> str | None:
        """Return what a hook's deliveries are signed with."""

    async def switch(
        self, tenant: str, name: str, off_at: int | None, why: str, at: int, act: Act
    ) -> bool:
        """Switch a hook off at an instant, or on; say whether there is one."""

    async def remove(self, tenant: str, name: str, at: int, act: Act) -> bool:
        """Take a hook away with its deliveries; say whether there was one."""

    async def on(self) -> Sequence[DueDelivery]:
        """Say which hooks of any tenant are on."""

    async def add_deliveries(
        self, tenant: str, hook: HookRow, position: str, at: int, made: Sequence[NewDelivery]
    ) -> bool:
        """Write down what is to be sent, and go on to a position, unless somebody else has."""

    async def due(self, limit: int) -> Sequence[DueDelivery]:
        """Find deliveries of any tenant that are due."""

    async def take(self, due: DueDelivery, lease_ms: int) -> int | None:
        """Take a delivery for a while; return the attempt, None where somebody else has it."""

    async def end(self, due: DueDelivery, attempt: int, ended: Ended) -> bool:
        """Write down how an attempt has ended, if it is still the caller's."""

    async def replay(self, tenant: str, name: str) -> bool:
        """Have a delivery sent again; say whether there is one."""

    async def deliveries(
        self, tenant: str, which: WhichDeliveries, before: tuple[int, str] | None, limit: int
    ) -> Sequence[DeliveryRow]:
        """List deliveries, the newest first, from a place in that order on."""
