"""The list of planted bugs: what each is, where it is planted, and which check must notice it.

A bug is a change to our own tables, statements or functions that somebody could make one day and
that every ordinary test might survive. Planted it lives only as long as its block.
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

import pytest

from interlock.clock import SystemClock
from interlock.service.engine import Engine, running
from interlock.store.errors import StoreError
from interlock.store.postgres.guard import TenantsUnguarded
from interlock.store.sqlite import session
from interlock.workflows.built_in import WORKFLOWS
from tests.crash.points import AFTER_ALONE, AFTER_COMMIT
from tests.planted.changed import change_functions, changed_statements
from tests.planted.in_child import ACK_BEFORE_COMMIT, AUDIT_APART, REPLY_APART
from tests.races import checks
from tests.stage import HOME, Stage

NS_PER_MS = 1_000_000

Check = Callable[[Stage, Engine], Awaitable[None]]
Planting = Callable[[Stage], AbstractAsyncContextManager[Stage]]


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug in a process or in a database, and the check that notices it."""

    name: str
    dialect: str
    plant: Planting
    check: Check
    raises: type[Exception] = AssertionError


@dataclass(frozen=True, slots=True)
class KilledBug:
    """A bug that only a kill brings out: where the kill must hit, and what is found then."""

    name: str
    point: str
    finding: str


# -- in this process ---------------------------------------------------------------------------


@asynccontextmanager
async def _no_fence(stage: Stage) -> AsyncIterator[Stage]:
    """Whoever comes may hand in a part, with whatever lease."""
    flows = {
        name: replace(flow, functions={**flow.functions, "lease_is_mine": lambda _: True})
        for name, flow in WORKFLOWS.items()
    }
    engine = stage.engine
    yield replace(stage, engine=Engine(engine.store, engine.clock, running(flows)))


@asynccontextmanager
async def _raw_wall_clock(stage: Stage) -> AsyncIterator[Stage]:
    """Time is whatever the wall clock says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SystemClock, "now", lambda _: time.time_ns() // NS_PER_MS)
        yield stage


def _statements(old: str, new: str) -> Planting:
    """Change every statement to SQLite that says something."""

    @asynccontextmanager
    async def planted(stage: Stage) -> AsyncIterator[Stage]:
        changed = changed_statements((old, new))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(session, "statements", lambda _: changed)
            yield stage

    return planted


# -- in a PostgreSQL database ------------------------------------------------------------------


def _functions(old: str, new: str, *more: str) -> Planting:
    """Change every function of ours that says something, and run further statements."""

    @asynccontextmanager
    async def planted(stage: Stage) -> AsyncIterator[Stage]:
        await change_functions(str(stage.where), (old, new))
        for statement in more:
            await stage.sql(statement)
        yield stage

    return planted


def _in_database(statement: str) -> Planting:
    @asynccontextmanager
    async def planted(stage: Stage) -> AsyncIterator[Stage]:
        await stage.sql(statement)
        yield stage

    return planted


SET_TENANT: Final = "PERFORM set_config('interlock.tenant', in_tenant, true);"
ALWAYS_HOME: Final = f"""
DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET interlock.tenant = {HOME}', current_database());
END $$
"""

# fmt: off
BUGS: Final = (
    Bug("no fence check", "sqlite", _no_fence, checks.a_late_result_is_refused_and_kept),
    Bug("no fence check", "postgres", _no_fence, checks.a_late_result_is_refused_and_kept),
    Bug(
        "key not scoped by tenant", "sqlite",
        _statements("tenant = :tenant AND principal", ":tenant <> '' AND principal"),
        checks.an_id_belongs_to_one_principal_of_one_tenant,
    ),
    Bug(
        "missing version guard", "sqlite",
        _statements("AND version = :before", "AND :before > 0"),
        checks.an_old_decision_is_not_committed,
    ),
    Bug(
        "missing version guard", "postgres",
        _functions("AND u.id = in_unit AND u.version = in_before;", "AND u.id = in_unit;"),
        checks.an_old_decision_is_not_committed,
    ),
    Bug("lease by raw wall clock", "sqlite", _raw_wall_clock, checks.a_jump_of_the_wall_clock_expires_nothing),
    Bug(
        "tally not updated", "sqlite",
        _statements("tally = :tally", "tally = tally"),
        checks.counts_are_true,
    ),
    Bug(
        "tally not updated", "postgres",
        _functions("tally = in_tally", "tally = u.tally"),
        checks.counts_are_true,
    ),
    Bug(
        "tenant set outside the function", "postgres",
        _functions(SET_TENANT, "", ALWAYS_HOME),
        checks.an_id_belongs_to_one_principal_of_one_tenant, StoreError,
    ),
    Bug(
        "table without forced row security", "postgres",
        _in_database("ALTER TABLE units NO FORCE ROW LEVEL SECURITY"),
        checks.counts_are_true, TenantsUnguarded,
    ),
)

KILLED: Final = (
    KilledBug(ACK_BEFORE_COMMIT, "before commit", "is lost"),
    KilledBug(AUDIT_APART, AFTER_COMMIT, ", entry "),
    KilledBug(AUDIT_APART, AFTER_ALONE, ", entry "),
    KilledBug(REPLY_APART, AFTER_COMMIT, "happened"),
)
# fmt: on
