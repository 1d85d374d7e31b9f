"""The composition root: the database that is chosen, who is calling, and the sweeper beside it."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import aclosing, closing
from dataclasses import replace
from pathlib import Path
from typing import TypeVar, cast

import apsw
import pytest

from interlock import app
from interlock.app import LOCAL, App, migrate, open_app, open_store
from interlock.clock import SystemClock
from interlock.config import Settings
from interlock.errors import InterlockError
from interlock.servers import Server as McpServer
from interlock.service.access import create_token
from interlock.service.calls import ToolCall
from interlock.service.embed import LocalEmbedder
from interlock.service.errors import Unauthenticated
from interlock.store.errors import NotADatabase
from interlock.store.port import CallRow
from interlock.store.sqlite.connect import BUSY_MS
from interlock.talk import desk
from interlock.toolbox.around import Around, ModelAt
from tests.porter import stand_in_for
from tests.stage import new_plan
from tests.store.postgres.made import database
from tools.postgres.server import Server

T = TypeVar("T")


def with_app(settings: Settings, work: Callable[[App], Awaitable[T]], *, sweeps: bool = False) -> T:
    async def run() -> T:
        async with open_app(settings, sweeps=sweeps) as opened:
            return await work(opened)

    return asyncio.run(run())


def sql(folder: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(apsw.Connection(str(folder / "interlock.db"))) as file:
        file.set_busy_timeout(BUSY_MS)  # the app may be writing right now
        return cast("list[tuple[object, ...]]", file.execute(statement).fetchall())


async def claimed(opened: App) -> str:
    """Make a plan and claim its step; return the plan's id."""
    verbs = await opened.verbs()
    made = await verbs.call("create_research_plan", new_plan(1))
    plan = str(made.data["plan_id"])
    await verbs.call("get_next_step", {"plan_id": plan})
    return plan


def test_what_the_command_line_does_is_known_by_its_channel(tmp_path: Path) -> None:
    async def story(opened: App) -> str:
        told = {"name": "p", "research_question": "?", "steps": [{"instructions": "a"}]}
        made = await (await opened.verbs()).call("create_research_plan", told)
        first, *_ = await opened.engine.store.audit(LOCAL, str(made.data["plan_id"]), 0, 1)
        return first.link.body

    assert '"channel":"cli"' in with_app(Settings(tmp_path), story)


def test_without_a_token_the_owner_of_the_folder_is_calling(tmp_path: Path) -> None:
    async def work(opened: App) -> None:
        caller = await opened.caller()
        assert (caller.tenant, caller.kind, caller.id) == (LOCAL, "user", "owner")
        assert caller.scopes == {"read", "work", "decide", "admin"}

    with_app(Settings(tmp_path), work)


def test_with_a_token_it_is_whoever_is_behind_it(tmp_path: Path) -> None:
    async def make(opened: App) -> str:
        secret, _ = await create_token(opened.engine, opened.owner(), "t", "worker")
        return secret

    async def ask(opened: App) -> str:
        return (await opened.caller()).kind

    secret = with_app(Settings(tmp_path), make)
    assert with_app(Settings(tmp_path, token=secret), ask) == "worker"
    with pytest.raises(Unauthenticated):
        with_app(Settings(tmp_path, token="il_" + "0" * 40), ask)


def test_nothing_that_is_shown_of_an_app_holds_a_secret(tmp_path: Path) -> None:
    canary = "il_" + "c" * 40

    async def show(opened: App) -> str:
        return repr(opened) + str(opened)

    assert canary[3:] not in with_app(Settings(tmp_path, token=canary), show)


def test_settings_reach_the_engine_and_the_answers(tmp_path: Path) -> None:
    async def work(opened: App) -> None:
        assert opened.durability == "degraded"
        assert opened.engine.limits.body_bytes_max == 2_000
        assert opened.engine.limits.artifact_bytes_max == 3_000
        verbs = await opened.verbs()
        assert (await verbs.call("list_units", {})).durability == "degraded"
        with pytest.raises(InterlockError, match="at most 2,000"):
            await verbs.call("create_research_plan", new_plan(200))

    settings = Settings(
        tmp_path, synchronous="off", allow_degraded=True, body_bytes_max=2_000,
        artifact_bytes_max=3_000,
    )  # fmt: skip
    with_app(settings, work)


def test_how_long_a_lease_lasts_can_be_set(tmp_path: Path) -> None:
    async def work(opened: App) -> object:
        whole = await opened.engine.store.whole(LOCAL, await claimed(opened))
        assert whole is not None
        (due,) = whole.due.values()
        return due - whole.row.changed_at

    lasts = with_app(Settings(tmp_path, lease_ms=5_000), work)

    assert isinstance(lasts, int)
    assert 5_000 <= lasts < 6_000


