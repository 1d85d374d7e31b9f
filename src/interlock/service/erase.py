"""Erasing a tenant: who may, and that nobody works for one that was erased.

An owner erases their own tenant, by naming it. What is erased and how the bytes go is the store's
affair; what stays is enough to see that nothing was taken out of the audit but what it said.
"""

from interlock.errors import InterlockError
from interlock.service.acts import act_of
from interlock.service.engine import Engine, Principal
from interlock.service.errors import NotFound
from interlock.service.roles import OWNER, require_person, require_rank
from interlock.store.errors import TenantErased
from interlock.store.people import Act


class NotNamed(InterlockError):
    """What is to be erased was not named as it is called."""

    code = "NOT_NAMED"
    http = 422


async def erasing(engine: Engine, caller: Principal, name: str) -> Act:
    """Return the act of erasing the caller's tenant; raises unless they may and have named it."""
    require_person(caller, "Erasing a tenant")
    require_rank(caller, OWNER, "This erases all that is here")
    row = await engine.store.people.tenant(caller.tenant)
    if row is None:
        raise NotFound(caller.tenant)
    if name not in {row.id, row.name} - {""}:
        message = "The tenant that you would erase is called otherwise."
        raise NotNamed(message, fix="Ask `interlock tenant show` for its name, or its id.")
    return act_of(engine, caller, "tenant_erased", row.id)


async def is_erased(engine: Engine, tenant: str) -> bool:
    """Say whether a tenant was erased."""
    row = await engine.store.people.tenant(tenant)
    return row is not None and row.closed_at is not None


async def require_open(engine: Engine, tenant: str) -> None:
    """Raise where a tenant was erased."""
    if await is_erased(engine, tenant):
        raise TenantErased
