"""Timers: from how a thing stood and stands it follows whether its time begins, goes on or ends."""

from dataclasses import replace

import pytest

from interlock.kernel.seen import Part, Unit
from interlock.kernel.timer import ENDS, GOES_ON, Timer
from interlock.kernel.words import timer_words
from interlock.kernel.workflow import InvalidWorkflow, Workflow
from interlock.workflows.built_in import WORKFLOWS

FRESH = Timer(
    "ttl", "expire", ("wanted", "made", "there"), anew=("wanted", "there"), renewed=("supply",)
)
HELD = Timer("deadline", "give_up", ("busy", "idle"), when="held", reason="too late")
MISSION = WORKFLOWS["mission"]


def thing(status: str, ttl: object = 60) -> Part:
    return Part("thing", status, {"ttl": ttl})


def unit(status: str, *, held: int, deadline: object = 5) -> Unit:
    return Unit(status, {"held": held, "deadline": deadline})


@pytest.mark.parametrize(
    ("before", "after", "goes"),
    [
        (thing("proposed"), thing("wanted"), 60_000),
        (thing("wanted"), thing("made"), GOES_ON),
        (thing("made"), thing("there"), 60_000),
        (thing("made"), thing("wanted"), 60_000),
        (thing("there"), thing("made"), GOES_ON),
        (thing("there"), thing("there"), GOES_ON),
        (thing("there"), thing("there", 90), 90_000),
        (thing("there"), thing("there", None), ENDS),
        (thing("there"), thing("broken"), ENDS),
        (thing("broken"), thing("made"), 60_000),
        (thing("broken"), thing("proposed"), None),
        (None, thing("wanted"), 60_000),
        (None, thing("proposed"), None),
        (thing("there"), None, ENDS),
        (thing("proposed", None), thing("there", None), None),
        (thing("proposed", 0), thing("there", 0), None),
        (thing("proposed", 1), thing("there", 1), 1_000),
        (thing("proposed", "soon"), thing("there", "soon"), None),
    ],
)
def test_time_begins_goes_on_and_ends(
    before: Part | None, after: Part | None, goes: int | None
) -> None:
    assert FRESH.goes(before, after) == goes


def test_an_event_that_renews_begins_it_anew_where_it_stands() -> None:
    assert FRESH.goes(thing("there"), thing("there"), is_renewed=True) == 60_000
    assert FRESH.goes(thing("broken"), thing("broken"), is_renewed=True) is None


def test_it_runs_only_while_the_field_is_set() -> None:
    free, held = unit("busy", held=False), unit("busy", held=True)

    assert HELD.goes(free, held) == 5_000
    assert HELD.goes(held, unit("idle", held=True)) == GOES_ON
    assert HELD.goes(held, free) == ENDS
    assert HELD.goes(free, unit("idle", held=False)) is None
    assert HELD.goes(held, unit("over", held=True)) == ENDS


def test_another_value_of_the_field_begins_it_anew_where_it_stands() -> None:
    first, second = unit("busy", held=1), unit("busy", held=2)

    assert HELD.goes(first, second) == 5_000
    assert HELD.goes(first, first) == GOES_ON
    assert HELD.goes(second, unit("idle", held=2)) == GOES_ON


def test_it_is_said_in_words() -> None:
    assert timer_words(HELD) == (
        "while it is busy or idle and held is set: give_up after deadline seconds"
    )
    assert timer_words(FRESH).endswith("anew when it enters there, anew by supply")


def with_asset_timer(timer: Timer) -> Workflow:
    asset, *others = MISSION.parts
    return replace(MISSION, parts=(replace(asset, timer=timer), *others))


@pytest.mark.parametrize(
    ("timer", "wrong"),
    [
        (Timer("tll", "expire_asset", ("READY",)), "has no field 'tll'; did you mean 'ttl'"),
        (Timer("ttl", "expire_aset", ("READY",)), "'expire_aset' is no event; did you mean"),
        (Timer("ttl", "set_asset", ("READY",)), "'set_asset' is not for system"),
        (Timer("ttl", "expire_asset", ("REDY",)), "asset has no status 'REDY'"),
        (Timer("ttl", "expire_asset", ("READY",), anew=("GONE",)), "no status 'GONE'"),
        (Timer("ttl", "expire_asset", ()), "runs in no status"),
        (Timer("ttl", "expire_asset", ("READY",), renewed=("suply",)), "'suply' is no event"),
        (Timer("ttl", "expire_asset", ("READY",), when="held"), "has no field 'held'"),
    ],
)
def test_a_timer_that_does_not_fit_is_refused_with_the_nearest_name(
    timer: Timer, wrong: str
) -> None:
    with pytest.raises(InvalidWorkflow, match=wrong):
        with_asset_timer(timer)


def test_the_timer_of_a_unit_is_looked_at_too() -> None:
    with pytest.raises(InvalidWorkflow, match="mission: timer has no field 'deadlin'"):
        replace(MISSION, timer=Timer("deadlin", "abandon_recovery", ("BUILDING_HOP",)))


def test_a_kind_with_a_lease_has_no_timer() -> None:
    asset, hop, step = MISSION.parts
    timed = replace(hop, timer=Timer("sequence", "lapse_hop", ("PROPOSED",)))

    with pytest.raises(InvalidWorkflow, match="hop: has a lease, so it has no timer"):
        replace(MISSION, parts=(asset, timed, step))
