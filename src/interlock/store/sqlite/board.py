"""Boards on a SQLite file. Cards are written by commands, in ``write``; here only missing ones."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from interlock.store.board import (
    Asking,
    Bare,
    Card,
    Group,
    Queue,
    Tile,
    Vitals,
    Wanted,
    WhichWork,
    Work,
)
from interlock.store.rows import told_fields, told_tally
from interlock.store.sqlite.session import Reading, Row, Session, Values
from interlock.store.sqlite.writer import Writer


class SqliteBoard:
    """The boards of one file."""

    def __init__(self, read: Reading, writer: Writer, now: Callable[[], int]) -> None:
        """Read through the store, write through its writer; leases run out by this clock."""
        self._read = read
        self._writer = writer
        self._now = now

    async def counts(self, tenant: str, wanted: Wanted) -> Mapping[Group, int]:
        """Count the units of each group."""
        values: Values = {**wanted._asdict()}
        rows = await self._read(tenant, lambda s: list(s.rows("count_groups", values)))
        return {
            Group(str(workflow), str(status), bool(is_asked)): cast("int", amount)
            for workflow, status, is_asked, amount in rows
        }

    async def tiles(
        self,
        tenant: str,
        wanted: Wanted,
        groups: Sequence[Group],
        before: tuple[int, str] | None,
        limit: int,
    ) -> tuple[Tile, ...]:
        """List units of these groups, the last changed first."""
        changed_at, name = before or (None, "")
        keys = json.dumps([one.key for one in groups])
        values: Values = {**wanted._asdict(), "groups": keys, "limit": limit}
        values |= {"changed_at": changed_at, "id": name}
        return await self._read(tenant, lambda s: tuple(map(_tile, s.rows("list_tiles", values))))

    async def bare(self, tenant: str, limit: int) -> tuple[Bare, ...]:
        """List units that have no card."""
        return await self._read(tenant, lambda s: _bare(s, limit))

    async def vitals(self, tenant: str) -> Vitals:
        """Count what waits for agents and for people, and what is held."""
        now = self._now()
        return await self._read(tenant, lambda s: _vitals(s, now))

    async def work(
        self, tenant: str, which: WhichWork, after: tuple[int, str, int] | None, limit: int
    ) -> tuple[Work, ...]:
        """List what is offered or held, of the oldest unit first."""
        since, name, number = after or (0, "", 0)
        values: Values = {**which._asdict(), "since": since, "after": name, "number": number}
        make = cast("Callable[..., Work]", Work)
        return await self._read(
            tenant,
            lambda s: tuple(make(*row) for row in s.rows("list_work", values | {"limit": limit})),
        )

    async def fill(self, tenant: str, cards: Mapping[str, Card]) -> None:
        """Give units their cards that have none."""

        def play(writer: Writer) -> None:
            writer.begin_writing(tenant)
            session = Session(writer.connection, tenant)
            for unit, card in cards.items():
                session.write("fill_card", {"unit": unit, **card._asdict()})

        await self._writer.call(play)


def _vitals(session: Session, now: int) -> Vitals:
    queues = [Queue(str(u), str(k), cast("int", n)) for u, k, n in session.rows("count_queues", {})]
    rows = session.rows("count_open_gates", {})
    gates = [Asking(str(u), cast("int", n), cast("int", at)) for u, n, at in rows]
    (leases,) = session.rows("count_leases", {"now": now})
    held, overdue = cast("tuple[int, int]", leases)
    return Vitals(tuple(queues), tuple(gates), held, overdue)


def _bare(session: Session, limit: int) -> tuple[Bare, ...]:
    if session.row("count_bare", {}) == (0,):
        return ()
    rows = session.rows("bare_units", {"limit": limit})
    return tuple(Bare(str(unit), str(flow), told_fields(str(body))) for unit, flow, body in rows)


def _tile(row: Row) -> Tile:
    name, workflow, status, changed_at, tally, tags, gates, since, called, *rest = row
    held_at, fields, due = rest
    return Tile(
        str(name), str(workflow), str(status), cast("int", changed_at), told_tally(str(tally)),
        tuple(json.loads(str(tags))), cast("int", gates), cast("int | None", since),
        None if called is None else str(called), cast("int | None", held_at),
        None if fields is None else told_fields(str(fields)), cast("int | None", due),
    )  # fmt: skip