def test_what_was_done_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    plan = with_app(Settings(tmp_path), claimed)

    async def status(opened: App) -> str:
        return (await (await opened.verbs()).call("get_plan_status", {"plan_id": plan})).status

    assert with_app(Settings(tmp_path), status) == "executing"


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    with_app(Settings(tmp_path), claimed)
    sql(tmp_path, "UPDATE parts SET due = 1 WHERE due IS NOT NULL")
    tables = ("units", "parts", "audit", "tenants", "incarnations", "migrations")
    before = [sql(tmp_path, f"SELECT * FROM {name}") for name in tables]  # noqa: S608

    async def nothing(_: App) -> None:
        return None

    with_app(Settings(tmp_path), nothing)

    assert [sql(tmp_path, f"SELECT * FROM {name}") for name in tables] == before  # noqa: S608


def test_the_sweeper_goes_on_after_trouble_and_ends_with_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "SWEEP_EVERY_S", 0)

    async def work(opened: App) -> None:
        plan = await claimed(opened)
        store, verbs = opened.engine.store, await opened.verbs()
        sql(tmp_path, "ALTER TABLE parts RENAME TO away")
        for _ in range(5):  # in between, on the same thread, it is the sweeper's turn
            with pytest.raises(InterlockError):
                await store.due(1)
        sql(tmp_path, "ALTER TABLE away RENAME TO parts")
        sql(tmp_path, "UPDATE parts SET due = 1 WHERE due IS NOT NULL")
        async with asyncio.timeout(10), aclosing(store.watch(LOCAL)) as changes:
            async for _ in changes:
                answer = await verbs.call("get_plan_status", {"plan_id": plan})
                if answer.status == "stalled":
                    return

    with_app(Settings(tmp_path), work, sweeps=True)


def test_calls_that_were_put_are_written_before_the_store_closes(tmp_path: Path) -> None:
    async def work(opened: App) -> None:
        call = ToolCall(
            "explain", {"id": "x"}, {"status": "ok"}, 3, is_error=False, principal=opened.owner()
        )
        opened.calls.put(call)

    with_app(Settings(tmp_path), work)

    assert sql(tmp_path, "SELECT tool, principal FROM calls") == [("explain", "owner")]


def test_old_calls_are_pruned_beside_the_work_after_as_many_days_as_was_set(tmp_path: Path) -> None:
    async def work(opened: App) -> None:
        async with asyncio.timeout(10):
            while len(await opened.engine.store.calls(LOCAL, None, 9)) > 1:
                continue

    async def fill(opened: App) -> None:
        now = opened.engine.store.now()
        row = CallRow(LOCAL, now, "new", "t", "user", "o", "", "", "{}", "{}", 1, 0)
        day_ms = 24 * 3600 * 1000
        rows = [row._replace(at=now - 3 * day_ms, id="a"), row._replace(at=now - day_ms)]
        await opened.engine.store.add_calls(LOCAL, rows)

    with_app(Settings(tmp_path), fill)
    with_app(Settings(tmp_path, call_log_days=2), work, sweeps=True)

    assert sql(tmp_path, "SELECT id FROM calls") == [("new",)]


def test_checkpoints_are_taken_beside_the_work_where_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "elsewhere" / "checkpoints.jsonl"

    async def work(opened: App) -> None:
        async with asyncio.timeout(60):
            while not file.exists() or not file.read_bytes().endswith(b"\n"):  # noqa: ASYNC110 (a file tells nobody)
                await asyncio.sleep(0.01)

    with_app(Settings(tmp_path, checkpoint_file=str(file)), work, sweeps=True)

    assert json.loads(file.read_text(encoding="utf-8"))["checkpoint"] == 1
    assert (tmp_path / "checkpoint.key").exists()


def test_what_is_stored_is_indexed_beside_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "INDEX_EVERY_S", 0)

    async def work(opened: App) -> None:
        verbs = await opened.verbs()
        told = {"plan_id": await claimed(opened), "title": "End", "content": "a quiet lagoon"}
        stored = await verbs.call("store_research_output", told)
        async with asyncio.timeout(20), aclosing(opened.engine.store.watch(LOCAL)) as changes:
            async for _ in changes:
                if not await opened.engine.store.library.jobs(LOCAL, 1):
                    break
        answer = await verbs.call("search_sources", {"query": "lagoon"})
        (hit,) = cast("list[dict[str, object]]", answer.data["hits"])
        assert hit["artifact_id"] == stored.data["output_id"]
        assert hit["matched"] == ["keyword", "vector"]

    with_app(Settings(tmp_path), work, sweeps=True)


