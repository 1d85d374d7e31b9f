"""The words of a chunk lie under its tenant in the index, so others are passed over at once."""

import asyncio
from contextlib import closing
from pathlib import Path

import apsw

from interlock.commands.verbs import LocalVerbs
from interlock.service.engine import Engine, running
from interlock.service.index import index_due
from interlock.service.keep import Content, Described, keep
from interlock.store.library import Wanted, owner_word
from interlock.store.sqlite.library import match
from interlock.store.sqlite.store import SqliteStore
from interlock.workflows.built_in import WORKFLOWS
from tests.stage import ADA, AWAY, EVE, HOME, new_plan
from tests.still import StillClock


async def with_herons(path: Path) -> SqliteStore:
    """Open a file in which two tenants have a document with the same word."""
    clock = StillClock()
    store = SqliteStore(path, clock, "off")
    engine = Engine(store, clock, running(WORKFLOWS))
    for by in (ADA, EVE):
        await store.add_tenant(by.tenant, by.tenant, 0)
        made = await LocalVerbs(engine, by).call("create_research_plan", new_plan(1))
        described = Described("artifact", "a", "t")
        kept = Content(str(made.data["plan_id"]), "", b"heron", described=described)
        await keep(engine, by, kept)
    assert await index_due(engine) == 2
    return store


def test_the_index_itself_passes_over_what_belongs_to_others(tmp_path: Path) -> None:
    path = tmp_path / "interlock.db"

    async def main() -> None:
        await (await with_herons(path)).close()

    asyncio.run(main())
    with closing(apsw.Connection(str(path))) as file:
        sql = "SELECT count(*) FROM chunk_words WHERE chunk_words MATCH ?"
        counts = [
            file.execute(sql, (match(one, ("heron", "x")),)).get for one in (HOME, AWAY, "nobody")
        ]

    assert counts == [1, 1, 0]


def test_the_chunk_s_own_tenant_counts_even_where_the_index_lies(tmp_path: Path) -> None:
    path = tmp_path / "interlock.db"

    async def main() -> list[int]:
        store = await with_herons(path)
        with closing(apsw.Connection(str(path))) as file:
            forged = (owner_word(HOME), "heron")
            file.execute("DELETE FROM chunk_words")
            for (name,) in list(file.execute("SELECT id FROM chunks")):
                sql = "INSERT INTO chunk_words (rowid, owner, words) VALUES (?, ?, ?)"
                file.execute(sql, (name, *forged))
        found = [
            await store.library.find_words(one, ("heron",), Wanted(), 9) for one in (HOME, AWAY)
        ]
        await store.close()
        return [len(one) for one in found]

    assert asyncio.run(main()) == [1, 0]


def test_no_tenant_can_be_named_so_that_it_is_another() -> None:
    owners = {owner_word(name) for name in ("a", "A", 'a" OR owner:"b', "", "ä")}

    assert len(owners) == 5
    assert all(one.isalnum() for one in owners)
