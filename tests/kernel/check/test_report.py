"""A report says exactly what was covered and what was found, as text and as data."""

import json
from dataclasses import replace

import pytest

from interlock.kernel.check.explore import explore
from interlock.kernel.check.judge import judge
from interlock.kernel.check.report import (
    TraceCall,
    call_of,
    check,
    report,
    snapshot_of,
    state_words,
    unit_words,
)
from interlock.kernel.check.scope import GONE, Scope
from interlock.kernel.rules import Fire, Rule
from tests.kernel import tiny
from tests.kernel.check.apart import by_place
from tests.kernel.check.holes import HOLES, Hole, checked
from tests.kernel.tiny import CASES, HANDS, case, case_is

PAUSED = next(hole for hole in HOLES if hole.kind == "AGENTS_STUCK")
ZOMBIE = next(hole for hole in HOLES if hole.kind == "ZOMBIE")


def small(hole: Hole) -> Scope:
    """Return a check of the hole with one item."""
    return tiny.scope(hole.flow, items=1)


def test_a_sound_workflow_is_reported_with_what_was_covered() -> None:
    walk = explore(tiny.scope())
    text = report(walk).timed(1.25).text()

    assert text.splitlines() == [
        "cases: case > item",
        "bounds    items: 2",
        f"explored  {len(walk.graph.states)} states, {walk.graph.accepted} moves in 1.2 s",
        "",
        "No findings: within these bounds the workflow is sound.",
    ]


def test_a_finding_about_a_state_is_reported_with_the_shortest_way_there() -> None:
    found = check(small(PAUSED))

    assert found.text().splitlines()[4:] == [
        f"✕ 1 AGENTS_STUCK  case paused  ({found.findings[0].finding.count} states)",
        "    Agents alone can neither finish it nor bring it to a gate.",
        "    It stands so: paused [held (held)]",
        "    Shortest way there (2 calls), from open [waiting]:",
        f"      {'  1 agent   claim item 1':<58} busy",
        f"      {'  2 agent   pause':<58} paused",
        "    Fix: Let an agent's event, or the clock's, lead on from here.",
        "",
        "1 finding.",
    ]


def test_a_finding_about_a_call_ends_with_the_call_that_shows_it() -> None:
    [zombie] = check(small(ZOMBIE)).findings

    assert zombie.trace == (
        TraceCall("agent", "claim", "item 1", "", "busy"),
        TraceCall("agent", "finish", "item 1", "stale lease", "✕"),
    )
    assert (zombie.start, zombie.standing) == ("open [waiting]", "busy [held (held)]")


def test_the_data_is_exactly_what_was_found() -> None:
    found = check(small(ZOMBIE))
    data = found.timed(0.12345).data()

    assert json.loads(json.dumps(data)) == {
        "workflow": "cases",
        "bounds": {"items": 1},
        "states": found.states,
        "moves": found.moves,
        "decides": found.decides,
        "seconds": 0.123,
        "findings": [
            {
                "kind": "ZOMBIE",
                "where": "finish on busy, held",
                "message": "finish is accepted from one who no longer holds the part",
                "fix": "Guard the rule with the lease, and refuse parts that wait to be claimed again.",
                "count": found.findings[0].finding.count,
                "state": "busy [held (held)]",
                "start": "open [waiting]",
                "trace": [
                    {"actor": "agent", "event": "claim", "part": "item 1", "note": "", "after": "busy"},
                    {"actor": "agent", "event": "finish", "part": "item 1",
                     "note": "stale lease", "after": "✕"},
                ],
            }
        ],
    }  # fmt: skip


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: f"{hole.kind} {hole.where}")
def test_text_and_data_tell_every_finding_and_no_other(hole: Hole) -> None:
    walk = explore(checked(hole))
    found = report(walk)
    expected = [(finding.kind, finding.where, finding.message) for finding in judge(walk)]
    data = found.data()["findings"]
    assert isinstance(data, list)
    lines = found.text().splitlines()
    heads = [line.split(maxsplit=2)[2] for line in lines if line.startswith("✕")]

    assert [(one["kind"], one["where"], one["message"]) for one in data] == expected
    assert len(heads) == len(expected)
    for head, (kind, where, message) in zip(heads, expected, strict=True):
        assert head.startswith(f"{kind}  {where}")
        assert f"    {message}" in lines
    assert lines[-1] == f"{len(expected)} finding{'s' if len(expected) > 1 else ''}."


def test_the_time_is_left_out_until_somebody_held_the_clock() -> None:
    found = check(tiny.scope())

    assert found.data()["seconds"] is None
    assert " s\n" not in found.text()
    assert found.timed(3).seconds == 3


def test_bounds_too_narrow_are_told() -> None:
    text = check(replace(tiny.scope(), is_wide=False)).text()

    assert "Too narrow to say which edges are never used" in text


def test_a_finding_that_the_tables_alone_show_has_no_trace() -> None:
    hole = next(hole for hole in HOLES if hole.kind == "UNREACHABLE")
    [found] = check(small(hole)).findings

    assert (found.start, found.trace, found.standing) == ("", (), "")


def test_a_check_tells_its_progress_where_somebody_listens() -> None:
    assert check(tiny.scope(), lambda *_: None) == check(tiny.scope())


def test_the_death_of_an_agent_is_a_call_of_the_world() -> None:
    graph = explore(tiny.scope(items=1)).graph
    state = next(n for n, label in enumerate(graph.labels) if label < 0)

    assert call_of(graph, graph.labels[state], graph.parents[state]) == TraceCall(
        "world", "the agent dies", "item 1", "", ""
    )


def test_a_persons_call_is_told_as_a_persons() -> None:
    graph = explore(tiny.scope(items=1)).graph
    dropped = next(n for n, (unit, _) in enumerate(graph.states) if unit.status == "dropped")

    assert call_of(graph, graph.labels[dropped], graph.parents[dropped]) == TraceCall(
        "person", "drop", "", "", ""
    )


def test_a_state_is_said_with_its_leases() -> None:
    snapshot = by_place(case("busy: held* held! waiting"))
    gone = replace(snapshot.parts[0], fields={**snapshot.parts[0].fields, "holder": GONE})
    state = (snapshot.unit, (*snapshot.parts, gone))

    assert (
        state_words(state) == "busy [held (held), held (held, lapsed), waiting, held (dead agent)]"
    )
    assert unit_words(state) == "busy"
    assert state_words((snapshot.unit, ())) == "busy"
    assert snapshot_of(state).parts == state[1]


def test_a_report_names_its_workflow_and_shape() -> None:
    found = check(tiny.scope())

    assert (found.workflow, found.shape) == ("cases", CASES.shape())


def test_what_is_wrong_at_the_start_is_reported_there() -> None:
    force = Rule("force", "case", HANDS, walk=(Fire("unit", "answer"),))
    flow = replace(CASES, rules=(force, *CASES.rules[:-1]))
    found = {one.finding.where: one for one in check(tiny.scope(flow, 1)).findings}

    assert (found["case open"].start, found["case open"].trace) == ("open [waiting]", ())
    assert found["force on open"].trace == (TraceCall("agent", "force", "", "", "✕"),)


def test_one_call_and_one_state_are_told_as_one() -> None:
    force = Rule("force", "case", HANDS, (case_is("open"),), (Fire("unit", "answer"),))
    flow = replace(CASES, rules=(force, *CASES.rules))
    lines = check(replace(tiny.scope(flow, 1), is_wide=False)).text().splitlines()

    assert "✕ 1 BROKEN_CALL  force on open" in lines
    assert "    Shortest way there (1 call), from open [waiting]:" in lines
