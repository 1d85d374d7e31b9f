"""Bugs that are planted in the process of a leg, by name: each breaks one thing a run must notice.

The list with what each is about is ``tests/torture/bugs.toml``. Nothing is planted without a name.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import apsw
import pytest

from interlock.clock import Clock
from interlock.kernel.draft import Draft
from interlock.kernel.forms import Both, In
from interlock.kernel.machine import Edge
from interlock.kernel.rules import Guard, Rule
from interlock.kernel.workflow import LEASE_MS
from interlock.service import run, turn
from interlock.service.engine import Engine, running
from interlock.store.errors import StoreUnavailable
from interlock.store.gates import GateRow
from interlock.store.port import Due
from interlock.store.postgres.drive import Driver
from interlock.store.script import Change, Committed, Script
from interlock.store.sqlite import jobs, read, session, writer
from interlock.store.sqlite import store as sqlite_store
from interlock.store.sqlite import write as sqlite_write
from interlock.store.sqlite.jobs import Job
from interlock.store.sqlite.session import Session
from interlock.store.sqlite.write import write
from interlock.store.sqlite.writer import HalfWritten, Writer
from interlock.store.statements import Statement, statements
from interlock.workflows.built_in import WORKFLOWS
from interlock.workflows.mission.guards import PEOPLE_END
from interlock.workflows.ticket.bead import UNHELD
from interlock.workflows.ticket.blocked_rules import BLOCKED_FUNCTIONS
from interlock.workflows.ticket.coding_rules import UNBLOCKED
from interlock.workflows.ticket.guards import PEOPLE_DECIDE
from interlock.workflows.ticket.phases import DELIVERING
from tests.simulation import machine

Plant = Callable[[pytest.MonkeyPatch], None]


@contextmanager
def planted(bug: str) -> Iterator[None]:
    """Plant a bug for as long as the block lasts."""
    with pytest.MonkeyPatch.context() as patch:
        if bug:
            BUGS[bug](patch)
        yield


def _reply_is_not_kept(patch: pytest.MonkeyPatch) -> None:
    def wrong(at: Session, change: Change, now: int) -> None:
        write(at, replace(change, key=None), now)

    patch.setattr(writer, "write", wrong)


def _reply_is_not_kept_by_postgres(patch: pytest.MonkeyPatch) -> None:
    right = Driver._commit

    async def wrong(driver: Driver, change: Change, turn: int) -> Committed:
        return await right(driver, replace(change, key=None), turn)

    patch.setattr(Driver, "_commit", wrong)


def _any_lease_is_good(patch: pytest.MonkeyPatch) -> None:
    flows = {
        name: replace(flow, functions={**flow.functions, "lease_is_mine": lambda _: True})
        for name, flow in WORKFLOWS.items()
    }
    ready = running(flows)
    patch.setattr(machine, "ready_flows", lambda: ready)


def _workflow(patch: pytest.MonkeyPatch, name: str, **changed: object) -> None:
    """Let the engine run a workflow of which something is other than it is meant to be."""
    flow = replace(WORKFLOWS[name], **changed)  # type: ignore[arg-type]  # as its fields are called
    ready = running({**WORKFLOWS, name: flow})
    patch.setattr(machine, "ready_flows", lambda: ready)


def _without(name: str, event: str, *guards: Guard) -> tuple[Rule, ...]:
    """Return the rules of a workflow, one of them without some of its guards."""
    return tuple(
        rule if rule.event != event
        else replace(rule, guards=tuple(one for one in rule.guards if one not in guards))
        for rule in WORKFLOWS[name].rules
    )  # fmt: skip


def _any_digest_is_approved(patch: pytest.MonkeyPatch) -> None:
    functions = {**WORKFLOWS["ticket"].functions, "digest_is_fresh": lambda _: True}
    _workflow(patch, "ticket", functions=functions)


def _needs_are_not_waited_for(patch: pytest.MonkeyPatch) -> None:
    beads, *others = WORKFLOWS["ticket"].parts
    can = Both((In("unit", ("CODING",)), In("part", ("pending", "in_progress")), UNHELD))
    rules = _without("ticket", "claim_bead", UNBLOCKED)
    parts = (replace(beads, claimable=can), *others)
    _workflow(patch, "ticket", parts=parts, rules=rules)


def _a_retry_begins_too_early(patch: pytest.MonkeyPatch) -> None:
    def remember(draft: Draft) -> None:
        BLOCKED_FUNCTIONS["remember_phase"](draft)
        if draft.unit.fields["previous"] in DELIVERING:
            draft.write("unit", "previous", DELIVERING[0])

    functions = {**WORKFLOWS["ticket"].functions, "remember_phase": remember}
    _workflow(patch, "ticket", functions=functions)


def _what_was_cancelled_goes_on(patch: pytest.MonkeyPatch) -> None:
    unit = WORKFLOWS["ticket"].unit
    more = replace(unit, edges=(*unit.edges, Edge("CANCELED", "RETRY", "DRAFT")))
    (retry,) = (rule for rule in WORKFLOWS["ticket"].rules if rule.event == "retry")
    rules = _without("ticket", "retry", *(one for one in retry.guards if one != PEOPLE_DECIDE))
    _workflow(patch, "ticket", unit=more, rules=rules)


def _agents_end_what_has_ended(patch: pytest.MonkeyPatch) -> None:
    _workflow(patch, "mission", rules=_without("mission", "cancel_mission", PEOPLE_END))


def _live_leases_are_swept(patch: pytest.MonkeyPatch) -> None:
    right = read.due

    def soon(at: Session, now: int, limit: int) -> tuple[Due, ...]:
        return right(at, now + LEASE_MS, limit)

    patch.setattr(read, "due", soon)
    patch.setattr(sqlite_write, "_require_due", lambda *_: None)


def _gates_never_close(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(GateRow, "is_open", property(lambda _: True))


def _any_tenant_finds_a_unit(patch: pytest.MonkeyPatch) -> None:
    known = statements("sqlite")
    one = known["load_unit"]
    sql = one.sql.replace("tenant = :tenant", ":tenant <> ''", 1)
    assert sql != one.sql
    left = tuple(name for name in one.parameters if re.search(rf":{name}\b", sql))
    changed = {**known, "load_unit": Statement(one.name, sql, left)}
    patch.setattr(session, "statements", lambda _: changed)


def _sweeps_leave_no_entry(patch: pytest.MonkeyPatch) -> None:
    def wrong(at: Session, change: Change, now: int) -> None:
        write(at, change if change.overdue is None else replace(change, entries=()), now)

    patch.setattr(writer, "write", wrong)


def _memory_outlives_an_error(patch: pytest.MonkeyPatch) -> None:
    def wrong(one: Writer) -> None:
        one.wrote = set()
        if one.connection.in_transaction:
            one.connection.execute("ROLLBACK")

    patch.setattr(Writer, "_undo", wrong)


def _any_version_will_do(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(turn, "require_version", lambda *_: None)


def _starting_gives_more_time(patch: pytest.MonkeyPatch) -> None:
    right = sqlite_store._incarnation

    def wrong(connection: apsw.Connection, clock: Clock) -> str:
        connection.execute("UPDATE parts SET due = due + 1000 WHERE due IS NOT NULL")
        return right(connection, clock)

    patch.setattr(sqlite_store, "_incarnation", wrong)


def _a_group_is_not_done_again(patch: pytest.MonkeyPatch) -> None:
    """Where one of a group fails, the others are answered as if they had not been undone."""
    right = Writer._commit

    def wrong(one: Writer, group: list[Job]) -> None:
        if len(group) == 1:
            right(one, group)
            return
        one.wrote = set()
        try:
            one._begin()
            for job in group:
                one._play_one(job)
            one.connection.execute("COMMIT")
        except HalfWritten:
            one._undo()
        except apsw.Error as exc:
            one._fail(group, exc)
        jobs.deliver(group)

    patch.setattr(Writer, "_commit", wrong)


def _what_failed_is_sent_again(patch: pytest.MonkeyPatch) -> None:
    right = run.drive

    async def wrong(engine: Engine, tenant: str, script: Callable[[], Script]) -> Committed:
        try:
            return await right(engine, tenant, script)
        except StoreUnavailable:
            return await right(engine, tenant, script)

    patch.setattr(run, "drive", wrong)


BUGS: Final[dict[str, Plant]] = {
    "reply is not kept": _reply_is_not_kept,
    "any lease is good": _any_lease_is_good,
    "live leases are swept": _live_leases_are_swept,
    "gates never close": _gates_never_close,
    "any tenant finds a unit": _any_tenant_finds_a_unit,
    "sweeps leave no entry": _sweeps_leave_no_entry,
    "memory outlives an error": _memory_outlives_an_error,
    "any version will do": _any_version_will_do,
    "starting gives more time": _starting_gives_more_time,
    "a group is not done again": _a_group_is_not_done_again,
    "what failed is sent again": _what_failed_is_sent_again,
    "any digest is approved": _any_digest_is_approved,
    "beads do not wait for what they need": _needs_are_not_waited_for,
    "a retry goes back too far": _a_retry_begins_too_early,
    "a cancelled ticket is resumed": _what_was_cancelled_goes_on,
    "an agent cancels a failed mission": _agents_end_what_has_ended,
    "PostgreSQL keeps no reply": _reply_is_not_kept_by_postgres,
}
