"""Say in our words what PostgreSQL and its driver say in their own.

What matters most about an error is whether the command may have happened: only a connection that
is lost in the middle of a write leaves that open, and the same request id finds it out.
"""

from typing import Final

import asyncpg

from interlock.store.errors import (
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnavailable,
    TenantErased,
)
from interlock.store.migrate import SchemaTooOld
from interlock.store.script import Stale

_Sorts = tuple[type[Exception], ...]

LATER: Final = "Nothing was applied; send the same command again in a moment."
ERASED: Final = "IL410"
"""How our triggers call it that a tenant is erased."""

# Whoever wrote the row first was somebody else: the decision must be made again.
RACED: Final = frozenset({"replies_pkey", "units_pkey"})


# What an error means after which nothing was applied: sort, error of ours, message, fix.
MEANINGS: Final[tuple[tuple[_Sorts, type[StoreError | SchemaTooOld], str, str], ...]] = (
    (
        (asyncpg.QueryCanceledError, asyncpg.LockNotAvailableError),
        StoreBusy,
        "The database took too long and gave up.",
        LATER,
    ),
    (
        (asyncpg.UndefinedFunctionError, asyncpg.UndefinedTableError),
        SchemaTooOld,
        "The database lacks what this program needs.",
        "interlock db migrate",
    ),
    (
        (asyncpg.DiskFullError,),
        StoreFull,
        "The database has no room left.",
        f"Make room. {LATER}",
    ),
    (
        (asyncpg.ReadOnlySQLTransactionError,),
        StoreUnavailable,
        "The database takes no writes: it is a standby.",
        f"Name the primary. {LATER}",
    ),
    (
        (asyncpg.InsufficientResourcesError,),
        StoreUnavailable,
        "The database is overloaded.",
        LATER,
    ),
)


class OutcomeUnknown(StoreUnavailable):
    """The connection was lost in the middle of a write: it may have happened or not."""

    code = "OUTCOME_UNKNOWN"


def cannot_connect(exc: Exception) -> StoreError:
    """Return what it means that no connection could be had; nothing was asked of it yet."""
    match exc:
        case asyncpg.ClientConfigurationError() | ValueError():
            message = "The address of the database cannot be used."
            fix = "Say postgresql://user:password@host:5432/name."
        case asyncpg.InvalidPasswordError() | asyncpg.InvalidAuthorizationSpecificationError():
            message = "The database does not let us in: user or password is wrong."
            fix = "Correct the user and the password in INTERLOCK_DATABASE."
        case asyncpg.InvalidCatalogNameError():
            message = f"There is no such database: {exc}."
            fix = "Create it, then run `interlock db migrate`."
        case asyncpg.TooManyConnectionsError():
            message, fix = "The database takes no more connections.", LATER
        case TimeoutError():
            message, fix = "The database gave us no connection in time.", LATER
        case _:
            message = f"The database cannot be reached: {_first_line(exc)}."
            fix = f"Check that it runs and that the address is right. {LATER}"
    return StoreUnavailable(message, fix=fix)


def translate(exc: Exception, *, is_write: bool) -> StoreError | SchemaTooOld | Stale:
    """Return the error of ours that an error during a trip means."""
    if _is_lost(exc):
        return _lost(exc, is_write=is_write)
    is_raced = isinstance(exc, asyncpg.UniqueViolationError) and exc.constraint_name in RACED
    if is_raced or isinstance(exc, asyncpg.SerializationError | asyncpg.DeadlockDetectedError):
        return Stale()
    if getattr(exc, "sqlstate", "") == ERASED:
        return TenantErased()
    for sort, ours, message, fix in MEANINGS:
        if isinstance(exc, sort):
            return ours(message, fix=fix)
    return StoreError(f"The database refused: {_first_line(exc)}.", fix="Run `interlock doctor`.")


def _is_lost(exc: Exception) -> bool:
    """Say whether the connection went away, so that nobody told us how it ended."""
    if isinstance(exc, asyncpg.QueryCanceledError | ValueError):
        return False  # the server gave up, or the driver did not even begin
    return isinstance(
        exc,
        asyncpg.PostgresConnectionError
        | asyncpg.OperatorInterventionError
        | asyncpg.InternalClientError
        | asyncpg.InterfaceError
        | OSError,  # a timeout is one, too
    )


def _lost(exc: Exception, *, is_write: bool) -> StoreUnavailable:
    if not is_write:
        message = f"The connection to the database was lost: {_first_line(exc)}."
        return StoreUnavailable(message, fix="Ask again in a moment.")
    message = (
        f"The connection was lost during a write, which may have happened: {_first_line(exc)}."
    )
    fix = "Send the same command with the same request id: it is carried out at most once."
    return OutcomeUnknown(message, fix=fix)


def _first_line(exc: Exception) -> str:
    return (str(exc).splitlines() or [type(exc).__name__])[0].rstrip(".")
