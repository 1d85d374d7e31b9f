"""A new unit stands at once: its parts, links, conditions, queue, audit, answer."""

from dataclasses import replace
from pathlib import Path

import pytest
from opentelemetry.trace import NoOpTracer

from interlock.kernel.refusal import IllegalPair, Refusal
from interlock.service.create import NewBranch, NewPart, NewUnit, begin_beside
from interlock.service.errors import RequestIdReused
from interlock.service.order import Asked, Kept, Order
from interlock.service.verify import verify
from interlock.store.rows import ORD_GAP
from interlock.store.script import Key
from tests.service.desk import HOME, ME, PERSON, Desk, at_desk, said
from tests.still import START

BRANCH = NewBranch(0, "result.go === true", "skip_to", {"why": "short cut"}, 2)
CHAIN = NewUnit(
    "plan",
    {"name": "Why is the sky blue?"},
    (
        NewPart("step", {"title": "look"}),
        NewPart("step", needs=(0,)),
        NewPart("step", needs=(1, 0)),
    ),
    (BRANCH,),
    ("physics", "sky"),
)


def test_everything_that_a_unit_begins_with_can_be_read_back(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.make(CHAIN)
        whole = await desk.whole(unit)
        row, (first, second, third) = whole.row, whole.parts

        assert unit.startswith("plan-")
        assert (row.unit.status, row.unit.fields["name"]) == ("planning", "Why is the sky blue?")
        assert (row.version, row.made, row.takes) == (4, 3, "step")
        assert row.tally == {"step": {"pending": 3}}
        assert (row.created_at, row.changed_at, row.ended_at) == (START, START, None)
        assert [p.id for p in whole.parts] == [f"{unit}.{n}" for n in (1, 2, 3)]
        assert [p.ord for p in whole.parts] == [ORD_GAP, 2 * ORD_GAP, 3 * ORD_GAP]
        assert [(p.waits, p.feeds, p.branches) for p in whole.parts] == [
            (0, 2, 1),
            (1, 1, 0),
            (2, 0, 0),
        ]
        assert [p.offer for p in whole.parts] == [1, None, None]
        assert first.part.fields["title"] == "look"
        assert second.part.needs == (first.id,)
        assert third.part.needs == (second.id, first.id)
        assert whole.due == {}

    at_desk(tmp_path, story)


def test_its_conditions_are_kept_and_told(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.make(CHAIN)
        ((part, kept),) = (await desk.whole(unit)).conditions
        told = (await desk.audit(unit))[0]["conditions"]

        assert (part, kept.expression, kept.action) == (f"{unit}.1", BRANCH.expression, "skip_to")
        assert (dict(kept.params), kept.target) == ({"why": "short cut"}, f"{unit}.3")
        assert told == [
            {"part": f"{unit}.1", "expression": BRANCH.expression, "action": "skip_to",
             "params": {"why": "short cut"}, "target": f"{unit}.3"}
        ]  # fmt: skip

    at_desk(tmp_path, story)


def test_its_audit_says_how_it_began_and_verifies(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        unit = await desk.make(CHAIN)
        bodies = await desk.audit(unit)

        assert [body["change"] for body in bodies] == ["begin", "new", "new", "new"]
        assert {str(body["actor"]) for body in bodies} == {
            "{'id': 'ada', 'kind': 'agent', 'session': 's1'}"
        }
        assert (await verify(desk.engine, HOME)).findings == []

    at_desk(tmp_path, story)


def test_it_is_listed_with_its_tags(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[str, ...]:
        await desk.make(CHAIN)
        (listed,) = await desk.store.units(HOME, "plan", None, 10)
        return listed.tags

    assert at_desk(tmp_path, story) == ("physics", "sky")


def test_children_know_their_parent(tmp_path: Path) -> None:
    async def story(desk: Desk) -> object:
        parts = (NewPart("asset"), NewPart("hop"), NewPart("asset", parent=1))
        # A mission that has not been accepted has no hop; this one only shows how parents go.
        with pytest.raises(IllegalPair):
            await desk.make(NewUnit("mission", {}, parts))
        return await desk.store.units(HOME, "", None, 10)

    assert at_desk(tmp_path, story) == ()


def test_the_same_request_makes_one_unit(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[str, str, int]:
        key = Key(ME.id, "r1", "asked")
        first, again = await desk.make(CHAIN, key=key), await desk.make(CHAIN, key=key)
        with pytest.raises(RequestIdReused):
            await desk.make(CHAIN, key=key._replace(asked="something else"))
        return first, again, len(await desk.store.units(HOME, "", None, 10))

    first, again, units = at_desk(tmp_path, story)

    assert first == again
    assert units == 1


def test_what_is_kept_and_who_is_named_begins_with_the_unit(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        parts = (NewPart("asset", kept=(Kept("content", b"1"),)), NewPart("asset"))
        new = NewUnit("mission", parts=parts, named={"outputs": (1,)}, kept=(Kept("shown", b"2"),))
        unit = await desk.make(new)

        assert (await desk.whole(unit)).row.unit.fields["outputs"] == (f"{unit}.2",)
        kept = await desk.store.artifacts(HOME, unit)
        assert sorted((one.part, one.name) for one in kept) == [(0, "shown"), (1, "content")]
        told = (await desk.audit(unit))[0]["kept"]
        assert [one["name"] for one in told] == ["shown", "content"]  # type: ignore[attr-defined]
        assert (await verify(desk.engine, HOME, unit)).findings == []

    at_desk(tmp_path, story)


@pytest.mark.parametrize("tracer", [None, NoOpTracer()], ids=["plain", "traced"])
def test_a_unit_is_made_in_the_commit_of_another_or_not_at_all(
    tmp_path: Path, tracer: NoOpTracer | None
) -> None:
    async def story(desk: Desk) -> None:
        engine = replace(desk.engine, tracer=tracer)
        unit = await desk.make(NewUnit("mission", {"policy": "relay"}))

        def order_of(name: str) -> Order:
            args = {"reason": "once more", "successor": name}
            return Order(HOME, PERSON.actor(), unit, (Asked("reset_mission", args=args),), said)

        with pytest.raises(Refusal):
            await begin_beside(engine, PERSON, NewUnit("mission"), order_of)
        assert len(await desk.store.units(HOME, "", None, 10)) == 1
        await desk.send(unit, Asked("cancel_mission", args={"reason": "enough"}), by=PERSON)
        await begin_beside(engine, PERSON, NewUnit("mission"), order_of)

        new = str((await desk.whole(unit)).row.unit.fields["superseded_by"])
        assert (await desk.whole(new)).row.unit.status == "PROPOSED"
        assert (await verify(desk.engine, HOME)).findings == []

    at_desk(tmp_path, story)
