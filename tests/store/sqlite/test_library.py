"""The words of a chunk lie under its tenant in the index, so others are passed over at once."""

import asyncio
from contextlib import closing
from pathlib import Path

import apsw

from interlock.commands.verbs import LocalVerbs
from interlock.service.engine import Engine, running
from interlock.service.index import index_due
from interlock.service.keep import Content, Described, keep
from interlock.store.library import Wanted
from interlock.store.sqlite.library import _owner
from interlock.store.sqlite.store import SqliteStore
from interlock.workflows.built_in import WORKFLOWS
from tests.stage import ADA, AWAY, EVE, HOME, new_plan
from tests.still import StillClock


def test_a_search_asks_the_index_for_one_tenant_s_words_only(tmp_path: Path) -> None:
    path = tmp_path / "interlock.db"

    async def main() -> tuple[int, int]:
        clock = StillClock()
        store = SqliteStore(path, clock, "off")
        engine = Engine(store, clock, running(WORKFLOWS))
        for by in (ADA, EVE):
            await store.add_tenant(by.tenant, by.tenant, 0)
            made = await LocalVerbs(engine, by).call("create_research_plan", new_plan(1))
            kept = Content(
                str(made.data["plan_id"]), "", b"heron", described=Described("artifact", "a", "t")
            )
            await keep(engine, by, kept)
        await index_due(engine)
        found = [
            await store.library.find_words(one, ("heron",), Wanted(), 9) for one in (HOME, AWAY)
        ]
        await store.close()
        return len(found[0]), len(found[1])

    assert asyncio.run(main()) == (1, 1)
    with closing(apsw.Connection(str(path))) as file:
        query = f'owner : "{_owner(HOME)}" AND words : ("heron")'
        rows = list(
            file.execute("SELECT rowid FROM chunk_words WHERE chunk_words MATCH ?", (query,))
        )
    assert len(rows) == 1


def test_no_tenant_can_be_named_so_that_it_is_another() -> None:
    owners = {_owner(name) for name in ("a", "A", 'a" OR owner:"b', "", "ä")}

    assert len(owners) == 5
    assert all(one.isalnum() for one in owners)
