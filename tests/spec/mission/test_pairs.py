"""Every status with every command, through the door: what is allowed does it, all else does nothing.

One mission is brought to each place; everything that must be refused is tried on it, and at the
end it is byte for byte what it was. What is allowed is tried on a mission of its own.
"""

from collections import Counter
from typing import Final

import pytest
from _pytest.mark import ParameterSet
from mcp_types import CallToolResult

from interlock.errors import InterlockError
from interlock.kernel.check.explore import explore
from interlock.service.calls import CallLog
from interlock.service.engine import Principal
from interlock.workflows.mission.machines import HOP, MISSION
from interlock.workflows.mission.scope import scope
from interlock.workflows.mission.workflow import WORKFLOW
from tests.doors.mcp.clients import on
from tests.doors.rest.calling import on as on_rest
from tests.doors.rest.calling import token
from tests.spec.door import ADA, PAT, Document, Door, promise
from tests.spec.mission.places import PLACES, Brought, bring, hops_at, system
from tests.spec.mission.reading import assert_pair, seen, walked
from tests.spec.mission.table import GENERAL, OFFERED, SYSTEM, TABLE, WAITS, Row, expected
from tests.spec.mission.tries import ASKS, TRIED, Try, arguments, said_by_system, tries

pytestmark = pytest.mark.every_store

ACTORS: Final[dict[str, tuple[Principal, str]]] = {
    "person": (PAT, "human"), "agent": (ADA, "human"), "relay": (ADA, "relay"),
}  # fmt: skip
"""Who tries: with which client, on a mission of which policy."""

SAME: Final = frozenset({"propose_hop"})
"""What a person is told by another name: who proposes as a person creates."""

NOBODY: Final = Row("system", {}, else_="NOT_ALLOWED", ended="NOT_ALLOWED")
BY_TABLE: Final = frozenset({"NOT_FOUND", "INVALID_INPUT"})
"""Refusals that come before any rule is asked; they have no moves to name."""


def is_for(row: Row, actor: str, place: str, target: str) -> bool:
    """Say whether a command is refused to somebody for nothing that they are."""
    return expected(row, actor, place, target) not in ("NOT_ALLOWED", "HUMAN_REQUIRED")


def named_here(place: str, target: str, actor: str) -> tuple[set[str], set[str]]:
    """Return what somebody can send that works here, and what something else stands against."""
    column = f"{place}/{target}"
    works = {
        name.partition(" ")[0]
        for name, row in TABLE.items()
        if column in row.works and is_for(row, actor, place, target)
    }
    works -= GENERAL | (SAME if actor == "person" else frozenset())
    waits = {name for name, columns in WAITS.items() if column in columns}
    unless = {name.partition(" ")[0] for name, row in TABLE.items() if column in row.unless}
    return works, (waits | unless) - works


def check_refusal(one: Try, no: Document, code: str, actor: str) -> None:
    """Check how something was refused: what is wrong, what is legal instead, what to do."""
    assert no["code"] == code, (one, no)
    assert no["message"], one
    assert no["fix"], one
    named = set(no["legal_moves"])
    if code in BY_TABLE:
        assert named == set(), (one, no)
        return
    works, others = named_here(one.place, one.target, actor)
    assert works <= named <= works | others, (one, code, named, works, others)
    if no["fix"].startswith("Legal now: "):
        told = no["fix"].removeprefix("Legal now: ").rstrip(".").split(", ")
        assert set(told) <= named, (one, no["fix"])


# -- everything is in the table ----------------------------------------------------------------


@promise("pair.every-pair")
async def test_every_command_event_and_status_has_its_place(door: Door) -> None:
    assert {one.row for place in PLACES for one in tries(place)} == set(TABLE)
    sent = {row.name for row in TRIED} | {ASKS}
    assert {rule.command for rule in WORKFLOW.rules if rule.command} <= sent
    alone = {
        rule.event
        for rule in WORKFLOW.rules
        if not rule.command and rule.kind in ("mission", "hop")
    }
    assert alone <= set(SYSTEM)
    assert {stands.mission for stands in PLACES.values()} == set(MISSION.names())
    assert {stands.hop for stands in PLACES.values()} - {""} == set(HOP.names())
    columns = {one.column for place in PLACES for one in (*tries(place), *said_by_system(place))}
    for row in (*TABLE.values(), *SYSTEM.values()):
        assert {*row.works, *row.unless, *row.people} <= columns


