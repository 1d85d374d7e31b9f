"""What must hold before a program may use a server; whatever does not is a reason not to start.

The role we work as must not be able to pass by row security or to touch the audit, every table
with a tenant must force row security on everybody, and the server must not lose what it has
acknowledged. The schema must be the one this program knows.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import asyncpg

from interlock.store.errors import DurabilityRefused, StoreError
from interlock.store.migrate import SchemaTooOld, applied_postgres, own_migrations, require_current
from interlock.store.moving import CopyUnfinished
from interlock.store.statements import statements

if TYPE_CHECKING:
    from interlock.store.postgres.trips import Connection, Options

VERSION_MIN: Final = 150_000


class ServerTooOld(StoreError):
    """The server lacks what we need; PostgreSQL 15 is the oldest that has it."""

    code = "SERVER_TOO_OLD"


class RoleRefused(StoreError):
    """The role could do more than it may, or we may not take it on."""

    code = "ROLE_REFUSED"


class TenantsUnguarded(StoreError):
    """Tables or policies would let one tenant see the rows of another."""

    code = "TENANTS_UNGUARDED"


@dataclass(frozen=True, slots=True)
class Standing:
    """How we stand with a server that may be used. ``lossy`` names settings that are off."""

    version: str
    incarnation: str
    clock: int
    lossy: tuple[str, ...]
    is_login_powerful: bool

    @property
    def durability(self) -> str:
        """Say ``full`` when what was acknowledged survives a power cut, else ``degraded``."""
        return "degraded" if self.lossy else "full"


async def inspect(connection: "Connection", options: "Options") -> Standing:
    """Take the app's role on and say how we stand; raises what is in the way."""
    said = statements("postgres")
    login = await _row(connection, said["read_login"].sql, options.role)
    if login["version_number"] < VERSION_MIN:
        message = f"The server is PostgreSQL {login['version']}; 15 is the oldest that will do."
        raise ServerTooOld(message, fix="Move the database to a newer server.")
    if not login["has_role"]:
        message = f"The server has no role {options.role!r}: this database was never migrated."
        raise SchemaTooOld(message, fix="interlock db migrate")
    try:
        await connection.execute(said["enter_role"].sql, options.role)
    except asyncpg.InsufficientPrivilegeError as exc:
        message = f"{login['login']!r} may not work as {options.role!r}."
        fix = f'As the owner of the database: GRANT {options.role} TO "{login["login"]}";'
        raise RoleRefused(message, fix=fix) from exc
    require_current(await applied_postgres(connection), own_migrations("postgres"))
    copied = await connection.fetchrow(said["read_copy"].sql)
    if copied is not None and copied["finished_at"] is None and not options.is_copying:
        message = "This database is a copy that has not been finished."
        raise CopyUnfinished(message, fix="Run the same `interlock db copy` again: it goes on.")
    standing = await _row(connection, said["read_standing"].sql)
    _judge_role(standing)
    _judge_tables(standing)
    if standing["lossy"] and not options.allow_degraded:
        names = ", ".join(standing["lossy"])
        message = f"The server may lose acknowledged work in a power cut: {names} is off."
        fix = f"Switch {names} on, or accept the loss with INTERLOCK_ALLOW_DEGRADED=yes."
        raise DurabilityRefused(message, fix=fix)
    name, clock = await _row(connection, said["read_incarnation"].sql)
    return Standing(
        login["version"], name, clock, tuple(standing["lossy"]), standing["is_login_powerful"]
    )


async def _row(connection: "Connection", sql: str, *arguments: object) -> "asyncpg.Record":
    row = await connection.fetchrow(sql, *arguments)
    if row is None:
        message = "The server does not tell how it is set up."
        raise StoreError(message, fix="Run `interlock doctor`.")
    return row


def _judge_role(standing: "asyncpg.Record") -> None:
    role = standing["role"]
    powers = []
    if standing["is_superuser"]:
        powers.append("is a superuser")
    if standing["bypasses"]:
        powers.append("bypasses row security")
    if standing["owned"]:
        powers.append(f"owns {', '.join(standing['owned'])}")
    if standing["audit_privileges"]:
        powers.append(f"may {', '.join(standing['audit_privileges'])} the audit")
    if standing["truncatable"]:
        powers.append(f"may TRUNCATE {', '.join(standing['truncatable'])}")
    if powers:
        message = f"The role {role!r} has too much power: it {'; it '.join(powers)}."
        fix = "Take these rights away, or let another role own the database and migrate it."
        raise RoleRefused(message, fix=fix)


def _judge_tables(standing: "asyncpg.Record") -> None:
    if standing["unguarded"]:
        message = f"Row security is not forced on {', '.join(standing['unguarded'])}."
        fix = "As the owner: ALTER TABLE ... ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;"
        raise TenantsUnguarded(message, fix=fix)
    if standing["loose"]:
        message = f"These policies do not ask for the tenant: {', '.join(standing['loose'])}."
        raise TenantsUnguarded(message, fix="As the owner: DROP POLICY, for each of them.")
