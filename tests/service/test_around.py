"""A rule sees of its surroundings what it names, and that is what the kernel would show it."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from interlock.kernel.look import look
from interlock.kernel.rules import Rule
from interlock.kernel.seen import Actor, Event, Part, Seen, Unseen
from interlock.service.around import branch, look_around, read_condition, see
from interlock.service.create import NewBranch, NewPart, NewUnit
from interlock.service.order import Asked
from interlock.service.read import read_unit
from interlock.service.sheet import Sheet
from interlock.store.script import Branching, Load, Loaded, Nothing, Script
from interlock.workflows.plan.workflow import WORKFLOW as PLAN
from tests.kernel.boxes import SHELVES
from tests.service.desk import HOME, Desk, at_desk


async def _seen(desk: Desk, unit: str, part: str | None, rule: Rule) -> tuple[Seen, Seen]:
    """Return what the service sees and what the kernel sees, for the same rule."""
    found: list[Seen] = []
    running = desk.engine.running(unit)

    def script() -> Script:
        loaded = cast("Loaded", (yield Load(unit, part)))
        sheet = Sheet(running.flow, running.queues, loaded)
        around = yield from look_around(sheet, rule, loaded.part)
        found.append(see(sheet, rule, loaded.part, around))
        return Nothing("")

    await desk.store.run(HOME, script)
    snapshot = (await read_unit(desk.engine, HOME, unit)).snapshot
    event = Event(rule.event, Actor("agent"), part)
    return found[0], look(running.flow, snapshot, event)


def _plain(value: object) -> object:
    if isinstance(value, Part):
        return (value.kind, value.status, value.fields, value.parent)
    if isinstance(value, tuple):
        return [(str(one.expression), one.action, dict(one.params), one.target) for one in value]
    return "unseen" if isinstance(value, Unseen) else value


def _facts(seen: Seen) -> dict[str, object]:
    names = ("part", "parent", "current", "children", "dependents", "conditions", "gate")
    return {"waits": seen.waits, **{name: _plain(getattr(seen, name)) for name in names}}


def _with(flow_event: str) -> Rule:
    rule = SHELVES.rule(flow_event)
    assert rule is not None
    return rule


@pytest.mark.parametrize(
    ("event", "place"),
    [("pack", 3), ("lose", 1), ("lose", 2), ("empty_around", 4), ("empty_current", None), ("sweep", None)],
)  # fmt: skip
def test_parents_children_and_the_current_part_are_what_the_kernel_shows(
    tmp_path: Path, event: str, place: int | None
) -> None:
    async def story(desk: Desk) -> tuple[Mapping[str, object], Mapping[str, object]]:
        boxes = (NewPart("box"), NewPart("box"))
        items = (NewPart("item", parent=0), NewPart("item", parent=1), NewPart("item", parent=1))
        unit = await desk.make(NewUnit("shelves", {}, (*boxes, *items)))
        await desk.send(unit, Asked("open_box", f"{unit}.2"))
        await desk.send(unit, Asked("pack", f"{unit}.4"))
        part = None if place is None else f"{unit}.{place}"
        ours, theirs = await _seen(desk, unit, part, _with(event))
        return _facts(ours), _facts(theirs)

    ours, theirs = at_desk(tmp_path, story, {"shelves": SHELVES})

    assert ours == theirs


@pytest.mark.parametrize("place", [1, 2, 3])
def test_conditions_and_open_needs_are_what_the_kernel_shows(tmp_path: Path, place: int) -> None:
    async def story(desk: Desk) -> tuple[Mapping[str, object], Mapping[str, object]]:
        parts = (NewPart("step"), NewPart("step", needs=(0,)), NewPart("step", needs=(0, 1)))
        branches = (
            NewBranch(0, "go === true", "skip_to", {"a": [1]}, 2),
            NewBranch(0, "go === false", "fail"),
            NewBranch(2, "go === true", "skip_to", {}, 0),
        )
        unit = await desk.make(NewUnit("plan", {}, parts, branches))
        rule = desk.engine.running(unit).flow.rule("approve")
        assert rule is not None
        ours, theirs = await _seen(desk, unit, f"{unit}.{place}", rule)
        return _facts(ours), _facts(theirs)

    ours, theirs = at_desk(tmp_path, story)

    assert ours == theirs
    assert ours["conditions"] != "unseen"


def test_what_a_rule_does_not_name_is_not_seen(tmp_path: Path) -> None:
    async def story(desk: Desk) -> Mapping[str, object]:
        unit = await desk.plan((), (0,))
        rule = Rule("submit", "step", frozenset({"agent"}))
        ours, _ = await _seen(desk, unit, f"{unit}.1", rule)
        return _facts(ours)

    facts = at_desk(tmp_path, story)

    assert {name for name, value in facts.items() if value == "unseen"} == {
        "parent", "current", "children", "dependents", "conditions", "gate",
    }  # fmt: skip


def test_a_condition_is_read_in_the_language_of_its_workflow_and_only_once() -> None:
    first = read_condition(PLAN, "result.go === true")

    assert read_condition(PLAN, "result.go === true") is first
    assert branch(PLAN, Branching("go === 1", "fail", {})).target is None