def test_the_model_and_the_embeddings_are_those_of_the_settings(tmp_path: Path) -> None:
    bare, url = Settings(tmp_path), "http://127.0.0.1:1/v1"
    told = replace(bare, model_url=url, model_name="big", embeddings_url=url, embeddings_name="e")
    model, embedder = app.model_of(told), app.embedder_of(told)

    assert app.model_of(bare) is None
    assert isinstance(app.embedder_of(bare), LocalEmbedder)
    assert (model and (model.name, model.kind, model.endpoint.url)) == (
        "big", "openai", f"{url}/chat/completions",
    )  # fmt: skip
    assert (embedder and embedder.name) == "endpoint:e"


def test_tools_of_servers_are_asked_for_once_and_known_from_then_on(tmp_path: Path) -> None:
    program = Path(__file__).parent / "toolbox" / "mcp_server.py"
    server = McpServer("sums", tuple(stand_in_for([str(program)])))
    told = Settings(tmp_path, mcp_servers=(server,), fetch_hosts="a.example")

    async def look(opened: App) -> bool:
        assert opened.engine.resources == {"mcp:sums", "http"}
        return "sums.add" in await opened.engine.tools()

    assert with_app(told, look)
    kept = json.loads((tmp_path / "tools.json").read_text(encoding="utf-8"))
    assert [*kept] == ["sums"]


def test_what_tools_find_around_them_is_what_the_settings_name(tmp_path: Path) -> None:
    servers = (McpServer("files", ("x",)),)
    told = Settings(
        tmp_path, model_url="http://m", model_name="big", model_key="k",
        fetch_hosts="a.example,.b.example", tools="one,two.three", mcp_servers=servers,
    )  # fmt: skip

    assert app.around_of(Settings(tmp_path)) == Around()
    assert app.around_of(told) == Around(
        ModelAt("openai", "http://m", "big", "k"),
        ("a.example", ".b.example"), servers, ("one", "two.three"),
    )  # fmt: skip


def test_a_database_that_cannot_be_opened_leaves_nothing_open(tmp_path: Path) -> None:
    (tmp_path / "interlock.db").write_bytes(b"no database at all, but long enough to see " * 99)

    async def never(_: App) -> None:
        pytest.fail("it was opened")

    with pytest.raises(NotADatabase):
        with_app(Settings(tmp_path), never)


def test_an_address_chooses_postgresql(postgres_server: Server, tmp_path: Path) -> None:
    postgres_server.drop_database("app")
    postgres_server.create_database("app")
    url = postgres_server.url("app")
    settings = Settings(tmp_path, database=url, allow_degraded=True)

    async def work(opened: App) -> str:
        return (await opened.engine.store.health()).dialect

    assert asyncio.run(migrate(settings)) != ()
    assert asyncio.run(migrate(settings)) == ()
    assert with_app(settings, work) == "postgres"
    assert list(tmp_path.iterdir()) == []


def test_without_one_it_is_a_file_in_the_folder(tmp_path: Path) -> None:
    async def dialect() -> str:
        store = await open_store(Settings(tmp_path), SystemClock())
        try:
            return (await store.health()).dialect
        finally:
            await store.close()

    assert asyncio.run(migrate(Settings(tmp_path / "new"))) != ()
    assert asyncio.run(migrate(Settings(tmp_path / "new"))) == ()
    assert asyncio.run(dialect()) == "sqlite"


@pytest.mark.parametrize("serves", [True, False])
def test_who_serves_others_has_limits_and_counts(tmp_path: Path, *, serves: bool) -> None:
    async def main() -> tuple[bool, ...]:
        async with open_app(Settings(tmp_path), serves=serves) as opened:
            engine = opened.engine
            return tuple(one is not None for one in (engine.rates, engine.meter, engine.pulse))

    assert asyncio.run(main()) == (serves, serves, serves)


def test_samples_are_taken_beside_the_work_of_who_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "SAMPLE_EVERY_S", 0)

    async def main() -> None:
        async with open_app(Settings(tmp_path), serves=True, sweeps=True) as opened:
            await claimed(opened)
            verbs = await opened.verbs()
            async with asyncio.timeout(20):
                while True:
                    data = (await verbs.call("get_health", {})).data
                    samples = cast("list[dict[str, object]]", data["samples"])
                    if len(samples) > 1 and samples[-1]["held"] == 1:
                        return

    asyncio.run(main())


def test_every_answer_tells_soon_that_the_database_would_lose_work(tmp_path: Path) -> None:
    async def work(opened: App) -> None:
        verbs, caller = desk(opened, "work"), await opened.caller()
        for setting, word in (("on", None), ("off", "degraded"), ("on", None)):
            server.sql(f"ALTER SYSTEM SET fsync = {setting}")
            server.sql("SELECT pg_reload_conf()")
            async with asyncio.timeout(60):
                while (await verbs.run(caller, "list_units", {})).durability != word:
                    pass

    server = Server()
    # What stands on a server's command line cannot be changed while it runs.
    del server.settings["fsync"]
    with server, database(server) as url:
        with_app(Settings(tmp_path, database=url), work, sweeps=True)
