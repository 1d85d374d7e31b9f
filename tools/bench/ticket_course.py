"""Tickets: what a bead takes beyond its agent's own time, and how many tickets are built at once.

A real server, a real worker and the demo's repository; the agent is scripted and takes no time of
its own. From claim to commit is the whole way of a bead: a fresh tree, its tests run by the worker,
the commit, the report taken by the server. The floor of many tickets is one that is built alone.
"""

import asyncio
import json
import time
from pathlib import Path
from typing import Any, Final

from interlock.app import LOCAL, open_app
from interlock.cli.demo import feature
from interlock.cli.demo.desk import running
from interlock.cli.demo.person import Person
from interlock.cli.demo.serving import Hands, Server
from interlock.client import Client
from interlock.config import Settings
from interlock.kernel.rules import USER, WORKER
from interlock.service.access import create_token
from interlock.service.record import read_body
from tools.bench.measure import Aim, Figure, Rates, beside
from tools.bench.scale import Scale

BEAD_MS: Final = 1_000.0
BEAD: Final = Aim(1.0, 0.5, is_ceiling=True)
SLOTS: Final = "4"
PAGE: Final = 1_000


def ticket_figures(scale: Scale, runner: asyncio.Runner, place: Path) -> list[Figure]:
    """Build one ticket alone, then many at once, on a store of their own."""
    folder = place / "tickets"
    bare = feature.make_repository(folder / "code")
    _write_script(folder / "worker")
    return runner.run(_measured(scale, folder, bare))


def _write_script(folder: Path) -> None:
    folder.mkdir(parents=True)
    said = feature.script()
    # Nobody is wrong here at first: what is measured is the way, and not the mistake.
    said["members"][feature.MEMBER]["code:discount#1"]["files"] = dict(feature.RIGHT)
    (folder / "answers.json").write_text(json.dumps(said), encoding="utf-8")
    table = f'[agents.{feature.AGENT}]\nkind = "scripted"\nfile = "answers.json"\n'
    (folder / "interlock.toml").write_text(table, encoding="utf-8")


async def _measured(scale: Scale, folder: Path, bare: Path) -> list[Figure]:
    data = folder / "data"
    async with open_app(Settings(data=data)) as app:
        person, _ = await create_token(app.engine, app.owner(), "person", USER)
        worker, _ = await create_token(app.engine, app.owner(), "worker", WORKER)
    around = {"token": worker, "worker_slots": SLOTS}
    async with running(Server(data)) as server:
        hands = Hands(folder / "worker", server.url, around)
        async with running(hands), Client(server.url, person) as client:
            # Those that wait for a review count, too.
            project = await _project(client, bare, scale.builds + scale.tickets)
            alone = [await _built(client, project, 1) for _ in range(scale.builds)]
            together = await _built(client, project, scale.tickets)
    beads = [took for names, _ in alone for name in names for took in await _took(data, name)]
    rounds: list[Rates] = [{"took": took, "may": BEAD_MS} for took in beads]
    rate = 60 * scale.tickets / together[1]
    one = [60 / seconds for _, seconds in alone]
    return [
        beside("Ticket, a bead from claim to commit", rounds, "took", "may", unit="ms", aim=BEAD),
        beside(
            f"Ticket, {scale.tickets} at once", [{"all": rate, "one": each} for each in one],
            "all", "one", unit="tickets/min",
        ),
    ]  # fmt: skip


async def _project(client: Client, bare: Path, tickets: int) -> str:
    told = feature.project(str(bare))
    told["limits"] |= {"parallel_tickets": tickets}
    return str((await client.call("create_project", told)).data["project_id"])


async def _built(client: Client, project: str, count: int) -> tuple[list[str], float]:
    """Build tickets at once up to their requests; return them, and the seconds it took."""
    begun = time.monotonic()
    names = [await _begun(client, project, number) for number in range(count)]
    ends: list[dict[str, Any]] = await asyncio.gather(
        *(Person(client.call, name).decide("WAITING_PR_REVIEW") for name in names)
    )
    wrong = [one for one in ends if one["phase"]["name"] != "WAITING_PR_REVIEW"]
    if wrong:
        message = f"{wrong[0]['ticket_id']}: {wrong[0].get('error')}"
        raise AssertionError(message)
    return names, time.monotonic() - begun


async def _begun(client: Client, project: str, number: int) -> str:
    new = {"project_id": project, "title": f"{feature.TITLE} {number}", "description": "Wanted."}
    name = str((await client.call("create_ticket", new)).data["ticket_id"])
    await client.call("start", {"ticket_id": name})
    return name


async def _took(data: Path, ticket: str) -> list[float]:
    """Return how long each bead took from its claim to the commit that the server took."""
    async with open_app(Settings(data=data)) as app:
        rows = await app.engine.store.audit(LOCAL, ticket, 0, PAGE)
    claimed: dict[str, int] = {}
    took = []
    for row in rows:
        body: Any = read_body(row.link.body)
        part = "".join(map(str, body.get("ids", ())))
        if body["event"] == "claim_bead" and body.get("signal") == "start":
            claimed[part] = body["at"]
        elif body["event"] == "submit_bead" and body.get("signal") == "complete":
            took.append(float(body["at"] - claimed[part]))
    return took