@promise(
    "pair.PROPOSED", "pair.READY_FOR_NEXT_HOP", "pair.BUILDING_HOP", "pair.HOP_READY_TO_EXECUTE",
    "pair.EXECUTING_HOP", "pair.ended",
)  # fmt: skip
@pytest.mark.parametrize("place", PLACES)
async def test_every_place_is_what_it_is_called(door: Door, place: str) -> None:
    it = await bring(door.stage, place)
    data = (await door.ask("mission_status", PAT, mission_id=it.mission))["data"]
    hops = {hop["hop_id"]: hop["status"] for hop in data["hops"]}

    assert (data["status"], data.get("held", False)) == (
        PLACES[place].mission,
        PLACES[place].is_held,
    )
    assert {name: hops[hop] for name, hop in it.hops.items()} == hops_at(place)
    assert len(hops) == len(it.hops)
    assert_pair(await door.read(f"unit/{it.mission}"))


@pytest.mark.promise("pair.every-pair")
@pytest.mark.long("exploring missions of two hops takes ten seconds")
def test_every_pair_that_can_come_about_has_its_place() -> None:
    found: set[tuple[str, bool, str]] = set()
    for unit, parts in explore(scope(2)).graph.states:
        hops = [part.status for part in parts if part.kind == "hop"] or [""]
        found |= {(unit.status, bool(unit.fields["held"]), hop) for hop in hops}

    assert found == {
        (stands.mission, stands.is_held, hop)
        for place, stands in PLACES.items()
        for hop in hops_at(place).values() or [""]
    }


# -- refusals ----------------------------------------------------------------------------------


Said = list[tuple[Try, str, CallToolResult]]
"""Each try with the code that it must be refused with, and what was said to it."""


async def said_to(door: Door, it: Brought, actor: str, log: CallLog) -> Said:
    """Try everything on a mission that must be refused."""
    found: Said = []
    async with on(door.stage, ACTORS[actor][0], calls=log) as client:
        for one in tries(it.place):
            row = TABLE[one.row]
            code = expected(row, actor, one.place, one.target)
            # Who may relay decisions is an agent like any other in everything else.
            if code and (actor != "relay" or row.who == "decision"):
                told = arguments(one, it, is_person=actor == "person")
                found.append((one, code, await client.call_tool(one.command, told)))
    return found


async def logged(door: Door, mission: str) -> Counter[tuple[str, str]]:
    """Return what the log of calls says about refusals of a mission, as an administrator reads it."""
    secret = await token(door.stage, "user", "read", "admin")
    query = {"is_failed": "true", "limit": "200", "unit": mission}
    async with on_rest(door.stage, secret) as client:
        data = (await client.get("/v1/calls", params=query)).json()["data"]
    assert "cursor" not in data
    return Counter((call["command"], call["response"]["code"]) for call in data["calls"])


@promise("pair.every-pair", "audit.refused")
@pytest.mark.parametrize("actor", ACTORS)
@pytest.mark.parametrize("place", PLACES)
async def test_all_else_is_refused_and_changes_nothing(door: Door, place: str, actor: str) -> None:
    it = await bring(door.stage, place, ACTORS[actor][1])
    before = await seen(door, it.mission)
    log = CallLog(door.stage.engine.store, door.stage.clock)
    said = await said_to(door, it, actor, log)
    await log.close()

    for one, code, result in said:
        assert result.is_error, (one, code, result)
        check_refusal(one, dict(result.structured_content or {}), code, actor)
    # All at once: an audit only ever grows, so nothing that was tried can have been undone since.
    assert await seen(door, it.mission) == before
    assert await logged(door, it.mission) == Counter((one.command, code) for one, code, _ in said)


@promise("pair.every-pair", "policy.never-system")
@pytest.mark.parametrize("place", PLACES)
async def test_what_the_system_may_not_say_is_refused(door: Door, place: str) -> None:
    it = await bring(door.stage, place)
    before = await seen(door, it.mission)
    for one in said_by_system(place):
        row = SYSTEM.get(one.command, NOBODY)
        code = expected(row, "system", one.place, one.target)
        if code:
            with pytest.raises(InterlockError) as no:
                await system(door.stage, one.command, it.mission, it.hops.get(one.target))
            assert no.value.code == code, one

    assert await seen(door, it.mission) == before


# -- what is allowed ---------------------------------------------------------------------------


