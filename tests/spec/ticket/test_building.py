"""Every transition from the checks to the end, by reports and decisions through the door."""

import json
from typing import Any, Final

import pytest

from interlock.service.sweep import sweep
from interlock.workflows.ticket.machine import TICKET
from interlock.workflows.ticket.phases import between
from tests import reports
from tests.reports import SITE
from tests.spec.door import ADA, PAT, Door, promise
from tests.spec.ticket.places import phase_of
from tests.spec.ticket.test_transitions import EVERYWHERE, Way

Told = dict[str, Any]

SETUP: Final = "WAITING_EXECUTION_SETUP_APPROVAL"
REVIEW: Final = "WAITING_PR_REVIEW"
BUILDING: Final = between("PRE_FLIGHT_CHECK", "CLEANING_ENV")
ONE_TRY: Final = {"limits": {"tries_max": 1}}

# Typed from the specification, section 2.
TABLE: Final = f"""
PRE_FLIGHT_CHECK CHECKS_PASSED {SETUP}
PRE_FLIGHT_CHECK CHECKS_FAILED BLOCKED_ERROR
{SETUP} EXECUTION_SETUP_PLAN_READY {SETUP}
{SETUP} REGENERATE_EXECUTION_SETUP_PLAN {SETUP}
{SETUP} APPROVE_EXECUTION_SETUP_PLAN PREPARING_EXECUTION_ENV
{SETUP} EXECUTION_SETUP_PLAN_FAILED BLOCKED_ERROR
PREPARING_EXECUTION_ENV EXECUTION_SETUP_READY CODING
PREPARING_EXECUTION_ENV EXECUTION_SETUP_FAILED BLOCKED_ERROR
CODING BEAD_COMPLETE CODING
CODING ALL_BEADS_DONE RUNNING_FINAL_TEST
CODING BEAD_ERROR BLOCKED_ERROR
RUNNING_FINAL_TEST TESTS_PASSED INTEGRATING_CHANGES
RUNNING_FINAL_TEST TESTS_FAILED BLOCKED_ERROR
INTEGRATING_CHANGES INTEGRATION_DONE CREATING_PULL_REQUEST
CREATING_PULL_REQUEST PULL_REQUEST_READY {REVIEW}
{REVIEW} MERGE_COMPLETE CLEANING_ENV
{REVIEW} CLOSE_UNMERGED_COMPLETE CLEANING_ENV
CLEANING_ENV CLEANUP_DONE COMPLETED
"""
WANTED: Final = frozenset(tuple(line.split()) for line in TABLE.strip().splitlines())
BACK: Final = {
    ("BLOCKED_ERROR", "REOPEN_BEADS", "WAITING_BEADS_APPROVAL"),
    ("BLOCKED_ERROR", "REOPEN_SETUP", SETUP),
}


@pytest.mark.promise("building.table")
def test_the_table_is_the_machines() -> None:
    edges = {
        (edge.source, edge.on, edge.target)
        for edge in TICKET.edges
        if edge.source in BUILDING and edge.on not in EVERYWHERE
    }

    assert edges == WANTED


class Building(Way):
    """A ticket that is built by reports."""

    async def ready(self, **more: object) -> None:
        """Have it planned by one member, and its blueprint approved."""
        await self.begin(("ann",), **more)
        await self.to("PRE_FLIGHT_CHECK")

    async def held(self) -> tuple[Told, Told]:
        """Take the next work; return how it is named, and its task."""
        part = await self.take()
        named = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
        return named, {name: _plain(value) for name, value in part["task"].items()}

    async def tells(self, told: Told) -> None:
        """Report something about the next work."""
        named, _ = await self.held()
        await self.door.ask("submit_work", ADA, **named, answer=told)

    async def fails(self) -> None:
        """Give the next work up."""
        named, _ = await self.held()
        await self.door.ask("fail_work", ADA, **named, reason="It cannot be done.")

    async def decides(self, command: str, **more: object) -> None:
        """Decide something as a person."""
        await self.door.ask(command, PAT, ticket_id=self.ticket, **more)


def _plain(value: object) -> object:
    is_json = isinstance(value, str) and value[:1] in ("{", "[")
    return json.loads(value) if isinstance(value, str) and is_json else value


