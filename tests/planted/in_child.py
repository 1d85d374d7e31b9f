"""Bugs that are planted in the process that is killed, by name; no name plants nothing.

Each tears apart what one commit must hold together: the answer from the commit, the audit from
the rows, the reply to a request id from what was done for it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from interlock.store.script import Change
from interlock.store.sqlite import jobs, writer
from interlock.store.sqlite.jobs import Job
from interlock.store.sqlite.session import Session, Values
from interlock.store.sqlite.write import write
from interlock.store.sqlite.writer import Writer
from tests.planted import in_postgres

ACK_BEFORE_COMMIT: Final = "ack before commit"
AUDIT_APART: Final = "audit in a second transaction"
REPLY_APART: Final = "idempotency stored after the commit"

Later = tuple[str, str, Values]
"""A tenant, the name of a statement, and its values."""


def plant(bug: str) -> None:
    """Plant a bug in this process."""
    if bug:
        {**BUGS, **in_postgres.BUGS}[bug]()


def _answer_early() -> None:
    def commit(self: Writer, group: list[Job]) -> None:
        self.wrote = set()
        self._begin()
        for job in group:
            self._play_one(job)
        jobs.deliver(group)
        self.connection.execute("COMMIT")

    Writer._commit = commit  # type: ignore[method-assign]  # that is the bug


def _write_apart(part: Callable[[Change], tuple[Change, list[Later]]]) -> None:
    """Write some of a change only after the commit of the rest."""
    commit, undo = Writer._commit, Writer._undo
    later: list[Later] = []

    def write_some(session: Session, change: Change, now: int) -> None:
        now_part, later_part = part(change)
        write(session, now_part, now)
        later.extend(later_part)

    def commit_twice(self: Writer, group: list[Job]) -> None:
        commit(self, group)
        for tenant, name, values in later:
            Session(self.connection, tenant).change(name, values)
        later.clear()

    def undo_both(self: Writer) -> None:
        later.clear()
        undo(self)

    Writer._undo = undo_both  # type: ignore[method-assign]  # what is undone is not written later
    writer.write = write_some  # type: ignore[attr-defined]  # that is where it is called
    Writer._commit = commit_twice  # type: ignore[method-assign]  # that is the bug


def _audit_apart(change: Change) -> tuple[Change, list[Later]]:
    rows = [{**link._asdict(), "unit": change.unit.id} for link in change.entries]
    return replace(change, entries=()), [(change.tenant, "insert_entry", row) for row in rows]


def _reply_apart(change: Change) -> tuple[Change, list[Later]]:
    if change.key is None:
        return change, []
    row = {**change.key._asdict(), "unit": change.unit.id, "text": change.reply, "at": change.at}
    return replace(change, key=None), [(change.tenant, "insert_reply", row)]


BUGS: Final[dict[str, Callable[[], None]]] = {
    ACK_BEFORE_COMMIT: _answer_early,
    AUDIT_APART: lambda: _write_apart(_audit_apart),
    REPLY_APART: lambda: _write_apart(_reply_apart),
}
