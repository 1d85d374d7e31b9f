"""Bugs that are planted in the processes of a history or of a program, by name.

Some are in the statements or functions of a process, some in the tables of a workflow, and some in
the database itself. Each is something that somebody could do one day, mostly to be faster.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from interlock.kernel.rules import Do
from interlock.kernel.workflow import Workflow
from interlock.service.engine import Running
from interlock.store.rows import BareRow, dump
from interlock.store.script import Change
from interlock.store.sqlite import session as statements_of
from interlock.store.sqlite import writer
from interlock.store.sqlite.session import Session
from interlock.store.sqlite.store import SqliteStore
from interlock.store.sqlite.write import write
from interlock.workflows.built_in import WORKFLOWS
from interlock.workflows.plan.workflow import WORKFLOW as PLAN
from tests.planted.changed import change_functions, changed_statements
from tests.ready import ready_flows

VERSION_GUARD_OFF: Final = "version guard off"
MEMORY_BELIEVED: Final = "memory believed"
ID_WITHOUT_PRINCIPAL: Final = "request id without its principal"
SNAPSHOT_READS: Final = 25
"""How many reads of a unit see the same old moment."""


def plant(bug: str) -> None:
    """Plant a bug in this process; one that is planted elsewhere is nothing here."""
    BUGS.get(bug, lambda: None)()


def flows(bug: str) -> Mapping[str, Running]:
    """Return the workflows, with the bug if it is one of theirs."""
    changed = PLANS.get(bug)
    return ready_flows({**WORKFLOWS, PLAN.name: changed(PLAN)} if changed else WORKFLOWS)


async def plant_in_database(bug: str, place: str) -> None:
    """Plant a bug in a PostgreSQL database, if it is one of those."""
    if bug == VERSION_GUARD_OFF:
        kept = "in_at, in_entry, in_head)", "AS e (sequence, at, body, hash)"
        await change_functions(
            place,
            ("AND u.version = in_before", ""),
            # The log would refuse a second entry of the same number: it takes the first.
            *((one, f"{one} ON CONFLICT DO NOTHING") for one in kept),
        )


# -- in a process ------------------------------------------------------------------------------


def _believe_memory() -> None:
    """A read is answered from what the process remembers, whatever others have written since."""
    look = SqliteStore.bare

    async def bare(self: SqliteStore, tenant: str, unit: str) -> BareRow | None:
        known = self._writer.memory._units.get((tenant, unit))
        if known is None:
            return await look(self, tenant, unit)
        row = known.row
        return BareRow(
            row.id, row.workflow, row.digest, row.unit.status, row.version, row.head, row.made,
            row.takes, dump(row.tally), dump(row.unit.fields), row.created_at, row.changed_at,
            row.ended_at,
        )  # fmt: skip

    SqliteStore.bare = bare  # type: ignore[method-assign]  # that is the bug


def _old_snapshot() -> None:
    """What was read is told to many: they see an old moment, as on a slow replica."""
    look = SqliteStore.bare
    seen: dict[tuple[str, str], tuple[int, BareRow | None]] = {}

    async def bare(self: SqliteStore, tenant: str, unit: str) -> BareRow | None:
        reads, row = seen.get((tenant, unit), (0, None))
        if reads % SNAPSHOT_READS == 0:
            row = await look(self, tenant, unit)
        seen[tenant, unit] = (reads + 1, row)
        return row

    SqliteStore.bare = bare  # type: ignore[method-assign]  # that is the bug


def _changed(*changes: tuple[str, str]) -> Callable[[], None]:
    def planted() -> None:
        found = changed_statements(*changes)
        statements_of.statements = lambda _: found  # type: ignore[assignment, attr-defined]  # where it is called

    return planted


def _keep_no_reply() -> None:
    """What a request id was answered is not kept."""

    def write_without(session: Session, change: Change, now: int) -> None:
        write(session, replace(change, key=None), now)

    writer.write = write_without  # type: ignore[attr-defined]  # that is where it is called


# -- in a workflow -----------------------------------------------------------------------------


def _held_is_free(flow: Workflow) -> Workflow:
    """A part may be claimed whoever holds it."""
    free = {**flow.functions, "lease_is_takeable": lambda _: True}
    return replace(flow, functions=free)


def _any_fence(flow: Workflow) -> Workflow:
    """Whoever comes may act on a part, with whatever lease."""
    return replace(flow, functions={**flow.functions, "lease_is_mine": lambda _: True})


def _gate_stays_open(flow: Workflow) -> Workflow:
    """A decision is written down, and what it was about goes on waiting."""
    rules = tuple(
        replace(rule, walk=(Do("append_feedback"),)) if rule.event == "modify" else rule
        for rule in flow.rules
    )
    return replace(flow, rules=rules)


BUGS: Final[dict[str, Callable[[], None]]] = {
    MEMORY_BELIEVED: _believe_memory,
    "reads of an old snapshot": _old_snapshot,
    ID_WITHOUT_PRINCIPAL: _changed(
        ("tenant = :tenant AND principal = :principal AND request", "tenant = :tenant AND request"),
    ),
    "request ids not kept": _keep_no_reply,
}
PLANS: Final[dict[str, Callable[[Workflow], Workflow]]] = {
    "claim of a held part": _held_is_free,
    "any fence is good": _any_fence,
    "gate takes two decisions": _gate_stays_open,
}