CHECK_FAILED: Final = {
    "checks": [{"name": "agent", "category": "agent", "result": "fail", "message": "silent"}]
}


async def prepared_at_last(way: Building) -> None:
    """Have checks, plan and setup fail once each before they are well."""
    await way.tells(CHECK_FAILED)
    await way.decides("retry")
    await way.to(SETUP)
    await way.fails()
    await way.decides("retry")
    await way.tells(reports.plan({}))
    await way.decides("regenerate_setup_plan", comment="Less.")
    await way.tells(reports.plan({}))
    await way.to("PREPARING_EXECUTION_ENV")
    await way.tells(reports.prepare({}) | {"runs": []})
    await way.decides("reopen", artifact="setup", reason="It lacks one.")
    await way.to("CODING")


async def green_at_last(way: Building) -> None:
    """Have a bead and the final test fail once each before they are green."""
    named, task = await way.held()
    red = reports.code(task, runs=[reports.run(exit_code=1)])
    await way.door.ask("submit_work", ADA, **named, answer=red)
    await way.decides("retry", note="Look at the tests.")
    await way.tells({"restored": True})
    await way.to("RUNNING_FINAL_TEST")
    named, task = await way.held()
    await way.door.ask("submit_work", ADA, **named, answer=reports.final(task, runs=[]))
    await way.decides("retry")
    await way.to(REVIEW)


@promise("building.table")
async def test_every_transition_of_building_happens_through_the_door(door: Door) -> None:
    way = Building(door, {})
    await way.ready(**ONE_TRY)
    await prepared_at_last(way)
    await green_at_last(way)
    await way.decides("merge")
    await way.to("COMPLETED")
    other = Building(door, {})
    await other.ready()
    await other.tells(CHECK_FAILED)
    await other.decides("reopen", artifact="beads", reason="Too large.")
    await other.to(REVIEW)
    await other.decides("close_unmerged", reason="Not now.")
    await other.to("COMPLETED")

    walked = await way.walked() | await other.walked()
    assert walked >= WANTED | BACK


@promise("building.evidence")
async def test_a_claim_of_success_is_no_evidence(door: Door) -> None:
    way = Building(door, {})
    await way.ready()
    await way.to("CODING")
    spoilt: Told
    for spoilt in ({"runs": []}, {"runs": [reports.run(exit_code=1)]}, {"commit": ""}):
        named, task = await way.held()
        told = await door.ask("submit_work", ADA, **named, answer=reports.code(task, **spoilt))
        assert _plain(told["data"]["verdict"])["is_good"] is False  # type: ignore[index]
    assert (await way.status())["beads"][0]["status"] == "pending"


@promise("building.beads")
async def test_coding_ends_with_the_last_bead_and_not_before(door: Door) -> None:
    way = Building(door, {})
    await way.ready()
    labels = []
    await way.to("CODING")
    while (now := await way.status())["phase"]["name"] == "CODING":
        labels.append(now["phase"]["label"])
        await way.work()

    assert labels == ["Implementing (Bead 0/2)", "Implementing (Bead 1/2)"]
    assert {one["status"] for one in now["beads"]} == {"done"}
    signals = [
        one["signal"]
        for one in await door.audit(way.ticket)
        if one["change"] == "move" and "unit" in one and one["source"] == "CODING"
    ]
    assert signals == ["BEAD_COMPLETE", "BEAD_COMPLETE", "ALL_BEADS_DONE"]


@promise("building.lease")
async def test_an_expired_lease_is_a_failed_attempt_and_the_zombie_is_refused(door: Door) -> None:
    way = Building(door, {})
    await way.ready()
    await way.to("CODING")
    named, task = await way.held()
    await door.stage.pass_ms(11 * 60 * 1000)
    await sweep(door.stage.engine)
    bead = (await way.status())["beads"][0]
    assert (bead["status"], bead["tries"]) == ("pending", 1)

    no = await door.refuse("submit_work", ADA, **named, answer=reports.code(task))

    assert no["code"] in ("STALE_LEASE", "INVALID_TRANSITION")
    assert (await way.status())["tree"]["head"] == reports.BASE
    assert await phase_of(door.stage, way.ticket) == "CODING"
    again, later = await way.held()
    assert (again["part_id"], later["number"]) == (named["part_id"], 2)
    assert later["site"] == SITE
