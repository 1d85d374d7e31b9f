"""What the driver says becomes one of our errors, and says whether the command may have happened."""

import asyncpg
import pytest

from interlock.errors import InterlockError
from interlock.store.errors import StoreBusy, StoreError, StoreFull, StoreUnavailable
from interlock.store.migrate import SchemaTooOld
from interlock.store.postgres.failures import OutcomeUnknown, cannot_connect, translate
from interlock.store.script import Stale

LOST = [
    asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
    asyncpg.AdminShutdownError("terminating connection due to administrator command"),
    asyncpg.InterfaceError("connection is closed"),
    ConnectionResetError("reset"),
    TimeoutError(),
]


@pytest.mark.parametrize("exc", LOST, ids=lambda exc: type(exc).__name__)
def test_a_connection_lost_during_a_write_leaves_open_what_happened(exc: Exception) -> None:
    error = translate(exc, is_write=True)

    assert isinstance(error, OutcomeUnknown)
    assert (error.code, error.http, error.retryable) == ("OUTCOME_UNKNOWN", 503, True)
    assert "same request id" in error.fix


@pytest.mark.parametrize("exc", LOST, ids=lambda exc: type(exc).__name__)
def test_a_connection_lost_during_a_read_is_simply_unavailable(exc: Exception) -> None:
    error = translate(exc, is_write=False)

    assert type(error) is StoreUnavailable
    assert error.retryable


@pytest.mark.parametrize(
    ("exc", "meaning"),
    [
        (asyncpg.SerializationError("x"), Stale),
        (asyncpg.DeadlockDetectedError("x"), Stale),
        (asyncpg.QueryCanceledError("x"), StoreBusy),
        (asyncpg.UndefinedFunctionError("x"), SchemaTooOld),
        (asyncpg.DiskFullError("x"), StoreFull),
        (asyncpg.ReadOnlySQLTransactionError("x"), StoreUnavailable),
        (asyncpg.OutOfMemoryError("x"), StoreUnavailable),
        (asyncpg.UniqueViolationError("x"), StoreError),
        (asyncpg.CheckViolationError("x"), StoreError),
    ],
    ids=lambda one: getattr(one, "__name__", type(one).__name__),
)
def test_an_error_that_the_server_told_has_changed_nothing(
    exc: Exception, meaning: type[Exception]
) -> None:
    assert type(translate(exc, is_write=True)) is meaning


@pytest.mark.parametrize(
    "exc",
    [
        asyncpg.InvalidPasswordError("x"),
        asyncpg.InvalidCatalogNameError("x"),
        asyncpg.TooManyConnectionsError("x"),
        asyncpg.ClientConfigurationError("postgresql://user:secret@host"),
        OSError("no such host"),
        TimeoutError(),
    ],
    ids=lambda exc: type(exc).__name__,
)
def test_whoever_cannot_connect_is_told_what_to_do_and_no_secret(exc: Exception) -> None:
    error = cannot_connect(exc)

    assert isinstance(error, InterlockError)
    assert (error.code, error.retryable) == ("STORE_UNAVAILABLE", True)
    assert error.fix
    assert "secret" not in error.message + error.fix