# fmt: off
SHOWS: Final = {
    "accept_mission":    ("mission.accept_mission", "asset.accepted", "asset.supplied"),
    "accept_hop":        ("mission.accept_hop", "hop.accept_hop"),
    "submit_resolution": ("mission.complete_resolution", "hop.complete_resolution", "step.chosen", "step.configured"),
    "request_changes":   ("mission.reject_design", "hop.request_changes", "step.changes"),
    "execute_hop":       ("mission.execute_hop", "hop.execute_hop"),
    "complete_early":    ("mission.complete_early", "cascade.completed-early"),
    "fix_hop":           ("mission.fix_hop", "hop.fix_hop", "step.fixed"),
    "abandon_recovery":  ("mission.abandon_recovery",),
    "cancel":            ("mission.cancel_mission", "hop.cancel_hop", "cascade.mission-cancelled", "cascade.pending-cancelled", "step.cancelled"),
    "cancel cascade":    ("cascade.current-cancelled", "cascade.hop-cancelled", "asset.cancelled"),
    "propose_hop":       ("hop.propose_hop",),
    "create_hop":        ("hop.propose_hop",),
    "reject_hop":        ("hop.reject_hop",),
    "withdraw_hop":      ("hop.reject_hop",),
    "reset_hop":         ("hop.reset_hop",),
    "delete_hop":        ("hop.delete_hop",),
    "mark_hop_complete": ("hop.completed",),
}
"""The rows of the spec's tables that a row of ours shows, together with what is refused elsewhere."""
# fmt: on


def allowed() -> list[ParameterSet]:
    """Return everything that works, with who it is tried by: each decision also relayed."""
    found: list[ParameterSet] = []
    for place in PLACES:
        for one in tries(place):
            row = TABLE[one.row]
            for actor in ACTORS:
                is_other = actor == "relay" and row.who != "decision"
                if one.column in row.works and not is_other:
                    is_allowed = not expected(row, actor, place, one.target)
                    marks = pytest.mark.promise(*SHOWS.get(one.row, ()))
                    found += [pytest.param(actor, one, marks=marks)] if is_allowed else []
    return found


def check_written(entries: list[Document], kind: str) -> None:
    """Check that every entry says who did it, and what follows from another which one that is."""
    sequences = [body["sequence"] for body in entries]
    for place, body in enumerate(entries):
        assert body["actor"]["kind"] == kind, body
        if "cause" in body:
            assert body["cause"]["after"] in sequences[:place], body
            assert body["cause"]["name"], body


@promise("pair.every-pair", "pair.checked")
@pytest.mark.parametrize(("actor", "one"), allowed(), ids=str)
async def test_what_is_allowed_does_what_the_table_says(door: Door, actor: str, one: Try) -> None:
    by, policy = ACTORS[actor]
    it = await bring(door.stage, one.place, policy)
    before = await door.sequence(it.mission)
    told = arguments(one, it, is_person=actor == "person")
    answer = await door.ask(one.command, by, **told)
    entries = await door.audit(it.mission, before)
    walk = TABLE[one.row].works[one.column]

    assert walked(entries) == walk
    check_written(entries, by.kind)
    unit = await door.read(f"unit/{it.mission}")
    assert answer["status"] == unit["status"] == after(walk, "mission", PLACES[one.place].mission)
    parts = {part["part_id"]: part["status"] for part in unit["parts"]}
    if one.target in it.hops and "hop drop" not in walk:
        was = hops_at(one.place)[one.target]
        assert parts[it.hops[one.target]] == after(walk, "hop", was)
    assert_pair(unit)


def after(walk: str, kind: str, was: str) -> str:
    """Return where a walk leads."""
    moves = [move.strip("<").split(" ") for move in walk.split(", ") if ">" in move]
    return next((move[1].partition(">")[2] for move in reversed(moves) if move[0] == kind), was)


def said() -> list[Try]:
    """Return everything that the system may say."""
    found = (one for place in PLACES for one in said_by_system(place))
    return [
        one for one in found if one.command in SYSTEM and one.column in SYSTEM[one.command].works
    ]


@promise("pair.every-pair", "pair.checked", "mission.system_error", "cascade.mission-failed")
@pytest.mark.parametrize("one", said(), ids=str)
async def test_what_the_system_says_does_what_the_table_says(door: Door, one: Try) -> None:
    it = await bring(door.stage, one.place)
    before = await door.sequence(it.mission)
    await system(door.stage, one.command, it.mission, it.hops.get(one.target))
    entries = await door.audit(it.mission, before)

    assert walked(entries) == SYSTEM[one.command].works[one.column]
    check_written(entries, "system")
    unit = await door.read(f"unit/{it.mission}")
    assert_pair(unit)


@promise("pair.every-pair", "command.queue")
@pytest.mark.parametrize("place", PLACES)
async def test_who_asks_for_work_is_offered_it_where_there_is_some(door: Door, place: str) -> None:
    it = await bring(door.stage, place)
    asked = {"workflow": "mission", "tags": [it.tag]}
    offered = {name: word for word, places in OFFERED.items() for name in places}

    assert (await door.ask(ASKS, PAT, **asked))["status"] == "no_work"
    assert (await door.ask(ASKS, ADA, **asked))["status"] == offered.get(place, "no_work")
