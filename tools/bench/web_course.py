"""The pages: how long the server takes for a board of many units, and for a unit of many parts.

Asked in this process, without a network; what the caller itself takes is counted against us. The
floor of a page is the time that it may take, so its ratio says how much of that it needs.
"""

import asyncio
from pathlib import Path
from typing import Any, Final

import httpx2
from starlette.applications import Starlette

from interlock.app import LOCAL, App, migrate, open_app
from interlock.commands.verbs import LocalVerbs
from interlock.config import Settings
from interlock.doors.cookies import SESSION
from interlock.doors.http import Guard
from interlock.doors.web.door import Web
from interlock.service.people import FIRST
from interlock.service.sessions import let_in
from tools.bench.measure import Aim, Figure, Rates, beside, wall_s
from tools.bench.scale import Scale

SITE: Final = "https://bench.example"
BOARD_MS: Final = 100.0
UNIT_MS: Final = 150.0
BOARD: Final = Aim(1.0, 0.3, is_ceiling=True)
UNIT: Final = Aim(1.0, is_ceiling=True)
REVIEWED: Final = 30
CLAIMED: Final = 3
"""Of so many units one is claimed, and one waits for a person."""

Document = dict[str, Any]


def web_figures(scale: Scale, runner: asyncio.Runner, place: Path) -> list[Figure]:
    """Measure the pages on a store of their own."""
    settings = Settings(data=place / "web")
    runner.run(migrate(settings))
    stack = open_app(settings)
    app = runner.run(stack.__aenter__())
    try:
        large = runner.run(_fill(app, scale))
        client = runner.run(_client(app))
        asked = {
            f"board of {scale.tiles:,} units": ("/board", BOARD_MS, BOARD),
            "board, searched": ("/board?q=number+77", BOARD_MS, BOARD),
            f"page of a unit of {scale.page_parts:,} parts": (f"/units/{large}", UNIT_MS, UNIT),
        }
        return [
            beside(f"Page, {name}", _rounds(runner, client, path, may, scale), "took", "may",
                   unit="ms", aim=aim)
            for name, (path, may, aim) in asked.items()
        ]  # fmt: skip
    finally:
        runner.run(stack.__aexit__(None, None, None))


def _rounds(
    runner: asyncio.Runner, client: httpx2.AsyncClient, path: str, may: float, scale: Scale
) -> list[Rates]:
    def ask() -> None:
        answer = runner.run(client.get(path))
        if answer.status_code != httpx2.codes.OK:
            message = f"{path}: {answer.status_code}"
            raise AssertionError(message)

    ask()  # what is made once, such as drawings, is not what is measured
    return [{"took": 1000 * wall_s(ask), "may": may} for _ in range(scale.rounds)]


async def _client(app: App) -> httpx2.AsyncClient:
    person = await app.engine.store.people.user(LOCAL, FIRST)
    if person is None:
        raise AssertionError("nobody owns the data")
    visit = await let_in(app.engine, person, "link")
    site = Guard(Starlette(routes=Web(app.engine).routes()), ["bench.example"])
    client = httpx2.AsyncClient(transport=httpx2.ASGITransport(site), base_url=SITE)
    client.cookies.set(f"__Host-{SESSION}", visit.secret, "bench.example", "/")
    return client


async def _fill(app: App, scale: Scale) -> str:
    """Make units in every column, and a large one; return its name."""
    verbs = await app.verbs()
    for number in range(scale.tiles):
        new = _plan(f"Number {number}", 2)
        made: Document = (await verbs.call("create_research_plan", new)).data
        if number % CLAIMED == 0:
            await _begin(verbs, str(made["plan_id"]), is_asked=number % REVIEWED == 0)
    large = await verbs.call("create_research_plan", _plan("A large one", scale.page_parts))
    name = str(large.data["plan_id"])
    await _begin(verbs, name, is_asked=False)
    return name


def _plan(name: str, steps: int) -> Document:
    row = {"title": "Look for prices", "instructions": "Find what it costs, and where. " * 5}
    return {"name": name, "research_question": "What does it cost?", "steps": [row] * steps}


async def _begin(verbs: LocalVerbs, plan: str, *, is_asked: bool) -> None:
    told: Document = (await verbs.call("get_next_step", {"plan_id": plan})).data
    if is_asked:
        step = told["step"]
        said = {"step_id": step["step_id"], "lease": step["lease"]["token"], "summary": "Look."}
        await verbs.call("request_user_review", said)
