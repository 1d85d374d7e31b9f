"""What is over is cancelled and begun anew; what is held is fixed or given up."""

import asyncio
from pathlib import Path
from typing import cast

from interlock.app import LOCAL, open_app
from interlock.commands.verbs import LocalVerbs
from interlock.config import load
from interlock.kernel.rules import AGENT
from interlock.service.engine import Principal
from tests.cli.home import Document, Home
from tests.cli.test_mission import accepted, digest, pending, status


def test_a_mission_is_cancelled_and_begins_anew(tmp_path: Path) -> None:
    home = Home(tmp_path)
    mission = accepted(home)
    hop = pending(home, mission)
    said = home.ask("mission", "cancel", hop, "-m", "not yet")
    assert said.out.splitlines()[0] == f"✓ {hop}: the mission is READY_FOR_NEXT_HOP"
    assert home.ask("mission", "reset", mission, "-m", "again").code == 2
    home.told("mission", "cancel", mission, "-m", "enough")
    made = cast("Document", home.told("mission", "reset", mission, "-m", "again")["data"])

    new = str(made["new_mission_id"])
    assert (status(home, mission)["superseded_by"], status(home, new)["reset_of"]) == (new, mission)
    said = home.ask("mission", "reset", mission, "-m", "again")
    assert (said.code, "ALREADY_RESET" in said.err or "reset already" in said.err) == (2, True)


def test_what_is_held_says_why_and_what_to_do_and_is_fixed(tmp_path: Path) -> None:
    home = Home(tmp_path)
    mission = accepted(home)
    hop = pending(home, mission)
    home.told("mission", "accept-hop", hop, "--digest", digest(home, mission))
    asyncio.run(_fail(tmp_path))

    told = home.ask("mission", "status", mission).out
    assert "✕ user_correctable: which numbers?" in told
    assert f'interlock mission fix {hop} -m "..."' in told
    inbox = home.ask("inbox").out
    assert inbox.startswith(f"{mission}  BUILDING_HOP  ")
    assert f"interlock explain {mission}" in inbox
    for words in (("--unit", "mission-0"), ("--workflow", "plan"), ("--state", "decided")):
        assert "needs somebody" not in home.ask("inbox", *words).out
    said = home.ask("mission", "fix", hop, "-m", "all of them")
    assert said.out.splitlines()[0] == f"✓ {hop}: the mission is BUILDING_HOP"
    assert home.ask("inbox").out.splitlines()[0] == "nothing waits for you"


async def _fail(folder: Path) -> None:
    """Let an agent take the hop and say that it cannot be resolved."""
    robot = Principal(LOCAL, AGENT, "robot", frozenset({"read", "work"}))
    async with open_app(load({"data": str(folder)}, {})) as app:
        verbs = LocalVerbs(app.engine, robot)
        work = await verbs.call("get_next_work", {"workflow": "mission", "kind": "hop"})
        part = cast("Document", work.data["part"])
        lease = cast("Document", part["lease"])["token"]
        said = {"failure": "user_correctable", "message": "which numbers?"}
        await verbs.call("fail_resolution", {"hop_id": part["part_id"], "lease": lease, **said})


def test_what_is_not_held_is_neither_fixed_nor_given_up(tmp_path: Path) -> None:
    home = Home(tmp_path)
    mission = accepted(home)
    hop = pending(home, mission)
    for words in (("fix", hop), ("abandon", mission), ("complete", mission)):
        said = home.ask("mission", *words, "-m", "so")
        assert (said.code, said.out) == (2, ""), words
    assert status(home, mission)["status"] == "READY_FOR_NEXT_HOP"
