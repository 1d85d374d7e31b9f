"""What waits for a person is listed at a terminal, looked at, and decided once."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from interlock.app import open_app
from interlock.commands.verbs import LocalVerbs
from interlock.config import Settings
from interlock.service.engine import Principal
from interlock.wire.envelope import Envelope
from tests.cli.home import Document, Home
from tests.missions import begin, build, take
from tests.stage import ADA, Stage


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def _review(home: Home) -> Document:
    step, lease = home.claim(home.plan())
    told = home.told("plan", "review", step, "-m", "enough?", "--lease", lease)
    return cast("Document", cast("Document", told["data"])["gate"])


def test_what_waits_is_listed_and_decided_once(home: Home) -> None:
    assert home.ask("inbox").out.splitlines()[0] == "nothing waits for you"
    gate = str(_review(home)["gate_id"])
    listed = home.ask("inbox").out.splitlines()
    assert listed[0] == f"{gate}  awaiting_input  enough?"
    assert listed[1].startswith("  asked by user owner, ")

    decided = home.ask("decide", gate, "modify", "-m", "one more")
    assert decided.out.splitlines()[0] == f"✓ {gate} modify; the unit is executing"
    again = home.ask("approve", gate)
    assert (again.code, again.err.split()[0]) == (2, "GATE_DECIDED")
    assert "modify by user owner at" in " ".join(again.err.split())
    assert "modify by user owner" in home.ask("inbox", "--state", "decided").out


def test_approving_names_what_was_seen(home: Home) -> None:
    gate = _review(home)
    digest = str(gate["content_digest"])
    wrong = home.ask("approve", str(gate["gate_id"]), "--digest", "0" * 64)
    right = home.ask("approve", str(gate["gate_id"]), "--digest", digest)

    assert (wrong.code, wrong.err.split()[0]) == (2, "STALE_APPROVAL")
    assert right.out.startswith(f"✓ {gate['gate_id']} approve")


async def _held(folder: Path) -> str:
    """Bring a mission to where a person is asked to repair it; return its id."""
    async with open_app(Settings(folder)) as app:

        class Here:
            """The folder, spoken to in the way of a stage."""

            async def call(self, name: str, by: Principal = ADA, /, **told: object) -> Envelope:
                return await LocalVerbs(app.engine, replace(by, tenant="local")).call(name, told)

        stage = cast("Stage", Here())
        mission = await begin(stage, recovery_deadline_s=2 * 3600 + 60)
        await build(stage, mission)
        hop, lease = await take(stage, mission, "hop")
        told = {"hop_id": hop, "lease": lease, "failure": "validation", "message": "no way"}
        await stage.call("fail_resolution", **told)
        return mission


def test_a_mission_that_is_held_is_listed_with_the_end_of_its_time(home: Home) -> None:
    mission = asyncio.run(_held(home.folder))

    said = " ".join(home.ask("inbox").out.split())
    assert said.startswith(f"{mission} BUILDING_HOP Add up until ")
    assert "UTC, in 2 h" in said
    assert "It fails unless it is repaired until" in home.ask("mission", "status", mission).out
    assert "until" not in home.ask("inbox", "--state", "decided").out
